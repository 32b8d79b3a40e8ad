"""Reports opened from disk in a real browser."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from evaluator.reports.as_html import write_html
from tests.unit.reports.run_folder import make_run

VIDEO_READY = """() => new Promise((done, failed) => {
  const video = document.querySelector('video');
  if (video.readyState >= 2) return done();
  video.addEventListener('canplay', () => done(), { once: true });
  setTimeout(() => failed(new Error('the recording was not ready in 15 s')), 15000);
  video.addEventListener('error', () => failed(new Error(video.error && video.error.message)), { once: true });
})"""


@dataclass
class Opened:
    """A report in a page, with everything it asked for and complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    async def ready(self) -> None:
        """Wait until the recording can be played (15 s at most)."""
        await self.page.evaluate(VIDEO_READY)


OpenReport = Callable[..., Awaitable[Opened]]


@pytest.fixture(scope="session")
def report_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a scored run of 12 steps with a recording."""
    return write_html(make_run(tmp_path_factory.mktemp("reports") / "20261121-tidy-board"))


@pytest.fixture
async def open_report(browser: Browser) -> AsyncIterator[OpenReport]:
    """Opens a file in a context of its own; keyword arguments go to the context."""
    contexts = []

    async def opening(path: Path, **options: object) -> Opened:
        settings = {"viewport": {"width": 1600, "height": 1000}, **options}
        context = await browser.new_context(**settings)
        contexts.append(context)
        opened = Opened(await context.new_page())
        opened.page.on("request", lambda request: opened.requests.append(request.url))
        opened.page.on("console", lambda message: opened.complaints.append(f"{message.type}: {message.text}"))
        opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
        await opened.page.goto(path.as_uri())
        return opened

    yield opening
    for context in contexts:
        await context.close()
