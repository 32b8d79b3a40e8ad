"""The table of what holds each row is complete and up to date, so that taking it away shows something.

That the tests do fail then is shown by `python -m tests.benchmarks.protections`, which takes minutes.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.faults.security.protections import HERE, Edit, Row, rows

ROOT = Path(__file__).parents[3]
ROWS = range(1, 17)


def test_every_row_has_one() -> None:
    """Each once, with something to take away and a test that must notice."""
    assert [row.number for row in rows()] == list(ROWS)
    assert all(row.without and row.fails and row.seen for row in rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"row {row.number}")
def test_what_holds_it_stands_where_the_table_says(row: Row) -> None:
    """Exactly once, and nothing else would stand in its place already."""
    assert [edit for edit in row.without if edit.places(ROOT) != 1] == []
    assert [edit for edit in row.without if edit.was == edit.becomes] == []


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"row {row.number}")
def test_its_tests_are_there(row: Row) -> None:
    """By the names of their functions."""
    for test in row.fails:
        name, _, function = test.partition("::")
        tree = ast.parse((HERE / name).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert function.partition("[")[0] in functions, test


def test_what_does_not_stand_there_is_not_taken_away(tmp_path: Path) -> None:
    """A table that is out of date ends in words, not in a protection that is still there."""
    (tmp_path / "a.py").write_text("if held:\n    pass\nif held:\n", encoding="utf-8")
    for was in ("if held:", "if gone:"):
        with pytest.raises(ValueError, match="exactly once"):
            Edit("a.py", was, "if False:").make(tmp_path)
    Edit("a.py", "if held:\n    pass", "pass").make(tmp_path)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "pass\nif held:\n"
