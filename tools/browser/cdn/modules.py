"""ES modules of packages, as esm.sh, skypack, jsDelivr's `/+esm` and unpkg's `?module` give them.

Every module has one address of its own, with an exact version; any other address of it gives a two-line module that passes its
exports on. So each package is there once, however it was asked for. Dependencies stay outside, by address.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from posixpath import splitext
from typing import Any
from urllib.parse import quote, urlencode

from tools.browser.cdn.address import WantedModule
from tools.browser.cdn.bundler import Bundler
from tools.browser.cdn.faults import Absent
from tools.browser.cdn.files import MEDIA_TYPES, media_type
from tools.browser.cdn.packages import Obtained, Packages, is_exact

_SCRIPT = MEDIA_TYPES[".js"]
_CODE = frozenset({"", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts"})


@dataclass(frozen=True)
class Built:
    """A module, a file beside modules, or where the browser is sent on to."""

    body: bytes
    media_type: str
    obtained: Obtained
    path: str
    note: str = ""
    moved_to: str = ""


async def serve(wanted: WantedModule, packages: Packages, bundler: Bundler) -> Built:
    """What the CDN gives for a module's address. Raises `Absent` or `Withheld`."""
    obtained = await packages.get(wanted.package, wanted.spec)
    package = obtained.package
    if wanted.cdn == "unpkg" and not is_exact(wanted.spec):
        tail = f"/{quote(wanted.path)}" if wanted.path else ""
        to = f"https://{wanted.host}/{package.title}{tail}?module"
        return Built(b"", "text/plain; charset=utf-8", obtained, "", "moved to its exact version", to)
    raw = _raw(wanted, obtained)
    if raw is not None:
        return raw
    op = "rewrite" if wanted.cdn == "unpkg" else "build"
    made = await bundler.module(package, {"op": op, **_request(wanted)})
    if wanted.cdn == "unpkg" or _is_canonical(wanted):
        return Built(made.code, _SCRIPT, obtained, made.path, "built here as an ES module")
    # A leaf is one module, whatever was said about dependencies on the way to it: there is one React.
    plain = replace(wanted, pins=(), outside=(), aliases=()) if made.leaf else wanted
    own = json.dumps(canonical(plain, package.version))
    stub = f"export * from {own};\n" + (f"export {{ default }} from {own};\n" if made.has_default else "")
    return Built(stub.encode(), _SCRIPT, obtained, made.path, "passes on the exports of the exact version's module")


def canonical(wanted: WantedModule, version: str) -> str:
    """The address that is the module itself."""
    title = f"{wanted.package}@{version}"
    path = splitext(wanted.path)[0] if splitext(wanted.path)[1] in {".js", ".mjs"} else wanted.path
    match wanted.cdn:
        case "jsdelivr":
            return f"https://{wanted.host}/npm/{title}{'/' + quote(wanted.path) if wanted.path else ''}/+esm"
        case "skypack":
            mark = hashlib.sha256(title.encode()).hexdigest()[:20]
            file = quote(path or wanted.package)
            return f"https://{wanted.host}/-/{wanted.package}@v{version}-{mark}/dist=es2019,mode=imports/optimized/{file}.js"
        case _:
            mode = ".development" if wanted.development else ""
            file = quote(path or wanted.package.rpartition("/")[2])
            query = _query(wanted)
            return f"https://{wanted.host}/{title}/es2022/{file}{mode}.mjs{'?' + query if query else ''}"


def _is_canonical(wanted: WantedModule) -> bool:
    return wanted.built or (wanted.cdn == "jsdelivr" and is_exact(wanted.spec))


def _query(wanted: WantedModule) -> str:
    """The options that hold for dependencies as well."""
    options = {
        "deps": ",".join(f"{name}@{spec}" for name, spec in wanted.pins),
        "external": ",".join(wanted.outside),
        "alias": ",".join(f"{name}:{other}" for name, other in wanted.aliases),
    }
    text = urlencode({key: value for key, value in options.items() if value}, safe="@,:/*^~")
    return "&".join(part for part in (text, "dev" if wanted.development else "") if part)


def _request(wanted: WantedModule) -> dict[str, Any]:
    return {
        "path": wanted.path,
        "development": wanted.development,
        "cdn": wanted.cdn,
        "host": wanted.host,
        "pins": dict(wanted.pins),
        "outside": list(wanted.outside),
        "aliases": dict(wanted.aliases),
        "query": _query(wanted),
    }


def _raw(wanted: WantedModule, obtained: Obtained) -> Built | None:
    """Style sheets, pictures and the like are sent as they are; so is what a module asks for beside its own address."""
    package, path = obtained.package, wanted.path
    if splitext(path)[1].lower() in _CODE or splitext(path)[1].lower() not in MEDIA_TYPES:
        return None
    for candidate in (path, path.partition("/")[2] if path.startswith("es20") else path):
        if candidate in package.files:
            return Built(package.read(candidate), media_type(candidate), obtained, candidate)
    if f"{path}.js" in package.files or f"{path}.mjs" in package.files:
        return None
    raise Absent(f"{package.title} has no {path}")
