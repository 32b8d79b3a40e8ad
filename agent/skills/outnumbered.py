"""Deleting an entry of a list that is narrowed or sorted: what goes is what was pressed, not what stood at its number."""

from __future__ import annotations

from agent.skills.checks.listed import contents, same_list
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts
from agent.words import folded
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

PRIORITY, SKILL = 95.0, "delete where the list is not whole"
_NARROWS = frozenset(
    {"choose an option", "search", "search with Enter", "search by button", "sort by a column", "press a button"}
)
LEAST_ROWS, MOST_ROWS = 3, 12


def propose(survey: Survey) -> list[Candidate]:
    """Right after a list was narrowed or sorted so that another entry than before is its first: delete that one. Once."""
    last = survey.last
    if last is None or survey.count(SKILL) or survey.layered or last.decision.skill not in _NARROWS:
        return []
    before = survey.observation(last.acted.before)
    if before is None or not last.acted.changes.text:
        return []
    for listing in contents(before):
        now = same_list(listing, survey.now)
        if now is None or len(listing.items) < LEAST_ROWS or not 1 <= len(now.items) <= MOST_ROWS or now.count != len(now.items):
            continue
        distinct = len(set(listing.items)) == len(listing.items) >= len(now.items) == len(set(now.items))
        if not distinct or now.items[0] == listing.items[0] or not set(now.items) <= set(listing.items):
            continue
        deletes = sorted(_deletes(survey.usable), key=lambda mark: (round(mark.box.y), mark.box.x))
        each = len(deletes) == len(now.items) and len(_deletes(before.marks)) == len(listing.items)
        button = deletes[0] if each else None
        if button is not None:
            row = folded(" ".join(now.items[0]))
            match = survey.match(button, ("delete",))
            told = expects("right_one_goes", f'"{row[:60]}" is what goes', match.id, row=row, key="deleted while narrowed")
            act = Click(target=Target.of(button))
            return [candidate(PRIORITY, act, "an entry's number is another one in a narrowed list", SKILL, told)]
    return []


def _deletes(marks: tuple[Mark, ...]) -> list[Mark]:
    """The buttons that delete: one at each entry, where they are as many as entries before and after it was narrowed."""
    return [mark for mark in marks if "delete" in mark_concepts(mark) and kind_of(mark) in (Kind.button, Kind.other)]
