"""Boxes in a row that say which kinds of entries are shown: one is unticked, or ticked, and ticked back."""

from __future__ import annotations

from agent.skills.checks.boxes import called, entries
from agent.skills.controls import Kind, forms, kind_of, patterned
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.words import concepts, folded, says
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE, BACK = 55.0, 96.0
SWITCH, RETURN = "switch a kind of entries", "switch a kind of entries back"
LEAST_BOXES, LEAST_NAMED, LEAST_NAME = 2, 2, 2
_CHOOSES = frozenset({"filter", "toggle"})


def propose(survey: Survey) -> list[Candidate]:
    """The box whose name most entries bear, once, and back right after it."""
    last = survey.last
    if last is not None and last.decision.skill == SWITCH and last.acted.delivered:
        return _back(survey)
    if survey.layered or survey.count(SWITCH):
        return []
    promised = [one for one in survey.promises if concepts(one.text) & _CHOOSES or says("shows_or_hides", one.text)]
    if not promised:
        return []
    for row in _rows(survey):
        named = {mark.id: len(entries(survey.now, mark.name)) for mark in row}
        if sum(1 for count in named.values() if count) < LEAST_NAMED or max(named.values()) < LEAST_NAMED:
            continue
        box = max(row, key=lambda mark: named[mark.id])
        match = survey.match(box, ("filter", "toggle"))
        text = f'entries called "{box.name[:40]}" are shown as the box says'
        key = "kinds of entries"
        told = expects("boxes_choose", text, match.id or promised[0].id, word=box.name, others=_names(row, box), key=key)
        why = f'{named[box.id]} entries are called "{box.name[:40]}"'
        return [candidate(survey.worth(BASE, box, match), Click(target=Target.of(box)), why, SWITCH, told)]
    return []


def _rows(survey: Survey) -> list[list[Mark]]:
    """Boxes that stand alike, all of them ticked or none, and that no form takes in with a button."""
    taken = {mark.id for form in forms(survey.usable) if form.button is not None for mark in (*form.fields, *form.choices)}
    rows: dict[str, list[Mark]] = {}
    for mark in survey.usable:
        if kind_of(mark) is Kind.checkbox and mark.id not in taken and len(mark.name) >= LEAST_NAME:
            rows.setdefault(patterned(mark), []).append(mark)
    return [row for row in rows.values() if len(row) >= LEAST_BOXES and len({mark.checked for mark in row}) == 1]


def _names(row: list[Mark], box: Mark) -> str:
    return "\n".join(folded(called(mark.name)) for mark in row if mark.id != box.id)


def _back(survey: Survey) -> list[Candidate]:
    target = target_of(survey.last) if survey.last is not None else None
    box = next((mark for mark in survey.usable if target is not None and mark.selector == target.selector), None)
    if box is None:
        return []
    return [candidate(BACK, Click(target=Target.of(box)), "all kinds are wanted again", RETURN)]
