"""What a person does to see a failure."""

from __future__ import annotations

import pytest

from evaluator.reports.by_hand import steps_by_hand
from evaluator.verdict.model import Place
from evaluator.verdict.taxonomy import Category
from tests.unit.reports.failures import failure


def test_what_was_seen_in_use_is_opened_done_and_looked_at() -> None:
    """The acts stand between opening and looking, each as a sentence; a way that begins with opening does not do so twice."""
    steps = ('fill the field "Task" with "Rye"', "press Enter")
    done = ('Fill the field "Task" with "Rye".', "Press Enter.", "Look: The list says 2.")
    assert steps_by_hand(failure(steps=steps), outlined=True) == ("Open the app.", *done)
    assert steps_by_hand(failure(steps=("Open the page", *steps)), outlined=True) == ("Open the page.", *done)


@pytest.mark.parametrize(
    ("changes", "outlined", "says"),
    [
        ({"category": Category.low_contrast}, True, "Look at what the picture outlines: the browser's inspector"),
        ({"category": Category.layout_overlap, "place": Place(selector="#menu")}, False, "Look at #menu."),
        (
            {"category": Category.layout_overlap, "place": Place(selector="html > body > div:nth-of-type(2)")},
            False,
            "Look at the page.",
        ),
    ],
    ids=["outlined", "an id", "a path"],
)
def test_what_was_measured_is_looked_at_where_it_is(changes: dict[str, object], outlined: bool, says: str) -> None:
    """By the outline if there is one; a path through the document tells a reader nothing and is left out."""
    opened, look = steps_by_hand(failure(origin="static", **changes), outlined=outlined)
    assert opened == "Open the app."
    assert look.startswith(says)


def test_a_phones_width_is_said() -> None:
    """Nobody sees at a desk's width what a phone has no room for."""
    steps = steps_by_hand(
        failure(origin="static", category=Category.not_responsive, place=Place(viewport="mobile")), outlined=False
    )
    assert "390 px wide" in steps[0]
