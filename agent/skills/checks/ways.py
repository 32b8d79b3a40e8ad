"""The keys for the one way and for the other: a page that takes one of them and leaves the other to the browser knows but one.

In a game that never stands still the effect of a key cannot be read off two pictures. A page that handles keys keeps the browser
from scrolling with them, though, and whether it did is known of each press.
"""

from __future__ import annotations

from agent.skills.checks.case import Case, Told

WAYS = (("ArrowLeft", "ArrowRight"), ("a", "d"))
NEEDED = 2


def keys_alike(case: Case) -> Told:
    """Both keys of a pair are taken. One alone is, at two presses of both: `key_unknown`.

    Up and down are no such pair: what flies or jumps has no use for one of them.
    """
    pressed = set(getattr(case.action, "keys", ()))
    taken, left = set(case.after.keys_taken) & pressed, set(case.after.keys_left) & pressed
    for pair in WAYS:
        odd = [key for key in pair if key in left]
        if set(pair) <= taken:
            return Told(True, f"{pair[0]} and {pair[1]} are both taken")
        if len(odd) != 1 or not set(pair) - set(odd) <= taken:
            continue
        told = f"the page takes {next(iter(set(pair) - set(odd)))} and leaves {odd[0]} to the browser"
        seen = [one.observed for step in case.history for one in step.outcomes if one.oracle == case.expectation.oracle]
        before = sum(1 for one in seen if one == told)
        if before + 1 >= NEEDED:
            return Told(False, told, "key_unknown", attempts=before + 1)
        return Told(None, told)
    return Told(None, "the page leaves both to the browser, or they were not pressed", attempts=0)
