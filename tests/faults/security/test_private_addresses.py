"""Row 10: a server that takes public addresses only follows nobody into its own network."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tools.app import http_probe
from tools.app.http_probe import Answer, Silence, ask


@pytest.fixture
def loopback() -> Iterator[tuple[int, list[str]]]:
    """A server on loopback: its port, and the paths that were asked for. `/to/…` redirects there."""
    heard: list[str] = []

    class Listening(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(302 if self.path.startswith("/to/") else 200)
            if self.path.startswith("/to/"):
                self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield int(server.server_address[1]), heard
    server.shutdown()
    server.server_close()


SPELLINGS = ("127.0.0.1", "127.1", "2130706433", "0x7f000001", "017700000001", "0.0.0.0", "localhost", "[::ffff:127.0.0.1]")


@pytest.mark.parametrize("host", SPELLINGS)
async def test_no_spelling_of_loopback_is_asked(host: str, loopback: tuple[int, list[str]]) -> None:
    """Numbers of every kind, names, IPv4 inside of IPv6."""
    port, heard = loopback
    answer = await ask(f"http://{host}:{port}/", timeout_s=10, public_only=True)
    assert isinstance(answer, Silence)
    assert heard == []


async def test_a_redirects_next_hop_is_checked(loopback: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first address counts as public here; where it leads to does not, and is never connected to."""
    port, heard = loopback
    look_up = socket.getaddrinfo

    def names(host: str, *more: Any, **named: Any) -> Any:
        return look_up("127.0.0.1" if host == "public.example" else host, *more, **named)

    monkeypatch.setattr(http_probe.socket, "getaddrinfo", names)
    once = iter([True])
    checked = http_probe._is_public
    monkeypatch.setattr(http_probe, "_is_public", lambda address: next(once, False) or checked(address))
    answer = await ask(f"http://public.example:{port}/to/http://localhost:{port}/secret", timeout_s=10, public_only=True)
    assert isinstance(answer, Silence)
    assert "private" in answer.reason
    assert [path.startswith("/to/") for path in heard] == [True]


async def test_the_address_that_was_checked_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is public at the first look-up and loopback at the second: there is no second."""
    asked: list[str] = []
    reached: list[str] = []

    def names(host: str, port: Any, *more: Any, **named: Any) -> Any:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14" if len(asked) == 1 else "127.0.0.1", port))]

    def connect(address: tuple[str, int], *more: Any) -> Any:
        reached.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(http_probe.socket, "getaddrinfo", names)
    monkeypatch.setattr(http_probe.socket, "create_connection", connect)
    assert isinstance(await ask("http://rebinding.example/", timeout_s=10, public_only=True), Silence)
    assert (asked, reached) == (["rebinding.example"], ["93.184.215.14"])


async def test_without_the_rule_loopback_is_asked(loopback: tuple[int, list[str]]) -> None:
    """The usual case: a developer's own server."""
    port, heard = loopback
    assert isinstance(await ask(f"http://127.0.0.1:{port}/", timeout_s=10), Answer)
    assert heard == ["/"]
