"""Waiting on purpose: for what is under way to end, and for a state that is to turn into another one by itself."""

from __future__ import annotations

import re

from agent.skills.checks.busy import begun, states
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import folded, says, sentences
from tools.browser.actions import Click, Press, Type, Wait

ENDS, TURNS = 72.0, 94.0
BUSY, STATE = "wait for it to end", "wait for another state"
BUSY_MS, STATE_MS, MOST_MS = 7000.0, 6000.0, 20_000.0
MOST, MOST_STATES = 3, 2
_AFTER = re.compile(
    r"\b(?:after|nach|après) (?:a few|some|ein paar|einigen|wenigen|quelques|\d+)\s*(?:seconds?|moments?|sekunden|secondes)"
    r"|\b(?:a few|some|\d+) seconds later\b|几秒|数秒|\d+\s*秒",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"(\d{1,2})\s*(?:seconds?|sec\b|s\b|sekunden|秒)", re.IGNORECASE)


def propose(survey: Survey) -> list[Candidate]:
    """A wait while something is under way that a press began; one for each state that the brief says will change."""
    return [*_for_a_state(survey), *_for_the_end(survey)]


def _for_the_end(survey: Survey) -> list[Candidate]:
    pages = (*survey.view.past, survey.now)
    if survey.count(BUSY) >= MOST or begun(pages) is None:
        return []
    return [candidate(ENDS, Wait(ms=BUSY_MS), "something is under way, which has to end", BUSY)]


def _for_a_state(survey: Survey) -> list[Candidate]:
    """Right after an act that showed the first of two states which the brief tells apart, in quotation marks."""
    last = survey.last
    if last is None or survey.count(STATE) >= MOST_STATES * 2:
        return []
    again = last.decision.skill == STATE and any(one.held is None and one.attempts for one in last.outcomes)
    if not again and not isinstance(last.decision.action, Click | Press | Type):
        return []
    before = survey.observation(last.acted.before)
    for sentence in sentences(" ".join(survey.view.brief.split())):
        pair = states(sentence) if says("by_itself", sentence) or _AFTER.search(sentence) else None
        if pair is None or folded(pair[0]) not in survey.shown or folded(pair[1]) in survey.shown:
            continue
        if not again and (before is None or folded(pair[0]) in folded(before.text)):
            continue
        asked = _SECONDS.search(sentence)
        ms = min(int(asked[1]) * 1000 + 1500.0, MOST_MS) if asked else STATE_MS
        match = survey.promise_about(f"{pair[0]} {pair[1]}", frozenset({"feature", "content", "control"}))
        text = f'"{pair[0]}" turns into "{pair[1]}" by itself'
        told = expects(
            "turns_into", text, match.id, first=pair[0], second=pair[1], key=f"state {pair[0]}", made_by=_made_by(survey)
        )
        return [candidate(TURNS, Wait(ms=ms), "the brief says that it changes by itself", STATE, told)]
    return []


def _made_by(survey: Survey) -> str:
    """The act after which the state was shown first."""
    acts = [step for step in survey.steps if step.decision.skill != STATE]
    return acts[-1].acted_id if acts else ""
