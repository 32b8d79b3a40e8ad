"""A word without a place to break stays within its box, or is cut with a sign of it."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.words import folded

ORACLE = "fits"
SHOWN = 16
"""Letters of the word by which it is known in what was measured."""


def fits(case: Case) -> Told:
    """No text that runs out of its box has the `word` in it: `overflow.text_spill`.

    What runs out comes with the observation, where the step asked for it (`spilled`). Told only where the word is shown.
    """
    word = folded(case.word("word"))
    if case.after.spilled is None or word not in folded(case.after.text):
        return Told(None, "what runs out of its box was not measured, or the word is not shown", attempts=0)
    spilled = [one for one in case.after.spilled if word[:SHOWN] in folded(one)]
    if spilled:
        return Told(False, spilled[0], "overflow.text_spill")
    return Told(True, "the long word stays within its box")
