"""What use changed and a reload must not take back: rows ticked, renamed or moved, settings, the theme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, Told, text_lines
from agent.skills.checks.effects import THEME_SHARE
from agent.skills.checks.listed import contents
from agent.skills.controls import narrows
from agent.words import clock_times, concepts, folded
from tools.browser.actions import Select, SetValue
from tools.browser.marks import Mark, Observation

Place = tuple[str, str]
"""A list's selector and one of its rows, folded."""
MOST, MOST_GONE = 6, 2
MOVES, TICKS = "drag a thing", "check off an entry"
"""Skills whose whole sense is to change an entry for good."""
_LOADS = frozenset({"reload", "goto", "back"})
_TICKS = "☑☐"


def changed_rows(steps: Sequence[Step], seen: Mapping[str, Observation], *, ticked: bool) -> tuple[str, ...]:
    """What became of rows since the page was loaded: `list⇥row⇥list before⇥row before`, as far as it is so still.

    A row that took another one's place in its list (ticked, renamed), or that went from one list to another (moved). Only acts
    that stored something count, and those whose sense is to change an entry: moving it, or (`ticked`) checking it off.
    """
    if not steps or steps[-1].acted.after not in seen:
        return ()
    now, found = places(seen[steps[-1].acted.after]), list[str]()
    for step in reversed(steps):
        if step.acted.action.get("act") in _LOADS:
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or not _for_good(step, ticked=ticked):
            continue
        pair = _exchanged(places(before), places(after))
        if pair is not None and pair[1] in now and pair[0] not in now:
            found.append("\t".join((*pair[1], *pair[0])))
    return tuple(dict.fromkeys(found))[:MOST]


def _for_good(step: Step, *, ticked: bool) -> bool:
    return step.acted.changes.storage or step.decision.skill == MOVES or (ticked and step.decision.skill == TICKS)


def places(page: Observation) -> frozenset[Place]:
    """Rows of lists with the list they stand in; those with a running time are left out."""
    rows = (
        (listing.selector, folded(" ".join(cell for cell in row if cell))) for listing in contents(page) for row in listing.items
    )
    return frozenset((selector, row) for selector, row in rows if row.strip(f" {_TICKS}") and not clock_times(row))


def _exchanged(before: frozenset[Place], after: frozenset[Place]) -> tuple[Place, Place] | None:
    """`(old, new)` where exactly one row changed: its words within a list, or its list."""
    gone, new = before - after, after - before
    if len(gone) != 1 or len(new) != 1:
        return None
    old, young = next(iter(gone)), next(iter(new))
    return (old, young) if old[0] == young[0] or old[1] == young[1] else None


def stayed(case: Case) -> Told:
    """After a reload each changed row (`rows`, as `changed_rows` gives them) is as it was changed.

    One that is again as it was before the change, where that was: `persistence_lost`.
    """
    now, then = places(case.after), places(case.before)
    kept, undone = list[Place](), list[tuple[Place, Place]]()
    for line in case.word("rows").splitlines():
        parts = line.split("\t")
        if len(parts) != 4:
            continue
        young, old = (parts[0], parts[1]), (parts[2], parts[3])
        if young in now:
            kept.append(young)
        elif young in then and old in now:
            undone.append((old, young))
    if undone:
        old, young = undone[0]
        told = f'"{young[1][:50]}" is "{old[1][:50]}" again' if old[1] != young[1] else f'"{old[1][:60]}" is where it was before'
        return Told(False, f"{told} after the reload", "persistence_lost")
    return Told(True, f'"{kept[0][1][:60]}" is as it was left') if kept else Told(None, "no changed row is in sight", attempts=0)


def changed_settings(steps: Sequence[Step], first: Observation, now: Observation) -> tuple[Mark, ...]:
    """Selects, sliders and boxes to tick that were set since the page was loaded and hold another value than at `first`."""
    since = list[Step]()
    for step in reversed(steps):
        if step.acted.action.get("act") in _LOADS:
            break
        since.append(step)
    aimed = {target.signature for step in since if (target := getattr(step.decision.action, "target", None)) is not None}
    held = [step.decision.action.target.signature for step in since if isinstance(step.decision.action, Select | SetValue)]
    begun = {mark.signature: _value(mark) for mark in first.marks}
    return tuple(
        mark
        for mark in now.marks
        if (mark.signature in held or (mark.checked is not None and mark.signature in aimed and mark.role != "tab"))
        and not mark.group
        and begun.get(mark.signature, _value(mark)) != _value(mark)
    )


def packed_settings(marks: Iterable[Mark], first: Observation) -> str:
    """Settings as `settings_stay` reads them: `signature⇥value⇥value at first`."""
    begun = {mark.signature: _value(mark) for mark in first.marks}
    return "\n".join("\t".join((mark.signature, _value(mark), begun[mark.signature])) for mark in marks)


def _value(mark: Mark) -> str:
    return str(mark.checked) if mark.checked is not None else " ".join(mark.value.split())


