"""Filters that exclude each other: no entry is income and spending at once, or done and still to do.

Source: the metamorphic relation of disjoint partitions of a search's result (Segura et al., 2018).
"""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import contents, same_list
from agent.words import says
from tools.browser.marks import Observation

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

    `rows`: what was shown under the opposite one, `whole`: under none, as `as_lines` gives them; `other`: its name. Only a list
    that this filter changed, and that holds entries of the whole and nothing else, is a filtered one.
    """
    shown, whole = _lists(case.word("rows")), _lists(case.word("whole"))
    for listing in contents(case.after):
        place, now = f"{listing.frame} {listing.selector}", [tuple(_flat(cell) for cell in row) for row in listing.items]
        entries, before = whole.get(place, []), same_list(listing, case.before)
        if before is None or before.items == listing.items or not now or len(set(entries)) < len(entries):
            continue
        if not set(now) <= set(entries) or len(now) == len(entries) or not set(shown.get(place, ())) <= set(entries):
            continue
        both = [row for row in now if row in shown.get(place, ())]
        if not both:
            return Told(True, f'{len(now)} entries are shown, none of which "{case.word("other")}" shows')
        words = " ".join(both[0]).strip()[:60]
        return Told(False, f'"{words}" is shown under both "{case.word("other")}" and this', "wrong_result")
    return Told(None, "no list is shown that it narrows", attempts=0)


def as_lines(page: Observation) -> str:
    """All items of a page's lists as one parameter, each with the place of its list."""
    return "\n".join(
        "\t".join((f"{one.frame} {one.selector}", *(_flat(cell) for cell in row))) for one in contents(page) for row in one.items
    )


def _lists(lines: str) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in lines.split("\n"):
        place, *cells = line.split("\t")
        found.setdefault(place, []).append(tuple(cells))
    return found


def _flat(cell: str) -> str:
    return " ".join(cell.split())
