"""How long a look takes. On demand: `pytest tests/benchmarks -m long -s`."""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import AsyncIterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.integration.looking import PAGES, Scene, scene
from tools.browser.eyes import look
from tools.browser.marking.gather import gather_marks, survey

pytestmark = pytest.mark.long


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture(name="scene")
async def _scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """A stage of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(PAGES)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    async with scene(f"http://127.0.0.1:{server.server_address[1]}/", tmp_path / "run") as opened:
        yield opened
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("page", "nodes", "limit_s"), [("many.html?1175,300", 5_010, 0.25), ("many.html?12400,300", 49_910, 1.5)]
)
async def test_marks_are_found_in_time(scene: Scene, page: str, nodes: int, limit_s: float) -> None:
    """Text, digests and 300 marks of a page with so many nodes: the best of eight."""
    await scene.open(page)
    assert await scene.script("document.querySelectorAll('*').length") == nodes
    marks_s, look_s = [], []
    for _ in range(8):
        view = (await scene.stage.tab.frames())[0]
        started = time.perf_counter()
        sight = await survey(view, [], watched=False)
        await gather_marks(sight, 300)
        marks_s.append(time.perf_counter() - started)
        started = time.perf_counter()
        await look(scene.stage, "speed")
        look_s.append(time.perf_counter() - started)
        assert len(sight.marks) == 300
    print(f"\n{nodes} nodes: marks {min(marks_s) * 1000:.0f} ms, whole look {min(look_s) * 1000:.0f} ms")  # noqa: T201
    assert min(marks_s) < limit_s
