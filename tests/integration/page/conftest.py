"""What the tests of page models share: reading a fixture, and running exported lines with Playwright as a user would."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.async_api import Page
from playwright.sync_api import Browser as SyncBrowser
from playwright.sync_api import expect, sync_playwright

from configs.settings import Timeouts
from tests.conftest import CHROMIUM, FIXTURES
from tools.browser.tab import Tab
from tools.page.model import PageModel
from tools.page.reading import read_page

PAGES = FIXTURES / "page_models"
Read = Callable[[], Awaitable[PageModel]]


@pytest.fixture
async def opened(page: Page) -> Callable[[str], Awaitable[Read]]:
    """Opens a fixture by name; what it returns reads the page as it is then."""

    async def open_page(name: str) -> Read:
        await page.goto((PAGES / f"{name}.html").as_uri())
        tab = await Tab.attach(page, Timeouts())
        return lambda: read_page(tab)

    return open_page


class Runner:
    """A thread with Playwright's sync API, in which exported tests run."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._thread.submit(self._start).result(60)

    def _start(self) -> None:
        self._playwright = sync_playwright().start()
        expect.set_options(timeout=1_500)
        self._browser: SyncBrowser = self._playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )

    def _run(self, source: str) -> str:
        names: dict[str, object] = {}
        exec(compile(source, "exported.py", "exec"), names)  # noqa: S102 - our own export
        test = next(value for name, value in names.items() if name.startswith("test_") and callable(value))
        two = "browser" in inspect.signature(test).parameters
        context = self._browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(3000)
        page = context.new_page()
        try:
            test(page, self._browser) if two else test(page)
        except AssertionError as error:
            return str(error) or "assertion failed"
        finally:
            for item in self._browser.contexts:
                item.close()
        return ""

    def __call__(self, source: str) -> str:
        """Run a test file; empty if it passes, else what the failed assertion says. Other errors are raised."""
        return self._thread.submit(self._run, source).result(60)

    def close(self) -> None:
        """End browser and thread."""
        self._thread.submit(self._browser.close).result(30)
        self._thread.submit(self._playwright.stop).result(30)
        self._thread.shutdown()


@pytest.fixture(scope="session")
def run_exported() -> Iterator[Runner]:
    """Runs an exported test."""
    runner = Runner()
    yield runner
    runner.close()


def fixture_path(name: str) -> Path:
    """The file of a fixture."""
    return PAGES / f"{name}.html"
