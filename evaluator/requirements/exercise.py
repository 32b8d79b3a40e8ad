"""Whether a trial that was carried out exercised a requirement: words on the page prove nothing, an assertion about it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from evaluator.requirements.showing import Showing
from tools.page.assertions import Assertion, Contains, CountBy, Outcome
from tools.page.trials import Act, Keys, Trial


class Done(Protocol):
    """An act as it was carried out: `tools.page.records.ActSeen`."""

    @property
    def act(self) -> Act:
        """What was done."""
        ...

    @property
    def delivered(self) -> bool:
        """It reached the page."""
        ...


class Found(Protocol):
    """An assertion as it was judged: `tools.page.records.Judged`."""

    @property
    def assertion(self) -> Assertion:
        """What was looked at."""
        ...

    @property
    def outcome(self) -> Outcome:
        """What was found."""
        ...


class Record(Protocol):
    """What came of a trial: `tools.page.records.TrialRecord`."""

    @property
    def trial(self) -> Trial:
        """What was tried, with the ids of the requirements it is about."""
        ...

    @property
    def acts(self) -> Sequence[Done]:
        """What was done."""
        ...

    @property
    def judged(self) -> Sequence[Found]:
        """What was found."""
        ...


_DECIDED = frozenset({"held", "violated"})


def is_exercised(showing: Showing, keys: tuple[str, ...], record: Record) -> bool:
    """Whether the acts that the requirement needs reached the page, and an assertion that would show it could tell.

    Of a requirement that names keys ("Escape cancels") one of them must have been pressed.
    """
    done = [one.act for one in record.acts if one.delivered]
    if showing.acts and not any(act.kind in showing.acts for act in done):
        return False
    if keys and not any(_pressed(act, keys) for act in done):
        return False
    return any(
        one.outcome.result in _DECIDED and one.assertion.kind in showing.asserts and _fits(one.assertion, showing)
        for one in record.judged
    )


def _pressed(act: Act, keys: tuple[str, ...]) -> bool:
    pressed = {key.casefold() for key in act.keys} if isinstance(act, Keys) else set()
    return any(key.casefold() in pressed for key in keys)


def _fits(assertion: Assertion, showing: Showing) -> bool:
    """The direction of what is counted: what is to be deleted does not show in a list that grows."""
    removes = "loses" in showing.asserts and "gone" in showing.asserts and "moves" not in showing.asserts
    adds = "kept after reload" in showing.asserts and "count by" in showing.asserts
    if isinstance(assertion, CountBy):
        return not (removes and assertion.by > 0) and not (adds and assertion.by < 0)
    if isinstance(assertion, Contains):
        return not (removes and assertion.yes) and not (adds and not assertion.yes)
    return True
