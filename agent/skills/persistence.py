"""Reload once near the end: what was added must still be there where the brief promises so."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.checks.kept import made
from agent.skills.lists import entries
from agent.skills.survey import Candidate, Match, Survey, candidate, expects
from agent.words import concepts, says
from tools.browser.actions import Reload

BEFORE_THE_DESTRUCTIVE, WHEN_TIME_IS_SHORT = 21.0, 97.0
STEPS_SHORT, SECONDS_SHORT = 4, 8.0


def propose(survey: Survey) -> list[Candidate]:
    """One reload, when something was added that could be kept and the brief or the app suggests that it is."""
    if survey.count("reload to see what is kept"):
        return []
    promised = survey.promise_of("persistence")
    added = entries(survey)
    stored = any(step.acted.changes.storage for step in survey.steps)
    if not (promised.id or stored or says("persist_hint", survey.view.brief)):
        return []
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    told = _told(survey, promised, added)
    if told is None:
        return []
    why = "the brief promises that entries are kept" if promised.id else "the app stores what was entered"
    return [
        candidate(
            WHEN_TIME_IS_SHORT if short and promised.id else BEFORE_THE_DESTRUCTIVE,
            Reload(),
            why,
            "reload to see what is kept",
            told,
        )
    ]


def _told(survey: Survey, promised: Match, added: tuple[str, ...]) -> Expectation | None:
    """What the reload has to keep: the latest entry, else what else was made, where the brief promises it; None for neither."""
    if added:
        text = f'"{added[-1]}" is still there after a reload'
        return expects("persists", text, promised.id, text=added[-1], promised=float(bool(promised.id)))
    promise = next((one for one in survey.view.plan.promises if one.id == promised.id), None)
    if promise is None or "theme" in concepts(promise.text):
        return None
    seen = {one.id: one for one in (*survey.view.past, survey.now)}
    found = made(survey.steps, seen, survey.view.past[0] if survey.view.past else survey.now)
    return expects("kept", "what was made is still there after a reload", promised.id, made="\n".join(found)) if found else None
