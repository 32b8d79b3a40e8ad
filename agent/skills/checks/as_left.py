"""What single acts changed for good – a box ticked, a thing moved – is as they left it after a reload.

Read off the whole page, its lines and what its controls are called and hold, so that it is told of calendars, cards and rows
of buttons, which are no lists of contents. What merely shows another part of the page (a filter, a month, a tab) is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told, found, text_lines
from agent.skills.checks.stayed import MOVES
from agent.skills.consent import gives_consent
from agent.skills.controls import narrows
from agent.skills.survey import mark_concepts
from agent.words import clock_times, concepts, folded
from tools.browser.marks import Mark, Observation

SAME_VIEW = 0.6
"""Share of what else is to be read that a reload must leave for it to be the same view."""
MOST, MOST_TOLD = 8, 3
_LOADS = frozenset({"reload", "goto", "back"})
_BOXES = frozenset({"checkbox", "switch", "menuitemcheckbox", "button"})
_VIEWS = frozenset({"filter", "sort", "theme", "sound", "select", "grid"})
"""What a box or switch may stand for that only changes how the page is looked at."""


@dataclass(frozen=True)
class Left:
    """What one act left: what is to be read since, what was to be read before, and the act's id."""

    new: tuple[str, ...]
    gone: tuple[str, ...]
    acted: str
    moved: bool


def facts(page: Observation) -> frozenset[str]:
    """Lines without running times, what controls are called, and boxes with their state."""
    named = (f"{mark.role} {folded(mark.name)}{_state(mark)}" for mark in page.marks if mark.name)
    return frozenset({*(line for line in text_lines(page) if not clock_times(line)), *named})


def _state(mark: Mark) -> str:
    return "" if mark.checked is None or mark.role not in _BOXES else " ☑" if mark.checked else " ☐"


def left_by(steps: Sequence[Step], seen: Mapping[str, Observation], *, ticked: bool) -> list[Left]:
    """What acts since the page was loaded left for good and is to be read still, newest first; of boxes only where `ticked`."""
    if not steps or steps[-1].acted.after not in seen:
        return []
    now, told = facts(seen[steps[-1].acted.after]), list[Left]()
    for step in reversed(steps):
        if step.acted.action.get("act") in _LOADS or len(told) == MOST_TOLD:
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or not step.acted.delivered:
            continue
        moved = step.decision.skill == MOVES and any(one.oracle == "dropped" and one.held for one in step.outcomes)
        if not moved and not (ticked and _ticks(step, before, after)):
            continue
        one, other = facts(before), facts(after)
        new, gone = sorted((other - one) & now), sorted((one - other) - now)
        if new and gone:
            told.append(Left(tuple(new[:MOST]), tuple(gone[:MOST]), step.acted_id, moved))
    return told


def _ticks(step: Step, before: Observation, after: Observation) -> bool:
    """Whether it changed the state of a box that belongs to something, and hid nothing thereby."""
    target = getattr(step.decision.action, "target", None)
    one, other = found(before, target), found(after, target)
    if target is None or one is None or other is None or one.checked is None or one.checked == other.checked:
        return False
    if one.role not in _BOXES or one.role != other.role or narrows(one) or narrows(other) or gives_consent(one):
        return False
    states = {(mark.role, mark.selector): mark.checked for mark in before.marks if mark.checked is not None}
    turned = [mark for mark in after.marks if states.get((mark.role, mark.selector), mark.checked) != mark.checked]
    if len(turned) > 1:
        return False  # one of several was chosen: a mode, a tab
    if mark_concepts(one) & _VIEWS or concepts(one.context) & _VIEWS:
        return False
    return {(mark.role, mark.selector) for mark in before.marks} <= {(mark.role, mark.selector) for mark in after.marks}


def as_left(case: Case) -> Told:
    """After a reload what an act left (`new`, one a line) is there. None of it, and some of `gone` again: `persistence_lost`.

    Told only where the rest of the page is the same view as before the reload.
    """
    then, now = facts(case.before), facts(case.after)
    wanted = [line for line in case.word("new").splitlines() if line in then]
    back = [line for line in case.word("gone").splitlines() if line in now and line not in then]
    if not wanted:
        return Told(None, "what was changed was not in sight before the reload", attempts=0)
    kept = [line for line in wanted if line in now]
    if kept:
        return Told(True, f'"{_short(kept[0])}" is as it was left')
    rest = then - set(wanted)
    if not back or len(rest & now) < SAME_VIEW * len(rest):
        return Told(None, "another part of the page is shown after the reload", attempts=0)
    return Told(False, f'"{_short(wanted[0])}" is "{_short(back[0])}" again after the reload', "persistence_lost")


def told_of(lefts: Sequence[Left]) -> Iterator[tuple[str, dict[str, str | float]]]:
    """`(what has to hold, the oracle's parameters)` for each."""
    for one in lefts:
        what = "what was moved stays where it was put" if one.moved else "what was ticked stays so"
        params: dict[str, str | float] = {"new": "\n".join(one.new), "gone": "\n".join(one.gone), "made_by": one.acted}
        yield f"{what} after a reload", {**params, "key": f"left {one.acted}"}


def _short(line: str) -> str:
    return line if len(line) <= 60 else f"{line[:57]}…"
