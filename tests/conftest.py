"""What tests share: one browser a worker, a static server on loopback, a new run folder."""

from __future__ import annotations

import functools
import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright

from evaluator.verdict.model import Verdict
from tests.arithmetic import faults
from tools.confinement.launcher import lacking
from tools.evidence.ledger import Ledger

FIXTURES = Path(__file__).parent / "fixtures"
UNIT = Path(__file__).parent / "unit"
CHROMIUM = Path("/usr/lib/chromium/chromium")
SHORT = {
    # A whole exploration takes minutes: those tests that are about one set a budget of their own.
    "ASSAY_BUDGET__MAX_ACTS": "12",
    # Beside another worker app time would give way to it, to a sixteenth of the wall's: a second took a quarter minute.
    "ASSAY_PACE": "1",
    "ASSAY_RHYTHM": "0.2",
    "ASSAY_RECORDING__CAPTURE": "none",
}
"""What is other than users have it, in the tests' own process and in the commands that they run. Those tests that are about time,
hands or films ask for them; `tests/integration/evaluation/test_whole.py` evaluates as users do."""


def pytest_configure() -> None:
    """Where this machine makes no sandbox, the projects of tests – our own – are trusted; refusing them has its own tests."""
    if lacking():
        os.environ["ASSAY_TRUST_PROJECT"] = "true"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In random order, but what opens browsers and evaluates comes first: workers that end with files of seconds end together."""
    items.sort(key=lambda item: item.path.is_relative_to(UNIT))


@pytest.fixture(scope="session", autouse=True)
def state_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Machine key, marks and checkpoints of tested runs never lie among the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        for name, value in SHORT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A headless Chromium shared by all tests of a worker."""
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield chromium
        await chromium.close()


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page in a fresh context, 1280×800."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    yield await context.new_page()
    await context.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder on loopback and returns its base URL, e.g. `http://127.0.0.1:40123/`."""
    servers: list[ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """The open ledger of a new run."""
    opened = Ledger.create(tmp_path / "run")
    yield opened
    opened.close()


@pytest.fixture(scope="session", autouse=True)
def _sums_of_all_verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever verdict a test of this worker left in its folder deducts what counts, and nothing else."""
    yield
    wrong = {
        str(path): told
        for name in ("verdict.json", "report.json")
        for path in tmp_path_factory.getbasetemp().rglob(name)
        if (told := _wrong_sums(path))
    }
    assert not wrong, "\n".join(f"{path}: {'; '.join(told)}" for path, told in wrong.items())


def _wrong_sums(path: Path) -> list[str]:
    """What is wrong with the arithmetic of a verdict's file, or of a report's; nothing of a file that a test made to be none."""
    try:
        held = json.loads(path.read_bytes())
        return faults(Verdict.model_validate(held["verdict"] if path.name == "report.json" else held))
    except (OSError, ValueError, KeyError, TypeError):
        return []
