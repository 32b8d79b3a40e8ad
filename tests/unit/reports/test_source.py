"""The source lines on a failure's card."""

from __future__ import annotations

from pathlib import Path

from evaluator.reports.source import code_lines
from evaluator.verdict.model import Cause
from tests.unit.reports.run_folder import SOURCE
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import SourceFile


def test_lines_are_numbered_as_in_the_sealed_file(silent_run: Path) -> None:
    """The named line is marked and stands between its neighbours."""
    lines = code_lines(Record.read(silent_run), Cause(known=True, file="app.js", line=4, excerpt="  return tasks.length;"))
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line.number for line in lines if line.marked] == [4]
    assert all(line.text == SOURCE.splitlines()[line.number - 1] for line in lines)


def test_an_excerpt_that_begins_before_the_named_line_keeps_the_numbers_right(silent_run: Path) -> None:
    """An excerpt of three lines around the named one does not shift the numbering."""
    excerpt = "\n".join(SOURCE.splitlines()[6:10])
    lines = code_lines(Record.read(silent_run), Cause(known=True, file="app.js", line=10, excerpt=excerpt))
    assert [line.number for line in lines if line.marked] == [10]
    assert next(line.text for line in lines if line.number == 10) == "  // render() is missing"


def test_without_the_file_the_judges_excerpt_is_shown(silent_run: Path) -> None:
    """A cause in a file that is not on record still shows what the judge quoted."""
    lines = code_lines(Record.read(silent_run), Cause(known=True, file="other.js", line=20, excerpt="a\nb"))
    assert [(line.number, line.text, line.marked) for line in lines] == [(20, "a", True), (21, "b", False)]


def test_a_minified_line_is_shown_around_what_matters(ledger: Ledger) -> None:
    """Of a line of 50,000 characters the part with the excerpt is shown."""
    text = "x;" * 10_000 + "boom(undefined);" + "y;" * 15_000
    ledger.append(
        SourceFile(path="min.js", language="javascript"), producer="app", blob=ledger.put(text.encode(), "text/javascript")
    )
    ledger.sync()
    record = Record.read(ledger.run_dir)
    [line] = code_lines(record, Cause(known=True, file="min.js", line=1, excerpt="boom(undefined);"))
    assert "boom(undefined);" in line.text
    assert len(line.text) < 400
