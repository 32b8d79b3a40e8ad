"""Ranges from … to …: once, their end is set before their beginning, which a page has to object to, to mend or to bear.

Only pairs that filter at once are tried so; what a form takes in with its button is `wrongs`' to try.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import pairwise

from agent.skills.controls import Kind, forms, kind_of, label_of
from agent.skills.survey import Candidate, Match, Survey, candidate, expects
from tools.browser.actions import SetValue, Target, Type
from tools.browser.marks import Mark

ASKED, UNASKED, RIGHT_AGAIN = 54.0, 33.0, 120.0
WRONG, RIGHT = "set a range the wrong way round", "set a range right again"
_DAYS = 5
_BEGINS = re.compile(r"\b(?:from|start\w*|begin\w*|since|min\w*|after|lowest)\b|开始|起始|起|从|自|最低|最小|最早", re.IGNORECASE)
_ENDS = re.compile(r"\b(?:to|until|till|end\w*|max\w*|before|through|highest)\b|结束|截止|止|至|到|最高|最大|最晚", re.IGNORECASE)
_MINDS = re.compile(
    r"\bwrong way (?:a?round)\b|\brevers\w+|\b(?:start|begin\w*|from)\b.{0,24}\b(?:after|later|beyond|past)\b"
    r"|\b(?:dates?|range|period)\b.{0,16}\b(?:makes? no sense|impossible|invalid)\b|\bkeinen sinn\b|\bungültige[rn]? zeitr"
    r"|\b(?:end|to|until)\b.{0,24}\b(?:before|earlier)\b|颠倒|早于|晚于|(?:开始|结束)[^。；，]{0,12}(?:之前|之后|前|后)",
    re.IGNORECASE,
)
_ASPECTS = frozenset({"feature", "control", "content"})


def propose(survey: Survey) -> list[Candidate]:
    """The wrong way round once, then right again."""
    last = survey.last
    if last is not None and last.decision.skill == WRONG:
        return _right_again(survey)
    if survey.count(WRONG) or survey.layered:
        return []
    for begin, end in pairs(survey):
        wrong = _wrong(begin, end)
        if wrong is not None:
            return [_turned(survey, begin, end, *wrong)]
    return []


def pairs(survey: Survey) -> list[tuple[Mark, Mark]]:
    """Two fields of one kind side by side, the first called as a beginning, the second as an end, that no button takes in."""
    taken = {mark.id for form in forms(survey.usable) if form.button is not None for mark in form.fields}
    free = [mark for mark in survey.usable if kind_of(mark) in (Kind.date, Kind.number) and mark.id not in taken]
    found = []
    for one, other in pairwise(free):
        alike = (one.input_type, one.frame) == (other.input_type, other.frame) and not (one.readonly or other.readonly)
        if alike and one.value and other.value and _BEGINS.search(label_of(one)) and _ENDS.search(label_of(other)):
            found.append((one, other))
    return found


def _wrong(begin: Mark, end: Mark) -> tuple[Mark, str] | None:
    """Which of the two to set, and to what, so that the end lies before the beginning and both stay within their bounds."""
    late, early = _moved(end.value, begin, later=True), _moved(begin.value, end, later=False)
    if late and _within(late, begin):
        return begin, late
    return (end, early) if early and _within(early, end) else None


def _moved(value: str, field: Mark, *, later: bool) -> str:
    if field.input_type == "date":
        try:
            day = date.fromisoformat(value)
        except ValueError:
            return ""
        return (day + timedelta(days=_DAYS if later else -_DAYS)).isoformat()
    try:
        number = float(value)
    except ValueError:
        return ""
    by = max(1.0, abs(number) / 2)
    return f"{number + (by if later else -by):.0f}"


def _within(value: str, field: Mark) -> bool:
    if field.input_type == "date":
        return (not field.minimum or value >= field.minimum) and (not field.maximum or value <= field.maximum)
    low, high = (float(one) if one.replace(".", "").lstrip("-").isdigit() else None for one in (field.minimum, field.maximum))
    return (low is None or float(value) >= low) and (high is None or float(value) <= high)


def _turned(survey: Survey, begin: Mark, end: Mark, field: Mark, value: str) -> Candidate:
    asked = next((one for one in survey.view.plan.promises if one.aspect in _ASPECTS and _MINDS.search(one.text)), None)
    minds = asked is not None or _MINDS.search(survey.view.brief) is not None
    match = Match(asked.id) if asked is not None else survey.match(field)
    told = expects(
        "order_minded",
        "a range the wrong way round is objected to or put right",
        match.id,
        begin=f"{begin.frame}\t{begin.selector}",
        end=f"{end.frame}\t{end.selector}",
        asked=float(minds),
        key=WRONG,
    )
    why = f'"{value}" for "{field.name}" sets the range the wrong way round'
    return candidate(survey.worth(ASKED if minds else UNASKED, field, match), _enter(field, value), why, WRONG, told)


def _right_again(survey: Survey) -> list[Candidate]:
    """What was there before, unless the page put it right itself."""
    last = survey.last
    target = getattr(last.decision.action, "target", None) if last is not None else None
    before = survey.observation(last.acted.before) if last is not None else None
    if target is None or before is None:
        return []
    old = next((mark for mark in before.marks if (mark.selector, mark.frame) == (target.selector, target.frame)), None)
    now = next((mark for mark in survey.usable if (mark.selector, mark.frame) == (target.selector, target.frame)), None)
    if old is None or now is None or now.value == old.value or not old.value:
        return []
    kept = expects("value_kept", f"the field keeps {old.value}", value=old.value)
    return [candidate(RIGHT_AGAIN, _enter(now, old.value), "right again, so that all is shown as before", RIGHT, kept)]


def _enter(field: Mark, value: str) -> SetValue | Type:
    target = Target.of(field)
    return SetValue(target=target, value=value) if kind_of(field) is Kind.date else Type(target=target, text=value, submit=True)
