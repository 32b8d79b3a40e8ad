"""The verb `assay view`. Parses its options and starts the server; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once. Its options are its parameters.
# ruff: noqa: PLC0415

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.extras import require


def view(
    runs: Annotated[Path | None, typer.Argument(metavar="FOLDER", help="Where runs lie, by default recordings/.")] = None,
    host: Annotated[str, typer.Option(help="Where to listen; other than loopback only on purpose.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8700,
    reader: Annotated[str, typer.Option(metavar="NAME", help="Who marks failures; by default the user's name.")] = "",
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Holds the token; by default a new one is made at each start.")
    ] = None,
) -> None:
    """Show the folder of runs in the browser: list, reports, a run going on, two side by side, your marks on failures."""
    require("serve", "view")
    from agent.run.chosen_settings import chosen
    from agent.view.listening import view_runs

    folder = runs if runs is not None else chosen(None, {}).runs_dir
    view_runs(folder, host=host, port=port, reader=reader, token_file=token_file)
