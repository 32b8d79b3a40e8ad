"""What turns by itself (slides, quotes) and can be stopped: stopped, it is watched for longer than one of them is shown."""

from __future__ import annotations

import re

from agent.skills.survey import Candidate, Survey, candidate, expects, target_of
from agent.words import concepts, says, sentences
from tools.browser.actions import Click, Wait

WATCH, WATCH_MS, MOST = 94.5, 8500.0, 2
SKILL = "watch what was stopped"
_SLIDES = re.compile(
    r"\b(?:carousel|slides?|slideshow|slider|testimonials?|quotes?|banners?|news|karussell|stimmen|diashow|carrousel|carrusel)\b|轮播|幻灯|走马灯|评价",
    re.IGNORECASE,
)
_STOPS = frozenset({"pause", "stop"})
_OTHERS = frozenset({"timer", "simulation", "game", "music"})


def propose(survey: Survey) -> list[Candidate]:
    """A wait right after a press on what stops it, a second one where it went on."""
    last = survey.last
    if last is None or not last.acted.delivered or survey.domain in _OTHERS or survey.count(SKILL) >= MOST:
        return []
    target = target_of(last)
    pressed = isinstance(last.decision.action, Click) and target is not None and bool(concepts(target.name) & _STOPS)
    again = last.decision.skill == SKILL and any(one.held is None and one.attempts for one in last.outcomes)
    said = [one for one in sentences(" ".join(survey.view.brief.split())) if says("by_itself", one) and _SLIDES.search(one)]
    if not said or not (again or (pressed and not survey.count(SKILL))):
        return []
    acts = [step for step in survey.steps if step.decision.skill != SKILL]
    match = survey.promise_about("pause stop carousel", frozenset({"feature", "control", "motion"}), ("pause",))
    told = expects("halts", "what was stopped stands still", match.id, key="stopped slides", made_by=acts[-1].acted_id)
    return [candidate(WATCH, Wait(ms=WATCH_MS), "whether what turns by itself was stopped", SKILL, told)]
