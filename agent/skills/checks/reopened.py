"""Whether an entry that is opened again holds what was saved."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.controls import label_of
from agent.words import folded
from tools.browser.marks import Mark


def reopened(case: Case) -> Told:
    """Each field holds what was saved in it. One holds nothing, or something else, beside one that does: `state_not_updated`."""
    now = {(mark.frame, mark.selector): mark for mark in case.after.marks}
    same, other = list[Mark](), list[tuple[Mark, str]]()
    for line in case.word("values").splitlines():
        frame, selector, value = line.split("\t", 2)
        mark = now.get((frame, selector))
        if mark is None:
            continue
        if folded(mark.value) == folded(value):
            same.append(mark)
        else:
            other.append((mark, value))
    if not same:
        return Told(None, "another entry was opened, or none", attempts=0)
    if not other:
        return Told(True, f"{len(same)} fields hold what was saved")
    mark, value = other[0]
    if folded(mark.value) and (folded(mark.value) in folded(value) or folded(value) in folded(mark.value)):
        return Told(None, "it is written otherwise now", attempts=0)
    held = f'"{mark.value[:60]}"' if mark.value.strip() else "nothing"
    return Told(False, f'"{label_of(mark)[:60]}" was saved as "{value[:60]}" and holds {held}', "state_not_updated")
