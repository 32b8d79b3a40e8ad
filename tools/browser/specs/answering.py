"""Answers what pages under test ask of the network, from the local CDN; for a runner that is another process.

A server on loopback with a token of its own: `GET /?url=…&method=…`. 200 with the answer's status and headers in
`x-assay-answer`; 204 where nothing is given: the host is no CDN.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, quote, urlsplit

from tools.browser.cdn.answer import Cdn

REQUEST_S = 10.0
"""Longest wait for a whole request line and its headers."""
MOST_TOLD = 1000


@dataclass
class Asked:
    """What the pages asked for. Bounded: a page that asks for ever fills nothing."""

    address: str
    token: str
    answered: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Address → why it was not answered."""


@asynccontextmanager
async def answering(cdn: Cdn) -> AsyncIterator[Asked]:
    """Serve while inside."""
    token = secrets.token_urlsafe(24)
    asked = Asked("", token)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(REQUEST_S):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            await _answer(head, writer, cdn, asked)
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 18)
    asked.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    try:
        yield asked
    finally:
        server.close()
        await server.wait_closed()


async def _answer(head: str, writer: asyncio.StreamWriter, cdn: Cdn, asked: Asked) -> None:
    line, *headers = head.split("\r\n")
    given = next((header.split(":", 1)[1].strip() for header in headers if header.lower().startswith("authorization:")), "")
    if not hmac.compare_digest(given.encode("latin-1"), asked.token.encode()):
        writer.write(_reply(403))
        return
    query = parse_qs(urlsplit(line.split(" ")[1]).query) if line.count(" ") == 2 else {}
    url, method = (query.get(name, [""])[0] for name in ("url", "method"))
    served = await cdn.serve(url, method or "GET") if url else None
    if served is None:
        _tell(asked.refused, url, "no host of a known CDN")
        writer.write(_reply(204))
        return
    if served.ok:
        asked.answered += [url] if len(asked.answered) < MOST_TOLD else []
    else:
        _tell(asked.refused, url, served.note or f"status {served.status}")
    facts = quote(json.dumps({"status": served.status, "headers": dict(served.headers)}))
    writer.write(_reply(200, served.body, f"x-assay-answer: {facts}\r\n"))


def _tell(refused: dict[str, str], url: str, why: str) -> None:
    if len(refused) < MOST_TOLD:
        refused[url[:2000]] = why


def _reply(status: int, body: bytes = b"", extra: str = "") -> bytes:
    return f"HTTP/1.1 {status} -\r\ncontent-length: {len(body)}\r\nconnection: close\r\n{extra}\r\n".encode("latin-1") + body
