"""Where the MCP server is reached: standard input and output of this process, or streamable HTTP on loopback with a token."""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from tools.errors import MissingProgram

PATH = "/mcp"
MOST_BYTES = 16_000_000
"""Of one request: raw answers are part of them."""


def over_stdio(runs: Path, *, at_once: int = 2) -> None:
    """Serve the client that started this process, until it closes standard input. Runs land in `runs`.

    Raises `MissingProgram` without the MCP SDK.
    """
    with _sdk():
        import anyio  # noqa: PLC0415
        from mcp.server.stdio import stdio_server  # noqa: PLC0415 - an extra

        from agent.mcp.serving import make_server  # noqa: PLC0415
    _runs_in(runs)
    server = make_server(at_once=at_once)

    async def serve() -> None:
        # While it serves, what children print goes to standard error: standard output belongs to the protocol.
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    if sys.stdin.isatty():
        sys.stderr.write(
            "assay mcp speaks with programs: name it to a client as its command, or listen with --http. Ctrl+C ends.\n"
        )
    with contextlib.suppress(KeyboardInterrupt):
        anyio.run(serve)


def over_http(runs: Path, *, port: int, token_file: Path | None = None, at_once: int = 2) -> None:
    """Serve streamable HTTP on loopback until interrupted; every request needs the token.

    Raises `MissingProgram` without the MCP SDK, `UserError` or `EnvironmentFault` for a bad token or a port that is taken.
    """
    with _sdk():
        import uvicorn  # noqa: PLC0415

        from agent.mcp.serving import make_server  # noqa: PLC0415
    from agent.serve.addresses import bind, read_token  # noqa: PLC0415
    from agent.serve.gatekeeping import App, Gate  # noqa: PLC0415

    path = token_file or runs / "mcp-token"
    token = read_token(path, make=token_file is None)
    _runs_in(runs)
    app = make_server(at_once=at_once).streamable_http_app(
        streamable_http_path=PATH, host="127.0.0.1", max_request_body_size=MOST_BYTES
    )
    with bind("127.0.0.1", port) as bound:
        gate = Gate(cast(App, app), token=token, most_bytes=MOST_BYTES)
        config = uvicorn.Config(gate, log_level="warning", access_log=False, timeout_graceful_shutdown=3)
        bound.listen()  # whoever reads the next line may come at once
        sys.stdout.write(f"Serving at http://127.0.0.1:{bound.getsockname()[1]}{PATH} (Ctrl+C ends); the token is in {path}\n")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[bound])


def _runs_in(folder: Path) -> None:
    """Settings are read anew for each call, in this process and in those of the evaluations."""
    os.environ["ASSAY_RUNS_DIR"] = str(folder)


@contextlib.contextmanager
def _sdk() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types", "anyio"}:
            raise
        raise MissingProgram("The MCP SDK is not installed.", hint="It comes with the extra: assay[mcp]") from error
