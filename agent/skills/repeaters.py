"""Room for one more (`+ Add another job`) is given back: the button that takes away what was added takes it away."""

from __future__ import annotations

from agent.skills.controls import FIELDS, Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from agent.words import concepts
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark, Observation

SKILL, PRIORITY = "take away what was added", 118.0
MOST, _NEAR_PX = 2, 420.0
"""How often it is pressed; how far the fields of one entry are from the button that removes it, at most."""


def propose(survey: Survey) -> list[Candidate]:
    """Right after a press brought more fields and a button that removes: that button, once more where nothing came of it."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.layered:
        return []
    if last.decision.skill == SKILL:
        again = survey.count(SKILL) < MOST and any(one.held is None and one.attempts for one in last.outcomes)
        return [_press(survey, mark)] if again and (mark := _last_of(survey)) is not None else []
    before, target = survey.observation(last.acted.before), target_of(last)
    if survey.count(SKILL) or before is None or target is None or "add" not in concepts(target.name):
        return []
    if not isinstance(last.decision.action, Click) or _fields(survey.now) <= _fields(before) or not _fields(before):
        return []
    mark = _last_of(survey)
    return [_press(survey, mark)] if mark is not None and _came(mark, before) else []


def _press(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark, ("delete",))
    told = expects("room_goes", f'"{mark.name}" takes away what was added', match.id, key="room for one more")
    why = because(match, survey, "what was added can be taken away")
    return candidate(PRIORITY, Click(target=Target.of(mark)), why, SKILL, told)


def _fields(page: Observation) -> int:
    return sum(1 for mark in page.marks if kind_of(mark) in FIELDS)


def _last_of(survey: Survey) -> Mark | None:
    """The lowest button that removes: what was added stands below what was there."""
    fields = [mark.box.y for mark in survey.now.marks if kind_of(mark) in FIELDS]
    removes = (mark for mark in survey.usable if kind_of(mark) is Kind.button and "delete" in mark_concepts(mark))
    found = [mark for mark in removes if any(abs(y - mark.box.y) < _NEAR_PX for y in fields)]
    return max(found, key=lambda mark: mark.box.y, default=None)


def _came(mark: Mark, before: Observation) -> bool:
    """Whether there are more buttons of its name now, or it stands elsewhere than any did."""
    return all((one.selector, one.frame) != (mark.selector, mark.frame) for one in before.marks)
