"""Another theme: what could be read before can still be read."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told

ORACLE = "legible"
UNREADABLE_BELOW = 2.2
"""Contrast ratio; well under the 3:1 of large text (WCAG 2.x, 1.4.3), for a theme is judged by what nobody can read in it."""


def legible(case: Case) -> Told:
    """No text of the page as it is now has so little contrast that it can't be read: `contrast.low`, the faintest first.

    The contrasts come with the observation, where the step asked for them (`faint`: "ratio, what it says" lines).
    """
    if case.after.faint is None:
        return Told(None, "the contrast was not measured", attempts=0)
    if not case.after.faint:
        return Told(True, "every text stands out from its background")
    return Told(False, case.after.faint[0], "contrast.low")
