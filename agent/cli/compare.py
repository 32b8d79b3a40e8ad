"""The verb `assay compare`: parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import to_terminal, wait_for
from agent.cli.printing import JsonFlag, say


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="The version before: a run's folder, a batch, or a folder of runs.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The version after: another of the same kind.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the files go; by default a new one under recordings/.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="SEVERITY",
            help="Exit with 1 for a new failure at least as grave: minor (the default), major, critical, never.",
        ),
    ] = "minor",
    replay: Annotated[
        bool,
        typer.Option(
            "--replay/--no-replay", help="Try on each app what the other showed; without, nothing is surely new or gone."
        ),
    ] = True,
    trials: Annotated[
        int,
        typer.Option(min=0, max=200, help="Trials that held on A and that B's run did not make, tried on B: at most so many."),
    ] = 12,
    subject_a: Annotated[
        str | None,
        typer.Option(metavar="SUBJECT", help="What A's app is; needed where A's run was not made on this machine."),
    ] = None,
    subject_b: Annotated[str | None, typer.Option(metavar="SUBJECT", help="The same of B's.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare two versions of an app: what got better, worse, new, gone, each shown on both.

    What only one run has is tried on the other's app. Exit codes: 0 nothing is worse, 1 something is, 3 not all could be told.
    """
    from agent.comparison.tried import Wish
    from agent.comparison.verb import check, new_folder
    from agent.comparison.verb import compare as run
    from agent.run.chosen_settings import chosen
    from evaluator.comparison.gate import fail_on as least_of

    least = least_of(fail_on)
    folder = out or new_folder(chosen(None, {}).runs_dir)
    check(a, b, folder)
    wish = Wish(replay=replay, trials=trials, given_a=subject_a, given_b=subject_b)
    done = wait_for(lambda: run(a, b, folder, wish, least, lambda line: _tell(line, quiet=as_json)))
    if as_json:
        say(done.written.data.read_text(encoding="utf-8").rstrip())
    else:
        from evaluator.comparison.as_terminal import as_tables, as_works
        from evaluator.comparison.model import Comparison

        two = isinstance(done.told, Comparison)
        to_terminal().print(as_tables(done.told, done.ruling) if two else as_works(done.told, done.ruling))
        say(str(done.written.page))
    for line in done.ruling.lines:
        sys.stderr.write(f"assay: {line}\n")
    raise typer.Exit(done.ruling.exit_code)


def _tell(line: str, *, quiet: bool) -> None:
    if not quiet:
        sys.stderr.write(f"{line}\n")
