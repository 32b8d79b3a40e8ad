"""Laws that a page's own results show."""

from __future__ import annotations

from decimal import Decimal

import pytest

from evaluator.relations.learning import Point, law_of
from evaluator.relations.meanings import means

FAHRENHEIT = [Point(Decimal(x), Decimal(y), 1) for x, y in ((-10, "14.0"), (8, "46.4"), (20, "68.0"))]


def test_three_results_on_a_line_are_a_law() -> None:
    """It need not go through zero."""
    law = law_of(FAHRENHEIT)
    assert law is not None
    assert law.at(Decimal("12.5")) == Decimal("54.5")
    assert (law.low, law.high) == (-10, 20)


@pytest.mark.parametrize(
    "points",
    [
        FAHRENHEIT[:2],
        [*FAHRENHEIT[:2], Point(Decimal(20), Decimal("80.0"), 1)],
        [Point(Decimal(x), Decimal(5), 0) for x in (1, 2, 3)],
    ],
    ids=["two", "a bend", "a constant"],
)
def test_what_is_no_line_is_no_law(points: list[Point]) -> None:
    """Two points lie on a line always; a discount bends it; what does not change depends on nothing."""
    assert law_of(points) is None


@pytest.mark.parametrize(
    ("name", "sure"), [("Due date", True), ("Deadline", True), ("Date of birth", False), ("", False), ("7", False)]
)
def test_a_name_means_one_thing_rather_than_another(name: str, sure: bool) -> None:
    """Near to an example, and nearer than to any of the others."""
    assert means(name, ("due date", "deadline"), unlike=("date of birth", "purchase date")) is sure
