"""Reload once near the end: what was added must still be there where the brief promises so."""

from __future__ import annotations

from agent.skills.lists import entries
from agent.skills.survey import Candidate, Survey, candidate, expects
from agent.words import says
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
    if not added or not (promised.id or stored or says("persist_hint", survey.view.brief)):
        return []
    short = survey.view.steps_left <= STEPS_SHORT or survey.view.seconds_left <= SECONDS_SHORT
    kept = added[-1]
    told = expects(
        "persists", f'"{kept}" is still there after a reload', promised.id, text=kept, promised=float(bool(promised.id))
    )
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
