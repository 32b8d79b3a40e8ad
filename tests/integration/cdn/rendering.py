"""Opens the pages of tests/fixtures/cdn in Chromium with nothing but the local CDN behind them, and looks at what they show."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import io
import tomllib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, CDPSession, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from tests.conftest import CHROMIUM, FIXTURES
from tools.browser.cdn.answer import Cdn, Served

PAGES = FIXTURES / "cdn"
READY_S = 60.0


@dataclass(frozen=True)
class Example:
    """One page of the folder."""

    name: str
    ready: str
    colours: int = 3
    share: float = 0.001


@dataclass
class Shown:
    """What became of a page."""

    name: str
    ready: bool = False
    colours: int = 0
    share: float = 0.0
    """Of the stage's pixels that are not the commonest colour."""
    errors: list[str] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    """Address to `status blame sha256` of what was sent."""
    origins: dict[str, str] = field(default_factory=dict)
    picture: bytes = b""

    def fits(self, example: Example) -> bool:
        """Whether the library did visibly what it is for, and nothing was refused."""
        drawn = self.colours >= example.colours and self.share >= example.share
        return (
            self.ready
            and drawn
            and not self.errors
            and all(" " in answer and answer[0] in "23" for answer in self.answers.values())
        )


def examples(names: Iterable[str] = ()) -> list[Example]:
    """The pages, or those named."""
    known = [Example(**item) for item in tomllib.loads((PAGES / "pages.toml").read_text(encoding="utf-8"))["page"]]
    wanted = set(names)
    return [item for item in known if not wanted or item.name in wanted]


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless Chromium that draws WebGL in software."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"],
        )
        yield browser
        await browser.close()


async def show(browser: Browser, base: str, example: Example, cdn: Cdn, *, ready_s: float = READY_S) -> Shown:
    """Open a page below `base` and wait until its library has done its work, at most `ready_s`."""
    shown = Shown(example.name)
    context = await browser.new_context(viewport={"width": 800, "height": 500})
    try:
        page = await context.new_page()
        page.on("pageerror", lambda error: shown.errors.append(str(error)[:300]))
        await answer_from(page, base, cdn, shown)
        await page.goto(f"{base}{example.name}.html", wait_until="commit")
        with contextlib.suppress(PlaywrightError):
            condition = f"document.fonts.status === 'loaded' && ({example.ready}) === true"
            ready = f"() => {{ try {{ return {condition} }} catch {{ return false }} }}"
            await page.wait_for_function(ready, timeout=ready_s * 1000, polling=100)
            shown.ready = True
        shown.picture = await page.locator("#stage").screenshot()
        shown.colours, shown.share = measure(shown.picture)
    finally:
        await context.close()
    return shown


async def answer_from(page: Page, base: str, cdn: Cdn, shown: Shown) -> None:
    """Answer every request of a page that does not go to its own server."""
    session = await page.context.new_cdp_session(page)
    tasks: set[asyncio.Task[None]] = set()

    def paused(event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(_answer(session, event, base, cdn, shown))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    session.on("Fetch.requestPaused", paused)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*", "requestStage": "Request"}]})


async def _answer(session: CDPSession, event: dict[str, Any], base: str, cdn: Cdn, shown: Shown) -> None:
    url, request = event["request"]["url"], {"requestId": event["requestId"]}
    with contextlib.suppress(PlaywrightError):  # the page may be gone by then
        if url.startswith((base, "data:", "blob:")):
            await session.send("Fetch.continueRequest", request)
            return
        served = await cdn.serve(url, event["request"]["method"])
        if served is None:
            shown.errors.append(f"asked for {url}")
            await session.send("Fetch.failRequest", {**request, "errorReason": "BlockedByClient"})
            return
        _note(shown, url, served)
        headers = [{"name": name, "value": value} for name, value in served.headers]
        body = base64.b64encode(served.body).decode()
        await session.send(
            "Fetch.fulfillRequest", {**request, "responseCode": served.status, "responseHeaders": headers, "body": body}
        )


def _note(shown: Shown, url: str, served: Served) -> None:
    shown.answers[url] = f"{served.status} {served.blame or 'ok'} {hashlib.sha256(served.body).hexdigest()}"
    origin = served.origin
    where = "fetched" if origin.fetched else "cache"
    shown.origins[url] = f"{origin.package}@{origin.version}/{origin.path} ({where})" if origin.package else served.note


def measure(picture: bytes) -> tuple[int, float]:
    """Distinct colours of a picture, and the share of pixels that are not its commonest colour."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    counts = [count for count, _ in image.getcolors(image.width * image.height) or []]
    return len(counts), 1.0 - max(counts) / sum(counts)


def keep(shown: Shown, folder: Path) -> None:
    """Write the picture down, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{shown.name}.png").write_bytes(shown.picture)
