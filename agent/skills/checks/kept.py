"""What use left on the page and a reload must keep: entries of lists and counters that an act changed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told
from agent.skills.checks.labelled import figures
from agent.skills.checks.listed import contents, same_list
from agent.words import clock_times, concepts, folded
from tools.browser.marks import Listing, Observation

MOST = 12
_MAKES = frozenset({"add", "cart", "save", "like"})


def made(steps: Sequence[Step], seen: dict[str, Observation], first: Observation) -> tuple[str, ...]:
    """Rows of lists and counters of a cart that came with an act that stores or makes something, and are there still.

    `seen`: observations by id; the last step's is what is shown now. Only what has its place on the page as it opens (`first`)
    counts: a drawer, a tab or a document that one opens oneself is closed again by a reload.
    """
    if not steps or steps[-1].acted.after not in seen:
        return ()
    now = facts(seen[steps[-1].acted.after], first)
    found: dict[str, None] = {}
    for step in reversed(steps):
        if step.acted.action.get("act") in ("reload", "goto", "back"):
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or not _makes(step):
            continue
        for fact in sorted((facts(after, first) - facts(before, first)) & now):
            found.setdefault(fact)
    return tuple(found)[:MOST]


def _makes(step: Step) -> bool:
    target = getattr(step.decision.action, "target", None)
    stored = step.acted.changes.storage
    return step.acted.delivered and (stored or (target is not None and bool(concepts(target.name) & _MAKES)))


def facts(page: Observation, first: Observation | None = None) -> frozenset[str]:
    """Rows of lists and counters of a cart other than 0, as lines; of those that have a place on `first`, where it is given."""
    rows = {
        folded(" ".join(row))
        for listing in contents(page)
        if first is None or _has_place(listing, first)
        for row in listing.items
    }
    labels = None if first is None else figures(first)
    shown = {
        f"{label}: {value:g}"
        for label, value in figures(page).items()
        if value and concepts(label) & {"cart", "like"} and (labels is None or label in labels)
    }
    return frozenset(line for line in rows | shown if line and not clock_times(line))


def _has_place(listing: Listing, page: Observation) -> bool:
    """Whether the page shows that list, or the heading under which it would stand."""
    titles = {folded(line) for line in page.text.splitlines()}
    return same_list(listing, page) is not None or (bool(listing.title) and folded(listing.title) in titles)


def kept(case: Case) -> Told:
    """After a reload some of what was made (`made`, one a line) is there still; all of it gone: `persistence_lost`."""
    wanted = [line for line in case.word("made").splitlines() if line in facts(case.before)]
    if not wanted:
        return Told(None, "it was not there before the reload", attempts=0)
    if not case.after.marks and not case.after.text.strip():
        return Told(None, "the page did not come back", attempts=0)
    left = facts(case.after)
    still = [line for line in wanted if line in left]
    if still:
        return Told(True, f'"{still[0][:60]}" is still there')
    wanted = [line for line in wanted if _would_show(line, case)]
    if not wanted:
        return Told(None, "where it stood is not in sight after the reload", attempts=0)
    return Told(False, f'"{wanted[0][:60]}" is gone after the reload', "persistence_lost")


def _would_show(line: str, case: Case) -> bool:
    """Whether the page shows after the reload what held a fact: the label with another figure, the list, or its heading."""
    label = line.rpartition(": ")[0]
    if label and label in figures(case.after) and label in figures(case.before):
        return True
    lists = [one for one in contents(case.before) if any(folded(" ".join(row)) == line for row in one.items)]
    return any(_has_place(one, case.after) for one in lists)
