"""The verb `assay mcp`. Parses its options and starts the server; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP on loopback instead of standard input.")] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="With --http; 0 takes a free one.")] = 8601,
    runs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where runs land; by default recordings/ here.")] = None,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --http: holds the token; by default made in the runs' folder.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="Calls carried out at once; more wait.")] = 2,
) -> None:
    """Serve every instrument as a tool of the Model Context Protocol: for agents and editors."""
    from agent.mcp.listening import over_http, over_stdio
    from configs.settings import load

    folder = (runs or load().runs_dir).resolve()
    if http:
        over_http(folder, port=port, token_file=token_file, at_once=at_once)
    else:
        over_stdio(folder, at_once=at_once)
