"""The only thing an installation reaches: a mirror of the package registry, kept by the sandbox's keeper.

It asks the registry for what a package manager asks (descriptions of packages, and the packages), nothing else of it and nobody
else, and keeps what it got for all runs. What the sandbox sends is never kept, so one stranger's installation can't change what
another's gets. No log-in of the operator's is ever sent. Standard library only: part of the keeper.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import json
import os
import re
import socket
import ssl
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

DESCRIPTION = re.compile(r"/(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*(?:/[^/\s?#]{1,100})?", re.IGNORECASE)
PACKAGE = re.compile(
    r"/(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*/-/(?:@[a-z0-9~-][\w.~-]*/)?[\w.+~-]+\.tgz", re.IGNORECASE
)
FRESH_S = 86_400.0
"""For so long a description is not asked for again; a package never changes."""
MOST_MB = 300
AT_ONCE = 8
"""Answers that are held in memory at the same time: the keeper, which holds them, has none of the limits of its sandbox."""
_ANSWER_S = 60.0
_WHOLE = re.compile(rb'"tarball":"https?://[^/"]+/')
_TRIES = 2
_FOR_NOW = frozenset({errno.EMFILE, errno.ENFILE, errno.ECONNABORTED, errno.ENOBUFS, errno.ENOMEM, errno.EINTR})
"""Why one connection is not accepted although a later one will be: whoever opens too many waits, and nobody is left out."""


class Unreachable(Exception):
    """The registry does not answer."""


class Upstream:
    """The registry, over connections that are kept: one a thread."""

    def __init__(self, address: str) -> None:
        self._parts = urlsplit(address)
        self._proxy = _proxy(self._parts.hostname or "", self._parts.scheme)
        self._mine = threading.local()

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        """Status, headers (lower case) and body. Raises `Unreachable`."""
        for turn in range(_TRIES):
            connection = getattr(self._mine, "connection", None) or self._connect()
            self._mine.connection = connection
            try:
                connection.request("GET", self._parts.path.rstrip("/") + path, headers={"Accept": "*/*", **headers})
                answer = connection.getresponse()
                body = answer.read(MOST_MB * 2**20 + 1)
                if len(body) > MOST_MB * 2**20:
                    raise Unreachable(f"{path} has more than {MOST_MB} MB")
                return answer.status, {key.lower(): value for key, value in answer.getheaders()}, body
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self._mine.connection = None
                if turn == _TRIES - 1:
                    raise Unreachable(str(error) or type(error).__name__) from error
        raise Unreachable(path)

    def let_go(self) -> None:
        """Close this thread's connection: the thread ends."""
        connection = getattr(self._mine, "connection", None)
        if connection is not None:
            connection.close()
            self._mine.connection = None

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        secure = self._parts.scheme == "https"
        through = self._proxy
        if through is None:
            if secure:
                return http.client.HTTPSConnection(host, port, timeout=_ANSWER_S, context=ssl.create_default_context())
            return http.client.HTTPConnection(host, port, timeout=_ANSWER_S)
        near = through.hostname or "", through.port or 80
        connection: http.client.HTTPConnection
        if secure:
            connection = http.client.HTTPSConnection(*near, timeout=_ANSWER_S, context=ssl.create_default_context())
        else:
            connection = http.client.HTTPConnection(*near, timeout=_ANSWER_S)
        connection.set_tunnel(host, port or (443 if secure else 80))
        return connection


def _proxy(host: str, scheme: str) -> Any:
    """The proxy that this machine's environment names for that host."""
    if urllib.request.proxy_bypass(host):
        return None
    named = urllib.request.getproxies().get(scheme)
    return urlsplit(named) if named else None


class Store:
    """What was fetched before, by address. Written by this keeper's like alone, whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def find(self, key: str, fresh_s: float) -> tuple[dict[str, str], bytes] | None:
        """What is kept and not older than that."""
        path = self._path(key)
        try:
            if time.time() - path.stat().st_mtime > fresh_s:
                return None
            head, _, body = path.read_bytes().partition(b"\n")
            return json.loads(head), body
        except (OSError, ValueError):
            return None

    def keep(self, key: str, headers: dict[str, str], body: bytes) -> None:
        """Put it there."""
        path = self._path(key)
        partial = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
        with contextlib.suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            partial.write_bytes(json.dumps(headers).encode() + b"\n" + body)
            partial.rename(path)

    def _path(self, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._folder / name[:2] / name[2:40]


class Mirror:
    """Answers of the registry, asked or kept."""

    def __init__(self, upstream: str, cache: Path, here: str) -> None:
        self._upstream = Upstream(upstream)
        self._name = upstream
        self._store = Store(cache)
        self._here = here.encode("ascii")

    def answer(self, path: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body for a path that a package manager asks for."""
        plain = unquote(path.partition("?")[0])
        package = PACKAGE.fullmatch(plain) is not None
        # Below `/-/` are the registry's other services: who is logged in, searches, everything there is.
        if ".." in plain or not (package or (DESCRIPTION.fullmatch(plain) and not plain.startswith("/-/"))):
            return 403, {}, b'{"error":"only packages are to be had here"}'
        asked = plain if package else plain.replace("/", "%2f", 1).replace("%2f", "/", 1)
        if not package and plain.startswith("/@"):
            asked = "/" + plain[1:].replace("/", "%2f", 1)
        short = "" if package else "application/vnd.npm.install-v1+json" if "install-v1" in accept else "application/json"
        key = f"{self._name} {asked} {short}"
        status, headers, body = self._found(key, asked, short, fresh_s=float("inf") if package else FRESH_S)
        if not package:
            body = _WHOLE.sub(b'"tarball":"' + self._here, body)
        return status, headers, body

    def let_go(self) -> None:
        """See `Upstream`."""
        self._upstream.let_go()

    def _found(self, key: str, path: str, accept: str, *, fresh_s: float) -> tuple[int, dict[str, str], bytes]:
        if kept := self._store.find(key, fresh_s):
            return 200, *kept
        try:
            status, headers, body = self._upstream.get(path, {"Accept": accept} if accept else {})
        except Unreachable as error:
            if kept := self._store.find(key, float("inf")):
                return 200, *kept
            return 502, {}, json.dumps({"error": f"the registry does not answer: {error}"}).encode()
        kept_headers = {"Content-Type": headers.get("content-type", "application/octet-stream")}
        if status == 200:
            self._store.keep(key, kept_headers, body)
        return status, kept_headers, body


def serve(listening: socket.socket, settings: dict[str, Any]) -> None:
    """Answer whoever connects to that socket, in threads that end with the keeper."""
    here = f"http://127.0.0.1:{settings['port']}/"
    gate = threading.BoundedSemaphore(AT_ONCE)
    mirror = Mirror(settings["upstream"], Path(settings["cache"]), here)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = _ANSWER_S

        def do_GET(self) -> None:
            with gate:
                self._reply(*mirror.answer(self.path, self.headers.get("Accept", "")))

        def do_HEAD(self) -> None:
            self.do_GET()

        def _reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in (headers or {"Content-Type": "application/json"}).items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    def handle(near: socket.socket, whence: Any) -> None:
        try:
            with near, contextlib.suppress(OSError, ValueError):
                Handler(near, whence, None)  # type: ignore[arg-type]
        finally:
            mirror.let_go()

    def accept() -> None:
        while True:
            try:
                near, whence = listening.accept()
            except OSError as error:
                if error.errno not in _FOR_NOW:
                    return  # it was closed
                time.sleep(0.05)
                continue
            threading.Thread(target=handle, args=(near, whence), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
