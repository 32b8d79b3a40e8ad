"""The number in a column's head is that of its entries: `To do` with a 3 beside it over three cards, and two after one went."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.listed import contents, same_list
from agent.words import folded
from tools.browser.marks import Listing, Observation

LEAST_HEADS = 2


def heads_follow(case: Case) -> Told:
    """The number right under a list's title, right before the act, follows what the act does to the list.

    As before in two lists at once, or at two acts: `state_not_updated`. What narrows lists may leave the number of all there are:
    told only where an entry went from one list to another, or something was stored.
    """
    heads = {one.selector: (one, number) for one, number in headed(case.before) if number == one.count}
    later = {one.selector: number for one, number in headed(case.after)}
    if len(heads) < LEAST_HEADS:
        return Told(None, "no lists with a number in their heads are shown", attempts=0)
    changed: list[tuple[Listing, Listing, int]] = []
    for selector, (before, number) in heads.items():
        after = same_list(before, case.after)
        if after is not None and after.count != before.count and selector in later:
            changed.append((before, after, number))
    moved = len(changed) == LEAST_HEADS and sum(after.count - before.count for before, after, _ in changed) == 0
    if not changed or not (moved or (case.changes.storage and len(changed) == 1)):
        return Told(None, "no list got more or fewer entries", attempts=0)
    stale = [(after, number) for before, after, number in changed if later[before.selector] == number]
    if not stale:
        after = changed[0][1]
        return Told(True, f'the number of "{after.title}" became {later[after.selector]}')
    if len(stale) < len(changed):
        return Told(None, "one number follows, another does not", attempts=0)
    told = ", ".join(f'"{after.title}" is still {number} over {after.count}' for after, number in stale)
    return lack(case, "state_not_updated", told, needs=1 if moved else 2)


def headed(page: Observation) -> list[tuple[Listing, int]]:
    """Lists whose title is followed by a bare number on the page, where that title stands only once."""
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    found = []
    for listing in contents(page):
        title = folded(listing.title)
        places = [place for place, line in enumerate(lines) if line == title]
        if title and len(places) == 1 and places[0] + 1 < len(lines) and lines[places[0] + 1].isdecimal():
            found.append((listing, int(lines[places[0] + 1])))
    return found
