"""Values that can't be right, where the brief wants values checked: an address without @, an amount below zero, a short number.

Once a form has taken right values it is filled again, right but for one field, and submitted: it has to refuse that. A step of
several is tried so before it is sent off, or once a step back led to it, where it stands filled in, and is put right again; so is
a form that a press brought up: once sent off it may be gone, with what it was there for. Nothing extreme is tried, and nothing
that neither the brief speaks of nor the field's own type: whoever asks for an email by its type means an address.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from agent.deciders.protocol import Step
from agent.skills.controls import FIELDS, Form, Kind, forms, kind_of
from agent.skills.forms import enter
from agent.skills.survey import Candidate, Match, Survey, candidate, expects, target_of
from agent.skills.values import field_kind, option_for, value_for
from agent.words import concepts, says
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE, BEGUN, UNASKED = 48.0, 80.0, 38.0
MOST_FIELDS = 7
_ASKED = frozenset({"feature", "control", "content"})
_CHECKS = re.compile(
    r"\b(?:check(?![- ]?out)|valid|verif|must be|must have|reject|refus|format)"
    r"|\b(?:prüf|gültig|ungültig|valid|vérifi|comprueb|verific)|\b(?:darf|dürfen|muss|müssen) (?:nicht|kein)"
    r"|校验|验证|检查|格式|提示|必须",
    re.IGNORECASE,
)
_CHECKS_THEM = re.compile(r"\b(?:check|verif|validat)\w*\s+(?:both|them|all|each|every)\b(?!\s+off)", re.IGNORECASE)
_ABOVE_ZERO = re.compile(
    r"(?:greater|more|larger|higher|bigger) than (?:0|zero)|above (?:0|zero)|\bpositive\b|not (?:be )?negative"
    r"|大于\s*(?:零|0)|正数|不能为负|不能小于(?:等于)?\s*(?:零|0)",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\b(?:wrong|invalid|bad|incorrect|faulty|impossible)\s+(?:entries|entry|input|inputs|values?|data|details)\b"
    r"|\bnonsense\b|\bnegative\s+(?:values?|numbers?|amounts?|inputs?)\b|负数|负值"
    r"|填错|输错|错误(?:的)?(?:输入|数据)|不(?:正确|合法|合理)的",
    re.IGNORECASE,
)
"""Speaks of wrong entries at large, or of a wrong one of what is named."""
_ABOVE_ZERO_BY_NATURE = frozenset({"money", "people", "age", "height", "weight"})
OF_A_STEP = 140.0
FILL_STEP, SUBMIT_STEP, RIGHT_AGAIN = "fill a step wrongly", "submit a step wrongly", "put a step right again"
LIVE, BELOW_ZERO = "give a live result a wrong value", "-5"
_WRONG = {"email": ("anna.keller", "anna@"), "phone": ("123",)}
"""The first of each field is tried before the second of any."""
_ALL_WRONG = frozenset({one for values in _WRONG.values() for one in values} | {BELOW_ZERO, "0"})
MOST_WRONG, MOST_OF_A_STEP = 3, 2


def propose(survey: Survey) -> list[Candidate]:
    """The next field of a form that is filled wrongly, or its button."""
    found: list[Candidate] = []
    for form in forms(survey.usable):
        complete = all(mark.value for mark in form.fields)
        if form.stepwise:
            found += _of_a_step(survey, form, complete=complete)
            continue
        if form.button is None:
            found += _of_live(survey, form)
            continue
        taken = survey.count(f"submit form {form.key}")
        if not taken and len(form.fields) > 1 and _brought_up(survey, form):
            found += _of_a_step(survey, form, complete=complete)
        if not taken:
            continue
        wrong = _untried(survey, form)
        if wrong is not None:
            found += _next(survey, form, *wrong)
    return found


def _untried(survey: Survey, form: Form) -> tuple[Mark, str, Match] | None:
    """The next value that can't be right: as many as were refused so far lie behind; none once one of them was taken."""
    sent = [step for step in survey.steps if step.decision.skill == f"submit wrongly {form.key}"]
    if any(not _refused(step) for step in sent) or len(sent) >= MOST_WRONG:
        return None
    asked = _wrongs(survey, form)
    values = asked or [one for one in (_unasked(form),) if one is not None]
    return values[len(sent)] if len(sent) < len(values) else None


def _refused(step: Step) -> bool:
    return any(told.oracle == "refused" and told.held for told in step.outcomes)


