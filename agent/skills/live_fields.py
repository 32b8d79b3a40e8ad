"""Number fields of a page that works as one types: where the others were followed at once and one was not, it is tried again.

A calculator's field that nothing depends on is not found by filling it in alone: its own value is kept. What shows it is that the
page follows its neighbours.
"""

from __future__ import annotations

import math

from agent.skills.checks.case import VISIBLE
from agent.skills.checks.labelled import moved
from agent.skills.controls import Kind, forms, kind_of
from agent.skills.survey import Candidate, Survey, candidate, expects, mark_concepts
from tools.browser.actions import Target, Type
from tools.browser.marks import Mark

AGAIN = 88.0
SKILL = "a field that nothing followed"
MOST_ACTS, LEAST_FOLLOWED = 3, 2
_GIVES_AWAY = frozenset({"download", "copy", "reset", "clear", "share"})


def propose(survey: Survey) -> list[Candidate]:
    """Another value for a field whose value nothing followed, at most twice; two such values tell that it is left out."""
    if survey.layered:
        return []
    sent = {mark.id for form in forms(survey.usable) if _takes(form.button) for mark in form.fields}
    fields = [mark for mark in survey.usable if kind_of(mark) is Kind.number and mark.id not in sent and not mark.readonly]
    if sum(1 for mark in fields if _followed(survey, mark)) < LEAST_FOLLOWED:
        return []
    for mark in fields:
        acts = survey.tried(mark)
        match = survey.match(mark)
        if not acts or not match.id or len(acts) >= MOST_ACTS or _followed(survey, mark):
            continue
        value = another(mark)
        if not value:
            continue
        told = expects("results_follow", f'what depends on "{mark.name[:40]}" follows it', match.id, key=f"live {mark.signature}")
        act = Type(target=Target.of(mark), text=value)
        return [candidate(AGAIN, act, "the page followed the fields beside it at once, and not this one", SKILL, told)]
    return []


def _takes(button: Mark | None) -> bool:
    """Whether the button takes the fields in, so that nothing need follow before it is pressed."""
    return button is not None and not mark_concepts(button) & _GIVES_AWAY


def _followed(survey: Survey, mark: Mark) -> bool:
    """Whether a labelled figure followed one of the values it was given; a page that moves by itself tells nothing of it.

    Words beside the field (`25 % of the price`) may follow it though nothing that is worked out does.
    """
    for step in survey.tried(mark):
        before, after = survey.observation(step.acted.before), survey.observation(step.acted.after)
        if step is survey.last and after is None:
            after = survey.now
        if before is None or after is None or (step.acted.changes.moving or 0.0) > VISIBLE:
            continue
        if moved(before, after):
            return True
    return False


def another(mark: Mark) -> str:
    """A value a fifth away from the one held, within the field's bounds and on its steps; empty where there is none."""
    try:
        now, step = float(mark.value), float(mark.step or 1) if mark.step != "any" else 1.0
        low, high = (float(one) if one else math.nan for one in (mark.minimum, mark.maximum))
    except ValueError:
        return ""
    step = step or 1.0
    by = max(step, round(abs(now) * 0.2 / step) * step)
    for value in (now + by, now - by):
        if not (value < low or value > high) and value > 0:
            return f"{value:.10g}"
    return ""
