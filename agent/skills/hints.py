"""Charts that tell a figure when they are pointed at: the pointer rests on their largest shapes."""

from __future__ import annotations

from agent.skills.survey import Candidate, Survey, because, candidate, expects
from agent.words import concepts, says
from tools.browser.actions import Hover, Target
from tools.evidence.rows import Promise

POINT, AGAIN = 46.0, 88.0
SKILL = "point at a shape"
MOST = 3
_ASPECTS = frozenset({"feature", "control", "content", "motion"})


def propose(survey: Survey) -> list[Candidate]:
    """The next shape of a chart, where the brief wants its shapes to tell something; until one does."""
    pointed = [step for step in survey.steps if step.decision.skill == SKILL]
    told = [told for step in pointed for told in step.outcomes if told.oracle == "hint_shows"]
    asked = next((one for one in survey.view.plan.promises if _asks(one)), None)
    if asked is None or len(pointed) >= MOST or any(one.held is not None for one in told):
        return []
    used = {getattr(getattr(step.decision.action, "target", None), "selector", "") for step in pointed}
    shapes = [shape for drawing in survey.now.drawings for shape in drawing.shapes if shape not in used]
    if not shapes:
        return []
    match = survey.promise_about(asked.text, _ASPECTS)
    expected = expects(
        "hint_shows", "a shape of the chart tells something when it is pointed at", asked.id, key="hint of a chart"
    )
    act = Hover(target=Target(selector=shapes[0]))
    priority = AGAIN if pointed else POINT + match.bonus
    return [candidate(priority, act, because(match, survey, "the chart tells more where it is pointed at"), SKILL, expected)]


def _asks(promise: Promise) -> bool:
    """Whether a promise says that parts of a chart tell something when pointed at."""
    drawn = "chart" in concepts(promise.text) or says("shapes", promise.text)
    return drawn and says("pointed_at", promise.text) and says("tells", promise.text) and promise.aspect in _ASPECTS
