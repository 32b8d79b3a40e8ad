"""A form that objects and names its limit ("sleeps at most 2 guests") is put right and sent again, so that its end is reached."""

from __future__ import annotations

import re

from agent.skills.controls import Form, Kind, forms, kind_of
from agent.skills.forms import enter, sends, submission
from agent.skills.survey import Candidate, Survey, candidate
from agent.words import folded, keywords, numbers
from tools.browser.marks import Mark

AMEND = 92.0
MOST = 2
_SKILL = "put right what a form objects to"
_AT_MOST = re.compile(
    r"at most|maximum|\bmax\b|no more than|not (?:be )?more than|up to|exceed|or (?:fewer|less)|最多|不超过|不能超过|不能大于",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(r"at least|minimum|\bmin\b|not (?:be )?less than|or more|至少|不少于|不能少于|不能小于", re.IGNORECASE)
_BETWEEN = re.compile(r"(\d+(?:\.\d+)?)\s*(?:and|to|–|-|~|至|到)\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
_VALUED = frozenset({Kind.number, Kind.select, Kind.text, Kind.range})


def propose(survey: Survey) -> list[Candidate]:
    """The field that breaks the limit set to it; right afterwards the form sent again."""
    last = survey.last
    if last is None or not last.acted.delivered:
        return []
    if last.decision.skill == _SKILL:
        form = next((one for one in forms(survey.usable) if any(_aimed(last.decision.action, mark) for mark in one.fields)), None)
        again = submission(survey, form) if form is not None else None
        return [Candidate(AMEND, again.decision)] if again is not None else []
    form = next((one for one in forms(survey.usable) if sends(last.decision.skill, one)), None)
    before = survey.observation(last.acted.before)
    if form is None or before is None or survey.count(_SKILL) >= MOST:
        return []
    known = {folded(line) for line in before.text.splitlines()}
    for line in survey.now.text.splitlines():
        amended = None if folded(line) in known else _amended(line, form)
        if amended is not None:
            mark, value = amended
            return [candidate(AMEND, enter(mark, value), f'the form says "{line.strip()[:60]}"', _SKILL)]
    return []


def _aimed(action: object, mark: Mark) -> bool:
    target = getattr(action, "target", None)
    return target is not None and (target.selector, target.frame) == (mark.selector, mark.frame)


def _amended(line: str, form: Form) -> tuple[Mark, str] | None:
    """`(field, value within the limit)` of the one field that breaks what a line says, or of the one among them that it names."""
    low, high = _limits(line)
    if low is None and high is None:
        return None
    wrong = [(mark, value) for mark in form.fields if (value := _value(mark)) is not None and _breaks(value, low, high)]
    named = [one for one in wrong if set(keywords(one[0].name)) & set(keywords(line))] or wrong
    if len(named) != 1:
        return None
    mark, value = named[0]
    bound = high if high is not None and value > high else low
    if bound is None:
        return None
    if kind_of(mark) is not Kind.select:
        return mark, f"{bound:g}"
    fits = [one for one in mark.options if len(numbers(one)) == 1 and not _breaks(numbers(one)[0], low, high)]
    return (mark, min(fits, key=lambda one: abs(numbers(one)[0] - bound))) if fits else None


def _limits(line: str) -> tuple[float | None, float | None]:
    between = _BETWEEN.search(line)
    if between:
        return float(between.group(1)), float(between.group(2))
    told = numbers(line)
    if len(told) != 1:
        return None, None
    return (told[0] if _AT_LEAST.search(line) else None), (told[0] if _AT_MOST.search(line) else None)


def _value(mark: Mark) -> float | None:
    found = numbers(mark.value) if kind_of(mark) in _VALUED else ()
    return found[0] if len(found) == 1 else None


def _breaks(value: float, low: float | None, high: float | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)
