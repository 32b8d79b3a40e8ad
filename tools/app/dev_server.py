"""A project's own server: started, and watched until one of its ports answers HTTP.

Where it listens is not taken on trust. A log that says port 3000 may be of a server that could not have that port, and somebody
else's server may answer there: only ports on which the server's own programs listen are asked.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tools.app.http_probe import Answer, ask
from tools.app.place import Place, Prepared
from tools.app.programs import last_lines, read_log
from tools.processes import ProcessList

POLL_S = 0.15
ASK_S = 20.0
"""Longest wait for one answer; the first request makes some tools compile the whole app."""
GRACE_S = 3.0
"""After the first answer that is no page: how long a page is waited for on another port (the API often comes up first)."""
_ADDRESS = re.compile(r"\b(https?)://(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|[\w.-]+):(\d{2,5})(/[^\s\"'<>)\]]*)?")
_DEBUG_PORTS = frozenset({9229, 9230, 9222})


@dataclass(frozen=True)
class ServerUp:
    """The server answers."""

    base_url: str
    entry: str
    pid: int
    status: int
    port: int


@dataclass(frozen=True)
class ServerDown:
    """The server does not answer. `code` is its exit code, None if it was still running when the time was up."""

    code: int | None
    reason: str
    output: str

    @property
    def excerpt(self) -> str:
        """Its last lines."""
        return last_lines(self.output)


@dataclass(frozen=True)
class _Listener:
    port: int
    address: str
    """Host and port at which this machine reaches it."""


async def start(
    place: Place,
    command: Sequence[str],
    *,
    extra: Mapping[str, str],
    port: int,
    log: Path,
    processes: ProcessList,
    timeout_s: float,
) -> ServerUp | ServerDown:
    """Start a server and wait until it answers, at `port` if it took the hint, else where it listens.

    Returns `ServerDown` when it exits or does not answer within `timeout_s`; its whole process group is ended then.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    offset = log.stat().st_size if log.exists() else 0
    ready = place.prepare(command, extra, log, serves=True)
    process = processes.spawn("dev server", ready.words, cwd=ready.cwd, env=ready.env, log=log)
    up = False
    try:
        outcome = await _watch(_Server(place, ready, process, log, offset), port, timeout_s)
        up = isinstance(outcome, ServerUp)
    finally:
        if not up:
            await processes.end(process.pid)
    return outcome


@dataclass(frozen=True)
class _Server:
    """A server that was started."""

    place: Place
    ready: Prepared
    process: subprocess.Popen[bytes]
    log: Path
    offset: int
    """Where its own lines in the log begin."""

    def output(self) -> str:
        return read_log(self.log, start=self.offset)

    def listeners(self) -> list[_Listener]:
        found = self.place.listeners(self.process.pid, self.ready.state())
        return [_Listener(port, address) for port, address in found.items()]

    def ended(self) -> ServerDown | None:
        code = self.process.poll()
        if self.place.lives(self.process.pid, code):
            return None
        stopped = self.ready.state().stopped
        return ServerDown(
            code, f"it was stopped: {stopped}" if stopped else f"it ended with code {code} before it answered", self.output()
        )


async def _watch(server: _Server, port: int, timeout_s: float) -> ServerUp | ServerDown:
    pid = server.process.pid
    limit = time.monotonic() + timeout_s
    second_best: ServerUp | None = None
    settled = limit
    while time.monotonic() < limit:
        output = server.output()
        if down := server.ended():
            return down
        for listener in _ordered(server.listeners(), port, output):
            found = await _try(pid, listener, output, min(ASK_S, max(limit - time.monotonic(), 0.1)))
            if found is None:
                continue
            if found[1]:
                return found[0]
            if second_best is None or (second_best.status >= 400 > found[0].status):
                second_best = found[0]
                settled = min(settled, time.monotonic() + GRACE_S)
        if second_best is not None and time.monotonic() >= settled:
            return second_best
        await asyncio.sleep(POLL_S)
    if second_best is not None:
        return second_best
    ports = sorted({listener.port for listener in server.listeners()})
    where = f"it listens on {', '.join(map(str, ports))} but answers no request" if ports else "it listens on no port"
    return ServerDown(None, f"{where} after {timeout_s:g} s", server.output())


async def _try(pid: int, listener: _Listener, output: str, timeout_s: float) -> tuple[ServerUp, bool] | None:
    """What answers on a port, and whether it is a page."""
    scheme, path = _said(output, listener.port)
    base = f"{scheme}://{listener.address}/"
    entry = base + path.lstrip("/")
    answer = await ask(entry, timeout_s=timeout_s)
    if not isinstance(answer, Answer):
        return None
    is_page = answer.status < 400 and answer.media_type in {"text/html", "application/xhtml+xml"}
    return ServerUp(base, entry, pid, answer.status, listener.port), is_page


def _said(output: str, port: int) -> tuple[str, str]:
    """Scheme and path that the log names for a port (a base path, a development certificate)."""
    for match in _ADDRESS.finditer(output):
        if int(match.group(3)) == port:
            return match.group(1), urlsplit(match.group(0)).path or "/"
    return "http", "/"


def _ordered(listeners: list[_Listener], port: int, output: str) -> list[_Listener]:
    """Listeners in the order worth asking: the port we named, those the log names, the rest."""
    said = [int(match.group(3)) for match in _ADDRESS.finditer(output)]
    usable = [listener for listener in listeners if listener.port not in _DEBUG_PORTS]
    return sorted(
        usable, key=lambda found: (found.port != port, said.index(found.port) if found.port in said else len(said), found.port)
    )
