"""The verb `assay results`: parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tools.extras import require


def results(
    tables: Annotated[
        list[Path], typer.Argument(metavar="BATCH…", help="Batches' folders or tables of verdicts; several are put together.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the files go; by default the first batch's folder.")
    ] = None,
    title: Annotated[str, typer.Option(help="The page's title; by default the folder's name.")] = "",
    fail_under: Annotated[
        float | None, typer.Option(min=0, max=8, help="Exit with 1 when a model's mean functionality is below.")
    ] = None,
    max_incomplete: Annotated[
        str | None, typer.Option(help="Exit with 3 when more jobs than this have no score: a number, or a share (0.1, 10%).")
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, max=100_000, help="Bootstrap resamples; 0 gives no intervals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resamples.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the leaderboard as JSON instead of text for people.")] = False,
) -> None:
    """Write the results of a batch again: table, leaderboard, page, JUnit and SARIF, and tell who leads."""
    require("batch", "results")
    from evaluator.results.as_terminal import as_tables
    from evaluator.results.gates import Gate, check
    from evaluator.results.gates import max_incomplete as limit_of
    from evaluator.results.joining import read_tables
    from evaluator.results.writing import write_results

    gate = Gate(fail_under=fail_under, max_incomplete=limit_of(max_incomplete) if max_incomplete is not None else None)
    folder = out or (tables[0] if tables[0].is_dir() else tables[0].parent)
    rows = read_tables(tables, folder)
    written = write_results(rows, folder, title=title, fail_under=fail_under, resamples=resamples, seed=seed)
    ruling = check(rows, gate)
    if as_json:
        sys.stdout.write(written.board.model_dump_json(indent=2) + "\n")
    else:
        from rich.console import Console

        Console().print(as_tables(written.board))
        sys.stdout.write(f"{written.page}\n")
    for line in ruling.lines:
        sys.stderr.write(f"assay: {line}\n")
    raise typer.Exit(ruling.exit_code)
