"""Controls that could not be asked where their trial ended, asked again from the beginning.

A form that took what it should have refused is gone, or leads on to the next step, and keeps that over a reload: whether it takes
what is right can only be asked by whoever begins anew.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from evaluator.findings.items import ALWAYS
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Forget, Reload, Trial, Visit

WAY_AT_MOST, AT_MOST = 6, 5
"""Acts that may lead to the state, and how often a run does this: it goes the way twice."""


def from_the_start(record: TrialRecord, way: tuple[Act, ...] | None, entry: str) -> Trial | None:
    """The trial once more, from a page opened afresh, its control asked from another such opening.

    `way`: from there to its state; `entry`: the app's address, of which the path is visited, wherever it is served. None where
    nothing was violated, where the control told something or is judged by what the trial itself saw, where the page asked back
    or broke, and where the way is too long.
    """
    control = record.trial.control
    own = (judgement for judgement in record.judged if judgement.assertion.kind not in ALWAYS)
    violated = any(judgement.outcome.result == "violated" for judgement in own)
    if control is None or not control.acts or not violated or record.result != "cannot tell" or way is None:
        return None
    asked = record.during("control")
    if len(way) > WAY_AT_MOST or not asked or record.stopped is not None:
        return None
    lead, address = (*way, *record.trial.precondition), urlsplit(entry)._replace(scheme="", netloc="").geturl() or "/"
    again = tuple(act for act in control.precondition if not isinstance(act, Reload))
    anew = control.model_copy(update={"precondition": (Visit(address=address), Forget(), *lead, *again)})
    return record.trial.model_copy(update={"precondition": lead, "control": anew, "afresh": True})
