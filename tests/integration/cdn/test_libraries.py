"""Every page of tests/fixtures/cdn with the local CDN behind it; the benchmark (tests/benchmarks/cdn.py) does so offline, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.integration.cdn.rendering import PAGES, Example, chromium, examples, show
from tools.browser.cdn.answer import Cdn

pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
async def drawing() -> AsyncIterator[Browser]:
    """A Chromium that can draw WebGL."""
    async with chromium() as opened:
        yield opened


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
async def test_library_works(drawing: Browser, serve: Callable[[Path], str], example: Example) -> None:
    """The library does visibly what it is for, and nothing that the page asks for is refused."""
    cdn = Cdn()
    shown = await show(drawing, serve(PAGES), example, cdn, ready_s=240)
    await cdn.close()
    assert shown.fits(example), (shown.ready, shown.colours, shown.share, shown.errors, shown.origins)
