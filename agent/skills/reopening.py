"""What was saved of an entry stands there when the entry is opened again: dates, labels and notes that no list shows."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.controls import Form, Kind, forms, kind_of
from agent.skills.opened_forms import REOPENED
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.words import concepts, folded
from tools.browser.actions import Click, Select, SetValue, Target, Type
from tools.browser.marks import Mark, Observation

SKILL, OPEN, LEAST_FIELDS, LEAST_NAMED = REOPENED, 72.0, 2, 3
_LEADS = frozenset({Kind.button, Kind.option, Kind.other, Kind.link})
_NUMBER = re.compile(r"[+-]?[\d.,\s]+")
_TAKES_AWAY = frozenset({"delete", "complete", "next", "previous"})


def propose(survey: Survey) -> list[Candidate]:
    """Once, after a form of several fields was saved and is gone: the entry that has its first text in its name."""
    sent = next((step for step in reversed(survey.steps) if step.decision.skill.startswith("submit form ")), None)
    before = survey.observation(sent.acted.before) if sent is not None else None
    if sent is None or before is None or survey.count(SKILL) or survey.layered or not _was_taken(sent):
        return []
    form = _form_sent(before, sent)
    saved = _entered(survey, form, sent) if form is not None else []
    if form is None or len(saved) < LEAST_FIELDS or form.stepwise or any(_in_sight(survey, mark) for mark in saved):
        return []
    title = next((mark.value.strip() for mark in saved if kind_of(mark) is Kind.text and mark.tag == "input"), "")
    way = _way_in(survey, title) if len(title) >= LEAST_NAMED else None
    if way is None:
        return []
    if _acted_upon(survey, sent, title):  # a button beside it may count it up; what it is called no button changes
        saved = [mark for mark in saved if not _NUMBER.fullmatch(mark.value.strip())]
    values = "\n".join(f"{mark.frame}\t{mark.selector}\t{' '.join(mark.value.split())}" for mark in saved)
    match = survey.promise_about("edit change details 编辑 修改", frozenset({"feature", "control"}), ("edit",))
    told = expects("reopened", "what was saved stands there", match.id, values=values)
    return [candidate(OPEN, Click(target=Target.of(way)), "it was saved, so it stands there when it is opened", SKILL, told)]


def _acted_upon(survey: Survey, sent: Step, title: str) -> bool:
    """Whether something that names the entry was pressed since it was saved."""
    later = (target_of(step) for step in survey.steps if step.number > sent.number and step.acted.delivered)
    return any(target is not None and folded(title) in folded(target.name) for target in later)


def _was_taken(sent: Step) -> bool:
    return (
        sent.acted.delivered and not any(one.held is False for one in sent.outcomes) and isinstance(sent.decision.action, Click)
    )


def _form_sent(before: Observation, sent: Step) -> Form | None:
    pressed = target_of(sent)
    if pressed is None:
        return None
    return next((one for one in forms(before.marks) if one.button is not None and one.button.selector == pressed.selector), None)


def _entered(survey: Survey, form: Form, sent: Step) -> list[Mark]:
    """The form's fields that were given a value, as they stood when it was sent."""
    acts = [step for step in survey.steps if step.number < sent.number and step.acted.delivered]
    given = {
        (target.frame, target.selector)
        for step in acts
        if isinstance(step.decision.action, Type | Select | SetValue) and (target := target_of(step)) is not None
    }
    fields = [mark for mark in form.fields if mark.value.strip() and mark.input_type not in ("password", "file")]
    return [mark for mark in fields if (mark.frame, mark.selector) in given]


def _in_sight(survey: Survey, field: Mark) -> bool:
    return any((mark.frame, mark.selector) == (field.frame, field.selector) for mark in survey.now.marks)


def _way_in(survey: Survey, title: str) -> Mark | None:
    """What opens the entry: its own `Edit`, else the entry itself."""
    named = [
        mark
        for mark in survey.usable
        if folded(title) in folded(f"{mark.name} {mark.context}") and kind_of(mark) in _LEADS and not mark.disabled
    ]
    edits = [mark for mark in named if "edit" in concepts(mark.name)]
    itself = [mark for mark in named if folded(title) in folded(mark.name) and not concepts(mark.name) & _TAKES_AWAY]
    return next(iter((*edits, *itself)), None)
