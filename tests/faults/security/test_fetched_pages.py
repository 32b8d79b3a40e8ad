"""`assay diagram parse ADDRESS`: the page it photographs is held as the pages of evaluated apps are."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import psutil
import pytest

from tools.confinement.unprivileged import RANGES
from tools.diagram.fetching import picture_of
from tools.errors import SubjectError


@dataclass
class Site:
    """A page of the test's own, and a service beside it that the page tries to reach."""

    address: str
    other: int
    body: str = ""
    visits: list[str] = field(default_factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    """Two servers on loopback."""
    beside = socket.create_server(("127.0.0.1", 0))

    class Handler(BaseHTTPRequestHandler):
        timeout = 5

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(found.body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    # A browser opens connections in advance: their threads are waited for, or their sockets are still open at the end.
    server.daemon_threads = False
    found = Site(f"http://127.0.0.1:{server.server_port}/", int(beside.getsockname()[1]))

    def welcome() -> None:
        while True:
            try:
                near, _ = beside.accept()
            except OSError:
                return
            found.visits.append("visited")
            near.close()

    threads = [threading.Thread(target=server.serve_forever, daemon=True), threading.Thread(target=welcome, daemon=True)]
    for thread in threads:
        thread.start()
    yield found
    server.shutdown()
    server.server_close()
    beside.shutdown(socket.SHUT_RDWR)
    beside.close()
    for thread in threads:
        thread.join(timeout=5)


@dataclass(frozen=True)
class Seen:
    """A browser's process, as it was seen while it ran."""

    line: str
    program: str
    """The executable that the kernel says it is."""
    uids: tuple[int, ...]
    environment: dict[str, str]


APART_S = 0.1


def look(process: psutil.Process) -> Seen | None:
    """The process, if it is a browser and was one and the same during the whole look. Raises `psutil.Error`.

    A browser begins as root's shell, and forks helpers that have its command line for a moment: neither is a browser yet.
    """
    line = " ".join(process.cmdline())
    if "--user-data-dir" not in line or "--type=" in line:
        return None
    seen = Seen(line, process.exe(), tuple(process.uids()), process.environ())
    if (" ".join(process.cmdline()), process.exe()) != (seen.line, seen.program):
        return None
    return seen if "chrom" in Path(seen.program).name else None


def watch(over: threading.Event, seen: dict[int, Seen]) -> None:
    """Write down the browsers among this test's own processes that two looks, `APART_S` apart, found to be browsers."""
    own, first = psutil.Process(os.getpid()), dict[int, tuple[str, float]]()
    # The browser that other tests of this worker share is root's, and none of this one's.
    others = {child.pid for child in own.children(recursive=True)}
    while not over.is_set():
        for child in own.children(recursive=True):
            if child.pid in others:
                continue
            try:
                found = look(child)
            except psutil.Error:
                continue
            if found is None:
                first.pop(child.pid, None)
                continue
            program, since = first.setdefault(child.pid, (found.program, time.monotonic()))
            if program == found.program and time.monotonic() - since >= APART_S:
                # The latest look stands: one that stays root is root's to its end.
                seen[child.pid] = found
        time.sleep(0.02)


def test_the_browser_is_confined(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox, a user of its own where Assay is root, no keys, and no way to this machine's other services."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    site.body = f"""<!doctype html><body style="background: rgb(10, 200, 30)"><script>
for (const host of ["127.0.0.1", "localhost", "[::1]"]) {{
  fetch(`http://${{host}}:{site.other}/`).catch(() => 0);
  new Image().src = `http://${{host}}:{site.other}/i`;
  new WebSocket(`ws://${{host}}:{site.other}/`);
}}</script>"""
    over, seen = threading.Event(), dict[int, Seen]()
    watching = threading.Thread(target=watch, args=(over, seen))
    watching.start()
    try:
        picture = picture_of(site.address)
    finally:
        over.set()
        watching.join()
    pixels = np.asarray(picture)
    assert pixels.shape[:2] == (1200, 1600)
    assert tuple(int(part) for part in pixels[600, 800]) == (10, 200, 30)
    assert site.visits == []
    browsers = list(seen.values())
    assert browsers
    assert not any("sk-secret" in value for browser in browsers for value in browser.environment.values())
    if os.geteuid() == 0:
        assert all(uid != 0 for browser in browsers for uid in browser.uids)
        assert all(any(browser.uids[0] in some for some in RANGES) for browser in browsers)
    assert not any("--no-sandbox" in browser.line for browser in browsers)


def test_an_address_that_does_not_answer_is_one_line() -> None:
    """Whoever gave it can mend that."""
    with pytest.raises(SubjectError, match="cannot be fetched") as raised:
        picture_of("http://127.0.0.1:1/")
    assert "\n" not in str(raised.value)
