"""A state that begins at a limit: an entry that stands right at it is in that state, where the brief says `at or below`.

Nothing has to be known of what the columns are called: that all entries below the limit are of one state and all above it of
another tells which columns they are.
"""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.words import folded, numbers
from tools.browser.marks import Listing

AT_OR_BELOW = re.compile(
    r"\bat or (?:below|under)\b|\b(?:below|under) or (?:at|equal)|\bequal to or (?:less|lower) than\b|\bno (?:more|higher) than\b"
    r"|\bdown to or below\b|\bor (?:less|fewer|below|under)\b"
    r"|不高于|不超过|小于(?:或|等于)|低于或等于|以下[（(]含",
    re.IGNORECASE,
)
_LOW = re.compile(
    r"\b(?:low|lower|below|under|short|scarce|critical|warning|alert|re-?order|re-?stock|out|empty|none|sold out)\b"
    r"|不足|缺|低|补|紧张|售罄",
    re.IGNORECASE,
)
"""How those below a limit are called: so it is known which of two columns is the limit."""
LEAST_OF_A_STATE, LEAST_ROWS, MOST_STATES = 2, 5, 4


def limit_counts(case: Case) -> Told:
    """The entry at its limit is of the state of those below it. Of that of those above it: `wrong_result`, at first sight."""
    for listing in contents(case.after):
        told = _told(listing)
        if told is not None:
            return told
    return Told(None, "no list has a limit and a state that goes by it, with an entry right at it", attempts=0)


def _told(listing: Listing) -> Told | None:
    columns = [[row[at] if at < len(row) else "" for row in listing.items] for at in range(len(listing.columns))]
    if len(listing.items) < LEAST_ROWS:
        return None
    read = {at: [numbers(cell) for cell in cells] for at, cells in enumerate(columns)}
    figures = {at: [one[0] for one in found] for at, found in read.items() if all(len(one) == 1 for one in found)}
    states = [at for at, cells in enumerate(columns) if at not in figures and 2 <= len(set(map(folded, cells))) <= MOST_STATES]
    for one, amounts in figures.items():
        for other, limits in figures.items():
            for state in states if one != other else []:
                told = _by_limit(listing, amounts, limits, [folded(cell) for cell in columns[state]])
                if told is not None:
                    return told
    return None


def _by_limit(listing: Listing, amounts: list[float], limits: list[float], states: list[str]) -> Told | None:
    rows = list(zip(amounts, limits, states, listing.items, strict=True))
    below = [state for amount, limit, state, _ in rows if amount < limit]
    above = [state for amount, limit, state, _ in rows if amount > limit]
    at = [(amount, limit, state, row) for amount, limit, state, row in rows if amount == limit]
    if min(len(below), len(above)) < LEAST_OF_A_STATE or not at or set(below) & set(above) or len(set(above)) > 1:
        return None
    if not all(_LOW.search(one) for one in set(below)) or _LOW.search(above[0]):
        return None
    amount, limit, state, row = at[0]
    shown = f'"{row[0][:40]}" with {amount:g} at a limit of {limit:g} is called "{state[:30]}"'
    if state in below:
        return Told(True, shown)
    return Told(False, f"{shown}, as those above theirs are", "wrong_result", attempts=2) if state in above else None
