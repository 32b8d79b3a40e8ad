"""The verb `assay agree`: parses its options, calls one function and prints what it returned; no logic lives here."""

# A verb imports what it needs: `assay --help` must answer at once.
# ruff: noqa: PLC0415, PLR0913, PLR0917

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tools.errors import UserError

_SOURCE = "A batch's folder, a table of verdicts, a file of ratings or comparisons (JSONL, CSV, Parquet); for failures: runs."


def agree(
    judge: Annotated[Path, typer.Argument(metavar="JUDGE", help=_SOURCE)],
    reference: Annotated[Path, typer.Argument(metavar="REFERENCE", help="The same kinds; people's labels, as a rule.")],
    variants: Annotated[
        list[str] | None,
        typer.Option("--variant", metavar="NAME=PATH", help="The judge's scores with a reworded checklist; may be given again."),
    ] = None,
    measure: Annotated[
        str,
        typer.Option(
            help="functionality, aesthetics or total: which score of a batch is meant; or failures: of runs, whether each "
            "failure that a reader marked (assay view) takes points, against the marks."
        ),
    ] = "functionality",
    classes: Annotated[
        int | None, typer.Option(min=2, max=100, help="Classes for κ; by default whole numbers as they are, else 5.")
    ] = None,
    top: Annotated[float, typer.Option(min=0.001, help="Highest score of JUDGE.")] = 8.0,
    reference_top: Annotated[
        float | None, typer.Option(min=0.001, help="Highest score of REFERENCE, if another; it is rescaled to JUDGE's.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, max=100_000, help="Bootstrap resamples; 0 gives no intervals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the resamples.")] = 0,
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Also write agreement.json and agreement.html here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text for people.")] = False,
) -> None:
    """Measure how far two sources of scores agree: pairs, rankings, correlations, κ and α, each with its interval.

    A file of ratings has the columns query_id, model, rater, score – or one column of numbers for each rater; a file of
    comparisons query_id, a, b, winner.
    """
    from evaluator.agreement.comparing import compare
    from evaluator.agreement.labels import read_labels, rescaled
    from evaluator.agreement.marked import judged_and_marked
    from evaluator.agreement.repeats import robustness
    from evaluator.agreement.report import as_tables, write

    known: Any = measure
    if measure not in {"functionality", "aesthetics", "total", "failures"}:
        raise UserError(f"There is no measure {measure!r}.", hint="functionality, aesthetics, total or failures.")
    if measure == "failures":
        if variants or reference_top is not None:
            raise UserError("Failures have no variants and no highest score.", hint="Leave --variant and --reference-top out.")
        mine, theirs = judged_and_marked(judge, reference)
    else:
        mine, theirs = read_labels(judge, measure=known), read_labels(reference, measure=known)
    if reference_top is not None:
        theirs = rescaled(theirs, top / reference_top)
    found = compare(mine, theirs, classes=classes, top=top, resamples=resamples, seed=seed)
    scores = {name: read_labels(path, measure=known).scores() for name, path in _named(variants or [])}
    robust = robustness(mine.scores(), scores, resamples=resamples, seed=seed)
    written = write(found, out, robust) if out is not None else ()
    if as_json:
        import json

        data = {
            **found.model_dump(mode="json", exclude={"points"}),
            "robustness": [each_robustness.model_dump(mode="json") for each_robustness in robust],
        }
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    from rich.console import Console

    Console().print(as_tables(found, robust))
    for path in written:
        sys.stdout.write(f"{path}\n")


def _named(given: list[str]) -> list[tuple[str, Path]]:
    pairs = [text.partition("=") for text in given]
    for name, sign, path in pairs:
        if not (sign and name and path):
            raise UserError(f"--variant {name}{sign}{path} is not understood.", hint="--variant NAME=PATH")
    return [(name, Path(path)) for name, _, path in pairs]
