"""The peaks of two things that differ: one is not the other's to the digit, and none lies below what is shown now."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from tools.browser.marks import Observation

_PEAK = re.compile(
    r"^(?:peak|max|max\.|maximum|highest|top)\s+(?:of\s+)?(.+)$|^(.+?)\s+(?:peak|max|maximum)$|^(?:最高|最大|峰值)(.+)$|^(.+)峰值$",
    re.IGNORECASE,
)
LEAST_DIGITS = 3
"""Figures of so many digits are not the same by chance, in two states of the page."""
FAR_BELOW = 1.02


def records_apart(case: Case) -> Told:
    """Each peak shown is that of its own quantity, which is shown as well.

    Those of two quantities that differ are equal to the digit in two states, or one lies below its quantity: `wrong_result`.
    """
    now, peaks = figures(case.after), _peaks(case.after)
    for name, value in peaks.items():
        if now[name] > value * FAR_BELOW and value > 0:
            return lack(case, "wrong_result", f'the peak of "{name}" is {value:g}, and it is {now[name]:g} now')
    alike = _alike(case.after)
    if not alike:
        return Told(None, "no two peaks are shown, or they differ", attempts=0)
    before = _alike(case.before)
    if before and before[2] == alike[2]:
        return Told(None, "the peaks are as before", attempts=0)
    told = (
        f'the peaks of "{alike[0]}" and "{alike[1]}" are both {alike[2]:g}, and they are {now[alike[0]]:g} and {now[alike[1]]:g}'
    )
    return lack(case, "wrong_result", told)


def _peaks(page: Observation) -> dict[str, float]:
    """What is shown with its peak → the peak."""
    shown, found = figures(page), dict[str, float]()
    for label, value in shown.items():
        told = _PEAK.match(label)
        name = next((group.strip() for group in told.groups() if group), "") if told else ""
        if name in shown:
            found[name] = value
    return found


def _alike(page: Observation) -> tuple[str, str, float] | None:
    """Two quantities that differ and whose peaks are the same, with that figure."""
    now, peaks = figures(page), list(_peaks(page).items())
    for place, (one, peak) in enumerate(peaks):
        for other, second in peaks[place + 1 :]:
            if peak == second and len(f"{peak:g}".replace(".", "")) >= LEAST_DIGITS and now[one] != now[other]:
                return one, other, peak
    return None
