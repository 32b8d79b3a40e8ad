"""The page of reference on relations is that of the code."""

from __future__ import annotations

from pathlib import Path

from evaluator.relations.base import relations
from evaluator.relations.reference import page

REFERENCE = Path(__file__).parents[3] / "docs" / "relations.md"


def test_the_page_is_current() -> None:
    """Made again by `python -m evaluator.relations.reference > docs/relations.md`."""
    assert REFERENCE.read_text(encoding="utf-8") == page()


def test_every_relation_has_a_line_in_one_room() -> None:
    """By its name."""
    lines = [line for line in page().splitlines() if line.startswith("| `")]
    assert sorted(line.split("`")[1] for line in lines) == sorted(relations())
