"""What use left on the page and a reload must keep: entries of lists and counters that an act changed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told
from agent.skills.checks.counters import figures
from agent.skills.checks.listed import contents
from agent.words import clock_times, concepts, folded
from tools.browser.marks import Observation

MOST = 12
_MAKES = frozenset({"add", "cart", "save", "like"})


def made(steps: Sequence[Step], seen: dict[str, Observation]) -> tuple[str, ...]:
    """Rows of lists and figures that came with an act that stores or makes something, and are there still, newest first.

    `seen`: observations by id; the last step's is taken for what is shown now.
    """
    if not steps or steps[-1].acted.after not in seen:
        return ()
    now = facts(seen[steps[-1].acted.after])
    found: dict[str, None] = {}
    for step in reversed(steps):
        if step.acted.action.get("act") in ("reload", "goto", "back"):
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or not _makes(step):
            continue
        for fact in sorted((facts(after) - facts(before)) & now):
            found.setdefault(fact)
    return tuple(found)[:MOST]


def _makes(step: Step) -> bool:
    target = getattr(step.decision.action, "target", None)
    stored = step.acted.changes.storage
    return step.acted.delivered and (stored or (target is not None and bool(concepts(target.name) & _MAKES)))


def facts(page: Observation) -> frozenset[str]:
    """Rows of lists and labelled figures other than 0, as lines; what shows a running time is left out."""
    rows = {folded(" ".join(row)) for listing in contents(page) for row in listing.items}
    shown = {f"{label}: {value:g}" for label, value in figures(page).items() if value}
    return frozenset(line for line in rows | shown if line and not clock_times(line))


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
    return Told(False, f'"{wanted[0][:60]}" is gone after the reload', "persistence_lost")
