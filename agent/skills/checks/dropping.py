"""What was dragged into another list of a board lies there, and no longer in its own."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, beyond_own_look, effect, found, lack, redrawn
from agent.skills.checks.listed import contents
from agent.words import folded
from tools.browser.actions import Drag
from tools.browser.marks import Listing, Observation

LEAST_SIGNS, BESIDE = 3, 0.8
_BARE = re.compile(r"[\W\d]*")
"""A line without words: a number that was counted on, an arrow."""


def dropped(case: Case) -> Told:
    """A dragged thing lies elsewhere now: in the list it was dropped on, else in another place or order.

    In its own list still, though dropped on an entry of another one, twice: `input_ignored`.
    """
    stayed = _stayed(case)
    if stayed:
        return lack(case, "input_ignored", stayed)
    seen = effect(case)
    if case.changes.dom or case.changes.text:
        return Told(True, "the order of things changed" if case.changes.text else "a thing has another place")
    stored = case.changes.storage and not beyond_own_look(case) and not redrawn(case) and case.changes.picture is not None
    if seen.definite and not (stored and seen.definite == "something was stored"):
        return Told(True, seen.definite)
    if seen.doubtful:
        return Told(None, seen.doubtful, attempts=0)
    return lack(case, "input_ignored", "the thing stays where it was" + (", though something was stored" if stored else ""))


def _stayed(case: Case) -> str:
    """That a thing is in its list as before though it was dropped on another; empty where it is not, or cannot be told."""
    action = case.action
    if not isinstance(action, Drag) or action.to is None:
        return ""
    own, goal = _holding(case.before, action.target.name), _holding(case.before, action.to.name)
    if own is None or (goal is not None and own[0].selector == goal[0].selector):
        return ""
    still = _holding(case.after, action.target.name)
    if still is None or still[0].selector != own[0].selector or still[0].count != own[0].count:
        return ""
    if goal is not None:
        return f'"{own[1]}" is in "{own[0].title}" as before, not in "{goal[0].title}"'
    return f'"{own[1]}" is in "{own[0].title}" as before' if _beside_its_list(case, own[0]) else ""


def _beside_its_list(case: Case, own: Listing) -> bool:
    """Whether it was dropped beside the column its own list fills, and nothing new is to be read: no copy of it, no message.

    A list of one entry, or of none, is not known as a list; that the others of its own list stay where they are tells as much.
    """
    goal = found(case.before, getattr(case.action, "to", None))
    if goal is None or case.mark is None or any(not _BARE.fullmatch(line) for line in case.lines[1]):
        return False
    columns = [case.mark.box, *(mark.box for mark in case.before.marks if mark.selector.startswith(f"{own.selector} > "))]
    return all(abs(goal.box.centre[0] - box.centre[0]) > max(goal.box.width, box.width) * BESIDE for box in columns)


def _holding(page: Observation, name: str) -> tuple[Listing, str] | None:
    """The one list with an entry that is called so, and what the entry is called."""
    text, holding = folded(name), list[tuple[Listing, str]]()
    for listing in contents(page):
        for row in listing.items:
            cells = [folded(cell) for cell in row if cell]
            if cells and len(cells[0]) >= LEAST_SIGNS and text.startswith(cells[0]):
                holding.append((listing, row[0]))
    return holding[0] if len(holding) == 1 else None
