"""A filter or a search taken back: all that it hid is shown again.

Source: the metamorphic relation of a filter and its taking back (Segura et al., 2018: the identity of undoing).
"""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from tools.browser.marks import Observation


def longest(page: Observation) -> tuple[str, int]:
    """`(selector, number of items)` of the longest list of contents; nothing and 0 where there is none."""
    return max(((one.selector, one.count) for one in contents(page)), key=lambda one: one[1], default=("", 0))


def count_at(page: Observation, place: str) -> int:
    """How many items the list at this selector has; 0 where there is none."""
    return next((one.count for one in contents(page) if one.selector == place), 0)


def restored(case: Case) -> Told:
    """The list at `listing` has its `count` items again. As narrow as before the act: `state_not_updated`."""
    place, count = case.word("listing"), int(case.number("count"))
    before, after = (next((one for one in contents(page) if one.selector == place), None) for page in (case.before, case.after))
    shown = after.count if after is not None else 0
    if count and shown == count:
        return Told(True, f"all {count} entries are shown again")
    if before is None or after is None or not shown < count or before.items != after.items:
        return Told(None, "what is shown changed, but whether that is all there is can't be told", attempts=0)
    return Told(False, f"nothing hides entries any more, but {shown} of {count} are shown", "state_not_updated")
