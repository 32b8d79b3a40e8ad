"""An entry that was opened, changed and saved: it is there as changed, once."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told, effect, lack
from agent.skills.checks.listed import contents
from agent.skills.controls import narrows
from agent.words import folded
from tools.browser.marks import Observation


def edited(case: Case) -> Told:
    """Where `old` stood in a list, `new` stands. Both: `wrong_result`; `old` as before, twice: `state_not_updated`."""
    old, new = folded(case.word("old")), folded(case.word("new"))
    if not old or not new or old in new or any(narrows(mark) for mark in case.after.marks):
        return Told(None, "what was changed cannot be told apart, or something hides part of the list", attempts=0)
    was, now = _holding(case.before, old), _holding(case.after, old)
    fresh = _holding(case.after, new) - _holding(case.before, new)
    if not was:
        return Told(None, "what was changed stands in no list", attempts=0)
    if fresh > 0 and now < was:
        return Told(True, f'"{case.word("new")}" stands where "{case.word("old")}" stood')
    if fresh > 0 and now == was:
        told = f'"{case.word("new")}" was added, and "{case.word("old")}" is there as before'
        return Told(False, told, "wrong_result")
    if now == was and not case.changes.dialogs and case.mark_after is None:
        return lack(case, "state_not_updated", f'"{case.word("old")}" is there as before the change')
    return Told(None, "what became of the change cannot be told", attempts=0)


def opens_to_edit(case: Case) -> Told:
    """A double click on an entry's text has an effect. Twice without one: `dead_control`."""
    seen = effect(case)
    if seen.definite:
        return Told(True, seen.definite)
    if seen.doubtful or case.flashed:
        return Told(None, f"{seen.doubtful or 'something changed for a moment'}; whether by it cannot be told", attempts=0)
    return lack(case, "dead_control", "nothing changed")


def _holding(page: Observation, words: str) -> int:
    """How many entries of lists have these words in a cell of their own: a log that quotes them is no such entry."""
    return sum(1 for listing in contents(page) for row in listing.items if any(folded(cell) == words for cell in row))