def _of_live(survey: Survey, form: Form) -> list[Candidate]:
    """Fields whose result follows at once: an amount below zero gives none; right again afterwards. Once a form."""
    last, wrong = survey.last, _wrong(survey, form)
    if wrong is None or wrong[1] != BELOW_ZERO or last is None:
        return []
    field, value, match = wrong
    skill = f"{LIVE} {form.key}"
    if last.decision.skill == skill and field.value == value:
        return [
            candidate(
                OF_A_STEP, enter(field, value_for(field, survey.now)), "right again, so that there is a result", RIGHT_AGAIN
            )
        ]
    if survey.count(skill) or not survey.tried(field) or not field.value:
        return []
    told = expects("no_result", f'"{value}" gives no result', match.id, field=field.signature, key=f"below zero {form.key}")
    why = f'the brief wants it checked: "{value}" can\'t be right for "{field.name or field.placeholder}"'
    return [candidate(BASE + match.bonus, enter(field, value), why, skill, told)]


def _unasked(form: Form) -> tuple[Mark, str, Match] | None:
    """An email's field: whoever asks for one by its type means an address."""
    mark = next((one for one in form.fields if one.input_type == "email"), None)
    return (mark, _WRONG["email"][0], Match()) if mark is not None else None


def _brought_up(survey: Survey, form: Form) -> bool:
    """Whether a press brought the form up: its first field was nowhere before it."""
    field = form.fields[0].signature
    for step in survey.steps:
        before, after = survey.observation(step.acted.before), survey.observation(step.acted.after) or survey.now
        if before is None or not isinstance(step.decision.action, Click):
            continue
        if all(mark.signature != field for mark in before.marks) and any(mark.signature == field for mark in after.marks):
            return True
    return False


def _of_a_step(survey: Survey, form: Form, *, complete: bool = False) -> list[Candidate]:
    """A step that stands filled in, after a step back or (`complete`) before it is sent off: one field wrong, and right again."""
    last, wrong = survey.last, _of_this_step(survey, form)
    if last is None or wrong is None or form.button is None:
        return []
    field, value, match = wrong
    why = f'the brief wants it checked: "{value}" can\'t be right for "{field.name or field.placeholder}"'
    before = field.value
    begins = complete or last.decision.skill == "step back"
    if before and before != value and begins and not _tried_wrongly(survey, form, value):
        return [candidate(OF_A_STEP, enter(field, value), why, FILL_STEP)]
    if last.decision.skill == FILL_STEP and before == value and not form.button.disabled:
        told = expects("refused", f'"{value}" is refused', match.id, field=field.signature, leads_on=1.0, key=form.key)
        return [candidate(OF_A_STEP, Click(target=Target.of(form.button)), why, SUBMIT_STEP, told)]
    if last.decision.skill in (FILL_STEP, SUBMIT_STEP) and before == value:
        right = value_for(field, survey.now)
        return [candidate(OF_A_STEP, enter(field, right), "right again, so that the next step can be reached", RIGHT_AGAIN)]
    return []


def _of_this_step(survey: Survey, form: Form) -> tuple[Mark, str, Match] | None:
    """What a field holds that can't be right, or the next that was not tried yet, two a form."""
    values = _wrongs(survey, form)[:MOST_OF_A_STEP]
    held = next((one for one in values if one[0].value == one[1]), None)
    return held or next((one for one in values if not _tried_wrongly(survey, form, one[1])), None)


def _tried_wrongly(survey: Survey, form: Form, value: str) -> bool:
    """Whether a field of this form was filled with it before."""
    places = {(mark.selector, mark.frame, mark.role) for mark in form.fields}
    for step in survey.steps:
        target = target_of(step)
        if step.decision.skill != FILL_STEP or not step.acted.delivered or target is None:
            continue
        if (target.selector, target.frame, target.role) in places and _entered(step) == value:
            return True
    return False


def _wrong(survey: Survey, form: Form) -> tuple[Mark, str, Match] | None:
    """The first of `_wrongs`."""
    return next(iter(_wrongs(survey, form)), None)


def _wrongs(survey: Survey, form: Form) -> list[tuple[Mark, str, Match]]:
    """`(field, value that can't be right, promise)` of the fields whose check the brief asks for: one of each, then a second."""
    found = list[tuple[int, Mark, str, Match]]()
    for mark in form.fields:
        kind = field_kind(mark)
        if kind_of(mark) is Kind.number:
            above = _ABOVE_ZERO.search(survey.view.brief) is not None
            if above or (kind in _ABOVE_ZERO_BY_NATURE and _objects(survey, mark)):
                match = survey.promise_about("validate greater than zero 大于零 提示", _ASKED, ("validate",))
                found += [(turn, mark, value, match) for turn, value in enumerate((BELOW_ZERO, "0") if above else (BELOW_ZERO,))]
        elif kind_of(mark) is Kind.date:
            day = _before_the_first(survey, mark)
            if day:
                found.append((0, mark, day, survey.promise_about(f"validate dates {mark.name} 日期 校验", _ASKED, ("validate",))))
        elif kind in _WRONG and _checked(survey, mark):
            match = survey.promise_about(f"validate check {mark.name} {mark.placeholder}", _ASKED, ("validate",))
            found += [(turn, mark, value, match) for turn, value in enumerate(_WRONG[kind])]
    return [(mark, value, match) for _, mark, value, match in sorted(found, key=lambda one: one[0])]


