"""Stages for tests: one shared by a module for what leaves no traces, or as many as a test opens itself."""

from __future__ import annotations

import functools
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest

from configs.settings import Recording, Settings, Timeouts
from tests.conftest import FIXTURES
from tools.browser.stage import Stage
from tools.browser.wiring import EyesAndHands, Watched
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Row
from tools.processes import ProcessList

PAGES = FIXTURES / "pages" / "stage"


class _NoHands:
    """These tests act through Playwright; the hands have tests of their own."""

    def __init__(self, *_: object) -> None:
        pass

    async def perform(self, action: object) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """There is nothing to give back."""


async def _no_eyes(stage: Watched, label: str) -> Any:
    raise NotImplementedError


ALONE = EyesAndHands(observe=_no_eyes, hands=_NoHands)


@dataclass
class Opened:
    """A stage with its ledger and processes."""

    stage: Stage
    ledger: Ledger
    processes: ProcessList
    run_dir: Path
    site: str

    def rows(self, kind: str) -> list[Any]:
        """Bodies of one kind written so far."""
        return [row.body for row in self.all_rows() if row.body.kind == kind]

    def all_rows(self) -> list[Row]:
        """Every row written so far."""
        self.ledger.sync()
        return list(Record.read(self.run_dir).rows)


Capture = Literal["auto", "x11", "screencast", "none"]
Opener = Callable[..., Awaitable[Opened]]


def opener(stack: AsyncExitStack, folder: Path) -> Opener:
    """A function that opens stages and has them closed when the stack is left."""
    count = 0

    async def open_stage(
        site: str,
        *,
        record: bool = False,
        capture: Capture = "auto",
        command_s: float = 8.0,
        navigate_s: float = 20.0,
        **more: Any,
    ) -> Opened:
        nonlocal count
        count += 1
        run_dir = folder / f"run{count}"
        ledger = Ledger.create(run_dir)
        stack.callback(ledger.close)
        processes = stack.enter_context(ProcessList(run_dir))
        limits = Timeouts(command_s=command_s, navigate_s=navigate_s)
        settings = Settings(recording=Recording(capture=capture), timeouts=limits, **more)
        stage = await Stage.open(
            ledger=ledger, settings=settings, site=site, run_dir=run_dir, processes=processes, record=record, wire=ALONE
        )
        stack.push_async_callback(stage.close)
        return Opened(stage, ledger, processes, run_dir, site)

    return open_stage


@pytest.fixture
async def open_stage(tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens a stage on a site; closed after the test."""
    async with AsyncExitStack() as stack:
        yield opener(stack, tmp_path)


@pytest.fixture(scope="session")
def session_serve() -> Iterator[Callable[[Path], str]]:
    """As `serve`, for fixtures that live longer than a test."""
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


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of these tests, with a short film with sound made by ffmpeg."""
    folder = tmp_path_factory.mktemp("pages") / "site"
    shutil.copytree(PAGES, folder)
    make_film(folder / "tone.mp4")
    return folder


@pytest.fixture(scope="session")
async def session_opened(
    tmp_path_factory: pytest.TempPathFactory, session_serve: Callable[[Path], str], pages: Path
) -> AsyncIterator[Opened]:
    """One stage on the pages, not recorded, for every test that leaves it usable."""
    async with AsyncExitStack() as stack:
        yield await opener(stack, tmp_path_factory.mktemp("stage"))(session_serve(pages))


@pytest.fixture(scope="module")
async def opened(session_opened: Opened) -> AsyncIterator[Opened]:
    """That stage, without a page that goes on drawing while other modules are at work."""
    yield session_opened
    # A page of the site: from `about:blank` the guard brings back, into the next module's first test.
    await session_opened.stage.page.goto(session_opened.site + "still.html")


Go = Callable[[str], Awaitable[None]]


@pytest.fixture
def go(opened: Opened) -> Go:
    """Brings the shared stage to one of the pages."""

    async def to(name: str) -> None:
        await opened.stage.clock.release()
        assert await opened.stage.goto(opened.site + name)

    return to


def make_film(path: Path) -> None:
    """20 s of a moving test picture and a 440 Hz tone, 64 × 48 px."""
    subprocess.run(
        [
            *(
                "ffmpeg",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc=size=64x48:rate=30",
                "-f",
                "lavfi",
                "-i",
                "sine=frequency=440",
            ),
            *("-t", "20", "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-movflags", "+faststart", str(path)),
        ],
        check=True,
        timeout=60,
    )
