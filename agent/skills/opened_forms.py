"""Forms that a press opens (a dialog of "New card", of "Edit"): since when they are there, and for what they were opened."""

from __future__ import annotations

from dataclasses import dataclass

from agent.deciders.protocol import Expectation, Step
from agent.skills.controls import Form, Kind, kind_of
from agent.skills.survey import Match, Survey, expects, target_of
from agent.words import concepts
from tools.browser.actions import Click, Type

REOPENED = "open again what was saved"
"""A skill: what it opens is looked at, and closed again."""
_KINDS = ("edit", "add")
_LEAST_TOLD = 3


@dataclass(frozen=True)
class Opening:
    """Steps up to the press that brought a form up; 0 if it was always there."""

    first: int = 0
    """Up to the first press of the kind that opened it last."""
    latest: int = 0
    kind: str = ""
    """`edit`, `add`; none where no press of these kinds brought it up."""


def opening(survey: Survey, form: Form) -> Opening:
    """How a form came up."""
    field, first, latest = form.fields[0].signature, dict[str, int](), Opening()
    for place, step in enumerate(survey.steps, start=1):
        target, before, after = target_of(step), survey.observation(step.acted.before), survey.observation(step.acted.after)
        if target is None or before is None or not isinstance(step.decision.action, Click):
            continue
        after = after or survey.now
        opened = all(mark.signature != field for mark in before.marks) and any(mark.signature == field for mark in after.marks)
        kind = next((kind for kind in _KINDS if kind in concepts(target.name)), "")
        if opened and kind:
            latest = Opening(first.setdefault(kind, place), place, kind)
    return latest


def editing_since(survey: Survey) -> int:
    """Number of steps up to the first one that opened an entry for editing; 0 if none did. Later ones are not followed up."""
    for place, step in enumerate(survey.steps, start=1):
        target = target_of(step)
        opened = target is not None and "edit" in concepts(target.name) and isinstance(step.decision.action, Click)
        if opened and step.acted.changes.value and any(told.held for told in step.outcomes):
            return place
    return 0


def opened_to_edit(step: Step | None) -> bool:
    """Whether a step opened an entry for editing: a button called so, a double click."""
    if step is None or not isinstance(step.decision.action, Click) or not step.acted.delivered:
        return False
    return "edit" in concepts(step.decision.action.target.name) or step.decision.skill == "edit an entry"


def opened_values(survey: Survey, form: Form, match: Match) -> list[Expectation]:
    """That an entry opened for editing is changed, not added: what stood in a field when its form came up was another entry's."""
    for mark in form.fields:
        filled = next((step for step in reversed(survey.acts_on(mark)) if isinstance(step.decision.action, Type)), None)
        before = survey.observation(filled.acted.before) if filled is not None else None
        if filled is None or before is None or kind_of(mark) is not Kind.text or not filled.acted.delivered:
            continue
        filling = f"fill form {form.key}"
        earlier = [step for step in survey.steps if step.number < filled.number and step.decision.skill != filling]
        if not earlier or not opened_to_edit(earlier[-1]):
            continue
        old = next((one.value for one in before.marks if (one.selector, one.frame) == (mark.selector, mark.frame)), "")
        return changed(old, mark.value, match)
    return []


def changed(old: str, new: str, match: Match) -> list[Expectation]:
    """That what was entered stands where another text stood."""
    if len(old.strip()) < _LEAST_TOLD or not new.strip() or old == new:
        return []
    return [expects("edited", f'"{new}" stands where "{old}" stood', match.id, old=old, new=new, key="edited entry")]
