"""One stage for the tests of code coverage; every test watches it anew."""

from __future__ import annotations

import functools
import threading
from collections.abc import AsyncIterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.conftest import FIXTURES
from tests.integration.coverage.bundling import write_bundle
from tests.integration.looking import Scene, scene
from tools.browser.coverage.watch import CodeWatch

PAGES = FIXTURES / "pages" / "coverage"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture(scope="module")
async def watched_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """A headed stage on the pages of `fixtures/pages/coverage` and a bundle."""
    folder = tmp_path_factory.mktemp("site")
    for page in PAGES.rglob("*.*"):
        copy = folder / page.relative_to(PAGES)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(page.read_bytes())
    write_bundle(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        async with scene(f"http://127.0.0.1:{server.server_address[1]}/", tmp_path_factory.mktemp("stage") / "run") as opened:
            yield opened
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
async def watched(watched_stage: Scene) -> Scene:
    """That stage, with nothing known of its code."""
    stage = watched_stage.stage
    stage.code = CodeWatch(stage.tab, stage.guard.policy, stage.clock)
    await stage.code.start()
    return watched_stage
