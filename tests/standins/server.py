"""The stand-in's HTTP server: both vendors' paths on one port of loopback, a thread a connection."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.standins import anthropic_wire, openai_wire
from tests.standins.talk import CHARACTERS_A_TOKEN, Asked, PromptCache, Say, Script

KEY = "standin-key-7f3a9c5e21"
"""What the stand-in takes as a key; a test looks whether it turns up anywhere."""


class StandIn:
    """A running stand-in. `asked` holds every request that was understood, in order of arrival."""

    def __init__(self, script: Script, *, caching: bool = True) -> None:
        self.script = script
        self.asked: list[Asked] = []
        self.arrived_s: list[float] = []
        self.closing = threading.Event()
        """Ends every scripted wait."""
        self.cache = PromptCache() if caching else None
        self._lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"standin": self}))
        self.server.daemon_threads = True

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """Base URL for OpenAI's SDK."""
        return f"{self.url}/v1"

    def take(self, vendor: str, body: dict[str, Any]) -> tuple[Asked, Say, dict[str, Any]]:
        """Understand a request, and look up what to say; raises `Rejected`."""
        wire = openai_wire if vendor == "openai" else anthropic_wire
        with self._lock:
            request = wire.asked(body, len(self.asked) + 1)
            self.asked.append(request)
            say = self.script(request)
            said = len(say.text) + len(say.refusal) + sum(len(json.dumps(arguments)) for _, arguments in say.calls)
            return request, say, wire.usage(request, -(-said // CHARACTERS_A_TOKEN), self.cache)


@contextmanager
def standing_in(script: Script, *, caching: bool = True) -> Iterator[StandIn]:
    """A stand-in while the block lasts."""
    standin = StandIn(script, caching=caching)
    thread = threading.Thread(target=standin.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield standin
    finally:
        standin.closing.set()
        standin.server.shutdown()
        standin.server.server_close()
        thread.join(timeout=5)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    standin: StandIn

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    def do_GET(self) -> None:
        """The list of models."""
        if self.path == "/v1/models":
            self._document(
                200, {"object": "list", "data": [{"id": openai_wire.MODEL, "object": "model", "max_model_len": 32768}]}
            )
        else:
            self._document(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        """One question."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        vendor = {openai_wire.PATH: "openai", anthropic_wire.PATH: "anthropic"}.get(self.path.partition("?")[0])
        if vendor is None:
            return self._document(404, {"error": {"message": "no such path"}})
        wire = openai_wire if vendor == "openai" else anthropic_wire
        given = self.headers.get("x-api-key") or (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        if given != KEY:
            words = f"Incorrect API key provided: {given}"
            return self._document(401, wire.error(Say(text=words, error="authentication_error")))
        if vendor == "anthropic" and not self.headers.get("anthropic-version"):
            return self._document(
                400, wire.error(Say(text="anthropic-version: header is required", error="invalid_request_error"))
            )
        try:
            request, say, figures = self.standin.take(vendor, body)
        except openai_wire.Rejected as rejected:
            return self._document(400, wire.error(Say(text=str(rejected), error="invalid_request_error")))
        if say.first_s:
            self.standin.closing.wait(say.first_s)
        if say.hang_up == "before":
            return self._hang_up()
        if say.status != 200:
            return self._document(say.status, wire.error(say), say.headers)
        if not body.get("stream"):
            return self._document(200, wire.whole(say, figures), say.headers)
        return self._stream(list(self._lines(request, say, figures)), say)

    def _lines(self, request: Asked, say: Say, figures: dict[str, Any]) -> Iterator[str]:
        if request.vendor == "openai":
            counted = bool((request.body.get("stream_options") or {}).get("include_usage"))
            lines = [f"data: {data}\n\n" for data in openai_wire.events(say, figures, with_usage=counted)]
            fault = f"data: {openai_wire.error_event(say.fails_within)}\n\n"
        else:
            lines = [f"event: {name}\ndata: {data}\n\n" for name, data in anthropic_wire.events(say, figures)]
            fault = f"event: error\ndata: {anthropic_wire.error_event(say.fails_within)}\n\n"
        middle = max(1, len(lines) // 2)
        if say.fails_within:
            lines = [*lines[:middle], fault]
        if say.broken:
            lines = [*lines[:middle], lines[middle][: len(lines[middle]) // 2] + "\n\n", *lines[middle + 1 :]]
        yield from lines[:middle] if say.hang_up == "within" else lines

    def _stream(self, lines: list[str], say: Say) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in lines:
                data = line.encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
                if say.gap_s and self.standin.closing.wait(say.gap_s):
                    break
            if say.hang_up == "within":
                return self._hang_up()
            self.wfile.write(b"0\r\n\r\n")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the other side had waited long enough
        return None

    def _document(self, status: int, values: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        data = json.dumps(values).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(data)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _hang_up(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(2)
