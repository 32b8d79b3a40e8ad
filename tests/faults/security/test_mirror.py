"""What an installation reaches: packages of one registry, as anybody may have them, and nothing that a login or path adds."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tools.confinement import mirror


@dataclass
class Registry:
    """One on loopback: what it was asked with which headers, how many at once at most. It answers only once it is let."""

    heard: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    at_once: int = 0
    most: int = 0
    go_on: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)


@contextmanager
def standing(folder: Path) -> Iterator[tuple[Registry, int]]:
    """A registry, and the port of a mirror of it."""
    known = Registry()
    known.go_on.set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with known.lock:
                known.heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                known.at_once += 1
                known.most = max(known.most, known.at_once)
            known.go_on.wait(20)
            with known.lock:
                known.at_once -= 1
            body = b'{"name":"x","dist":{"tarball":"https://registry.example/x/-/x-1.0.0.tgz"}}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    port = int(listening.getsockname()[1])
    mirror.serve(listening, {"port": port, "upstream": f"http://127.0.0.1:{server.server_address[1]}/", "cache": str(folder)})
    try:
        yield known, port
    finally:
        known.go_on.set()
        # It accepts for as long as its keeper lives; here it is told that there is nothing more to accept.
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        server.shutdown()
        server.server_close()


def asked(port: int, path: str, *, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    """Status and body of one request, whose path is sent as it is."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as near:
        told = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        near.sendall(f"{method} {path} HTTP/1.1\r\nHost: registry\r\nConnection: close\r\n{told}\r\n".encode())
        answer = http.client.HTTPResponse(near, method=method)
        answer.begin()
        return answer.status, answer.read()


ALLOWED = ("/left-pad", "/left-pad/1.3.0", "/@a%2fb", "/@a/b", "/left-pad/-/left-pad-1.3.0.tgz", "/@a/b/-/b-1.0.0.tgz")
REFUSED = (
    *("/", "/-/whoami", "/-/v1/search?text=x", "/-/npm/v1/user", "/-/all", "/-/package/left-pad/dist-tags", "/a/b/c/d"),
    *("/..", "/../secret", "/%2e%2e/secret", "/left-pad/..%2f..%2fsecret", "/left-pad/-/../../x.tgz"),
    *("http://127.0.0.1:22/", "https://elsewhere.example/left-pad", "/left-pad%0d%0aX-More:%201", "/left%20pad/%0a"),
)


@pytest.mark.parametrize("path", ALLOWED)
def test_packages_are_to_be_had(path: str, tmp_path: Path) -> None:
    """Descriptions, whose packages are found at the mirror again, and packages."""
    with standing(tmp_path) as (registry, port):
        status, body = asked(port, path)
        assert status == 200
        assert len(registry.heard) == 1
        if not path.endswith(".tgz"):
            assert f"http://127.0.0.1:{port}/x/-/x-1.0.0.tgz".encode() in body


@pytest.mark.parametrize("path", REFUSED)
def test_nothing_else_is_asked_of_the_registry(path: str, tmp_path: Path) -> None:
    """Its other services, paths that climb, other hosts, lines that would become headers."""
    with standing(tmp_path) as (registry, port):
        status, _ = asked(port, path)
        assert status in {400, 403}
        assert registry.heard == []


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "CONNECT"])
def test_nothing_is_sent_to_the_registry(method: str, tmp_path: Path) -> None:
    """No publishing, no tunnel."""
    with standing(tmp_path) as (registry, port):
        status, _ = asked(port, "127.0.0.1:22" if method == "CONNECT" else "/left-pad", method=method)
        assert status == 501
        assert registry.heard == []


def test_no_login_and_no_words_of_the_sandbox_are_passed_on(tmp_path: Path) -> None:
    """Whatever headers come: only which form of a description is wanted goes on."""
    with standing(tmp_path) as (registry, port):
        more = {"Authorization": "Bearer theirs", "Cookie": "a=b", "X_More": "secret", "User_Agent": "secret", "npm_session": "s"}
        assert asked(port, "/left-pad", **more)[0] == 200
        ((_, headers),) = registry.heard
        assert not {"authorization", "cookie", "x-more", "npm-session"} & set(headers)
        assert "secret" not in " ".join(headers.values())


def test_many_at_once_wait_their_turn(tmp_path: Path) -> None:
    """The mirror is no part of the sandbox: what it holds in memory has a bound, however much is asked for."""
    with standing(tmp_path) as (registry, port):
        registry.go_on.clear()
        answers: list[int] = []
        asking = [
            threading.Thread(target=lambda n=number: answers.append(asked(port, f"/p{n}/-/p{n}-1.0.0.tgz")[0]))
            for number in range(4 * mirror.AT_ONCE)
        ]
        for item in asking:
            item.start()
        limit = threading.Event()
        for _ in range(100):
            if registry.at_once >= mirror.AT_ONCE:
                break
            limit.wait(0.05)
        limit.wait(0.5)
        assert registry.most == mirror.AT_ONCE
        registry.go_on.set()
        for item in asking:
            item.join(20)
        assert answers == [200] * (4 * mirror.AT_ONCE)
        assert registry.most == mirror.AT_ONCE
