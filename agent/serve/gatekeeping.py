"""Who gets in, and with how much: the token and the size of a request, looked at before anything of it is read."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

OPEN_PATHS = frozenset({"/healthz"})
"""What answers without a token."""


class Gate:
    """ASGI middleware: 401 without the token, 413 for what is larger than agreed."""

    def __init__(self, app: App, *, token: str, most_bytes: int) -> None:
        self._app = app
        self._token = token.encode()
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {bytes(name).lower(): bytes(value) for name, value in scope["headers"]}
        if scope["path"] not in OPEN_PATHS and not self._known(headers.get(b"authorization", b"")):
            await _refuse(send, 401, "A token is needed: send the header Authorization: Bearer TOKEN.")
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            await _refuse(send, 400, "Content-Length is no number.")
            return
        if int(length) > self._most_bytes:
            await _refuse(send, 413, self._too_large())
            return
        await self._app(scope, self._counted(receive), send)

    def _known(self, header: bytes) -> bool:
        scheme, _, given = header.partition(b" ")
        return scheme.lower() == b"bearer" and hmac.compare_digest(given.strip(), self._token)

    def _too_large(self) -> str:
        return f"The request is larger than {self._most_bytes / 1e6:g} MB."

    def _counted(self, receive: Receive) -> Receive:
        """A body without a stated length is counted as it comes; past the limit the client is taken for gone."""
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            return {"type": "http.disconnect"} if seen > self._most_bytes else message

        return counted


async def _refuse(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
