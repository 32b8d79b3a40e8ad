"""A form that objects to a value is given another one, such as its complaint asks for, and is sent again."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from agent.deciders.protocol import Step
from agent.skills.checks.case import text_lines
from agent.skills.checks.objections import objections
from agent.skills.controls import Form, Kind, forms, kind_of, label_of
from agent.skills.coupons import wants_code
from agent.skills.forms import enter, submission
from agent.skills.shapes import number_like, text_like, wants_whole
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.skills.values import option_for, value_for, wants_number
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark, Observation

NEXT, MEND = 98.0, "mend what a form objects to"
MOST, MOST_EACH = 6, 2
_SENT = ("submit form", "step on again")
_PAST = re.compile(r"\bpast\b|before today|vergangen|pass[ée]|pasad|早于今天|过去", re.IGNORECASE)
_DAYS = (40, 400)
_TICK = re.compile(
    r"\b(?:tick|check|select|choose|pick)\b.*\b(?:at least|one|box|days?|option|any)\b"
    r"|\bat least one\b.*\b(?:tick|check|select|choos)|勾选|至少(?:选|勾)"
    r"|ankreuzen|mindestens (?:einen?|ein) \w+ (?:wählen|aus)|coch(?:er|ez)|marque al menos",
    re.IGNORECASE,
)


def propose(survey: Survey) -> list[Candidate]:
    """The next field that the last sending of its form was refused for, then that form's button again."""
    sent = _sent(survey)
    if sent is None:
        return []
    before, after = survey.observation(sent.acted.before), survey.observation(sent.acted.after) or survey.now
    since = [step for step in survey.steps if step.number > sent.number]
    if before is None or any(step.decision.skill != MEND for step in since) or survey.count(MEND) > MOST:
        return []
    form = _form_of(survey, sent)
    box = _box(survey, form, before, after) if form is not None and not any(_ticks(survey, step) for step in since) else None
    if box is not None and _asks_to_tick(before, after):
        return [_tick(box, "the form asks for a tick")]
    told = objections(before, after) or _standing(survey, sent, before, after)
    mended = {target.selector for step in since if (target := target_of(step)) is not None}
    for field, complaint in told:
        now = next((mark for mark in survey.usable if (mark.selector, mark.frame) == (field.selector, field.frame)), None)
        if now is None or now.selector in mended or _mends(survey, now) >= MOST_EACH or wants_code(now):
            continue  # a coupon's code is known or it is not
        value = _other_value(survey, now, complaint)
        if value and value != now.value:
            kept = expects("value_kept", f'the field keeps "{value}"', value=value)
            return [candidate(NEXT, enter(now, value), f'the form objects: "{complaint[:80]}"', MEND, kept)]
    if box is not None:
        return [_tick(box, "the form is as it was: a box may have to be ticked")]
    form = form if since else None
    again = submission(survey, form) if form is not None else None
    return [replace(again, priority=NEXT)] if again is not None else []


def _tick(box: Mark, why: str) -> Candidate:
    told = expects("toggles", f'"{box.name}" is ticked')
    return candidate(NEXT, Click(target=Target.of(box)), why, MEND, told)


def _ticks(survey: Survey, step: Step) -> bool:
    """Whether a step ticked a box: one is enough until the form was sent again."""
    target, page = target_of(step), survey.observation(step.acted.before)
    mark = next((one for one in page.marks if target is not None and one.selector == target.selector), None) if page else None
    return mark is not None and kind_of(mark) is Kind.checkbox


def _asks_to_tick(before: Observation, after: Observation) -> bool:
    """Whether a new line asks for one of several to be ticked, and not for what a field holds."""
    return any(_TICK.search(line) for line in text_lines(after) - text_lines(before))


def _sent(survey: Survey) -> Step | None:
    """The last sending of a form, if nothing but mending was done since."""
    for step in reversed(survey.steps):
        if step.decision.skill.startswith(_SENT):
            return step if step.acted.delivered and isinstance(step.decision.action, Click) else None
        if step.decision.skill != MEND:
            return None
    return None


def _standing(survey: Survey, sent: Step, before: Observation, after: Observation) -> list[tuple[Mark, str]]:
    """Complaints that stand there since an earlier sending: sent again, the form changed nothing of them."""
    pressed = target_of(sent)
    same = (step for step in survey.steps if step.number < sent.number and pressed is not None and _aims_at(step, pressed))
    first = next(same, None)
    fresh = survey.observation(first.acted.before) if first is not None else None
    return objections(before, after, fresh) if fresh is not None and not sent.acted.changes.text else []


def _aims_at(step: Step, pressed: Target) -> bool:
    target = target_of(step)
    return target is not None and (target.frame, target.selector) == (pressed.frame, pressed.selector)


def _form_of(survey: Survey, sent: Step) -> Form | None:
    pressed = target_of(sent)
    for form in forms(survey.usable):
        if form.button is not None and pressed is not None and form.button.selector == pressed.selector:
            return form
    return None


def _box(survey: Survey, form: Form, before: Observation, after: Observation) -> Mark | None:
    """A box that was never ticked, of a form that was sent and stands as it stood."""
    later = {(mark.frame, mark.selector): mark.value for mark in after.marks}
    places = {(mark.frame, mark.selector) for mark in form.fields}
    fields = [mark for mark in before.marks if (mark.frame, mark.selector) in places]
    if not fields or any(later.get((mark.frame, mark.selector)) != mark.value for mark in fields):
        return None
    boxes = (mark for mark in form.choices if kind_of(mark) is Kind.checkbox and not mark.checked and not survey.acts_on(mark))
    return next(boxes, None)


def _mends(survey: Survey, field: Mark) -> int:
    return sum(1 for step in survey.acts_on(field) if step.decision.skill == MEND)


def _other_value(survey: Survey, field: Mark, complaint: str) -> str:
    """What may be meant instead."""
    turn, kind = _mends(survey, field), kind_of(field)
    if kind is Kind.select:
        return option_for(field, survey.now)
    if kind is Kind.date:
        return _other_day(survey, complaint, turn) if field.input_type == "date" else ""
    if kind is Kind.number or wants_number(field):
        return number_like(complaint) or number_like(label_of(field)) or value_for(field, survey.now, turn=turn + 1)
    shaped = number_like(complaint) if wants_whole(complaint) else text_like(complaint, turn) or text_like(label_of(field), turn)
    if shaped and shaped != field.value:
        return shaped
    return value_for(field.model_copy(update={"value": ""}), survey.now, turn=turn + 1)


def _other_day(survey: Survey, complaint: str, turn: int) -> str:
    """A day some weeks on, later still the second time; one that lies behind where that is asked for."""
    try:
        today = date.fromisoformat(survey.now.today)
    except ValueError:
        return ""
    days = -30 * 365 // (turn + 1) if _PAST.search(complaint) else _DAYS[turn % len(_DAYS)]
    return (today + timedelta(days=days)).isoformat()
