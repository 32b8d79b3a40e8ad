"""The way out for pages: a proxy that Chromium sends everything through that is not the site's own.

When the network is limited to the site it refuses all of it, and tells, so that what leaves no other trace (workers, the last
words of a page that is left) is written down, too. When the network is open it looks up every name itself and refuses private
addresses; the address that was checked is the one that is connected to, so a public name that points into the local network (or
starts to, between two look-ups) leads nowhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from tools.addresses import Private, is_private, literal, public_addresses
from tools.browser.network import Policy
from tools.errors import StageFault

_HEAD_LIMIT = 65536
_CONNECT_S = 15.0
Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Addresses of a host, best first."""
_REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\nX-Assay: refused\r\n\r\n"
_UNREACHABLE = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Egress:
    """An HTTP proxy on loopback for one browser. `address`: what the site's name stands for (`site_address`)."""

    def __init__(self, policy: Policy, *, resolve: Resolve | None = None, address: str = "") -> None:
        self._policy = policy
        self.address = address
        """Where the site's own is connected to, by the browser as well."""
        self._resolve = resolve or _system_addresses
        self.on_refusal: Callable[[str, int], None] | None = None
        """Told the host and the port of everything that was refused."""
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """Where it listens."""
        if self._server is None:
            raise ValueError("the egress proxy is not open")
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self) -> None:
        """Listen on a port of the system's choice."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_HEAD_LIMIT)

    async def close(self) -> None:
        """Cut every connection."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for client in list(self._clients):
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self._relay(reader, writer)
        writer.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _CONNECT_S)
        first, _, rest = head.partition(b"\r\n")
        method, target, version = [*first.decode("latin-1").split(" ", 2), "", ""][:3]
        tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if tunnel else target)
        host, port = parts.hostname or "", parts.port or (443 if tunnel else 80)
        try:
            address = await self._lookup(host, port)
        except OSError:
            address = ""
        if address is None:
            if self.on_refusal is not None:
                self.on_refusal(host, port)
            if tunnel:
                writer.write(_REFUSED)
                await writer.drain()
            # A plain request gets no answer at all: any answer would tell the page that there was somebody.
            return
        try:
            if not address:
                raise ConnectionError(host)
            far_reader, far_writer = await asyncio.wait_for(asyncio.open_connection(address, port), _CONNECT_S)
        except (OSError, TimeoutError):
            if tunnel:
                writer.write(_UNREACHABLE)
                await writer.drain()
            return
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            # One request a connection: a second one could name another host.
            kept = [line for line in rest.split(b"\r\n") if not line.lower().startswith((b"proxy-", b"connection:"))]
            start = f"{method} {path} {version}\r\nConnection: close\r\n".encode("latin-1")
            far_writer.write(start + b"\r\n".join(kept))
        try:
            await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
        finally:
            far_writer.close()

    async def _lookup(self, host: str, port: int) -> str | None:
        """An address of the host that may be connected to; None if it must not be. Raises `OSError` if it has none."""
        if self._policy.own(f"http://{f'[{host}]' if ':' in host else host}:{port}/"):
            return self.address or host
        if self._policy.mode != "open" or is_private(host):
            return None
        try:
            addresses = await asyncio.wait_for(self._resolve(host, port), _CONNECT_S)
        except (TimeoutError, UnicodeError) as error:
            raise OSError(host) from error
        return next((address for address in addresses if not is_private(address)), None)


async def _system_addresses(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address) for *_, (address, *_) in found]


async def site_address(policy: Policy, *, public_only: bool = False) -> str:
    """What the name of a site outside this machine stands for now; empty for one that needs no name or has none.

    With `public_only` whatever has a name must be public now, all it stands for: the browser is given the address that was
    checked and looks nothing up, so that a name that changes after the check leads nowhere. Raises `StageFault` where it is not.
    (Numbers need no look-up: those of this machine are Assay's own servers, a subject's were refused when it was opened.)
    """
    if literal(policy.host) is not None or (policy.loopback and not public_only):
        return ""
    try:
        if public_only:
            return (await asyncio.wait_for(asyncio.to_thread(public_addresses, policy.host, policy.port), _CONNECT_S))[0]
        return (await asyncio.wait_for(_system_addresses(policy.host, policy.port), _CONNECT_S))[0]
    except Private as error:
        raise StageFault(f"{error} now, and this server takes public ones only.", kind="private_address") from error
    except (OSError, TimeoutError, UnicodeError, IndexError) as error:
        if public_only:
            raise StageFault(f"{policy.host} is not known any more.", retryable=True) from error
        return ""


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
