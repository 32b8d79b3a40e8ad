"""After a reload that shows another part of the page: back to the part where an entry stood, which is where it has to be."""

from __future__ import annotations

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.places import ELSEWHERE
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, readable, target_of
from agent.words import folded
from tools.browser.actions import Click, Reload, Target
from tools.browser.marks import Mark

AT_ONCE, SKILL = 99.0, "go back to where an entry stood"
_LEADS = frozenset({Kind.tab, Kind.button, Kind.link, Kind.option, Kind.other})


def propose(survey: Survey) -> list[Candidate]:
    """The press that led there before, right after such a reload."""
    last = survey.last
    if last is None or not isinstance(last.decision.action, Reload):
        return []
    wish = _open(last)
    text = folded(str(wish.params.get("text", ""))) if wish is not None else ""
    way = _way(survey, text) if text else None
    if wish is None or way is None:
        return []
    told = expects("came_back", wish.text, wish.promise, **wish.params, key=f"came back {text}")
    return [candidate(AT_ONCE, Click(target=Target.of(way)), "the reload shows another part of the page", SKILL, told)]


def _open(last: Step) -> Expectation | None:
    """What the reload could not tell, for what it asked of was not where one is now."""
    elsewhere = {
        one.expectation for one in last.outcomes if one.oracle == "persists" and one.held is None and ELSEWHERE in one.observed
    }
    return next((one for one in last.decision.expectations if one.oracle == "persists" and one.text in elsewhere), None)


def _way(survey: Survey, text: str) -> Mark | None:
    """The last control pressed that stands here still, and after whose press the text was to be read."""
    for step in reversed(survey.steps[:-1]):
        after, target = survey.observation(step.acted.after), target_of(step)
        if after is None or target is None or not isinstance(step.decision.action, Click) or text not in readable(after):
            continue
        here = (mark for mark in survey.usable if mark.signature == target.signature and kind_of(mark) in _LEADS)
        way = next(here, None)
        if way is not None:
            return way
    return None
