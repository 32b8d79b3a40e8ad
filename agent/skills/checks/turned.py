"""Cards that were turned over: which face they show, and whether they stay open or turn back as the game's rule says."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Observation

_PLACE = re.compile(r"\d+")


def face_down(first: Observation, selector: str) -> str:
    """What a card was called at the first look; empty if it was not there."""
    return next((mark.name for mark in first.marks if mark.selector == selector), "")


def face(page: Observation, first: Observation, selector: str) -> str:
    """What a card shows, without its number; empty while it is face down, or where that can't be told."""
    name = next((mark.name for mark in page.marks if mark.selector == selector), "")
    hidden = face_down(first, selector)
    return _PLACE.sub("", folded(name)).strip() if name and name != hidden else ""


def turned_back(case: Case) -> Told:
    """Two cards a moment after they were turned over: unequal ones are face down again, equal ones are not.

    `one`, `two`: their selectors; `down_one`, `down_two`: what they are called face down.
    """
    down = (case.word("down_one"), case.word("down_two"))
    then, later = _names(case.before, case), _names(case.after, case)
    if not all(then) or not all(down) or then[0] == down[0] or then[1] == down[1]:
        return Told(None, "the cards do not say which faces they show", attempts=0)
    faces = [_PLACE.sub("", folded(name)).strip() for name in then]
    back = [name == hidden for name, hidden in zip(later, down, strict=True)]
    if faces[0] == faces[1]:
        told = f'two equal cards ("{faces[0]}") turned back'
        return lack(case, "wrong_result", told) if all(back) else Told(True, "two equal cards stay as they are")
    if all(back):
        return Told(True, "two different cards turned back")
    return lack(case, "state_not_updated", f'two different cards ("{faces[0]}", "{faces[1]}") do not turn back')


def _names(page: Observation, case: Case) -> tuple[str, str]:
    names = {mark.selector: mark.name for mark in page.marks}
    return names.get(case.word("one"), ""), names.get(case.word("two"), "")
