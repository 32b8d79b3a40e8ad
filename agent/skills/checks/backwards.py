"""A range whose end was set before its beginning: the page says so, or puts it right."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.skills.checks.case import Case, Told, lack
from agent.words import keywords, says
from tools.browser.marks import Observation

_OBJECTS = re.compile(
    r"\b(?:before|after|earlier|later|must|cannot|can't|invalid|not)\b|早于|晚于|不能|必须|无效|颠倒|大于|小于", re.IGNORECASE
)

REMARK = 2
"""Words that a line needs, besides those the page knew, to be a remark on the range."""


def order_minded(case: Case) -> Told:
    """The wrong way round is objected to, or put right; neither, where the brief wants it (`asked` 1): `validation_missing`.

    Where the page threw an error, or shows something else that is not understood, nothing is told.
    """
    _, new = case.lines
    added = " ".join(new)
    if says("validation", added) or _OBJECTS.search(added):
        return Told(True, f'the page says "{added[:80]}"')
    if case.changes.dialogs:
        return Told(True, "a dialog was shown")
    begin, end = _value(case.after, case.word("begin")), _value(case.after, case.word("end"))
    if not begin or not end or _ordered(begin, end):
        return Told(True, "the page put it right")
    if case.changes.errors or _remarks(case.before.text, new) or not case.number("asked"):
        return Told(None, "the page objects to nothing", attempts=0)
    return lack(case, "validation_missing", f"it runs from {begin} to {end}, and the page says nothing", needs=1)


def _remarks(before: str, new: Iterable[str]) -> bool:
    """Whether any of the new lines may be a remark: it says more than figures and what stood on the page already."""
    known = set(keywords(before))
    return any(len([word for word in keywords(line) if word not in known and not word.isdigit()]) >= REMARK for line in new)


def _value(page: Observation, place: str) -> str:
    frame, _, selector = place.partition("\t")
    return next((mark.value for mark in page.marks if (mark.frame, mark.selector) == (frame, selector)), "")


def _ordered(begin: str, end: str) -> bool:
    try:
        return float(begin) <= float(end)
    except ValueError:
        return begin <= end
