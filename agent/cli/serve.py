"""The verb `assay serve`. Parses its options and starts the server; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once. Its options are its parameters.
# ruff: noqa: PLC0415, PLR0913, PLR0917

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="Where to listen; other than loopback only on purpose.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8600,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where submissions, runs and the job table lie.")] = Path(
        "recordings/served"
    ),
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Holds the token; by default FOLDER/token, made at the first start.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Evaluations at once at most; by default one a processor.")] = None,
    profile: Annotated[str | None, typer.Option(help="As for assay eval; what clients ask for stays within it.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the evaluations: budget.max_acts=10")
    ] = None,
    most_waiting: Annotated[int, typer.Option(min=1, help="Submissions that may wait; more are refused with 429.")] = 1000,
    most_upload_mb: Annotated[float, typer.Option(min=0.1, help="Largest request.")] = 64.0,
    private: Annotated[
        bool | None,
        typer.Option("--private/--no-private", help="Take addresses of private networks; by default only when on loopback."),
    ] = None,
) -> None:
    """Serve evaluations over HTTP, for training loops and CI: submit, follow, fetch verdict, report and recording."""
    from agent.cli.batch import read_settings
    from agent.serve.addresses import is_loopback
    from agent.serve.listening import listen
    from agent.serve.service import Terms

    terms = Terms(
        settings=read_settings(profile, settings or []),
        jobs=jobs,
        most_waiting=most_waiting,
        most_upload_mb=most_upload_mb,
        private_addresses=is_loopback(host) if private is None else private,
    )
    listen(host, port, out, terms, token_file)
