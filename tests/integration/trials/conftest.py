"""One stage a worker for the tests of trials, on the fixtures of pickers, page models and trials."""

from __future__ import annotations

import contextlib
import functools
import shutil
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from agent.trials.carrying import carry_out
from configs.settings import Settings
from tests.conftest import FIXTURES
from tests.integration.looking import Scene
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.page.assertions import Assertion, Unchanged
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Control, Trial
from tools.processes import ProcessList

Tries = Callable[..., Awaitable[TrialRecord]]


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".html": "text/html; charset=utf-8"}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@dataclass(frozen=True)
class Site:
    """The folder that is served, and its address."""

    folder: Path
    base: str


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The fixtures, served; pages may be added to the folder."""
    folder = tmp_path_factory.mktemp("trials") / "site"
    for name in ("pickers", "page_models", "trials"):
        shutil.copytree(FIXTURES / name, folder / name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield Site(folder, f"http://127.0.0.1:{server.server_address[1]}/")
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
async def trial_scene(site: Site, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """A headed stage on the fixtures, whose sound is listened to."""
    run_dir, settings = tmp_path_factory.mktemp("trial-run"), Settings(rhythm=0)
    with contextlib.closing(Ledger.create(run_dir)) as ledger, ProcessList(run_dir) as processes:
        stage = await Stage.open(
            ledger=ledger, settings=settings, site=site.base, run_dir=run_dir, processes=processes, record=False, listen=True
        )
        await stage.code.start()
        yield Scene(stage, site.base)
        await stage.close()


@pytest.fixture
def tries(trial_scene: Scene) -> Tries:
    """Carries acts and assertions out on a page that is opened afresh, named as `pickers/radix`."""

    async def carry(
        page: str,
        acts: list[Act],
        asserts: list[Assertion] | None = None,
        first: list[Act] | None = None,
        control: Control | None = None,
    ) -> TrialRecord:
        trial = Trial(
            why=f"Tries {page}", acts=tuple(acts), asserts=tuple(asserts or [Unchanged()]), precondition=tuple(first or ()),
            control=control,
        )  # fmt: skip
        return await carry_out(trial, trial_scene.stage, fresh=f"{trial_scene.base}{page}.html")

    return carry
