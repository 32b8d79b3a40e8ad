"""The steps without which others cannot be repeated: what brought their targets up, what filled their form, what made an entry.

A long exploration leads up to most failures, and little of it matters to any of them. As a program slice (Weiser, "Program
slicing", ICSE 1981) keeps the statements that a value depends on, this keeps the steps that a step depends on, as far as that
can be told from what was seen before and after each: a control is there since the step after which it was first seen; a form
is filled by what was entered in its fields; a name that was typed is there since its form was sent; what runs was started.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from agent.deciders.protocol import Step
from agent.words import concepts
from tools.browser.actions import Action, Target, Type
from tools.evidence.record import Record

MOST_STEPS = 14
"""A longer slice saves little."""
_LEAST_NAMED = 3
_FORM = re.compile(r'^(?:fill|submit|fill wrongly|submit wrongly|submit empty) (?:form )?(?P<key>".*")$')
_FILLS, _SENDS = "fill form ", "submit form "
_SENDS_EMPTY = "submit empty form "
_TICKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_STARTS = re.compile(r"^(?:start|run|play) (?:a|an|the) ")
_ENDS = frozenset({"reset", "restart", "stop", "pause"})
_LOADS = frozenset({"reload", "goto"})
_WITHOUT_TARGET = frozenset({"press", "wait"})

Place = tuple[str, str]
"""Frame and selector."""


class Slicer:
    """Cuts the steps of one run, all of which it is given, down to what some of them need; what was seen is in the record."""

    def __init__(self, record: Record, steps: Sequence[Step]) -> None:
        self.record = record
        self.steps = [step for step in steps if step.acted.delivered]
        self.seen = cache(self._seen)

    def needed(self, judged: Sequence[Step]) -> list[Step]:
        """The judged steps after those they need; empty where they need none that can be told, or more than is worth it."""
        kept = {step.number: step for step in (*judged, *self._set_back(judged))}
        waiting = list(kept.values())
        while waiting:
            step = waiting.pop()
            for other in self._before(step):
                if other.number not in kept:
                    kept[other.number] = other
                    waiting.append(other)
        return [kept[number] for number in sorted(kept)] if len(judged) < len(kept) <= MOST_STEPS else []

    def _set_back(self, judged: Sequence[Step]) -> Iterator[Step]:
        """What was done between them to a control that one of them used: a search that was emptied again."""
        used = {(target.frame, target.selector): step.number for step in judged[:-1] if (target := target_of(step)) is not None}
        for step in self.steps:
            own = target_of(step)
            if own is not None and used.get((own.frame, own.selector), judged[-1].number) < step.number < judged[-1].number:
                yield step

    def _before(self, step: Step) -> Iterator[Step]:
        """Steps that one step depends on at once."""
        earlier = [one for one in self.steps if one.number < step.number]
        target = target_of(step)
        if target is not None:
            yield from self._opener(earlier, (target.frame, target.selector))
            yield from _maker(earlier, target.name)
        if step.decision.action is not None and step.decision.action.act in _WITHOUT_TARGET:
            yield from _latest(earlier, lambda one: _STARTS.match(one.decision.skill) is not None)
        if target is not None and concepts(target.name) & _ENDS:
            yield from _run_before(earlier)
        yield from self._chosen(step, earlier)
        key = _form_of(step, earlier)
        if key and not step.decision.skill.startswith(_FILLS):  # of what fills a form nothing depends on the rest of it
            yield from _filled(earlier, key, target)

    def _chosen(self, step: Step, earlier: Sequence[Step]) -> Iterator[Step]:
        """What was ticked and chosen in the view a form is sent from: it goes with the form."""
        if not step.decision.skill.startswith((_SENDS, _SENDS_EMPTY)):
            return
        there, done = self.seen(step.acted.before), set[Place]()
        for other in reversed(earlier):
            target = target_of(other)
            place = (target.frame, target.selector) if target is not None else None
            if target is None or place is None or place in done or place not in there or not other.acted.changes.value:
                continue
            done.add(place)
            if target.role in _TICKED:
                yield other

    def _opener(self, earlier: Sequence[Step], place: Place) -> Iterator[Step]:
        """The latest step that brought up what was not there when the app was opened."""
        if not earlier or place in self.seen(earlier[0].acted.before):
            return
        for step in reversed(earlier):
            loads = step.decision.action is not None and step.decision.action.act in _LOADS
            if not loads and place in self.seen(step.acted.after) and place not in self.seen(step.acted.before):
                yield step
                return

    def _seen(self, observation: str) -> frozenset[Place]:
        """Where there were controls in an observation; empty where it was not kept."""
        row = self.record.row(observation)
        if row is None or row.blob is None:
            return frozenset()
        return frozenset((mark["frame"], mark["selector"]) for mark in json.loads(self.record.blobs.get(row.blob)))


def target_of(step: Step) -> Target | None:
    """What a step is aimed at; `None` for one that is not aimed."""
    action: Action | None = step.decision.action
    return getattr(action, "target", None)


def _latest(earlier: Sequence[Step], wanted: Callable[[Step], bool]) -> Iterator[Step]:
    yield from [step for step in reversed(earlier) if wanted(step)][:1]


def _run_before(earlier: Sequence[Step]) -> Iterator[Step]:
    """The latest start of what runs, and the first wait after it: there is nothing to end or set back before."""
    for start in _latest(earlier, lambda one: _STARTS.match(one.decision.skill) is not None):
        yield start
        later = [one for one in earlier if one.number > start.number]
        yield from [one for one in later if one.decision.action is not None and one.decision.action.act == "wait"][:1]


def _maker(earlier: Sequence[Step], name: str) -> Iterator[Step]:
    """The step that typed what the name has in it, and the one that sent it off."""
    for place in range(len(earlier) - 1, -1, -1):
        step = earlier[place]
        action, key = step.decision.action, _key(step)
        text = action.text.strip() if isinstance(action, Type) else ""
        if key and len(text) >= _LEAST_NAMED and text in name:
            yield step
            yield from [one for one in earlier[place:] if one.decision.skill == f"{_SENDS}{key}"][:1]
            return


def _key(step: Step) -> str:
    """The form that a step fills or sends, as skills name it; empty for other steps."""
    found = _FORM.match(step.decision.skill)
    return found["key"] if found else ""


def _form_of(step: Step, earlier: Sequence[Step]) -> str:
    """The form that a step is about: by its skill, or because its target was filled in as one of a form's fields."""
    target = target_of(step)
    if _key(step) or target is None:
        return _key(step)
    same = (one for one in reversed(earlier) if (own := target_of(one)) is not None and own.selector == target.selector)
    return next((key for one in same if (key := _key(one))), "")


def _filled(earlier: Sequence[Step], key: str, target: Target | None) -> Iterator[Step]:
    """The last entry in each field of a form, but for the one that is acted on now."""
    done = {target.selector} if target is not None else set[str]()
    for step in reversed(earlier):
        own = target_of(step)
        if own is not None and step.decision.skill == f"{_FILLS}{key}" and own.selector not in done:
            done.add(own.selector)
            yield step
