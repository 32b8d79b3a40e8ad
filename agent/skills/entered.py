"""Which acts what stands in the fields in sight comes from: all that a wrong result has to be shown again with."""

from __future__ import annotations

from agent.skills.controls import FIELDS, Kind, kind_of
from agent.skills.survey import Survey, target_of
from tools.browser.actions import Select, SetValue, Type

_SET = FIELDS | {Kind.range}
_LOADS = frozenset({"reload", "goto", "back"})


def entered_by(survey: Survey) -> str:
    """Ids of the last act on each field in sight since the page was loaded, oldest first, as `made_by` takes them."""
    places = {(mark.selector, mark.frame) for mark in survey.now.marks if kind_of(mark) in _SET}
    found = dict[tuple[str, str], tuple[int, str]]()
    for step in survey.steps:
        target = target_of(step)
        if step.acted.action.get("act") in _LOADS:
            found.clear()
        elif target is not None and step.acted.delivered and isinstance(step.decision.action, Select | SetValue | Type):
            place = (target.selector, target.frame)
            if place in places:
                found[place] = (step.number, step.acted_id)
    return " ".join(acted for _, acted in sorted(found.values()))
