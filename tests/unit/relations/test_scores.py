"""What counts in a game, a round or a test, by its name."""

from __future__ import annotations

import pytest

from evaluator.relations.time.score_begins_anew import is_score
from tools.evidence.rows import Box
from tools.page.parts import Figure
from tools.page.quantities import find_quantity


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("Score", True),
        ("Moves", True),
        ("errors", True),
        ("Fehler", True),
        ("Best", False),
        ("High score", False),
        ("Level", False),
        ("Total errors", False),
        ("Items", False),
        ("Visitors", False),
        ("words per minute", False),
    ],
)
def test_a_score_is_told_from_a_record_and_from_what_is_no_game(name: str, counts: bool) -> None:
    """A record, a level and a total over all games go on; what a shop or a page counts is no score."""
    quantity = find_quantity("3")
    assert quantity is not None
    box = Box(x=0, y=0, width=90, height=20)
    figure = Figure(key=name, node="1", name=name, selector="#f", in_view=True, box=box, quantity=quantity[0])
    assert is_score(figure) is counts
