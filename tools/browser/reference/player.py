"""Carries out acts of a reference script in headless Chromium and observes the page after each.

The page's clock is Playwright's: it stands at a fixed time and is moved by the acts only, so that two runs see the same. Requests
leave for the app's own server only; whatever else the page asks for fails, in the original as in the mutant.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from PIL import Image
from playwright.async_api import Browser, CDPSession, Dialog, Page, async_playwright
from playwright.async_api import Error as PlaywrightError

from tools.browser.launch import find_chromium
from tools.errors import StageFault
from tools.media.bounds import opened
from tools.mutation.observation import PICTURE, Act, Observation, packed
from tools.text import printable

WIDTH, HEIGHT = 1280, 800
_NOW = datetime.datetime(2026, 5, 4, 10, 0, tzinfo=datetime.UTC)
_OPEN_S = 30.0
_ACT_S = 25.0
"""An act, its settling and its observation; past it the page hangs."""
_SETTLE_MS = 350
"""Time of the page that passes after each act: debounced input and short transitions are over by then."""
_QUIET_S = 3.0
_STILL_S = 0.05
"""A document that is the same for so long is done; two looks in a row have to agree."""
_LATE_S = 0.4
_LOOK = (files("tools.browser.reference") / "look.js").read_text(encoding="utf-8")
_BEFORE = (files("tools.browser.reference") / "sounds.js").read_text(encoding="utf-8")
_FINGERPRINT = "() => document.readyState + (document.body ? document.body.innerHTML.length + document.body.innerText : '')"
_YIELD = (
    "() => new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = () => done(0); c.port2.postMessage(0); })"
)


@asynccontextmanager
async def opened_browser() -> AsyncIterator[Browser]:
    """Headless Chromium for any number of players. Raises `StageFault` if it does not start."""
    async with async_playwright() as playwright:
        try:
            browser = await playwright.chromium.launch(executable_path=find_chromium(), args=["--force-color-profile=srgb"])
        except PlaywrightError as error:
            raise StageFault(f"Chromium did not start: {str(error).splitlines()[0]}") from error
        try:
            yield browser
        finally:
            with contextlib.suppress(PlaywrightError, TimeoutError):
                await asyncio.wait_for(browser.close(), 10)


class Player:
    """A fresh profile with one page. Use `playing`."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.cdp: CDPSession | None = None
        self.fetched: dict[str, tuple[str, str]] = {}
        """Address → media type and text of what the page's own server served: scripts, styles and pages."""
        self._reading: set[asyncio.Task[None]] = set()
        self._dialogs: list[str] = []
        self._errors: list[str] = []
        self._waiting = 0
        page.on("dialog", self._dialog)
        page.on("pageerror", lambda error: self._errors.append(printable(str(error).splitlines()[0], 160)))
        page.on("request", lambda _: self._count(1))
        page.on("requestfinished", lambda _: self._count(-1))
        page.on("requestfailed", lambda _: self._count(-1))

    def _count(self, by: int) -> None:
        self._waiting = max(0, self._waiting + by)

    def _dialog(self, dialog: Dialog) -> None:
        self._dialogs.append(f"{dialog.type}: {printable(dialog.message, 160)}")
        answer = dialog.accept("Delta") if dialog.type != "beforeunload" else dialog.accept()
        task = asyncio.ensure_future(answer)
        task.add_done_callback(lambda done: done.exception() if not done.cancelled() else None)

    def keep_what_is_served(self) -> None:
        """From now on `fetched` fills with scripts, styles and pages of the app's own server."""
        netloc = urlsplit(self.url).netloc

        async def read(response: Any) -> None:
            kind = response.request.resource_type
            own = urlsplit(response.url).netloc == netloc
            named = response.url.split("?")[0].endswith((".js", ".jsx", ".mjs", ".ts", ".tsx", ".css"))
            if own and response.status == 200 and (kind in {"script", "stylesheet", "document"} or named):
                with contextlib.suppress(PlaywrightError, UnicodeDecodeError):
                    body = await response.body()
                    self.fetched[response.url] = (response.headers.get("content-type", ""), body.decode("utf-8"))

        def on_response(response: Any) -> None:
            task = asyncio.ensure_future(read(response))
            self._reading.add(task)
            task.add_done_callback(self._reading.discard)

        self.page.on("response", on_response)

    async def all_read(self) -> None:
        """Wait until what was served so far is in `fetched`."""
        await asyncio.gather(*self._reading, return_exceptions=True)

    async def play(self, act: Act) -> Observation:
        """Carry out an act and observe. A page that hangs or is gone gives an observation that is not `done`."""
        self._dialogs, self._errors = [], []
        try:
            async with asyncio.timeout(_OPEN_S if act.kind in {"open", "reload"} else _ACT_S):
                done = await self._carry_out(act)
                await self._settle(int(act.value) if act.kind == "wait" else _SETTLE_MS)
                return await self._observed(done)
        except (PlaywrightError, TimeoutError):
            return Observation(done=False, dialogs=tuple(self._dialogs), errors=tuple(self._errors))

    async def look_again(self) -> Observation:
        """The same instant of the page's time, once more: what was only late is there now."""
        try:
            async with asyncio.timeout(_ACT_S):
                await asyncio.sleep(_LATE_S)
                await self._settle(0)
                return await self._observed(done=True)
        except (PlaywrightError, TimeoutError):
            return Observation(done=False)

    async def controls(self) -> list[Mapping[str, Any]]:
        """What can be acted on now."""
        async with asyncio.timeout(_ACT_S):
            return (await self.page.evaluate(_LOOK, True))["controls"]

    async def _carry_out(self, act: Act) -> bool:
        page = self.page
        if act.kind == "open":
            await page.goto(self.url, wait_until="load", timeout=_OPEN_S * 1000)
        elif act.kind == "reload":
            await page.reload(wait_until="load", timeout=_OPEN_S * 1000)
        elif act.kind == "resize":
            width, height = act.value.split("×")
            await page.set_viewport_size({"width": int(width), "height": int(height)})
        elif act.kind == "press" and not act.target:
            await page.keyboard.press(act.value)
        elif act.kind != "wait":
            return await self._at_target(act)
        return True

    async def _at_target(self, act: Act) -> bool:
        found = await self.page.query_selector(act.target)
        if found is None:
            return False
        if act.kind == "fill":
            await found.fill(act.value, timeout=1500)
        elif act.kind == "select":
            await found.select_option(act.value, timeout=1500)
        elif act.kind == "press":
            await found.press(act.value, timeout=1500)
        else:
            holder = await self.page.query_selector(act.over) if act.over else None
            if holder is not None:
                await self._point(holder)
            middle = await self._point(found)
            if middle is None:
                return False
            await self.page.mouse.click(*middle, click_count=2 if act.kind == "double_click" else 1)
        return True

    async def _point(self, element: Any) -> tuple[float, float] | None:
        await element.evaluate("(e) => e.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })")
        box = await element.bounding_box()
        if box is None or not box["width"] or not box["height"]:
            return None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        await self.page.mouse.move(*middle)
        return middle

    async def _settle(self, ms: int) -> None:
        """Let time of the page pass, then wait for what was asked of the server."""
        await self.page.clock.run_for(ms)
        for _ in range(2):
            await self.page.evaluate(_YIELD)
        # Rendering and modules come in real time, whatever the page's clock says: wait until the document stays as it is. The
        # page's clock stands meanwhile, or two runs on a busy machine would not see the same.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_QUIET_S):
                before = ""
                while (now := await self.page.evaluate(_FINGERPRINT)) != before or self._waiting:
                    before = now
                    await asyncio.sleep(_STILL_S)

    async def _observed(self, done: bool) -> Observation:
        told = await self.page.evaluate(_LOOK, False)
        picture = await self.page.screenshot(animations="disabled", caret="hide", timeout=_ACT_S * 1000)
        return Observation(
            **told, done=done, dialogs=tuple(self._dialogs), errors=tuple(self._errors), picture=packed(_small(picture))
        )


def _small(picture: bytes) -> np.ndarray:
    with opened(picture) as image:
        return np.asarray(image.convert("RGB").resize(PICTURE, Image.Resampling.BOX))


@asynccontextmanager
async def playing(browser: Browser, url: str) -> AsyncIterator[Player]:
    """A player with an empty profile; the first act has to be `open`."""
    netloc = urlsplit(url).netloc
    context = await browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, service_workers="block", locale="en-US", timezone_id="UTC"
    )
    try:
        await context.route(lambda asked: urlsplit(asked).netloc not in {netloc, ""}, lambda route: route.abort())
        await context.route_web_socket(lambda asked: urlsplit(asked).netloc != netloc, lambda socket: socket.close())
        await context.clock.install(time=_NOW)
        await context.clock.pause_at(_NOW)
        await context.add_init_script(_BEFORE)
        yield Player(await context.new_page(), url)
    finally:
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(context.close(), 10)