def _before_the_first(survey: Survey, mark: Mark) -> str:
    """For the second of two dates a day before the first one, where the brief wants something checked; else empty."""
    if not (_CHECKS.search(survey.view.brief) or _CHECKS_THEM.search(survey.view.brief) or _EXPLAINS.search(survey.view.brief)):
        return ""
    right = value_for(mark, survey.now)
    dates = [one for one in survey.now.marks if one.input_type == "date" and one.frame == mark.frame]
    place = next((number for number, one in enumerate(dates) if one.selector == mark.selector), 0)
    if place == 0 or not dates[place - 1].value or right <= dates[place - 1].value:
        return ""
    try:
        return (date.fromisoformat(dates[place - 1].value) - timedelta(days=2)).isoformat()
    except ValueError:
        return ""


def _objects(survey: Survey, mark: Mark) -> bool:
    """Whether the brief wants wrong entries explained, and the field does not say that it takes less than zero."""
    if float(mark.minimum or 0) < 0:
        return False
    return any(_EXPLAINS.search(promise.text) for promise in survey.view.plan.promises)


def _checked(survey: Survey, mark: Mark) -> bool:
    """Whether a promise speaks of checking, and of this field or of no field in particular."""
    kind = field_kind(mark)
    for promise in survey.view.plan.promises:
        if _EXPLAINS.search(promise.text):
            return True
        text = promise.text
        named = "validate" in concepts(text) or says(f"{kind}_words", text)
        if _CHECKS_THEM.search(text) or (named and _CHECKS.search(text)):
            return True
    return False


def _entered(step: Step) -> str:
    return str(step.acted.action.get("text", step.acted.action.get("value", "")))


def _unticked(survey: Survey, form: Form) -> list[Mark]:
    """Boxes of the form that were ticked when it was taken, and are empty again: without them it is refused whatever it holds."""
    boxes = [mark for mark in form.choices if kind_of(mark) is Kind.checkbox and mark.checked is False]
    filled = f"fill form {form.key}"
    return [mark for mark in boxes if any(step.decision.skill == filled for step in survey.acts_on(mark))]


def _next(survey: Survey, form: Form, field: Mark, value: str, match: Match) -> list[Candidate]:
    filling, begun = f"fill wrongly {form.key}", survey.count(f"fill wrongly {form.key}") > 0
    says_so = "the brief wants it checked" if match.id else "it is to be an address"
    why = f'{says_so}: "{value}" can\'t be right for "{field.name or field.placeholder}"'
    base = BEGUN if begun else BASE + match.bonus if match.id else UNASKED
    for mark in form.fields[:MOST_FIELDS]:
        if mark.signature != field.signature and begun and mark.value in _ALL_WRONG:
            return [candidate(base, enter(mark, value_for(mark, survey.now, turn=1)), "right again, for the next", filling)]
        tried = [step for step in survey.acts_on(mark) if step.decision.skill == filling]
        if mark.signature == field.signature or mark.value or tried or kind_of(mark) not in FIELDS:
            continue
        right = value_for(mark, survey.now, turn=1)
        if kind_of(mark) is Kind.select and not option_for(mark):
            continue
        return [candidate(base, enter(mark, right), why, filling)]
    for choice in _unticked(survey, form):
        if not any(step.decision.skill == filling for step in survey.acts_on(choice)):
            return [candidate(base, Click(target=Target.of(choice)), why, filling)]
    tried = [step for step in survey.acts_on(field) if step.decision.skill == filling and _entered(step) == value]
    if field.value != value:
        return [] if tried else [candidate(base, enter(field, value), why, filling)]
    button = form.button
    if button is None or button.disabled:
        return []
    texts = [
        mark.value for mark in form.fields if mark.signature != field.signature and kind_of(mark) is Kind.text and mark.value
    ]
    told = expects(
        "refused", f'"{value}" is refused', match.id, field=field.signature, shows=texts[0] if texts else value, key=form.key
    )
    return [candidate(BEGUN, Click(target=Target.of(button)), why, f"submit wrongly {form.key}", told)]
