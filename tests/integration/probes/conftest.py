"""A thin page view over Playwright, as the stage is one: isolated world, picture of the viewport."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.async_api import Browser, CDPSession, Page

from tools.media.image import decode
from tools.probes.page import audit_page
from tools.probes.protocol import Result, Viewport

PAGES = Path(__file__).parents[2] / "fixtures" / "probes"


class ScriptThrew(Exception):
    """The script raised."""


class PlaywrightView:
    """What the probes need of a page, and nothing else."""

    def __init__(self, page: Page, cdp: CDPSession) -> None:
        self.page = page
        self.cdp = cdp

    @classmethod
    async def of(cls, page: Page) -> PlaywrightView:
        """A view of an open page."""
        return cls(page, await page.context.new_cdp_session(page))

    async def evaluate(self, function: str, arg: object = None, *, timeout_s: float | None = None) -> Any:
        """Run the function in a fresh isolated world."""
        tree = await self.cdp.send("Page.getFrameTree")
        world = await self.cdp.send("Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"]})
        async with asyncio.timeout(timeout_s or 10.0):
            answer = await self.cdp.send(
                "Runtime.evaluate",
                {
                    "expression": f"({function})({json.dumps(arg)})",
                    "contextId": world["executionContextId"],
                    "awaitPromise": True,
                    "returnByValue": True,
                },
            )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise ScriptThrew(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    async def picture(self) -> NDArray[np.uint8]:
        """The viewport."""
        return decode(await self.page.screenshot())


@pytest.fixture
async def view(page: Page) -> PlaywrightView:
    """A view of a new page, 1280×800."""
    return await PlaywrightView.of(page)


Probed = dict[str, Result]
Audit = Callable[..., Awaitable[Probed]]


@pytest.fixture
def audit(browser: Browser, serve: Callable[[Path], str]) -> Audit:
    """Opens a fixture page (or the HTML given as `body`) and runs the probes named; results by probe."""

    async def run(
        name: str = "",
        *only: str,
        body: str = "",
        viewport: Viewport = "desktop",
        brief_language: str = "en",
        folder: Path = PAGES,
    ) -> Probed:
        size = {"width": 1280, "height": 800} if viewport == "desktop" else {"width": 390, "height": 844}
        context = await browser.new_context(viewport=size, is_mobile=viewport == "mobile", device_scale_factor=1)  # type: ignore[arg-type]
        page = await context.new_page()
        try:
            if body:
                await page.set_content(body)
            else:
                await page.goto(serve(folder) + name)
            results = await audit_page(
                await PlaywrightView.of(page), viewport=viewport, brief_language=brief_language, only=only or None
            )
        finally:
            await context.close()
        return {result.probe: result for result in results}

    return run
