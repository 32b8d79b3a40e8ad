"""Diagrams the brief says something about: read off the page, and held against the parts and links that it names."""

from __future__ import annotations

from agent.drawn_links import Claim, claims, packed
from agent.skills.checks.diagrammed import ORACLE
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.tongues import by_tongues
from agent.words import folded, keywords
from tools.browser.actions import Wait
from tools.evidence.rows import Promise

SKILL = "read the diagram"
LOOK, LAST, WHEN_TIME_IS_SHORT = 62.0, 4.0, 97.0
STEPS_SHORT, SECONDS_SHORT = 3, 12.0
LOOK_MS = 400.0
MOST_LOOKS = 3
LEAST_NAMED = 2
MOST_CHECKS = 6


def propose(survey: Survey) -> list[Candidate]:
    """One look at the diagram as it first stands, and a last one for what was not found in it."""
    wanted = claims(survey.view.brief)
    looks = survey.count(SKILL)
    if not wanted or looks >= MOST_LOOKS or survey.layered or not _in_sight(survey, wanted):
        return []
    checks = {promise: some for promise, some in grouped(wanted, survey.view.plan.promises).items() if not _settled(survey, some)}
    if not checks:
        return []
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    if looks == 0:
        priority = LOOK
    elif survey.last is not None and survey.last.decision.skill == SKILL:
        return []  # nothing has happened since that could show another state of it
    else:
        priority = WHEN_TIME_IS_SHORT if short else LAST
    everything = packed(wanted)
    told = [
        expects(ORACLE, _text(some), promise, claims=packed(some), all=everything, key=f"diagram {packed(some)}")
        for promise, some in list(checks.items())[:MOST_CHECKS]
    ]
    why = f"the brief says what the diagram shows: {wanted[0].text}"
    return [candidate(priority, Wait(ms=LOOK_MS), why, SKILL, *told, checked=False)]


@by_tongues(64)
def grouped(wanted: tuple[Claim, ...], promises: tuple[Promise, ...]) -> dict[str, tuple[Claim, ...]]:
    """Claims by the promise (its id, empty for none) that has most words of them."""
    found: dict[str, list[Claim]] = {}
    for claim in wanted:
        found.setdefault(_promise_of(claim, promises), []).append(claim)
    return {promise: tuple(some) for promise, some in found.items()}


def _promise_of(claim: Claim, promises: tuple[Promise, ...]) -> str:
    words = set(keywords(f"{claim.source} {claim.target}"))
    target = set(keywords(claim.target or claim.source))
    scored = [
        (len(target & set(keywords(one.text))), len(words & set(keywords(one.text))), -place, one.id)
        for place, one in enumerate(promises)
    ]
    best = max(scored, default=(0, 0, 0, ""))
    return best[3] if best[0] else ""


def _in_sight(survey: Survey, wanted: tuple[Claim, ...]) -> bool:
    """Something large is drawn, or some of the parts stand on the page."""
    if survey.now.drawings or any(mark.kind == "canvas" for mark in survey.now.marks):
        return True
    text = folded(survey.now.text)
    names = {folded(name) for claim in wanted for name in (claim.source, claim.target) if name}
    return sum(name in text for name in names) >= LEAST_NAMED


def _settled(survey: Survey, some: tuple[Claim, ...]) -> bool:
    """Whether it was already told of these claims."""
    key = f"diagram {packed(some)}"
    for step in survey.steps:
        mine = {one.text for one in step.decision.expectations if one.oracle == ORACLE and one.params.get("key") == key}
        if any(told.oracle == ORACLE and told.expectation in mine and told.held is not None for told in step.outcomes):
            return True
    return False


def _text(some: tuple[Claim, ...]) -> str:
    shown = ", ".join(one.text for one in some[:4])
    return f"the diagram shows {shown}" + (f" and {len(some) - 4} more" if len(some) > 4 else "")
