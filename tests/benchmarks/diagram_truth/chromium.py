"""A Chromium that photographs pages of one diagram, and the scripts of Mermaid and mxGraph, fetched once from npm."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from tools.app.programs import cache_dir
from tools.browser.cdn.packages import anonymous
from tools.errors import EnvironmentFault, MissingProgram

CHROMIUM = Path("/usr/lib/chromium/chromium")
MERMAID = "11.17.2"
MERMAID_SHA256 = "581ed7d74bd9048d0e3a91363927d72ef22942d7722546b27f7cc29e35390eb8"
MXGRAPH = "4.2.2"
MXGRAPH_SHA256 = "776997760826fa8352f3935ebe5a7be90337bc33972861530f160f47948ea43f"
_DIST = "dist/"
LIBRARIES = {
    "cytoscape": ("3.34.4", f"{_DIST}cytoscape.min.js", "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8"),
    "vis-network": (
        "10.1.2", "standalone/umd/vis-network.min.js", "fc674cfa6cceb27a3b40ff4ea75c204a2d8570fb39b9a627127cf7039e141ad4",
    ),
    "d3": ("5.16.0", f"{_DIST}d3.min.js", "5dbe924b3847df010f0b8572dd6ef42ea87d6370eeff72b13ea236247412a53c"),
    "dagre-d3": ("0.6.4", f"{_DIST}dagre-d3.min.js", "74f9b84c0f18f4f639ab99a6b563244463823072432b2df866bc5d6c1180f5cb"),
    "graphre": ("0.1.3", f"{_DIST}graphre.js", "d88111e403c1210ef905c86be98761c15d3ff190636470d838edc1797f8d5c7a"),
    "nomnoml": ("1.7.0", f"{_DIST}nomnoml.js", "601c588fe6a6ce3730d58b7d261c6694424d1d3d3d386a6cafaf6d1c1037f759"),
    "roughjs": ("4.6.6", "bundled/rough.js", "6853af8619532f3939b156cd16824d2e14f31e71d3df306ad5558eeafacab194"),
}  # fmt: skip
"""Libraries that draw diagrams in pages: version, file in the npm package, and that file's SHA-256."""
FETCH_S = 180.0
PAGE_MS = 30_000.0


def mermaid_script() -> Path:
    """Path of `mermaid.min.js` in the cache; the npm package is fetched the first time, afterwards no network is needed.

    Raises `MissingProgram` without npm, `EnvironmentFault` if it cannot be fetched or is another file than expected.
    """
    return _script("mermaid", MERMAID, "dist/mermaid.min.js", MERMAID_SHA256)


def mxgraph_script() -> Path:
    """The same of `mxClient.min.js`, which draws what draw.io draws."""
    return _script("mxgraph", MXGRAPH, "javascript/mxClient.min.js", MXGRAPH_SHA256)


def _script(package: str, version: str, member_name: str, sha256: str) -> Path:
    kept = cache_dir() / package / version / Path(member_name).name
    if not kept.is_file():
        if shutil.which("npm") is None:
            raise MissingProgram(f"npm is not installed; it fetches {package}.", hint="Run: assay doctor")
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", f"{package}@{version}", "--silent", "--ignore-scripts"]
            done = subprocess.run(
                command, cwd=folder, env=anonymous(Path(folder)), capture_output=True, text=True, timeout=FETCH_S, check=False
            )
            packed = next(Path(folder).glob("*.tgz"), None)
            if done.returncode != 0 or packed is None:
                raise EnvironmentFault(f"{package} {version} could not be fetched: {done.stderr.strip()[:200]}", retryable=True)
            with tarfile.open(packed) as archive:
                member = archive.extractfile(f"package/{member_name}")
                if member is None:
                    raise EnvironmentFault(f"the package {package} holds no {member_name}")
                data = member.read()
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".partial")
        partial.write_bytes(data)
        partial.rename(kept)
    if hashlib.sha256(kept.read_bytes()).hexdigest() != sha256:
        raise EnvironmentFault(f"{kept} is not the file it should be.", hint="Delete it; it is fetched again.")
    return kept


class Camera:
    """Pages in one browser. A page that needs Mermaid has it; nothing is fetched."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._pages: dict[tuple[float, str], Page] = {}

    def page(self, scale: float, *libraries: str, mermaid: bool = False, mxgraph: bool = False) -> Page:
        """A page at that device scale, kept between diagrams. `libraries`: names in `LIBRARIES`, those first that others need."""
        key = scale, "mermaid" if mermaid else "mxgraph" if mxgraph else " ".join(libraries)
        if key not in self._pages:
            context = self._browser.new_context(viewport={"width": 1400, "height": 900}, device_scale_factor=scale, offline=True)
            page = context.new_page()
            page.set_default_timeout(PAGE_MS)
            page.set_content("<!doctype html><meta charset=utf-8><style>body{margin:0}</style><div id=place></div>")
            if mermaid:
                page.add_script_tag(path=str(mermaid_script()))
            if mxgraph:
                page.add_script_tag(content="mxBasePath = '.'; mxLoadResources = mxLoadStylesheets = false;")
                page.add_script_tag(path=str(mxgraph_script()))
            for name in libraries:
                page.add_script_tag(path=str(_script(name, *LIBRARIES[name])))
            self._pages[key] = page
        return self._pages[key]

    def version(self) -> str:
        """The browser's version."""
        return self._browser.version


@contextmanager
def camera() -> Iterator[Camera]:
    """A headless Chromium for photographs; it is closed at the end."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--force-color-profile=srgb",
                "--hide-scrollbars",
            ],
        )
        try:
            yield Camera(browser)
        finally:
            browser.close()


def shot(page: Page, selector: str, margin: float = 10.0) -> tuple[bytes, FloatRect]:
    """A PNG of an element with a margin, and where its left upper corner lies (CSS pixels, page coordinates)."""
    box = page.evaluate(
        "s => { const {x, y, width, height} = document.querySelector(s).getBoundingClientRect(); return {x, y, width, height}; }",
        selector,
    )
    width, height = int(box["x"] + box["width"] + 2 * margin) + 1, int(box["y"] + box["height"] + 2 * margin) + 1
    page.set_viewport_size({"width": max(200, min(width, 6000)), "height": max(150, min(height, 6000))})
    clip: FloatRect = {
        "x": max(0, int(box["x"] - margin)),
        "y": max(0, int(box["y"] - margin)),
        "width": int(box["width"] + 2 * margin),
        "height": int(box["height"] + 2 * margin),
    }
    return page.screenshot(clip=clip, animations="disabled"), clip
