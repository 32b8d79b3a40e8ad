"""Several tables of verdicts as one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from evaluator.results.rows import Scored
from evaluator.results.table import read_table
from tools.errors import UserError


def read_tables(paths: Sequence[Path], folder: Path) -> tuple[Scored, ...]:
    """The rows of all tables, run folders named as seen from `folder`. Raises `UserError` if two tables hold one job."""
    found: dict[tuple[str, str, int], Scored] = {}
    for path in paths:
        for row in read_table(path):
            if row.key in found:
                told = f"Trial {row.trial} of {row.model} for {row.query_id!r} is in {path} and in a table before it."
                raise UserError(told, hint="Leave one out.")
            found[row.key] = row.model_copy(update={"run": _seen_from(row.run, path if path.is_dir() else path.parent, folder)})
    return tuple(found.values())


def _seen_from(run: str, home: Path, folder: Path) -> str:
    """A run's folder that is told relative to its table's, relative to another; addresses and absolute paths stay."""
    if not run or "://" in run or Path(run).is_absolute():
        return run
    return os.path.relpath(home.resolve() / run, folder.resolve())
