"""What says which items of how many are shown, and what has three numbers for other reasons."""

from __future__ import annotations

import pytest

from evaluator.relations.paging import shown_of
from tools.evidence.rows import Box
from tools.page.parts import Text


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("1–5 of 23", (1, 5, 23)),
        ("Showing 6 to 10 of 23 refills", (6, 10, 23)),
        ("11 bis 15 von 40", (11, 15, 40)),
        ("第 1-5 条，共 23 条", (1, 5, 23)),
        ("Item 1 of 6, 29 s left", (0, 0, 0)),
        ("Round 1 of 3 · 40 s", (0, 0, 0)),
        ("2026-03-12", (0, 0, 0)),
        ("1–5 of 23, 4 overdue", (0, 0, 0)),
        ("Week 12: 1–5 of 23", (0, 0, 0)),
        ("Thema 2 von 6, 29 s", (0, 0, 0)),
    ],
)
def test_a_range_of_all_is_told_from_other_numbers(words: str, numbers: tuple[int, int, int]) -> None:
    """A dash or "to" between the first two of just three numbers."""
    text = Text(key="text", node="1", selector="p", box=Box(x=0, y=0, width=9, height=9), in_view=True, text=words)
    assert shown_of(text) == numbers
