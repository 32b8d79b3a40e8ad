"""The marks of many runs, for what learns from them: agreement with a reader, and trust in what accused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.marks.file import MARKS_FILE, marks_on
from evaluator.marks.model import ReaderMark
from evaluator.reports.facts import read_run
from evaluator.verdict.model import Verdict
from tools.errors import UserError
from tools.evidence.found import runs_below
from tools.evidence.record import Record


@dataclass(frozen=True)
class MarkedRun:
    """A run of which a reader marked something."""

    name: str
    """Its path below the folder that was named."""
    record: Record
    verdict: Verdict
    marks: dict[str, ReaderMark]
    """By the failure's id; never empty."""


def marked_runs(folder: Path) -> Iterator[MarkedRun]:
    """The marked runs in a folder and below it, or the one that is named.

    Raises `UserError` if there is no such folder, `RunError` for a marked run that can't be read.
    """
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}.", hint="Name a run, or the folder in which runs lie.")
    for path in runs_below(folder):
        if not (path / MARKS_FILE).is_file():
            continue
        record, verdict = read_run(path)
        if marks := marks_on(path, verdict):
            yield MarkedRun(path.relative_to(folder).as_posix() if path != folder else path.name, record, verdict, marks)
