"""How many nights a stay has: as many as days lie between its two dates."""

from __future__ import annotations

import re
from datetime import date

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Observation

_NIGHTS = re.compile(
    r"(\d{1,3})\s*(?:nights?|nächte?n?|übernachtung(?:en)?|nuits?|nuitées?|noches?|晚)\b|(\d{1,3})\s*晚", re.IGNORECASE
)
LONGEST = 400


def nights_agree(case: Case) -> Told:
    """The number of nights shown is that of the two dates chosen. Another one, in two looks: `wrong_result`."""
    nights, shown = _between(case.after), _shown(case.after)
    if nights is None or not shown:
        return Told(None, "no two dates with their nights are shown", attempts=0)
    if nights in shown:
        return Told(True, f"{nights} nights lie between the dates")
    return lack(case, "wrong_result", f"it says {shown[0]} nights, and {nights} lie between the dates")


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


def _shown(page: Observation) -> list[int]:
    """Numbers of nights in lines that say one; a price per night or a least stay is another thing."""
    lines = (folded(raw) for raw in page.text.splitlines())
    plain = (
        line for line in lines if len(line) <= 60 and not re.search(r"min|max|least|most|mindest|höchst|from|ab |至少|最多", line)
    )
    return [
        int(found[1] or found[2]) for line in plain if len(found_all := list(_NIGHTS.finditer(line))) == 1 for found in found_all
    ]
