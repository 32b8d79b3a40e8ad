"""One stage a worker for the tests of trials, on the fixtures of pickers, page models and trials."""

from __future__ import annotations

import functools
import shutil
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from agent.trials.carrying import carry_out
from configs.settings import Settings
from tests.conftest import FIXTURES
from tests.integration.looking import Scene, scene
from tools.page.assertions import Assertion, Unchanged
from tools.page.records import TrialRecord
from tools.page.trials import Act, Control, Trial

Tries = Callable[..., Awaitable[TrialRecord]]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture(scope="session")
async def trial_scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """A headed stage on the fixtures."""
    folder = tmp_path_factory.mktemp("trials") / "site"
    for name in ("pickers", "page_models", "trials"):
        shutil.copytree(FIXTURES / name, folder / name)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        base = f"http://127.0.0.1:{server.server_address[1]}/"
        async with scene(base, folder.parent / "run", Settings(rhythm=0)) as opened:
            await opened.stage.code.start()
            yield opened
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def tries(trial_scene: Scene) -> Tries:
    """Carries a trial out on a fresh page: `await tries("pickers/radix", [acts], [asserts])`."""

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
