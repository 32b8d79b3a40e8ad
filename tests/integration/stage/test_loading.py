"""A document whose scripts come one after the other is waited for as long as more come; one whose script never comes is not."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.integration.stage.conftest import Opener

WITHIN_S = 2.5
MODULES = 8
PACE_S = 0.6


class _OneAfterTheOther(BaseHTTPRequestHandler):
    """`/` asks for module 0, each module for the next; `/never` for a script that does not come."""

    def do_GET(self) -> None:
        """Answer late, as a development server does."""
        name = self.path.lstrip("/")
        if name == "silent.js":
            time.sleep(4 * WITHIN_S)
        if name in {"", "never"}:
            script = "0.js" if not name else "silent.js"
            self._send("text/html", f'<!doctype html><p id="said">none</p><script type="module" src="/{script}"></script>')
        else:
            time.sleep(PACE_S)
            number = int(name.partition(".")[0]) if name[:1].isdigit() else MODULES
            more = f'import "/{number + 1}.js";' if number < MODULES else ""
            self._send("text/javascript", more + ('said.textContent = "all";' if number == 0 else ""))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@pytest.fixture
def slow_modules() -> Iterator[str]:
    """Its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _OneAfterTheOther)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


async def test_what_keeps_coming_is_waited_for(open_stage: Opener, slow_modules: str) -> None:
    """Nine modules, each asked for by the one before, take twice the time in which an address must answer."""
    opened = await open_stage(slow_modules, navigate_s=WITHIN_S, capture="none")
    assert await opened.stage.goto(slow_modules)
    assert await opened.stage.page.text_content("#said") == "all"
    began_s = time.monotonic()
    assert not await opened.stage.goto(slow_modules + "never")
    assert time.monotonic() - began_s < 4 * WITHIN_S
    assert any("nothing more was asked for" in event.detail for event in opened.rows("page_event"))
