"""How many nights a stay has: as many as days lie between its two dates."""

from __future__ import annotations

import re
from datetime import date

from agent.skills.checks.case import Case, Told
from tools.browser.marks import Observation

_NIGHTS = re.compile(
    r"(\d{1,3})\s*(?:nights?|nächte?n?|übernachtung(?:en)?|nuits?|nuitées?|noches?|晚)\b|(\d{1,3})\s*晚", re.IGNORECASE
)
_BOUNDS = re.compile(r"min|max|least|most|mindest|höchst|limit|\bfrom\b|\bab\b|up to|may|can|至少|最多|不超过")
LONGEST, LONGEST_LINE = 400, 60


def nights_agree(case: Case) -> Told:
    """The number of nights that comes up when a date is chosen is that of the two dates. Another one: `wrong_result`.

    What stood there before says something else: how many nights a stay may have at most.
    """
    nights, lines = _between(case.after), case.lines[1]
    chosen = case.mark is not None and case.mark.input_type == "date"
    if nights is None or not chosen:
        return Told(None, "no second date was chosen", attempts=0)
    shown = [number for line in lines for number in _nights_in(line)]
    if not shown:
        return Told(None, "no number of nights came up", attempts=0)
    if nights in shown:
        return Told(True, f"{nights} nights lie between the dates")
    return Told(False, f"it says {shown[0]} nights, and {nights} lie between the dates", "wrong_result")


def _between(page: Observation) -> int | None:
    """Days between the only two dates chosen on a page."""
    days = []
    for mark in page.marks:
        if mark.input_type == "date" and mark.value:
            try:
                days.append(date.fromisoformat(mark.value))
            except ValueError:
                return None
    between = abs((days[1] - days[0]).days) if len(days) == 2 else 0
    return between if 0 < between < LONGEST else None


def _nights_in(line: str) -> list[int]:
    """The number of nights in a short line that says one; not of a least or a longest stay."""
    found = list(_NIGHTS.finditer(line))
    if len(line) > LONGEST_LINE or len(found) != 1 or _BOUNDS.search(line):
        return []
    return [int(found[0][1] or found[0][2])]
