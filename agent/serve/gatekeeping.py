"""Who gets in, and with how much: the token, where a request comes from and its size, looked at before anything of it is read."""

from __future__ import annotations

import hmac
import ipaddress
import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

Headers = Mapping[bytes, bytes]
"""By name in small letters; of a name that comes several times the last."""
Refusal = tuple[int, str]
"""A status, and why."""

OPEN_PATHS = frozenset({"/healthz"})
"""What answers without a token."""


class Gate:
    """ASGI middleware for programs: 401 without the token in a header, 413 for what is larger than agreed."""

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
        if refusal := self._refusal(scope, headers):
            await _refuse(send, *refusal)
            return
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            await _refuse(send, 400, "Content-Length is no number.")
            return
        if int(length) > self._most_bytes:
            await _refuse(send, 413, self._too_large())
            return
        await self._app(scope, self._counted(receive), send)

    def _refusal(self, scope: Scope, headers: Headers) -> Refusal | None:
        """Why a request may not come in; None: it may."""
        scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
        if scope["path"] in OPEN_PATHS or (scheme.lower() == b"bearer" and self._is_token(given.strip())):
            return None
        return 401, "A token is needed: send the header Authorization: Bearer TOKEN."

    def _is_token(self, given: bytes) -> bool:
        return hmac.compare_digest(given, self._token)

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


class PageGate(Gate):
    """The same for pages that a browser shows, whose links carry the token as the first part of their path.

    `Host` must be an address, `localhost` or the name that was listened on: another site's name that was made to lead here (DNS
    rebinding) is refused with 421. What changes something must come from a page of the very same origin, else 403; nothing may
    be sent along but by POST. Paths below `free` need no token: they carry keys of their own, which the application checks.
    """

    def __init__(self, app: App, *, token: str, most_bytes: int, host: str, free: str) -> None:
        super().__init__(app, token=token, most_bytes=most_bytes)
        self._host = host
        self._free = free

    def _refusal(self, scope: Scope, headers: Headers) -> Refusal | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            return 421, "This server does not go by that name."
        method = scope["method"]
        if method not in {"GET", "HEAD", "POST"}:
            return 405, "Only GET, HEAD and POST."
        if method == "POST" and headers.get(b"origin", b"").decode("latin-1") != f"http://{host}":
            return 403, "Only this server's own pages may change something."
        path = str(scope["path"])
        if method != "POST" and path.startswith(self._free):
            return None
        if not self._is_token(path.split("/")[1].encode("utf-8", "replace")):
            return 401, "A token is needed: open the address that was printed when the server began."
        return None

    def _is_ours(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if name in {"localhost", self._host}:
            return True
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True


async def _refuse(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
