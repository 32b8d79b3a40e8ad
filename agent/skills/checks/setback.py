"""Defaults: a press that is to set the controls back sets back those that were moved; one that clears leaves nothing."""

from __future__ import annotations

from agent.skills.boards import switches_of_a_size
from agent.skills.checks.case import Case, Told, lack
from agent.skills.checks.listed import contents, same_list
from agent.skills.controls import FIELDS, Kind, kind_of
from agent.words import concepts
from tools.browser.marks import Mark, Observation

LEAST_ON = 2
_KINDS = frozenset({Kind.range, Kind.number})


def as_lines(page: Observation) -> str:
    """Where sliders and number fields stand, a line each, as `set_back` reads it."""
    return "\n".join(f"{mark.frame}\t{mark.selector}\t{mark.value}" for mark in _moved(page))


def set_back(case: Case) -> Told:
    """Of the controls that stood elsewhere than at `first`, not all are set back: `state_not_updated`."""
    first: dict[tuple[str, str], str] = {}
    for line in case.word("first").splitlines():
        frame, selector, value = line.split("\t")
        first[frame, selector] = value
    later = {(mark.frame, mark.selector): mark for mark in _moved(case.after)}
    away = [mark for mark in _moved(case.before) if first.get(_place(mark), mark.value) != mark.value and _place(mark) in later]
    if not away:
        return Told(None, "no control was moved", attempts=0)
    stuck = [mark for mark in away if later[_place(mark)].value == mark.value]
    if not stuck:
        mark = away[0]
        return Told(True, f'"{mark.name}" stands at {later[_place(mark)].value} again')
    back = [mark for mark in away if later[_place(mark)].value == first[_place(mark)]]
    # What is set once for all (a volume, a size of brushes) need not belong to what is set back.
    own = [mark for mark in stuck if not concepts(f"{mark.name} {mark.context}") & {"silent", "sound"}]
    if len(stuck) < len(away) and (not back or not own):
        return Told(None, "some controls were set back, some were not", attempts=0)
    mark = own[0] if back and own else stuck[0]
    return lack(
        case,
        "state_not_updated",
        f'"{mark.name}" still stands at {mark.value}, not at {first[_place(mark)]} as at first',
        needs=1,
    )


def all_off(case: Case) -> Told:
    """A board of switches is cleared: those that were on are off. Some of them on as before: `state_not_updated`."""
    before = {_place(mark) for mark in switches_of_a_size(_grouped(case.before)) if mark.checked}
    after = {_place(mark) for mark in case.after.marks if mark.checked and mark.group}
    if len(before) < LEAST_ON:
        return Told(None, "nothing was on", attempts=0)
    if before <= after:
        return lack(case, "state_not_updated", f"{len(before)} of them are on as before", needs=1)
    left = before & after
    if left and len(before) > LEAST_ON:
        return lack(case, "state_not_updated", f"{len(left)} of {len(before)} that were on are still on", needs=1)
    return Told(True, f"{len(before)} were on, {len(before & after)} are")


def _grouped(page: Observation) -> list[Mark]:
    return [mark for mark in page.marks if mark.group]


def list_emptied(case: Case) -> Told:
    """After a press that clears a list asked first and was told yes, entries are gone. As before, twice: `dead_control`.

    What empties a choice or a filter asks nobody, so only a press that did ask is judged.
    """
    before = max(contents(case.before), key=lambda one: one.count, default=None)
    after = same_list(before, case.after) if before is not None else None
    if before is None or not before.count or not case.changes.dialogs or case.changes.url:
        return Told(None, "no list is shown, or nothing was asked", attempts=0)
    if after is None or after.count < before.count:
        return Told(True, f"{before.count} entries were there, {after.count if after is not None else 0} are")
    if after.items != before.items or case.changes.text:
        return Told(None, "the list changed, but not as a cleared one does", attempts=0)
    return lack(case, "dead_control", f"it asks, and all {before.count} entries are there as before")


def _moved(page: Observation) -> list[Mark]:
    return [mark for mark in page.marks if kind_of(mark) in _KINDS and mark.value and not mark.readonly]


def _place(mark: Mark) -> tuple[str, str]:
    return mark.frame, mark.selector


def room_goes(case: Case) -> Told:
    """What takes away the room for one more leaves fewer fields. As many as before, twice: `dead_control`."""
    before, after = (sum(1 for mark in page.marks if kind_of(mark) in FIELDS) for page in (case.before, case.after))
    if after < before:
        return Told(True, f"{before} fields became {after}")
    if case.changes.dialogs or any(mark.covered for mark in case.after.marks if mark.in_view) or after > before:
        return Told(None, "it may ask first", attempts=0)
    return lack(case, "dead_control", f"there are {after} fields as before")
