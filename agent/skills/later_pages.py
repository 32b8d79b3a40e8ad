"""A list that is narrowed while a later page of it is shown has to show the first page of what is left, not an empty one."""

from __future__ import annotations

from agent.skills.checks.paged import range_shown
from agent.skills.checks.turning import place_shown, steps_to
from agent.skills.controls import is_search, narrows
from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.skills.values import search_word
from tools.browser.actions import Target, Type

NARROW, ALL_AGAIN = 93.0, 92.0
SKILL, BACK = "search on a later page", "empty the search of a later page"


def propose(survey: Survey) -> list[Candidate]:
    """A word of an entry shown, typed into the search right after a step to a later page; then the field is emptied. Once."""
    last, target = survey.last, target_of(survey.last) if survey.last is not None else None
    field = next((mark for mark in survey.usable if is_search(mark) and not mark.readonly), None)
    if last is None or target is None or field is None or not last.acted.delivered:
        return []
    if last.decision.skill == SKILL and field.value:
        return [candidate(ALL_AGAIN, Type(target=Target.of(field), text=""), "the whole list is wanted again", BACK)]
    mark = next((one for one in survey.now.marks if one.selector == target.selector), None)
    place, shown = place_shown(survey.now), range_shown(survey.now)
    later = (place is not None and place[0] > 1) or (shown is not None and shown[0] > 1)
    if survey.count(SKILL) or mark is None or steps_to(mark) != "next" or not later or any(map(narrows, survey.now.marks)):
        return []
    word = search_word(survey.now, field)
    if not word:
        return []
    match = survey.match(field, ("search", "filter"))
    # What an entry in sight is found by can't leave the list empty.
    told = expects("text_contains", f'an entry with "{word}" is shown', match.id, text=word, key="search on a later page")
    why = "narrowed from a later page, a list begins at its first"
    return [candidate(NARROW, Type(target=Target.of(field), text=word), why, SKILL, told)]
