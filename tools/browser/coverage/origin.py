"""Whose a script is: the app's own, or a library's. By its address; for a bundle by the source files in its map."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

from tools.browser.network import Policy

_LIBRARY_FOLDERS = frozenset({"node_modules", "bower_components", "third_party", "third-party", "vendor", "vendors", ".vite"})
_DEV_SERVER = ("/@vite/", "/@id/", "/@react-refresh", "/@hmr", "/__vite", "/webpack/bootstrap", "/webpack/runtime", "/(webpack)")
"""What a dev server puts into the page: its client, its helpers, packages by name."""
_VENDOR_CHUNK = re.compile(
    r"^(?:chunk-)?(?:vendors?|polyfills?|framework|runtime|webpack-runtime|modulepreload-polyfill)(?:[-.~_@][^/]*)?\.[cm]?js$",
    re.IGNORECASE,
)
"""Names that bundlers give to chunks without code of the app: `vendor-4f2a.js`, `chunk-vendors.js`, `framework-….js` (Next)."""
_LIBRARY_FILE = re.compile(
    r"^(?:jquery|react|react-dom|vue|angular|svelte|preact|htm|p5|three|d3|chart|echarts|plotly|lodash|underscore|moment|dayjs|"
    r"tone|howler|gsap|anime|phaser|pixi|matter|bootstrap|popper|tailwind|tailwindcss|alpine|marked|mermaid|katex|highlight|prism|"
    r"leaflet|axios|rxjs|redux|zustand|babel|babel-standalone|es-module-shims|require|system|core-js)"
    r"(?:[-.]v?\d[\w.-]*)?(?:[-.](?:min|slim|prod|production|development|global|umd|esm|module|bundle|all))*\.[cm]?js$",
    re.IGNORECASE,
)
"""Well-known libraries kept beside the app's own files under their own names."""
_BANNER = re.compile(r"^\s*/\*!?[\s*]*(?:@license\b|@preserve\b|!?\s*[\w. -]{2,40}\bv?\d+\.\d+\.\d+)")
"""What published builds begin with: a licence comment, or a name with a version in three parts."""


def own_by_address(url: str, policy: Policy) -> bool:
    """Whether a script of that address is the app's own code; what comes from another host than the site's never is."""
    parts = urlsplit(url)
    if parts.scheme in {"http", "https"}:
        return policy.own(url) and not library_path(parts.path)
    if parts.scheme in {"blob", "data"}:
        return policy.own(url)
    # A name that a bundler or a transpiler gave it (`webpack-internal:///./src/app.js`, `Inline Babel script`).
    return parts.scheme not in {"chrome-extension", "pptr", "chrome", "devtools"} and not library_path(url)


def library_path(path: str) -> bool:
    """Whether a path, on the site or in a source map, is a library's or a tool's."""
    path = unquote(path).replace("\\", "/")
    folders = path.split("/")
    name = folders.pop().partition("?")[0]
    if _LIBRARY_FOLDERS.intersection(folders) or any(word in path for word in _DEV_SERVER):
        return True
    return bool(_VENDOR_CHUNK.match(name) or _LIBRARY_FILE.match(name))


def published(text: str) -> bool:
    """Whether a script begins like a library's published build."""
    return _BANNER.match(text[:400]) is not None


def label_of(url: str) -> str:
    """How a script is named in evidence, the same in every run: no host, port, time stamp or chance."""
    parts = urlsplit(url)
    if parts.scheme in {"http", "https"}:
        path = unquote(parts.path).lstrip("/")
        return f"{path}index.html" if not path or path.endswith("/") else path
    return f"{parts.scheme}:" if parts.scheme in {"blob", "data"} else url[:120]
