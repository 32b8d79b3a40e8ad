"""Number keys for a row of buttons: "1–4 grade the card", "keys 1 to 7 play the chords": the last and the first of them.

A number has something to do only while as many buttons as there are numbers are in sight.
"""

from __future__ import annotations

import re

from agent.skills.controls import Kind, beside, kind_of
from agent.skills.games import is_game
from agent.skills.keyboard import is_typing
from agent.skills.playing import FOCUS_OFF
from agent.skills.survey import BESIDE, Candidate, Survey, because, candidate, expects
from tools.browser.actions import Click, Press
from tools.browser.marks import Mark

PRIORITY = 64.0
_KEYS = re.compile(r"\bkeys?\b|\bkeyboard\b|\bpress|shortcut|hotkey|快捷键|按键|键盘|数字键", re.IGNORECASE)
_RANGE = re.compile(r"(?<![\d.,])([1-9])\s*(?:[-–—~]|to|through|bis|à|a|到|至)\s*([1-9])(?![\d.,%])")
_LEAST, _MOST_FAR, _ROW_PX = 3, 60, 6.0
"""Numbers of a range at least; characters between it and what says that they are keys."""


def propose(survey: Survey) -> list[Candidate]:
    """The last number, then the first, each once more where nothing came of it."""
    named = _named(survey)
    if named is None or is_game(survey) or survey.layered or is_typing(survey):
        return []
    first, last, line = named
    if not _row(survey, last - first + 1):
        return []
    match = survey.promise_about(line, frozenset({"keyboard", "feature", "control"}))
    for number in (last, first):
        skill = f"press {number}"
        pressed = [step for step in survey.steps if step.decision.skill == skill and step.acted.delivered]
        undecided = bool(pressed) and any(told.held is None and told.attempts == 1 for told in pressed[-1].outcomes)
        if pressed and not undecided:
            continue
        focused = survey.now.mark(survey.now.focused)
        if focused is not None and kind_of(focused) is Kind.radio and survey.count(FOCUS_OFF) < 1:
            return [candidate(PRIORITY, Click(target=BESIDE), "numbers may be for what has the focus", FOCUS_OFF, checked=False)]
        told = expects("keyboard_effect", f"{number} has an effect", match.id, key=f"key {number}")
        why = because(match, survey, "the numbers are keys")
        return [candidate(PRIORITY + match.bonus / 2, Press(keys=(str(number),)), why, skill, told)]
    return []


def _named(survey: Survey) -> tuple[int, int, str] | None:
    """`(first, last, the words around them)` of the range of numbers that brief or page call keys."""
    for text in (survey.view.brief, survey.now.text[:3000]):
        for found in _RANGE.finditer(text):
            around = text[max(found.start() - _MOST_FAR, 0) : found.end() + _MOST_FAR]
            first, last = int(found[1]), int(found[2])
            if _KEYS.search(around) and last - first + 1 >= _LEAST:
                return first, last, around
    return None


def _row(survey: Survey, count: int) -> list[Mark]:
    """So many buttons in one row, none of them off; empty if there is no such row, or a longer one."""
    buttons = [mark for mark in survey.usable if kind_of(mark) in (Kind.button, Kind.other, Kind.option) and not mark.disabled]
    for mark in buttons:
        row = [one for one in beside(mark, tuple(buttons)) if abs(one.box.centre[1] - mark.box.centre[1]) < _ROW_PX]
        if len(row) == count:
            return row
    return []
