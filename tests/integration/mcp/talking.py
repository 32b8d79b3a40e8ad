"""A real MCP client of the SDK, talking to a real `assay mcp` in a process of its own."""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
import select
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from tests.faults.command import command, environment

UP_S = 60.0


@contextlib.asynccontextmanager
async def over_stdio(runs: Path, mark: str) -> AsyncIterator[Client]:
    """A client of a server that it started itself."""
    runs.mkdir(parents=True, exist_ok=True)
    program, *words = command("mcp", "--runs", str(runs))
    server = StdioServerParameters(command=program, args=words, env=environment(mark), cwd=str(runs))
    async with Client(server) as client:
        yield client


@dataclass(frozen=True)
class Listening:
    """A server on loopback."""

    url: str
    token: str


@contextlib.contextmanager
def over_http(runs: Path, mark: str) -> Iterator[Listening]:
    """A server that listens."""
    process = subprocess.Popen(
        command("mcp", "--http", "--port", "0", "--runs", str(runs)),
        stdout=subprocess.PIPE,
        text=True,
        env=environment(mark),
        cwd=runs.parent,
    )
    assert process.stdout is not None
    try:
        ready, _, _ = select.select([process.stdout], [], [], UP_S)
        line = process.stdout.readline() if ready else ""
        assert line.startswith("Serving at http://127.0.0.1:"), line
        yield Listening(line.split()[2], (runs / "mcp-token").read_text(encoding="ascii").strip())
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)
        process.stdout.close()


def words(result: CallToolResult) -> str:
    """The text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
