"""A server in front of another one that serves all as it is but for one text, which it serves mutated.

The app itself stays untouched, so that one prepared original (a folder, a dev server) serves any number of mutants at once.
Loopback only. Requests go through one by one (`Connection: close`); a web socket, such as a dev server's, is passed through.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from types import TracebackType
from urllib.parse import unquote, urlsplit

import httpx

from tools.mutation.mutant import Mutant

_HEAD_LIMIT = 65_536
_FETCH_S = 30.0
_PIECE = 65_536
_NOT_PASSED = frozenset({"connection", "host", "accept-encoding", "keep-alive", "proxy-connection"})
_CONDITIONAL = frozenset({"if-none-match", "if-modified-since"})
_NOT_ANSWERED = frozenset({"content-length", "content-encoding", "transfer-encoding", "etag", "last-modified", "connection"})


@dataclass
class MutantServer:
    """An async context manager: while it is open, `url` is the address of the mutated app (of the original without a mutant)."""

    upstream: str
    """Address to open of the original, such as `http://127.0.0.1:5173/`."""
    mutant: Mutant | None = None
    served: int = 0
    """How often the mutated text was served."""
    missed: int = 0
    """How often the text was another one than was mutated, so that it was served as it is."""
    _server: asyncio.Server | None = None
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def url(self) -> str:
        """What to open."""
        parts = urlsplit(self.upstream)
        return parts._replace(netloc=f"127.0.0.1:{self.port}").geturl()

    @property
    def port(self) -> int:
        """Its port, given by the operating system."""
        if self._server is None:
            raise RuntimeError("the server is not open")
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> MutantServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD_LIMIT)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._server is not None:
            self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await self._answer(head, reader, writer)
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, httpx.HTTPError):
            pass  # the browser went away, or the app's server did: the page sees a failed request either way
        except asyncio.CancelledError:
            pass  # we are closing; Python 3.11 reports a connection's cancelled task as an error of the loop
        finally:
            if task is not None:
                self._tasks.discard(task)
            writer.close()

    async def _answer(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
        upgraded = any(name.lower() == "upgrade" for name, _ in headers)
        if method == "GET" and not upgraded and self.mutant and unquote(urlsplit(target).path) == self.mutant.file:
            await self._mutated(target, headers, writer)
        else:
            await self._passed(lines[0], headers, upgraded, reader, writer)

    async def _mutated(self, target: str, headers: list[tuple[str, ...]], writer: asyncio.StreamWriter) -> None:
        parts = urlsplit(self.upstream)
        kept = [(name, value) for name, value in headers if name.lower() not in _NOT_PASSED | _CONDITIONAL]
        async with httpx.AsyncClient(trust_env=False, timeout=_FETCH_S) as client:
            answer = await client.get(f"{parts.scheme}://{parts.netloc}{target}", headers=kept)
        body = answer.content
        changed = self.mutant.apply(body) if self.mutant is not None and answer.status_code == 200 else None
        if changed is None:
            self.missed += 1
        else:
            self.served += 1
            body = changed
        told = [(name, value) for name, value in answer.headers.items() if name.lower() not in _NOT_ANSWERED]
        told += [("content-length", str(len(body))), ("connection", "close")]
        first = f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}\r\n"
        writer.write((first + "".join(f"{name}: {value}\r\n" for name, value in told) + "\r\n").encode("latin-1") + body)
        await writer.drain()

    async def _passed(
        self,
        first: str,
        headers: list[tuple[str, ...]],
        upgraded: bool,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        parts = urlsplit(self.upstream)
        there, onward = await asyncio.open_connection(parts.hostname, parts.port or 80)
        try:
            kept = [(name, value) for name, value in headers if upgraded or name.lower() not in _NOT_PASSED]
            kept = [(name, value) for name, value in kept if name.lower() != "host"]
            kept += [("host", parts.netloc)] if upgraded else [("host", parts.netloc), ("connection", "close")]
            onward.write((first + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in kept) + "\r\n").encode("latin-1"))
            up = asyncio.create_task(_pipe(reader, onward))
            try:
                await _pipe(there, writer)
            finally:
                up.cancel()
                await asyncio.gather(up, return_exceptions=True)
        finally:
            onward.close()
            with contextlib.suppress(OSError):
                await onward.wait_closed()


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Pass on what comes until there is no more."""
    while piece := await source.read(_PIECE):
        sink.write(piece)
        await sink.drain()
