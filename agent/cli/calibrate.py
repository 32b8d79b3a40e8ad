"""`assay calibrate`: Assay measured on apps whose faults are known."""

from __future__ import annotations

import asyncio
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.printing import JsonFlag, print_json, say
from agent.run.chosen_settings import chosen as settings_of
from tools.errors import UserError

KINDS = ("fault", "harmless", "injection")


def calibrate(
    suite: Annotated[Path | None, typer.Argument(help="A suite's folder; by default the one that comes with Assay.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="An app's name or a variant's key; may be given again.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="fault, harmless or injection; by default all.")] = None,
    limit: Annotated[int | None, typer.Option(min=0, help="Faults per app at most.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=16, help="Evaluations at once.")] = 1,
    out: Annotated[Path, typer.Option(help="Where runs and results go; the same command again goes on.")] = Path(
        "recordings/calibration"
    ),
    profile: Annotated[str | None, typer.Option(help="As for assay eval.")] = None,
    floor: Annotated[
        bool, typer.Option("--floor", help="Also run axe-core, the console and 15 s of gremlins.js on every variant.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure Assay itself: on apps with known faults, how often it is right, silent when it should be, and proved."""
    from rich.console import Console

    from agent.calibration.suite_runs import Plan, choose, run
    from evaluator.calibration.suite import load, shipped
    from evaluator.calibration.suite_report import as_json as as_data
    from evaluator.calibration.suite_report import as_tables, write

    for name in kind or ():
        if name not in KINDS:
            raise UserError(f"There is no kind of variant called {name!r}.", hint=f"There are: {', '.join(KINDS)}.")
    if profile:
        settings_of(profile, {})  # each evaluation would refuse it anew
    variants = tuple(load(suite or shipped()).variants())
    known = {name for variant in variants for name in (variant.app, variant.key)}
    for name in only or ():
        if name not in known:
            near = get_close_matches(name, sorted(known), n=3, cutoff=0.4)
            like = f" Like it are: {', '.join(near)}." if near else ""
            raise UserError(f"The suite has no app or variant called {name!r}.{like}", hint="A key is such as shop/clean.")
    chosen = choose(variants, only or [], kind or [], limit)
    if not chosen:
        raise UserError("No variant of the suite is chosen.", hint="--only takes an app's name or a key such as shop/clean.")
    options = ("--profile", profile) if profile else ()
    told = None if as_json else lambda item, done, total: say(f"{done:4} of {total}  {item.key}  {item.seconds:.0f} s")
    outcomes = asyncio.run(run(Plan(chosen, out, jobs, options, floor), told))
    _, page = write(outcomes, out)
    if as_json:
        print_json(as_data(outcomes))
    else:
        Console().print(as_tables(outcomes))
        say(str(page))
