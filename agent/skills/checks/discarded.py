"""A change that was cancelled is none: the entry is there as it was, and what was typed is nowhere.

Source: the metamorphic relation of an edit that is given up and none at all (Segura et al., 2018: the identity).
"""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.words import folded
from tools.browser.marks import Observation


def discarded(case: Case) -> Told:
    """After `Cancel` no entry is called `new`, and `old` still is. The new words in a list all the same: `wrong_result`."""
    old, new = folded(case.word("old")), folded(case.word("new"))
    if not old or not new or new in old or old in new:
        return Told(None, "the change cannot be told apart", attempts=0)
    typed = any(folded(mark.value) == new and not mark.covered for mark in case.after.marks)
    if typed or _entries(case.before, new):
        return Told(None, "it was not given up, or was there before", attempts=0)
    if _entries(case.after, new):
        return Told(False, f'"{case.word("new")}" stands in the list although it was cancelled', "wrong_result")
    if _entries(case.after, old):
        return Told(True, f'"{case.word("old")}" is as it was')
    return Told(None, "the entry is not in sight", attempts=0)


def _entries(page: Observation, words: str) -> int:
    """How many entries of lists have these words in a cell."""
    return sum(1 for listing in contents(page) for row in listing.items if any(words in folded(cell) for cell in row))
