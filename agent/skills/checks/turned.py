"""Cards that were turned over: which face they show, and whether they stay open or turn back as the game's rule says."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Mark, Observation

_NUMBER = re.compile(r"\d+")
NEAR_PX = 10.0


def place(mark: Mark, page: Observation) -> str:
    """Where a card lies on the page: it is drawn anew with another name at each turn, but it stays there."""
    x, y = mark.box.centre
    return f"{x + page.scroll[0]:.0f},{y + page.scroll[1]:.0f}"


def name_at(page: Observation, where: str) -> str:
    """What lies there is called; empty where nothing does."""
    x, y = (float(part) for part in where.split(","))
    for mark in page.marks:
        across, down = mark.box.centre
        if abs(across + page.scroll[0] - x) < NEAR_PX and abs(down + page.scroll[1] - y) < NEAR_PX:
            return mark.name
    return ""


def face(page: Observation, first: Observation, where: str) -> str:
    """What a card shows, without its number; empty while it is face down, or where that can't be told."""
    name = name_at(page, where)
    return _bare(name) if name and name != name_at(first, where) else ""


def _bare(name: str) -> str:
    return _NUMBER.sub("", folded(name)).strip()


def turned_back(case: Case) -> Told:
    """Two cards a moment after they were turned over: unequal ones are face down again, equal ones are not.

    `one`, `two`: where they lie; `down_one`, `down_two`: what they are called face down; `face_one`, `face_two`: what was seen of
    them when they were turned.
    """
    down, faces = ((case.word(f"{what}_one"), case.word(f"{what}_two")) for what in ("down", "face"))
    if not all((*down, *faces)):
        return Told(None, "the cards do not say which faces they show", attempts=0)
    later = [name_at(case.after, case.word(which)) for which in ("one", "two")]
    back = [name == hidden for name, hidden in zip(later, down, strict=True)]
    if faces[0] == faces[1]:
        told = f'two equal cards ("{faces[0]}") turned back'
        return lack(case, "wrong_result", told) if all(back) else Told(True, "two equal cards stay as they are")
    if all(back):
        return Told(True, "two different cards turned back")
    return lack(case, "state_not_updated", f'two different cards ("{faces[0]}", "{faces[1]}") do not turn back')
