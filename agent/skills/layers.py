"""Dialogs, menus and panels that lie over the page: what is in them is tried first, then they are closed again."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills import forms
from agent.skills.buttons import DESTRUCTIVE
from agent.skills.controls import PRESSABLE, Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts, target_of
from tools.browser.actions import Click, Press, Target
from tools.browser.marks import Mark

CLOSE, CLOSE_NOW = 34.0, 84.0
ASK_AGAIN, CONFIRM = 12.0, 98.0
"""After what would undo the work of others: at the very end."""
_BY_ESCAPE, _BY_BUTTON = CLOSES = "close by Escape", "close a layer"
_ESCAPES = "close by the key that is named"
_ESCAPE = re.compile(r"\besc(?:ape)?\b", re.IGNORECASE)
_ASKED, _CONFIRMED = "open what asks for a confirmation", "confirm what was asked"


def propose(survey: Survey) -> list[Candidate]:
    """Ways to close what lies over the page: its own button, then Escape, then a click beside it."""
    if not survey.layered:
        return _ask_again(survey)
    if survey.last is not None and survey.last.decision.skill == _ASKED:
        return _confirm(survey)
    closers = [mark for mark in survey.usable if _closes(mark)]
    inside = [mark for mark in survey.untried() if mark not in closers and survey.age(mark) is not None]
    # Fields that were filled before are filled again where an entry is opened in them for editing.
    base = CLOSE if inside or forms.propose(survey) else CLOSE_NOW
    found = [_by_button(survey, mark, base - 2 * place) for place, mark in enumerate(closers) if not survey.tried(mark)]
    named = _by_escape(survey, base)
    if named or found:
        return [*named, *found]
    pressed = [step for step in survey.steps if step.decision.skill == _BY_ESCAPE and step.acted.delivered]
    fresh = survey.last is not None and survey.last.decision.skill != _BY_ESCAPE
    if len(pressed) < 2 or (fresh and (len(pressed) < 4 or _uncovered(survey, pressed[-1]))):
        why = "what lies over the page hides the rest"  # nothing is expected: not every dialog promises to close by Escape
        return [candidate(base - 6, Press(keys=("Escape",)), why, _BY_ESCAPE)]
    again = [mark for mark in closers if len(tried := survey.tried(mark)) < 4 or _uncovered(survey, tried[-1])]
    return [_by_button(survey, mark, base - 10) for mark in again[:1]]


def _uncovered(survey: Survey, step: Step) -> bool:
    """Whether it closed what lay over the page when it was done last: then it will again."""
    before, after = survey.observation(step.acted.before), survey.observation(step.acted.after)
    if before is None or after is None:
        return False
    return sum(mark.covered for mark in after.marks) < sum(mark.covered for mark in before.marks)


def _by_escape(survey: Survey, base: float) -> list[Candidate]:
    """Escape before the button, where brief or page say that it closes what is open; once more where nothing came of it."""
    pressed = [step for step in survey.steps if step.decision.skill == _ESCAPES and step.acted.delivered]
    undecided = bool(pressed) and any(told.held is None and told.attempts for told in pressed[-1].outcomes)
    if len(pressed) > undecided or not _ESCAPE.search(f"{survey.view.brief}\n{survey.now.text}"):
        return []
    match = survey.promise_about("escape key closes", frozenset({"keyboard"}))
    told = expects("dialog_closes", "Escape closes what lies over the page", match.id, symptom="keyboard_ignored", key="Escape")
    return [candidate(base + 3, Press(keys=("Escape",)), "the brief or the page names this key", _ESCAPES, told)]


def _ask_again(survey: Survey) -> list[Candidate]:
    """What was asked and only ever turned down (`Clear the text?`) is opened once more at the end, to say yes to it."""
    if survey.count(_ASKED):
        return []
    for step in survey.steps:
        after, target = survey.observation(step.acted.after), target_of(step)
        if after is None or target is None or not isinstance(step.decision.action, Click) or not step.acted.delivered:
            continue
        opened = [mark for mark in after.marks if not mark.covered and after.id != step.acted.before and _undoes(mark)]
        way = next(
            (mark for mark in survey.usable if (mark.signature, mark.selector) == (target.signature, target.selector)), None
        )
        known = {mark.signature for mark in survey.now.marks}
        layered = sum(1 for mark in after.marks if mark.covered) >= len(after.marks) / 2
        if way is not None and layered and any(mark.signature not in known and not survey.tried(mark) for mark in opened):
            return [candidate(ASK_AGAIN, Click(target=Target.of(way)), "what it asked was only turned down so far", _ASKED)]
    return []


def _confirm(survey: Survey) -> list[Candidate]:
    """Yes to what is asked; what was to be cleared is empty afterwards."""
    found = []
    for mark in survey.untried():
        if _undoes(mark):
            told = [expects("dialog_closes", f'"{mark.name}" closes what lies over the page')]
            if "clear" in mark_concepts(mark):
                told.append(expects("cleared", "what was written is gone", key="cleared"))
            found.append(candidate(CONFIRM, Click(target=Target.of(mark)), "it was only turned down so far", _CONFIRMED, *told))
    return found


def _undoes(mark: Mark) -> bool:
    return kind_of(mark) is Kind.button and bool(mark_concepts(mark) & DESTRUCTIVE)


def _closes(mark: Mark) -> bool:
    return kind_of(mark) in PRESSABLE and kind_of(mark) is not Kind.link and bool(mark_concepts(mark) & {"close", "cancel"})


def _by_button(survey: Survey, mark: Mark, base: float) -> Candidate:
    match = survey.match(mark, ("close", "modal"))
    told = expects("dialog_closes", f'"{mark.name}" closes what lies over the page', match.id)
    return candidate(base, Click(target=Target.of(mark)), "what was opened is closed again", _BY_BUTTON, told)
