"""One headed stage a worker for all tests of eyes and hands; every test opens its own page on it."""

from __future__ import annotations

import functools
import threading
from collections.abc import AsyncIterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.integration.looking import PAGES, Scene, scene


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture(scope="session")
async def session_scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    """A headed stage on the pages of `fixtures/pages/sight`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(PAGES)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        async with scene(f"http://127.0.0.1:{server.server_address[1]}/", tmp_path_factory.mktemp("stage") / "run") as opened:
            yield opened
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module", name="scene")
async def _scene(session_scene: Scene) -> AsyncIterator[Scene]:
    """That stage, without a page that goes on drawing while other modules are at work."""
    yield session_scene
    # A page of the site: from `about:blank` the guard brings back, into the next module's first test.
    await session_scene.open("still.html")
