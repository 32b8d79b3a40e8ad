"""What came of a step that was carried out: the effect that a person can see or that is kept, if any."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.case import Case, Effect, effect
from tools.browser.marks import Observation

ENTERS = frozenset({"type", "select", "set_value"})
"""Acts whose own field shows what was entered, whether or not anything follows it."""
SEEN = 0.0005
"""Share of the picture, 0–1, from which a change is one that a person sees (as in `Changes.any`)."""


def effect_of(step: Step, before: Observation, after: Observation, history: Sequence[Step]) -> Effect:
    """What an act changed apart from its own field's value, and from the looks of what is and was pointed at."""
    action = step.decision.action
    if action is None or not step.acted.delivered:
        return Effect()
    if action.act in ENTERS:
        return Effect("something followed the value" if _followed(step) else "")
    asked = Expectation("responds", "it has an effect")
    return effect(Case(asked, before, after, step.acted, step.acted_id, history, action))


def may_have_had(step: Step) -> bool:
    """Whether a step of a run may have had an effect, by its measured changes alone."""
    action = step.decision.action
    entered = action is not None and action.act in ENTERS
    return step.acted.delivered and (_followed(step) or (not entered and (step.acted.changes.picture or 0.0) > SEEN))


def _followed(step: Step) -> bool:
    changes = step.acted.changes
    return bool(changes.url or changes.text or changes.dom or changes.storage or changes.dialogs or changes.network)
