"""How things are painted beside each other: which step of a list of steps stands out, whether a key that was let go looks so."""

from __future__ import annotations

import re
from collections import Counter

from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.instruments import is_note
from agent.skills.checks.listed import same_list
from agent.skills.controls import FIELDS, Kind, kind_of
from agent.words import numbers
from tools.browser.marks import Listing, Mark, Observation

NAMES_STEPS = re.compile(r"\b(?:steps?|progress|wizard|stages?)\b|步骤|几步|[两二三四五六]步|进度|向导", re.IGNORECASE)
"""Briefs that let one expect to be shown at which step one is."""
_AT_ONCE = re.compile(r"\bchords?\b|\bscales?\b|\bselect|和弦|音阶|选中", re.IGNORECASE)
"""Briefs of instruments whose keys may rightly stay chosen."""
LEAST_ALIKE, STILL_LIT, LEAST_STEPS = 3, 2, 3


def steps_follow(case: Case) -> Told:
    """Another step is shown by its fields, and the list of steps marks another one. As before, twice: `state_not_updated`."""
    if not _another_step(case):
        return Told(None, "the fields are those of the same step", attempts=0)
    for listing in case.before.lists:
        now = same_list(listing, case.after)
        place = _stands_out(listing)
        if place is None or now is None or now.items != listing.items or not now.looks:
            continue
        if now.looks != listing.looks:
            return Told(True, "the list of steps marks another one")
        name = listing.items[place][-1]
        return lack(case, "state_not_updated", f'the list of steps still marks "{name}" although other fields are shown')
    return Told(None, "no list of steps marks one of them", attempts=0)


def _stands_out(listing: Listing) -> int | None:
    """Place of the one item that is painted unlike all others; None in a list that may be another than one of steps.

    The last one of a list stands out as a sum does; what holds money or several figures is no name of a step.
    """
    looks = Counter(listing.looks)
    single = [place for place, look in enumerate(listing.looks) if looks[look] == 1]
    figures = any(sum(len(numbers(cell)) for cell in row) > 1 or "$" in " ".join(row) for row in listing.items)
    if len(listing.looks) < LEAST_STEPS or figures or len(single) != 1 or single[0] == len(listing.looks) - 1:
        return None
    return single[0] if listing.items[single[0]] else None


def _another_step(case: Case) -> bool:
    """Whether none of the fields shown before is shown now, but others are, in the same page."""
    before, after = _fields(case.before), _fields(case.after)
    return bool(before) and bool(after) and not before & after and case.before.url.split("#")[0] == case.after.url.split("#")[0]


def _fields(page: Observation) -> frozenset[tuple[str, str]]:
    kinds = FIELDS | {Kind.radio, Kind.checkbox, Kind.range}
    return frozenset((mark.frame, mark.selector) for mark in page.marks if kind_of(mark) in kinds)


def keys_stay(brief: str) -> bool:
    """Whether keys of the instrument asked for may rightly stay lit: chords that are put together, keys that are chosen."""
    return _AT_ONCE.search(brief) is not None


def released(case: Case) -> Told:
    """A note's key that was let go is painted as the keys that were never pressed. Two that are not: `state_not_updated`."""
    pointed = {case.after.focused, *((case.mark_after.id,) if case.mark_after is not None else ())}
    pressed = {
        (target.frame, target.selector)
        for step in case.history
        if step.acted.delivered and (target := getattr(step.decision.action, "target", None)) is not None
    }
    keys = [mark for mark in case.after.marks if is_note(mark.name) and mark.look and mark.checked is None]
    usual: dict[tuple[str, int, int], str] = {}
    for mark in keys:
        like = Counter(one.look for one in keys if _size(one) == _size(mark) and (one.frame, one.selector) not in pressed)
        look, count = next(iter(like.most_common(1)), ("", 0))
        if count >= LEAST_ALIKE:
            usual[_size(mark)] = look
    told = [mark for mark in keys if (mark.frame, mark.selector) in pressed and mark.id not in pointed and _size(mark) in usual]
    lit = [mark for mark in told if mark.look != usual[_size(mark)]]
    if len(lit) >= STILL_LIT:
        names = " and ".join(f'"{mark.name}"' for mark in lit[:STILL_LIT])
        return Told(False, f"{names} look pressed though they were let go", "state_not_updated", attempts=len(lit))
    if told and not lit:
        return Told(True, f'"{told[0].name}" looks as before')
    return Told(None, "no key was let go, or one may be marked as the last", attempts=0)


def _size(mark: Mark) -> tuple[str, int, int]:
    return mark.tag, round(mark.box.width / 4), round(mark.box.height / 4)
