"""An entry that stands right at its limit."""

from __future__ import annotations

import pytest

from agent.skills.checks import limits
from tests.unit.agent_skills.scenes import decided, mark, on, page, stepped
from tools.browser.marks import Listing

GO = mark("Go", at=(40, 500))
ROWS = (
    ("Saw", "6", "reorder at 2", "In stock"),
    ("Tape", "1", "reorder at 15", "Low"),
    ("Glue", "14", "reorder at 6", "In stock"),
)


def outcome(*more: tuple[str, str, str, str]) -> list[bool | None]:
    """What is told of a list of these rows."""
    rows = (*ROWS, ("Plugs", "0", "reorder at 10", "Out"), *more)
    listing = Listing(selector="#rows", columns=("Item", "Left", "", "State"), items=rows, count=len(rows))
    act = decided(on(GO), "limit_counts", key="limits")
    return [one.held for one in stepped(act, page(GO), page(GO, lists=(listing,), number=1)).outcomes]


@pytest.mark.parametrize(
    ("more", "held"),
    [
        ([("Disc", "15", "reorder at 15", "In stock")], [False]),
        ([("Disc", "15", "reorder at 15", "Low")], [True]),
        ([("Disc", "16", "reorder at 15", "In stock")], []),
        ([("Disc", "15", "reorder at 15", "In stock"), ("Nail", "3", "reorder at 9", "In stock")], []),
    ],
)
def test_what_stands_at_its_limit_is_of_those_below(more: list[tuple[str, str, str, str]], held: list[bool]) -> None:
    """Only where the state goes by the limit everywhere else."""
    assert outcome(*more) == held


@pytest.mark.parametrize(("state", "held"), [("Low", [True]), ("In stock", [False])])
def test_the_limit_may_stand_before_the_amount(state: str, held: list[bool]) -> None:
    """What those below are called tells which is which."""
    rows = tuple((row[0], row[2], row[1], row[3]) for row in (*ROWS, ("Plugs", "0", "reorder at 10", "Out of stock")))
    rows = (*rows, ("Disc", "reorder at 15", "15", state))
    listing = Listing(selector="#rows", columns=("Item", "", "Left", "State"), items=rows, count=len(rows))
    act = decided(on(GO), "limit_counts", key="limits")
    assert [one.held for one in stepped(act, page(GO), page(GO, lists=(listing,), number=1)).outcomes] == held


def test_no_less_than_says_nothing_of_what_stands_below() -> None:
    """It is the other limit."""
    assert not limits.AT_OR_BELOW.search("Orders of no less than ten ship free.")


@pytest.mark.parametrize(
    ("brief", "said"),
    [
        ("An item at or below its reorder level is low.", True),
        ("低于或等于下限的要标出", True),
        ("Items below ten are low.", False),
    ],
)
def test_the_brief_says_so(brief: str, said: bool) -> None:
    """Below alone says nothing of what stands at the limit."""
    assert bool(limits.AT_OR_BELOW.search(brief)) is said
