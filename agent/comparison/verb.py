"""`assay compare` from beginning to end: what A and B are, where things go, what is written, how it ends."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent.comparison.comparing import compare_runs
from agent.comparison.sides import refuse_same
from agent.comparison.tried import REPLAYS, OnProgress, Wish
from agent.comparison.works import compare_works, is_run
from evaluator.comparison.gate import FailOn, Ruling, rule, rule_works
from evaluator.comparison.model import Comparison, Works
from evaluator.comparison.writing import JSON_FILE, WORKS_FOLDER, Written, write_comparison, write_works
from tools.errors import UserError


@dataclass(frozen=True)
class Done:
    """What a comparison ended in."""

    told: Comparison | Works
    ruling: Ruling
    written: Written


async def compare(a: Path, b: Path, out: Path, wish: Wish, least: FailOn, tell: OnProgress = lambda _: None) -> Done:
    """Compare two runs, or two folders of them, and write everything into `out`. Raises `UserError` for what can't be."""
    check(a, b, out)
    if is_run(a):
        comparison = await compare_runs(a, b, _made(out), wish, tell=tell)
        ruling = rule([comparison], least)
        return Done(comparison, ruling, write_comparison(comparison, out, ruling, least))
    works = await compare_works(a, b, _made(out), wish, tell)
    ruling = rule_works(works, least)
    rulings = {each_comparison.name: rule([each_comparison], least) for each_comparison in works.compared}
    return Done(works, ruling, write_works(works, out, ruling, least, rulings))


def check(a: Path, b: Path, out: Path) -> None:
    """Raises `UserError` for two that can't be compared, and for a folder that must not be written to."""
    for path in (a, b):
        if not path.is_dir():
            raise UserError(f"There is no folder {path}.", hint="assay compare A B: two runs, or two folders of runs.")
    refuse_same(a, b)
    if is_run(a) != is_run(b):
        raise UserError(
            f"{a if is_run(a) else b} is one run, {b if is_run(a) else a} is none.", hint="Name two runs, or two folders of runs."
        )
    where = out.resolve()
    for path in (a, b):
        if where == path.resolve() or (is_run(path) and where.is_relative_to(path.resolve())):
            raise UserError(f"{out} is a run, which nothing is added to.", hint="Name another folder with --out.")
    if any((out / name).exists() for name in (JSON_FILE, REPLAYS, WORKS_FOLDER)):
        raise UserError(f"{out} holds a comparison already.", hint="Remove it, or name another folder with --out.")


def new_folder(runs_dir: Path) -> Path:
    """A new comparison's folder."""
    return runs_dir / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-compare-{secrets.token_hex(2)}"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
