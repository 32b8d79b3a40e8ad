"""What sums on a calculator's keys have in common: a clear display to begin on, and how far a sum was pressed."""

from __future__ import annotations

from agent.skills.survey import Candidate, Survey, candidate, expects
from tools.browser.actions import Click, Reload, Target
from tools.browser.marks import Mark

CLEAR, GOING = "calculator clear", 96.0


def pressed(survey: Survey, skill: str, length: int) -> list[str]:
    """Keys of a sum of this `length` delivered so far. A reload in between undoes them all, unless the sum was at its end."""
    found = list[str]()
    for step in survey.steps:
        if isinstance(step.decision.action, Reload) and len(found) < length:
            found.clear()
        elif step.decision.skill == skill and step.acted.delivered:
            found.append(step.acted_id)
    return found


def must_clear(survey: Survey, keys: dict[str, Mark]) -> bool:
    """Whether something was done since the display was cleared, and there is a key that clears it."""
    last = survey.last
    return "clear" in keys and last is not None and last.acted.delivered and last.decision.skill != CLEAR


def clear_first(survey: Survey, keys: dict[str, Mark], priority: float) -> list[Candidate]:
    """The key that clears, where a new sum would go on with an old one."""
    if not must_clear(survey, keys):
        return []
    match = survey.match(keys["clear"], ("clear",))
    told = expects("responds", "the display is cleared", match.id)
    return [candidate(priority, Click(target=Target.of(keys["clear"])), "a new sum begins on a clear display", CLEAR, told)]
