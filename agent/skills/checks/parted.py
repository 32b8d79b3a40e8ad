"""Filters that exclude each other: no entry is income and spending at once, or done and still to do.

Source: the metamorphic relation of disjoint partitions of a search's result (Segura et al., 2018).
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents
from agent.words import says
from tools.browser.marks import Listing, Observation

_PAIRS = (("income", "spending"), ("still_open", "already_done"), ("unread", "already_read"))


def opposite(one: str, other: str) -> bool:
    """Whether two filters' names exclude each other."""
    return any(
        (says(a, one) and says(b, other) and not says(b, one) and not says(a, other))
        or (says(b, one) and says(a, other) and not says(a, one) and not says(b, other))
        for a, b in _PAIRS
    )


def parted(case: Case) -> Told:
    """What is shown under this filter was not shown under the opposite one, pressed before on the same list: `wrong_result`.

    `rows`: what was shown under the opposite one, `other`: its name, `count`: how many entries there are under none.
    """
    shown = [tuple(line.split("\t")) for line in case.word("rows").splitlines()]
    listing = next((one for one in contents(case.after) if one.selector == case.word("listing")), None)
    if listing is None or not shown or not listing.items:
        return Told(None, "no list is shown under it", attempts=0)
    both = [row for row in listing.items if row in shown]
    if not both:
        return Told(True, f'{len(listing.items)} entries are shown, none of which "{case.word("other")}" shows')
    if len(set(listing.items)) < len(listing.items) or len(set(shown)) < len(shown):
        return Told(None, "entries look alike, so they cannot be told apart", attempts=0)
    return Told(False, f'"{" ".join(both[0])[:60]}" is shown under both "{case.word("other")}" and this', "wrong_result")


def largest(page: Observation) -> Listing | None:
    """The list with most items."""
    return max(contents(page), key=lambda one: len(one.items), default=None)


def as_lines(rows: Sequence[Sequence[str]]) -> str:
    """Items as one parameter."""
    return "\n".join("\t".join(cell.replace("\n", " ").replace("\t", " ") for cell in row) for row in rows)
