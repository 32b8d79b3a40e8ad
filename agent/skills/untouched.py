"""Whether anything was done on a board since it was last made anew: a new round of what is new shows nothing."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from agent.words import concepts
from tools.browser.actions import Click

_ASIDE = frozenset({"press a button", "choose an option", "tick a box", "start a game", "restart a game", "second attempt"})
"""Skills that press what stands beside a board, not the board."""


def untouched(history: Sequence[Step]) -> bool:
    """Whether the last thing done, buttons beside the board apart, was to begin a new round, or a board of another size."""
    for step in reversed(history):
        action = step.decision.action
        if not isinstance(action, Click) or step.decision.skill not in _ASIDE:
            return False
        sized = any(one.oracle == "sized" for one in step.decision.expectations)
        anew = "restart" in concepts(action.target.name) and (step.acted.changes.dom or step.acted.changes.text)
        if step.acted.delivered and (sized or anew):
            return True
    return False
