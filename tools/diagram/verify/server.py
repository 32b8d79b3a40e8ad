"""Serves the verification page on loopback: standard library only, nothing is asked of any other host.

The page's address holds a token; without it, or from another site, nothing is answered. It ends
when the person is done or at Ctrl+C.
"""

from __future__ import annotations

import hmac
import json
import mimetypes
import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, ClassVar

from pydantic import ValidationError

from tools.diagram.verify.session import Edit, Session
from tools.errors import AssayError

MAX_BODY = 10_000
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
_PARTS = {"": ("page.html", "text/html"), "page.js": ("page.js", "text/javascript"), "page.css": ("page.css", "text/css")}


class VerifyServer:
    """The running page; also a context manager. `url` is what to open; `done` is set when the person has finished."""

    def __init__(self, session: Session, port: int = 0) -> None:
        self.done = threading.Event()
        token = secrets.token_urlsafe(16)
        handler = type("Handler", (_Handler,), {"session": session, "token": token, "done": self.done, "lock": threading.Lock()})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/{token}/"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> VerifyServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


class _Handler(BaseHTTPRequestHandler):
    session: ClassVar[Session]
    token: ClassVar[str]
    done: ClassVar[threading.Event]
    lock: ClassVar[threading.Lock]
    timeout = 20
    server_version, sys_version = "assay", ""

    def do_GET(self) -> None:
        """The page, its parts, the picture and the state."""
        path = self._path()
        if path is None:
            return
        if path in _PARTS:
            name, kind = _PARTS[path]
            self._answer((files("tools.diagram.verify") / name).read_bytes(), f"{kind}; charset=utf-8")
        elif path == "picture":
            kind = mimetypes.guess_type(self.session.picture.name)[0] or "application/octet-stream"
            self._answer(
                self.session.picture.read_bytes(), kind if kind.startswith("image/") and "svg" not in kind else "image/png"
            )
        elif path == "state":
            with self.lock:
                self.session.alive()
                self._json(self.session.state())
        else:
            self._json({"error": "There is nothing here."}, HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        """An edit, a sign of life, or the end."""
        path = self._path()
        if path is None:
            return
        body = self._body()
        if body is None:
            return
        with self.lock:
            try:
                if path == "edit":
                    self.session.edit(Edit.model_validate_json(body))
                elif path == "alive":
                    self.session.alive()
                elif path == "finish":
                    self.session.finish()
                else:
                    self._json({"error": "There is nothing here."}, HTTPStatus.NOT_FOUND)
                    return
            except (AssayError, ValidationError) as error:
                message = error.message if isinstance(error, AssayError) else "The edit is not understood."
                self._json({"error": message}, HTTPStatus.BAD_REQUEST)
                return
            self._json(self.session.state())
        if path == "finish":
            self.done.set()

    def _path(self) -> str | None:
        """What is asked for below the token; `None` if refused. The host is checked: other names may be made to point here."""
        parts = self.path.split("?")[0].split("/", 2)
        host = (self.headers.get("Host") or "").rsplit(":", 1)[0]
        origin = self.headers.get("Origin")
        allowed = host in {"127.0.0.1", "localhost"} and origin in {None, f"http://{self.headers.get('Host')}"}
        if not allowed or len(parts) < 3 or not hmac.compare_digest(parts[1].encode(), self.token.encode()):
            self._json({"error": "This address is not known."}, HTTPStatus.FORBIDDEN)
            return None
        return parts[2]

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "0")
        if not length.isdigit() or int(length) > MAX_BODY or self.headers.get("Content-Type", "") != "application/json":
            self._json({"error": "Send a short JSON object."}, HTTPStatus.BAD_REQUEST)
            return None
        return self.rfile.read(int(length))

    def _json(self, value: dict[str, Any], status: HTTPStatus = HTTPStatus.OK) -> None:
        self._answer(json.dumps(value, ensure_ascii=False).encode(), "application/json; charset=utf-8", status)

    def _answer(self, data: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        try:
            self.send_response(status)
            for name, value in (
                ("Content-Type", kind),
                ("Content-Length", str(len(data))),
                ("Content-Security-Policy", _POLICY),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
            ):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Says nothing: the terminal belongs to the command."""
