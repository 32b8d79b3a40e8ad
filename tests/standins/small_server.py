"""A small app with a server of its own on loopback, for tests: pages, forms, a cookie that tells one browser from another."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

STYLE = """<style>
  body { font: 16px/1.5 sans-serif; max-width: 640px; margin: 32px auto; color: #1c2733; background: #fff }
  label { display: block; margin: 8px 0 } input { font: inherit; padding: 6px 8px; width: 260px; display: block }
  button { font: inherit; padding: 6px 14px; background: #14467d; color: #fff; border: 0; border-radius: 4px }
  header { display: flex; gap: 16px; align-items: center; justify-content: space-between } .error { color: #a11a1a }
  li { margin: 6px 0; display: flex; gap: 16px } li form { display: inline }
</style>"""


class Answer:
    """A page, or where to go instead."""

    def __init__(self, body: str = "", *, to: str = "", status: int = 200, kind: str = "text/html", stored: bool = False) -> None:
        self.body, self.to, self.status, self.kind, self.stored = body, to, status, kind, stored


class SmallApp(Protocol):
    """What is served. `who` is the browser's own cookie."""

    def get(self, path: str, who: str) -> Answer:
        """A page."""
        ...

    def post(self, path: str, who: str, told: dict[str, str]) -> Answer:
        """A form that was sent."""
        ...


def page(title: str, body: str, *, status: int = 200, stored: bool = False) -> Answer:
    """A whole document."""
    head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
    return Answer(f"{head}{STYLE}<body>{body}</body></html>", status=status, stored=stored)


class _Handler(BaseHTTPRequestHandler):
    app: SmallApp

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    def do_GET(self) -> None:
        """Pages."""
        self._send(self.app.get(urlsplit(self.path).path, self._who))

    def do_POST(self) -> None:
        """Forms."""
        told = dict(parse_qsl(self.rfile.read(int(self.headers.get("Content-Length", 0))).decode(), keep_blank_values=True))
        self._send(self.app.post(urlsplit(self.path).path, self._who, told))

    @property
    def _who(self) -> str:
        found = SimpleCookie(self.headers.get("Cookie", "")).get("who")
        if found is not None:
            return found.value
        if not hasattr(self, "_new"):
            self._new = secrets.token_urlsafe(9)
        return self._new

    def _send(self, answer: Answer) -> None:
        data = answer.body.encode()
        self.send_response(HTTPStatus.SEE_OTHER if answer.to else answer.status)
        if answer.to:
            self.send_header("Location", answer.to)
        if hasattr(self, "_new"):
            self.send_header("Set-Cookie", f"who={self._new}; Path=/; HttpOnly; SameSite=Lax")
            del self._new
        self.send_header("Cache-Control", "private, max-age=300" if answer.stored else "no-store")
        self.send_header("Content-Type", f"{answer.kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def served(app: SmallApp) -> Iterator[str]:
    """The app's address while the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"app": app}))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
