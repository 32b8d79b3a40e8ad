"""What was locked stays as it is while the entries beside it are made anew."""

from __future__ import annotations

from collections.abc import Mapping

from agent.skills.checks.case import Case, Told, lack
from agent.words import folded
from tools.browser.marks import Observation


def stays_locked(case: Case) -> Told:
    """The entry at `place` of `of` is as before, others are not. It changed with them, at two of them: `input_ignored`."""
    place, of = int(case.number("place")), int(case.number("of"))
    before, after = _rows(case.before, of), _rows(case.after, of)
    changed = [key for key, row in before.items() if key in after and _others_changed(row, after[key], place)]
    if not changed:
        return Told(None, "the entries beside it are as they were", attempts=0)
    lost = [key for key in changed if before[key][place] != after[key][place]]
    if len(lost) < len(changed):
        kept = next(key for key in changed if key not in lost)
        return Told(True, f'"{before[kept][place][:60]}" stays while others change')
    one = lost[0]
    return lack(case, "input_ignored", f'"{before[one][place][:60]}" was locked and became "{after[one][place][:60]}"')


def _others_changed(row: tuple[str, ...], now: tuple[str, ...], place: int) -> bool:
    """Whether at least half of the entries beside the one at `place` show something else."""
    others = [one != other for number, (one, other) in enumerate(zip(row, now, strict=True)) if number != place]
    return 2 * sum(others) >= len(others) > 0


def _rows(page: Observation, of: int) -> Mapping[str, tuple[str, ...]]:
    """What the page shows in rows of so many: lists by their heading, controls alike by their group."""
    found: dict[str, tuple[str, ...]] = {}
    for listing in page.lists:
        if listing.count == len(listing.items) == of and not listing.pressable:
            found[f"list {listing.selector}"] = tuple(folded(" ".join(row)) for row in listing.items)
    groups: dict[str, list[str]] = {}
    for mark in page.marks:
        if mark.group:
            groups.setdefault(mark.group, []).append(folded(mark.name))
    return found | {f"group {key}": tuple(names) for key, names in groups.items() if len(names) == of}
