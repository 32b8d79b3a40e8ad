"""The lines of the app's source that a failure points at, numbered as in the file."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.reports.visible import shortened
from evaluator.verdict.model import Cause
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import SourceFile

AROUND = 3
LONGEST_LINE = 320


@dataclass(frozen=True)
class CodeLine:
    """One line; `number` is 0 where it cannot be told. `marked` lines are those the cause names."""

    number: int
    text: str
    marked: bool


def code_lines(record: Record, cause: Cause) -> tuple[CodeLine, ...]:
    """The cause's lines with three around them from the sealed source; the judge's excerpt where that source is not on record."""
    excerpt = [line.rstrip() for line in cause.excerpt.splitlines()]
    source = _source(record, cause.file)
    if source and 0 < cause.line <= len(source):
        first = _first_line(source, excerpt, cause.line)
        last = min(first + max(len(excerpt), 1) - 1, len(source))
        shown = range(max(first - AROUND, 1), min(last + AROUND, len(source)) + 1)
        marked = {cause.line} if first <= cause.line <= last else set(range(first, last + 1))
        return tuple(CodeLine(number, _short(source[number - 1], excerpt), number in marked) for number in shown)
    start = cause.line
    return tuple(CodeLine(start + index if start else 0, _short(line, []), index == 0) for index, line in enumerate(excerpt))


def _source(record: Record, path: str) -> list[str]:
    for row, source in record.of(SourceFile):
        if source.path == path and row.blob is not None:
            try:
                return record.blobs.get(row.blob).decode("utf-8", "replace").splitlines()
            except RunError:
                return []
    return []


def _first_line(source: list[str], excerpt: list[str], line: int) -> int:
    """Number of the source line the excerpt begins with: the excerpt may begin before the line that is named."""
    for back in range(len(excerpt)):
        first = line - back
        if first >= 1 and excerpt and excerpt[0].strip() == source[first - 1].strip():
            return first
    return line


def _short(line: str, excerpt: list[str]) -> str:
    """A line of readable length; in a minified one the part around the excerpt."""
    if len(line) <= LONGEST_LINE:
        return line
    wanted = next((part.strip() for part in excerpt if part.strip() and part.strip() in line), "")
    start = max(line.find(wanted) - LONGEST_LINE // 3, 0) if wanted else 0
    return ("…" if start else "") + shortened(line[start:], LONGEST_LINE)
