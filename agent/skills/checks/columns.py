"""A figure that a column of a table adds up to, before and after an act that changes the column.

Nothing has to be known of what the figure is called: that it equalled the sum to the digit before the act tells what it is.
"""

from __future__ import annotations

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.labelled import figures
from agent.skills.checks.listed import contents
from agent.words import numbers
from tools.browser.marks import Listing

LEAST_ROWS, LEAST_SUM, _CENT = 3, 20.0, 0.005
"""Smaller sums, or those of fewer rows, are equal to some other figure by chance too often."""


def column_total(case: Case) -> Told:
    """What was the sum of a column is its sum still. As much as before though the column changed, twice: `state_not_updated`."""
    before, after = figures(case.before), figures(case.after)
    later = {(listing.selector, listing.frame): listing for listing in contents(case.after)}
    for listing in contents(case.before):
        now = later.get((listing.selector, listing.frame))
        if now is None or not (_whole(listing) and _whole(now)) or listing.columns != now.columns:
            continue
        for column, head in enumerate(listing.columns):
            was, is_now = _sum(listing, column), _sum(now, column)
            if was is None or is_now is None or was < LEAST_SUM or abs(was - is_now) < _CENT:
                continue
            for label in [label for label, value in before.items() if abs(value - was) < _CENT and label in after]:
                if abs(after[label] - was) < _CENT:
                    told = f'"{label}" is still {was:g}, though "{head}" adds up to {is_now:g} now'
                    return lack(case, "state_not_updated", told)
                if abs(after[label] - is_now) < _CENT:
                    return Told(True, f'"{label}" {was:g} became {is_now:g}, as "{head}" adds up to')
    return Told(None, "no figure is the sum of a column that changed", attempts=0)


def _whole(listing: Listing) -> bool:
    return LEAST_ROWS <= len(listing.items) == listing.count


def _sum(listing: Listing, column: int) -> float | None:
    """The sum of a column in which every cell holds one number; `None` if it is no such column."""
    found: list[tuple[float, ...]] = [numbers(row[column]) if column < len(row) else () for row in listing.items]
    return sum(one[0] for one in found) if all(len(one) == 1 for one in found) else None