def settings_stay(case: Case) -> Told:
    """After a reload a setting holds what it was set to; all of them back at what they were at first: `persistence_lost`."""
    then, now = ({mark.signature: mark for mark in page.marks} for page in (case.before, case.after))
    lost = ""
    for line in case.word("settings").splitlines():
        signature, value, begun = (*line.split("\t"), "", "")[:3]
        mark = now.get(signature)
        if mark is None or signature not in then or _value(then[signature]) != value:
            continue
        if _value(mark) == value:
            return Told(True, f'"{mark.name}" is as it was set')
        if _value(mark) == begun:
            lost = lost or f'"{mark.name}" is set back to {mark.value or begun}'
    if lost:
        return Told(False, f"{lost} after the reload", "persistence_lost")
    return Told(None, "no setting that was changed is in sight", attempts=0)


def theme_stays(case: Case) -> Told:
    """After a reload the page is painted as before it. As much repainted as by the switch (`picture`): `persistence_lost`."""
    picture, switched = case.changes.picture, case.number("picture")
    if picture is None or switched < THEME_SHARE or not case.after.marks:
        return Told(None, "the pictures cannot be compared", attempts=0)
    if picture < THEME_SHARE / 2:
        return Told(True, "the page is painted as before the reload")
    one, other = set(text_lines(case.before)), set(text_lines(case.after))
    same = len(one & other) >= 0.8 * len(one | other)
    if picture >= 0.6 * switched and same:
        told = f"{picture * 100:.0f} % of the picture changed with the reload, as with the switch"
        return Told(False, told, "persistence_lost")
    return Told(None, f"{picture * 100:.0f} % of the picture changed with the reload", attempts=0)


def stays_gone(case: Case) -> Told:
    """After a reload what was deleted (`row`, of the list at `listing`) is not there again: `persistence_lost`.

    Where no other entry was left, nothing is told: an app may begin with its samples again.
    """
    row, before, now = case.word("row"), places(case.before), places(case.after)
    if any(words == row for _, words in before) or not any(place == case.word("listing") for place, _ in before):
        return Told(None, "it was there before the reload, or nothing else was", attempts=0)
    if any(words == row for _, words in now):
        return Told(False, f'"{row[:60]}" was deleted and is there again after the reload', "persistence_lost")
    if not any(place == case.word("listing") for place, _ in now):
        return Told(None, "the list is not in sight after the reload", attempts=0)
    return Told(True, f'"{row[:60]}" stays away')


def gone_rows(steps: Sequence[Step], seen: Mapping[str, Observation]) -> tuple[tuple[Place, str], ...]:
    """Rows that deletions took out of lists since the page was loaded, each with the act's id; newest first.

    Only what is gone still, of lists that have other rows, and not what a filter or a search hides. What ticking an entry off
    takes out of sight is no deletion: a view of what is open leaves it out.
    """
    if not steps or steps[-1].acted.after not in seen:
        return ()
    last, found = seen[steps[-1].acted.after], dict[Place, str]()
    now = places(last)
    if any(narrows(mark) for mark in last.marks):
        return ()
    for step in reversed(steps):
        if step.acted.action.get("act") in _LOADS:
            break
        before, after = seen.get(step.acted.before), seen.get(step.acted.after)
        if before is None or after is None or not _deletes(step) or any(narrows(mark) for mark in before.marks):
            continue
        row = deleted_row(before, after)
        if row is not None and all(row[1] != words for _, words in now) and any(place == row[0] for place, _ in now):
            found.setdefault(row, step.acted_id)
    return tuple(found.items())[:MOST_GONE]


def _deletes(step: Step) -> bool:
    target = getattr(step.decision.action, "target", None)
    return step.acted.delivered and target is not None and "delete" in concepts(f"{target.name} {step.decision.skill}")


def deleted_row(before: Observation, after: Observation) -> Place | None:
    """The one row that went from a list, which has others left; None where more than one list lost rows, or others came to it.

    Lists that only changed what they say (cards of totals) have nothing to do with it.
    """
    one, other = places(before), places(after)
    gone, new = (Counter(place for place, _ in rows) for rows in (one - other, other - one))
    shrunk = [place for place, count in gone.items() if count > new[place]]
    if len(shrunk) != 1 or gone[shrunk[0]] != 1 or any(count > gone[place] for place, count in new.items()):
        return None
    row = next(row for row in one - other if row[0] == shrunk[0])
    return row if any(place == row[0] for place, _ in other) else None


def stays_away(case: Case) -> Told:
    """While it is waited nothing that was deleted (`gone`, names of entries) comes back by itself: `state_not_updated`."""
    then, now = ({folded(mark.name) for mark in page.marks} for page in (case.before, case.after))
    gone = [name for name in case.word("gone").splitlines() if name not in then]
    back = [name for name in gone if name in now]
    if back:
        return Told(False, f'"{back[0][:60]}" was deleted and came back by itself', "state_not_updated")
    return Told(True, f'"{gone[0][:60]}" stays away') if gone else Told(None, "nothing of it was gone", attempts=0)
