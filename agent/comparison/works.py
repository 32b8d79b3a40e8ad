"""Two folders of runs: the works in both of them, each compared, and those that only one of them has."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from agent.comparison.comparing import compare_runs
from agent.comparison.tried import OnProgress, Wish
from evaluator.comparison.model import Side, Work, Works
from evaluator.comparison.scores import totals
from evaluator.comparison.writing import folder_of
from evaluator.results.rows import Scored
from evaluator.results.table import LINES_FILE, PARQUET_FILE, read_table
from tools.errors import AssayError, UserError
from tools.evidence.ledger import LEDGER_FILE
from tools.text import printable

_DATED = re.compile(r"^\d{8}-\d{6}-(?P<word>.+)-[0-9a-f]{4}$")
"""A run's own name: when, of what, and four signs of chance."""


@dataclass(frozen=True)
class Place:
    """A work of a folder. `problem`: why there is no run of it; empty: there is."""

    run: Path
    problem: str = ""


def is_run(folder: Path) -> bool:
    """Whether a folder is one run."""
    return (folder / LEDGER_FILE).is_file()


def places(a: Path, b: Path) -> dict[Side, dict[str, Place]]:
    """The works of two folders by the names that tell them apart in both: batches, or folders of runs.

    Raises `UserError` where one of them is neither.
    """
    tables = [_table(path) for path in (a, b)]
    if tables[0] is not None and tables[1] is not None:
        return dict(zip(("a", "b"), _of_batches(tables[0], a, tables[1], b), strict=True))
    return {"a": _of_runs(a), "b": _of_runs(b)}


async def compare_works(a: Path, b: Path, out: Path, wish: Wish, tell: OnProgress = lambda _: None) -> Works:
    """Compare them one after the other. A work that can't be compared says why, and ends nothing."""
    found = places(a, b)
    names = [*found["a"], *(name for name in found["b"] if name not in found["a"])]
    if not found["a"].keys() & found["b"].keys():
        raise UserError(
            f"{a} and {b} have no work in common.", hint=f"A has {_some(list(found['a']))}; B has {_some(list(found['b']))}."
        )
    works: list[Work] = []
    for name in names:
        before, after = found["a"].get(name), found["b"].get(name)
        if before is None or after is None:
            works.append(Work(name=name, only_in="b" if before is None else "a"))
            continue
        if problem := _problem(before, after):
            works.append(Work(name=name, problem=problem))
            continue
        tell(f"work {printable(name, 60)}")
        try:
            comparison = await compare_runs(before.run, after.run, out / folder_of(name), wish, name=name, tell=tell)
            works.append(Work(name=name, comparison=comparison))
        except AssayError as error:
            works.append(Work(name=name, problem=error.message))
    whole = Works(a=str(a), b=str(b), works=tuple(works))
    return whole.model_copy(update={"totals": totals(whole.compared)})


def _problem(a: Place, b: Place) -> str:
    told = [f"{name}: {place.problem}" for name, place in (("A", a), ("B", b)) if place.problem]
    return "; ".join(told)


def _table(folder: Path) -> tuple[Scored, ...] | None:
    there = any((folder / name).is_file() for name in (LINES_FILE, PARQUET_FILE))
    return read_table(folder) if there else None


def _of_batches(
    rows_a: tuple[Scored, ...], a: Path, rows_b: tuple[Scored, ...], b: Path
) -> tuple[dict[str, Place], dict[str, Place]]:
    """By query, model and trial; without the model where each side has but one, which may be called otherwise."""
    models = [{row.model for row in rows} for rows in (rows_a, rows_b)]
    single = all(len(model) == 1 for model in models)
    repeated = any(row.trial > 1 for row in (*rows_a, *rows_b))

    def name(row: Scored) -> str:
        return row.query_id + ("" if single else f", {row.model}") + (f", trial {row.trial}" if repeated else "")

    return {name(row): _place(row, a) for row in rows_a}, {name(row): _place(row, b) for row in rows_b}


def _place(row: Scored, home: Path) -> Place:
    if row.status != "scored":
        return Place(Path(), f"{row.status}: {row.reason or 'no score'}")
    if not row.run or "://" in row.run:
        return Place(Path(), "its run is not on this machine")
    run = home / row.run
    return Place(run) if is_run(run) else Place(Path(), f"its run {row.run} is not there any more")


def _of_runs(folder: Path) -> dict[str, Place]:
    """By the folders' names, without the time at which runs were made where that tells them apart still."""
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", hint="assay compare A B: two runs, or two folders of runs.")
    runs = sorted(path for path in folder.iterdir() if path.is_dir() and is_run(path))
    if not runs:
        raise UserError(
            f"{folder} is neither a run nor a folder of runs.", hint=f"A run holds a {LEDGER_FILE}, a batch a {LINES_FILE}."
        )
    words = {path: match["word"] if (match := _DATED.match(path.name)) else path.name for path in runs}
    often = Counter(words.values())
    return {word if often[word] == 1 else path.name: Place(path) for path, word in words.items()}


def _some(names: list[str]) -> str:
    return ", ".join(printable(name, 40) for name in names[:3]) + (" …" if len(names) > 3 else "")
