"""The progress of a session of cards."""

from __future__ import annotations

import pytest

from agent.deciders.curious import with_contents
from agent.skills.checks.progress import progress
from agent.words import says
from tests.unit.agent_skills.scenes import decided, mark, on, page, see, stepped, twice

GOOD = mark("Good 1 day")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2 of 6 done", (2, 6)),
        ("第 3 / 10 题", (3, 10)),
        ("12/30", (12, 30)),
        ("2026/11/25", None),
        ("1 of 2\n3 of 5", None),
        ("7 of 3", None),
    ],
)
def test_progress_is_read(text: str, read: tuple[int, int] | None) -> None:
    """One pair of numbers; dates are none, and of two pairs nobody knows which it is."""
    assert progress(page(text=text)) == read


@pytest.mark.parametrize(("after", "held"), [("1 of 6 done\nel gato", [True, True]), ("0 of 6 done\nel gato", [None, False])])
def test_it_goes_on_with_each_card(after: str, held: list[bool | None]) -> None:
    """Nothing is said while the same card is shown."""
    first, then = page(GOOD, text="0 of 6 done\nel perro"), page(GOOD, text=after, number=1)
    assert [one.held for one in twice(on(GOOD), first, then, "progress_moves")] == held
    assert not stepped(decided(on(GOOD), "progress_moves"), first, first).outcomes


def test_what_grades_is_known_by_its_name() -> None:
    """`Again` brings the card back, and is no progress."""
    assert says("grades", GOOD.name)
    assert not says("grades", "Again now")


def test_how_hard_something_is_to_be_is_no_grade() -> None:
    """`Easy` beside `Medium`."""
    for other, asked in (("Medium", False), ("Again", True)):
        row = (mark("Easy", at=(100, 100)), mark(other, at=(240, 100)))
        decision = with_contents(decided(on(row[0])), see(*row, text="1 of 6 done"))
        assert any(one.oracle == "progress_moves" for one in decision.expectations) is asked
