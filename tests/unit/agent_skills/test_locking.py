"""What is locked stays when all is made anew."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import locking
from tests.unit.agent_skills.scenes import aims, decided, did, mark, on, page, see
from tools.browser.marks import Observation

OLD, NEW = ("#264653", "#2a9d8f", "#e9c46a"), ("#111111", "#222222", "#333333")
ROLL = mark("New colours", at=(900, 40))


def palette(codes: tuple[str, ...], *, locked: int = -1, number: int = 0) -> Observation:
    """Three colours with their codes and locks, and the button that makes all anew."""
    swatches = [mark(code, at=(100.0 + 200 * n, 200), group="codes", selector=f"#code{n}") for n, code in enumerate(codes)] + [
        mark(
            "Locked" if n == locked else "Lock",
            at=(100.0 + 200 * n, 300),
            group="locks",
            selector=f"#lock{n}",
            checked=n == locked,
        )
        for n in range(3)
    ]
    return page(*swatches, ROLL, text="\n".join(codes), number=number)


def locked_one(number: int, *history: Step) -> Step:
    """The press on one of the locks."""
    before, after = palette(OLD, number=2 * number), palette(OLD, locked=number, number=2 * number + 1)
    return did(decided(on(before.marks[3 + number]), skill=locking.LOCK), before, after, *history)


def test_an_entry_is_locked_and_all_made_anew() -> None:
    """First a lock in the middle, right after it the button for new ones."""
    first = palette(OLD)
    (lock,) = locking.propose(see(*first.marks))
    assert (aims([lock]), lock.decision.skill) == (["Lock"], locking.LOCK)
    step = locked_one(1)
    (roll,) = locking.propose(see(*palette(OLD, locked=1).marks, steps=(step,), past=(first,)))
    assert aims([roll]) == ["New colours"]
    assert [one.params["place"] for one in roll.decision.expectations if one.oracle == "stays_locked"] == [1]


@pytest.mark.parametrize(("codes", "held"), [((NEW[0], OLD[1], NEW[2]), [True]), (OLD, [])])
def test_what_stays_is_told(codes: tuple[str, ...], held: list[bool]) -> None:
    """Where nothing is made anew nothing is told."""
    step = locked_one(1)
    wish = decided(on(ROLL), "stays_locked", skill=locking.ANEW, place=1, of=3, key="locked")
    outcomes = did(wish, palette(OLD, locked=1, number=4), palette(codes, locked=1, number=5), step).outcomes
    assert [one.held for one in outcomes] == held


def test_what_is_locked_and_changes_with_the_rest_is_told_at_the_second() -> None:
    """`input_ignored`, after two entries."""
    history = [locked_one(1)]
    for _ in range(2):
        wish = decided(on(ROLL), "stays_locked", skill=locking.ANEW, place=1, of=3, key="locked")
        history.append(did(wish, palette(OLD, locked=1, number=4), palette(NEW, locked=1, number=5), *history))
    assert [(one.held, one.symptom) for step in history[1:] for one in step.outcomes] == [(None, ""), (False, "input_ignored")]


def test_a_row_without_locks_is_left_alone() -> None:
    """Two switches are no row, and a page without a button for new ones has nothing to keep."""
    codes = palette(OLD)
    assert locking.propose(see(*codes.marks[:-1])) == []
    assert locking.propose(see(*codes.marks[:5], ROLL)) == []
