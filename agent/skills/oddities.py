"""What a page makes of a live field that is emptied, or of a colour code that is none: a person types such things in passing.

A number below zero is tried in `wrongs`, where the brief wants values checked; that a result reads `NaN` is wrong anywhere.
"""

from __future__ import annotations

from agent.skills.controls import Form, Kind, forms, kind_of, narrows
from agent.skills.forms import enter
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.skills.values import COLOUR, is_colour_code
from agent.skills.wrongs import OF_A_STEP, RIGHT_AGAIN
from agent.words import numbers
from tools.browser.actions import Type
from tools.browser.marks import Mark

BASE, MOST = 36.0, 2
ODD = "give a live field an odd value"
NO_COLOUR = "zebra"


def propose(survey: Survey) -> list[Candidate]:
    """An odd value for a field that the page follows at once, then the value that stood there."""
    last = survey.last
    if last is not None and last.decision.skill == ODD and last.acted.delivered:
        return _right_again(survey, last.decision.action)
    if survey.count(ODD) >= MOST or survey.layered or survey.domain in ("game", "quiz"):
        return []
    for form in forms(survey.usable):
        field = next((mark for mark in form.fields if _live(survey, form, mark)), None)
        if field is not None:
            return [_odd(survey, field)]
    bounded = next((mark for mark in survey.usable if _bounded(survey, mark)), None)
    return [_beyond(survey, bounded)] if bounded is not None else []


def _bounded(survey: Survey, mark: Mark) -> bool:
    """Whether a number field ends where the brief says that it does, and was not tried beyond yet."""
    if kind_of(mark) is not Kind.number or mark.readonly or not mark.maximum.strip():
        return False
    tried = any(step.decision.skill == ODD for step in survey.tried(mark))
    return not tried and any(f"{limit:g}" == mark.maximum.strip() for limit in numbers(survey.view.brief))


def _beyond(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark)
    value = f"{float(mark.maximum) * 5 + 4:g}"
    told = expects("within_bounds", f"{value} is not taken: {mark.maximum} is the most", match.id, most=float(mark.maximum))
    why = "the brief says how much is the most"
    return candidate(survey.worth(BASE, mark, match), enter(mark, value, submit=True), why, ODD, told)


def _live(survey: Survey, form: Form, mark: Mark) -> bool:
    """Whether the page's text changed when this field was given a value, and no button takes it in."""
    if form.button is not None or not mark.value or mark.readonly or narrows(mark):
        return False
    if not (kind_of(mark) is Kind.number or (kind_of(mark) is Kind.text and is_colour_code(mark.value))):
        return False
    steps = [step for step in survey.tried(mark) if step.acted.delivered]
    return any(step.acted.changes.text for step in steps) and all(step.decision.skill != ODD for step in steps)


def _odd(survey: Survey, mark: Mark) -> Candidate:
    code = kind_of(mark) is Kind.text
    value, what = (NO_COLOUR, "no colour") if code else ("", "nothing")
    match = survey.match(mark)
    text = f"{what} in this field gives no result that is no number"
    told = expects("sane", text, match.id, symptom="validation_missing")
    why = f"a person empties a field, or mistypes: {what} in it must not spill onto the page"
    return candidate(survey.worth(BASE, mark, match), enter(mark, value), why, ODD, told, checked=False)


def _right_again(survey: Survey, action: object) -> list[Candidate]:
    if not isinstance(action, Type) or action.target is None:
        return []
    field = next((mark for mark in survey.usable if mark.selector == action.target.selector), None)
    if field is None:
        return []
    held = next((mark.value for page in reversed(survey.view.past) for mark in page.marks if _is(mark, field) and mark.value), "")
    usual = COLOUR if action.text == NO_COLOUR else "1"
    value = held if held and held != action.text else usual
    return [candidate(OF_A_STEP, enter(field, value), "right again, for what comes after it", RIGHT_AGAIN)]


def _is(mark: Mark, field: Mark) -> bool:
    return (mark.selector, mark.frame) == (field.selector, field.frame)
