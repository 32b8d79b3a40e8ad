"""Which failures of two runs are the same, and what became of the others."""

from __future__ import annotations

import pytest

from evaluator.comparison.about import About
from evaluator.comparison.model import OutcomeOf, Replay, State
from evaluator.comparison.pairing import pairs, state_of, told_apart
from evaluator.verdict.model import Failure
from tests.unit.comparison.failures import failure, replay

AT_ADD = ("place", "added_appears", "#add")
AT_SAVE = ("place", "added_appears", "#save")
NAMED = ("named", "added_appears", "contains", "buttons", "add")


def paired(
    a: list[Failure], b: list[Failure], about_a: dict[str, About], about_b: dict[str, About]
) -> set[tuple[str | None, str | None]]:
    """Ids of the pairs."""
    return {(pair and pair.id, other and other.id) for pair, other in pairs(a, b, about_a, about_b)}


def test_titles_pair_nothing() -> None:
    """Two failures that say the same of different parts stay two, however alike their titles are."""
    a, b = failure("f-1", title="Not so: an item is added"), failure("f-2", title="Not so: an item is added")
    told = paired([a], [b], {"f-1": About("r", frozenset({AT_ADD}))}, {"f-2": About("r", frozenset({AT_SAVE}))})
    assert told == {("f-1", None), (None, "f-2")}


def test_the_same_relation_at_the_same_place_is_the_same_failure() -> None:
    """Also where the runs met it first by another trial, so that its id and its title differ."""
    a, b = failure("f-1", title="went from 1 to 1"), failure("f-2", title="went from 3 to 3")
    about = About("r", frozenset({AT_ADD}))
    assert paired([a], [b], {"f-1": about}, {"f-2": about}) == {("f-1", "f-2")}


@pytest.mark.parametrize(
    ("asked_a", "asked_b", "same"),
    [("add tasks", "add tasks", True), ("add tasks", "", True), ("add tasks", "add notes", False)],
)
def test_a_part_that_moved_is_known_by_its_name_unless_it_is_about_something_else(asked_a: str, asked_b: str, same: bool) -> None:
    """Markup changes with every version; what was asked for tells two parts of one name apart."""
    about_a = {"f-1": About("r", frozenset({AT_ADD}), frozenset({NAMED}), asked_a)}
    about_b = {"f-2": About("r", frozenset({AT_SAVE}), frozenset({NAMED}), asked_b)}
    told = paired([failure("f-1")], [failure("f-2")], about_a, about_b)
    assert told == ({("f-1", "f-2")} if same else {("f-1", None), (None, "f-2")})


def test_surer_signs_go_first_and_nothing_is_paired_twice() -> None:
    """One failure of A, two like it in B: the one at its place is its pair, the other is left to be replayed."""
    both = About("r", frozenset({AT_ADD}), frozenset({NAMED}))
    about_b = {"f-2": About("r", frozenset({AT_SAVE}), frozenset({NAMED})), "f-3": both}
    told = paired([failure("f-1")], [failure("f-2"), failure("f-3")], {"f-1": both}, about_b)
    assert told == {("f-1", "f-3"), (None, "f-2")}


def test_a_suspicion_does_not_take_the_place_of_a_failure() -> None:
    """The same keys twice in B, once proved and once not: what is proved is the pair."""
    about = About("r", frozenset({AT_ADD}))
    doubtful, sure = failure("f-1", counts=False), failure("f-2")
    told = paired([failure("f-1")], [doubtful, sure], {"f-1": about}, {"f-1": about, "f-2": about})
    assert ("f-1", "f-2") in told
    assert (None, "f-1") in told


A, B = failure("f-1"), failure("f-2")
GRAVER, LIGHTER = failure("f-2", severity="critical"), failure("f-2", severity="minor")
DOUBTFUL = failure("f-3", counts=False)


@pytest.mark.parametrize(
    ("a", "b", "found", "state"),
    [
        (A, B, None, "both"),
        (A, GRAVER, None, "worse"),
        (A, LIGHTER, None, "better"),
        (None, B, replay("held"), "new"),
        (None, B, replay("failed"), "seen_only_in_b"),
        (None, B, replay("explained"), "not_seen_before"),
        (None, B, replay("not told"), "not_seen_before"),
        (None, B, replay("part missing"), "not_seen_before"),
        (None, B, replay("not tried"), "not_seen_before"),
        (None, B, None, "not_seen_before"),
        (A, None, replay("held", "b"), "gone"),
        (A, None, replay("failed", "b"), "seen_only_in_a"),
        (A, None, replay("part missing", "b"), "not_seen_again"),
        (A, None, None, "not_seen_again"),
        # one of the runs suspects it: that it holds once refutes nothing, that it fails settles it
        (DOUBTFUL, B, replay("held"), "not_seen_before"),
        (DOUBTFUL, B, replay("failed"), "both"),
        (A, DOUBTFUL, replay("held", "b"), "not_seen_again"),
        (DOUBTFUL, DOUBTFUL, None, None),
        (None, DOUBTFUL, None, None),
        (None, B, replay("failed otherwise"), "changed"),
        (A, None, replay("failed otherwise", "b"), "changed"),
    ],
)
def test_what_became_of_a_failure(a: Failure | None, b: Failure | None, found: Replay | None, state: State | None) -> None:
    """New and gone only where the same trial holds on the other version."""
    assert state_of(a, b, found) == state


@pytest.mark.parametrize(
    ("a_on_b", "b_on_a", "states"),
    [
        ("failed otherwise", "failed otherwise", ["changed"]),
        ("not tried", "not tried", ["changed"]),
        ("failed", "failed", ["both"]),
        # what A showed is mended, and what B shows came with it: no old fault hides a new one
        ("held", "held", ["gone", "new"]),
        ("failed", "held", ["seen_only_in_a", "new"]),
        ("held", "failed", ["gone", "seen_only_in_b"]),
        ("held", "failed otherwise", ["gone", "changed"]),
        ("not told", "held", ["not_seen_again", "new"]),
    ],
)
def test_the_same_check_that_fails_in_two_ways_is_told_apart(a_on_b: OutcomeOf, b_on_a: OutcomeOf, states: list[State]) -> None:
    """By trying each on the other's app; one item where both have the same fate."""
    fates = told_apart(A, B, replay(a_on_b, "b"), replay(b_on_a, "a"))
    assert [state for *_, state in fates] == states
    assert {item.id for fate in fates for item in fate[:2] if isinstance(item, Failure)} == {"f-1", "f-2"}
