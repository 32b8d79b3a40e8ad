"""Which failures of two runs are the same, and what became of those that only one of them has. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from evaluator.comparison.about import About
from evaluator.comparison.model import Replay, State
from evaluator.verdict.model import Failure
from evaluator.verdict.taxonomy import Severity

NOTHING = About(by="")
_GRAVITY = {Severity.minor: 0, Severity.major: 1, Severity.critical: 2}
_ORDER: tuple[State, ...] = (
    "new",
    "worse",
    "changed",
    "not_seen_before",
    "seen_only_in_b",
    "both",
    "seen_only_in_a",
    "better",
    "not_seen_again",
    "gone",
)
Fate = tuple[Failure | None, Failure | None, Replay | None, State]
"""A failure of A, of B, or of both; the replay that tells; what became of it."""
Likeness = Callable[[Failure, Failure], int]
"""How many signs say that the second is the first; 0: none."""


def pairs(
    a: Sequence[Failure], b: Sequence[Failure], about_a: Mapping[str, About], about_b: Mapping[str, About]
) -> list[tuple[Failure | None, Failure | None]]:
    """Each failure and suspicion of both runs once, with its like in the other run where there is one.

    What takes points is paired first, so that no suspicion hides it; within that the surest signs first: the keys that fold
    sightings of one run, then the part's kind and name, unless the two are about different requirements. Ids, which name
    requirements by number, pair only what has no keys. Nothing is paired twice: where one run folded what the other tells apart,
    the rest is replayed.
    """

    def by_id(failure: Failure, other: Failure) -> int:
        keyed = about_a.get(failure.id, NOTHING).keys or about_b.get(other.id, NOTHING).keys
        return int(failure.id == other.id and not keyed)

    def by_keys(failure: Failure, other: Failure) -> int:
        return len(about_a.get(failure.id, NOTHING).keys & about_b.get(other.id, NOTHING).keys)

    def by_names(failure: Failure, other: Failure) -> int:
        mine, theirs = about_a.get(failure.id, NOTHING), about_b.get(other.id, NOTHING)
        differ = bool(mine.requirement and theirs.requirement) and mine.requirement != theirs.requirement
        return 0 if differ else len(mine.names & theirs.names)

    left_a, left_b = list(a), list(b)
    found: list[tuple[Failure | None, Failure | None]] = []
    for counts_a, counts_b in ((True, True), (True, False), (False, True), (False, False)):
        for likeness in (by_keys, by_names, by_id):
            mine = [failure for failure in left_a if failure.counts is counts_a]
            theirs = [failure for failure in left_b if failure.counts is counts_b]
            for each_failure, other in _matched(mine, theirs, likeness):
                found.append((each_failure, other))
                left_a.remove(each_failure)
                left_b.remove(other)
    return [*found, *((failure, None) for failure in left_a), *((None, failure) for failure in left_b)]


def _matched(mine: Sequence[Failure], theirs: Sequence[Failure], likeness: Likeness) -> list[tuple[Failure, Failure]]:
    """The likest first, each once; among equals in the order of the verdicts."""
    scored = [(likeness(failure, other), at, to) for at, failure in enumerate(mine) for to, other in enumerate(theirs)]
    taken_a, taken_b, found = set[int](), set[int](), list[tuple[Failure, Failure]]()
    for signs, at, to in sorted(scored, key=lambda entry: (-entry[0], entry[1], entry[2])):
        if signs and at not in taken_a and to not in taken_b:
            taken_a.add(at)
            taken_b.add(to)
            found.append((mine[at], theirs[to]))
    return found


def counts(failure: Failure | None) -> bool:
    """Whether there is a failure that takes points."""
    return failure is not None and failure.counts


def state_of(a: Failure | None, b: Failure | None, replay: Replay | None) -> State | None:
    """What became of a failure; None for what is suspected at most, which is only listed.

    Without a replay nothing is new and nothing is gone: that a run did not come across something proves nothing.
    """
    if a is not None and b is not None and a.counts and b.counts:
        change = _GRAVITY[b.severity] - _GRAVITY[a.severity]
        return "worse" if change > 0 else "better" if change < 0 else "both"
    outcome = replay.outcome if replay is not None else "not tried"
    if b is not None and b.counts:
        # Where the other run suspected it, that its trial holds there once does not refute what was seen there once.
        return _told(outcome, "seen_only_in_b", "new", "not_seen_before", suspected=a is not None)
    if a is not None and a.counts:
        return _told(outcome, "seen_only_in_a", "gone", "not_seen_again", suspected=b is not None)
    return None


def _told(outcome: str, there: State, away: State, unknown: State, *, suspected: bool) -> State:
    if outcome == "failed otherwise":
        return "changed"
    if outcome == "failed":
        return "both" if suspected else there
    return away if outcome == "held" and not suspected else unknown


def told_apart(a: Failure, b: Failure, a_on_b: Replay, b_on_a: Replay) -> list[Fate]:
    """What became of two failures that fail the same check, each in a way of its own, now that each was tried on the other's app.

    One thing where both are on both, or neither is as it was on the other; else each has its own fate: a fault may have been
    mended while another one came at the same place.
    """
    mine, theirs = state_of(a, None, a_on_b), state_of(None, b, b_on_a)
    if mine == "seen_only_in_a" and theirs == "seen_only_in_b":
        return [(a, b, None, "both")]
    if (mine == theirs == "changed") or (a_on_b.outcome == b_on_a.outcome == "not tried"):
        return [(a, b, b_on_a, "changed")]
    apart: list[Fate] = [(a, None, a_on_b, mine)] if mine is not None else []
    return [*apart, (None, b, b_on_a, theirs)] if theirs is not None else apart


def gravest_first(state: State, lead: Failure) -> tuple[int, int, float, str]:
    """The order in which items are told: what a builder must look at first."""
    return _ORDER.index(state), -_GRAVITY[lead.severity], -lead.points, lead.id
