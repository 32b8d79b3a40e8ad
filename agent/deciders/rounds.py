"""A second round: where nothing is left that was not tried and there is time, the page is loaded and used once more, otherwise.

Another radio button, another option, other values; and all that one look could not settle is looked at in another state. The
steps of the first round are left out of what is taken as tried; the oracles know them all the same.
"""

from __future__ import annotations

from dataclasses import replace

from agent.deciders.protocol import Decision, View
from tools.browser.actions import Reload

BEGIN = "begin a second round"
LEAST_S, LEAST_STEPS, LEAST_DONE, MOST_STEPS = 12.0, 8, 6, 12
"""App seconds and steps that a round needs to tell anything; steps of the first that make it one; steps of the second at most."""
_SHOWN_ONCE = frozenset({"landing", "gallery"})
"""Pages to be looked at, which are the same at a second look."""


def of_this_round(view: View) -> tuple[View, bool]:
    """`(view, whether it is the second round)`: in the second only its own steps count as done."""
    begun = max((place for place, step in enumerate(view.steps, start=1) if step.decision.skill == BEGIN), default=0)
    return (replace(view, steps=view.steps[begun:]), True) if begun else (view, False)


def worth_another(view: View) -> bool:
    """Whether a second round may tell something: there is time, the page takes input, and the first round used it."""
    if view.seconds_left < LEAST_S or view.steps_left < LEAST_STEPS or view.plan.domain in _SHOWN_ONCE:
        return False
    changed = sum(1 for step in view.steps if step.acted.delivered and (step.acted.changes.text or step.acted.changes.storage))
    return changed >= LEAST_DONE


def over(view: View) -> bool:
    """Whether a second round went on for long enough, as `of_this_round` gives it: nobody waits longer for a second look."""
    return len(view.steps) >= MOST_STEPS


def begin() -> Decision:
    """The load that a second round begins with."""
    why = "all was tried once; used otherwise, from the beginning, it may show more"
    return Decision(action=Reload(), why=why, skill=BEGIN)
