"""Whether a trial that was carried out exercised a requirement: words on the page prove nothing, an assertion about it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from evaluator.requirements.deeds import deed_of
from evaluator.requirements.showing import Showing
from tools.page.assertions import Assertion, Contains, CountBy, Noticed, Outcome, Target
from tools.page.model import PageModel
from tools.page.parts import Part
from tools.page.trials import Act, FillForm, Keys, Trial


class Done(Protocol):
    """An act as it was carried out: `tools.page.trial_records.ActSeen`."""

    @property
    def act(self) -> Act:
        """What was done."""
        ...

    @property
    def during(self) -> str:
        """`precondition`, `acts` or `control`."""
        ...

    @property
    def delivered(self) -> bool:
        """It reached the page."""
        ...

    @property
    def before(self) -> PageModel:
        """The page right before it."""
        ...


class Found(Protocol):
    """An assertion as it was judged: `tools.page.trial_records.Judged`."""

    @property
    def assertion(self) -> Assertion:
        """What was looked at."""
        ...

    @property
    def outcome(self) -> Outcome:
        """What was found."""
        ...


class Record(Protocol):
    """What came of a trial: `tools.page.trial_records.TrialRecord`."""

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

    @property
    def control(self) -> Sequence[Found]:
        """What the control experiment found."""
        ...

    @property
    def result(self) -> str:
        """Of all together."""
        ...


OF_A_STATE = frozenset({"reset", "undo", "redo", "clear", "delete", "pause", "stop", "resume", "sort", "save"})
"""Deeds that promise a certain state: that anything follows does not show them."""
_ALWAYS = frozenset({"clean", "not blank", "legible"})


def is_exercised(showing: Showing, keys: tuple[str, ...], record: Record) -> bool:
    """Whether the acts that the requirement needs reached the page, and an assertion that would show it could tell.

    Of a requirement that names keys ("Escape cancels") one of them must have been pressed.
    """
    done = [each_done.act for each_done in _done(record)]
    if showing.acts and not any(act.kind in showing.acts for act in done):
        return False
    if keys and not any(_pressed(act, keys) for act in done):
        return False
    return any(
        found.assertion.kind in showing.asserts and _fits(found.assertion, showing) and _tells(found, record)
        for found in record.judged
    )


def could_tell(record: Record) -> bool:
    """Whether an assertion of the trial's own was decided: one of those that are made of every act says nothing about it."""
    return any(found.assertion.kind not in _ALWAYS and _tells(found, record) for found in record.judged)


def _tells(found: Found, record: Record) -> bool:
    """Whether something was learned: it held, or was violated and nothing explains that, or the control saw the same thing hold.

    What is explained by anything else is not known: a form that did not open may wait for what nobody knows.
    """
    if found.outcome.result != "violated":
        return found.outcome.result == "held"
    seen = (
        (each_found.assertion.kind, getattr(each_found.assertion, "yes", True))
        for each_found in record.control
        if each_found.outcome.result == "held"
    )
    return record.result == "violated" or (found.assertion.kind, getattr(found.assertion, "yes", True)) in seen


def touched(record: Record) -> Iterator[tuple[PageModel, Part]]:
    """The components that the acts aimed at, each with the page it was on."""
    for done in _done(record):
        for target in _targets(done.act):
            if (part := target.find(done.before)) is not None:
                yield done.before, part


def _done(record: Record) -> Iterator[Done]:
    return (act for act in record.acts if act.delivered and act.during != "control")


def _targets(act: Act) -> Iterator[Target]:
    if isinstance(act, FillForm):
        yield from (target for fill in act.fills for target in _targets(fill))
        if act.submit is not None:
            yield act.submit
    elif isinstance(target := getattr(act, "target", None), Target):
        yield target


def _pressed(act: Act, keys: tuple[str, ...]) -> bool:
    pressed = {key.casefold() for key in act.keys} if isinstance(act, Keys) else set[str]()
    pressed |= {"enter"} if isinstance(act, FillForm) and act.by_enter else set[str]()
    return any(key.casefold() in pressed for key in keys)


def _fits(assertion: Assertion, showing: Showing) -> bool:
    """What is to be deleted does not show in a list that grows, nor what is to be added in one that shrinks.

    That something follows shows that a thing starts, opens, is chosen; not that a reset leads back to the start.
    """
    if isinstance(assertion, Noticed) and assertion.target is not None and deed_of(assertion.target.name) in OF_A_STATE:
        return False
    grows = assertion.by > 0 if isinstance(assertion, CountBy) else assertion.yes if isinstance(assertion, Contains) else None
    return grows is None or not showing.lists or grows == (showing.lists == "grow")
