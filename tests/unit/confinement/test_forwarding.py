"""Connections that are passed on: a server's farewell to an idle one is nobody's answer."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from tools.confinement.forwarding import Forwarding, connected

IDLE_S = 0.3


class Dev(threading.Thread):
    """A development server as they are: it keeps connections alive, and ends one on which nothing is asked with a 400."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listening.getsockname()[1])
        self.farewells = threading.Semaphore(0)

    def run(self) -> None:
        """Serve each connection by a thread of its own, until it is closed."""
        while True:
            try:
                near, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        near.settimeout(IDLE_S)
        with closing(near):
            try:
                while near.recv(65536):
                    near.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            except TimeoutError:
                near.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                self.farewells.release()


@pytest.fixture
def passed_on() -> Iterator[tuple[Dev, int]]:
    """Such a server, and a port from which connections to it are passed on."""
    dev = Dev()
    dev.start()
    listening = socket.create_server(("127.0.0.1", 0))
    Forwarding().serve(listening, lambda: connected("127.0.0.1", dev.port))
    yield dev, int(listening.getsockname()[1])
    dev.listening.close()


def test_a_farewell_to_an_idle_connection_is_not_passed_on(passed_on: tuple[Dev, int]) -> None:
    """Asked on a connection that was opened beforehand and idle too long, nothing is answered, so that it is asked anew."""
    dev, port = passed_on
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    asked.connect()
    assert dev.farewells.acquire(timeout=5)
    assert _answer(asked) == "nothing"
    again = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    assert _answer(again) == "200 ok"


def test_nor_is_one_that_is_seen_only_when_something_was_asked() -> None:
    """A busy machine looks late: both ends have spoken by then."""
    with closing(socket.create_server(("127.0.0.1", 0))) as far_end, closing(socket.create_server(("127.0.0.1", 0))) as near_end:
        late = threading.Event()

        def connect() -> socket.socket | None:
            far = connected("127.0.0.1", int(far_end.getsockname()[1]))
            late.wait(5)
            return far

        Forwarding().serve(near_end, connect)
        with socket.create_connection(near_end.getsockname()[:2], timeout=5) as asked:
            served, _ = far_end.accept()
            with closing(served):
                served.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                asked.sendall(b"GET / HTTP/1.1\r\n\r\n")
                late.set()
                with contextlib.suppress(ConnectionError):
                    assert asked.recv(100) == b""


def test_an_answer_is_passed_on_and_so_is_one_that_comes_late(passed_on: tuple[Dev, int]) -> None:
    """Who asks is answered, with a 400 too: only what comes before anything was asked is none."""
    _, port = passed_on
    with socket.create_connection(("127.0.0.1", port), timeout=5) as asked:
        asked.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert asked.recv(100).startswith(b"HTTP/1.1 200")
        assert asked.recv(100).startswith(b"HTTP/1.1 400")


def _answer(connection: http.client.HTTPConnection) -> str:
    """What is answered on a connection to a request for a page."""
    with closing(connection):
        try:
            connection.request("GET", "/")
            answer = connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            return "nothing"
        return f"{answer.status} {answer.read().decode()}"
