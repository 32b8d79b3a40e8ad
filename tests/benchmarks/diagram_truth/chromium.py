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

    def page(self, scale: float, *, mermaid: bool = False, mxgraph: bool = False) -> Page:
        """A page at that device scale; kept between diagrams."""
        key = scale, "mermaid" if mermaid else "mxgraph" if mxgraph else ""
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
