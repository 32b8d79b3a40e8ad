"""A review's `Edit` buttons: each leads back to what stands beside it, not all of them to the same step."""

from __future__ import annotations

from collections.abc import Sequence

from agent.skills.checks.case import Case, Told
from agent.skills.controls import CHOICES, FIELDS, kind_of
from agent.words import concepts, folded, keywords
from tools.browser.marks import Mark, Observation

LEAST_VALUE, LEAST_OTHER = 3, 2


def part_of(mark: Mark) -> str:
    """What a button edits, by its name without `edit`, else by the heading it stands under; empty where neither tells."""
    own = " ".join(word for word in mark.name.split() if "edit" not in concepts(word))
    return own if keywords(own) else mark.context if "edit" in concepts(mark.name) else ""


def parts(marks: Sequence[Mark]) -> dict[str, str]:
    """By id: the part of a review that each of two or more edit buttons stands for, all of them different."""
    named = {mark.id: part for mark in marks if "edit" in concepts(mark.name) and (part := folded(part_of(mark)))}
    return named if len(named) >= LEAST_OTHER and len(set(named.values())) == len(named) else {}


def leads_to_part(case: Case) -> Told:
    """`Edit` beside a part (`part`) shows fields of that part. Those of another one (`others`, a line each): `broken_navigation`.

    Fields are a part's when the review says there what they hold, or calls it as they are called.
    """
    part, others = case.word("part"), case.word("others").splitlines()
    blocks = _blocks(case.before, [part, *others])
    known = {mark.selector for mark in case.before.marks}
    fields = [mark for mark in case.after.marks if kind_of(mark) in FIELDS | CHOICES and mark.selector not in known]
    if part not in blocks or not fields:
        return Told(None, "no field came up, or what is reviewed there can't be told", attempts=0)
    fit = {name: sum(1 for mark in fields if _stands_in(mark, block)) for name, block in blocks.items()}
    if fit[part]:
        return Told(True, f'the fields of "{part}" are shown')
    other = max((name for name in fit if name != part), key=lambda name: fit[name], default="")
    if other and fit[other] >= LEAST_OTHER:
        return Told(False, f'editing "{part}" shows the fields of "{other}"', "broken_navigation")
    return Told(None, "which part the fields belong to can't be told", attempts=0)


def _blocks(page: Observation, names: Sequence[str]) -> dict[str, list[str]]:
    """Part → the lines under its last heading, up to the next part's."""
    lines = [line for line in (folded(raw) for raw in page.text.splitlines()) if line]
    starts = {name: max((place for place, line in enumerate(lines) if line == name), default=-1) for name in names}
    # A part may hold a row that is called as it is: its heading is the first after the part before it.
    placed = sorted((place, name) for name, place in _headings(lines, names, starts).items() if place >= 0)
    found = dict[str, list[str]]()
    for index, (place, name) in enumerate(placed):
        end = placed[index + 1][0] if index + 1 < len(placed) else len(lines)
        found[name] = lines[place + 1 : end]
    return found


def _headings(lines: Sequence[str], names: Sequence[str], last: dict[str, int]) -> dict[str, int]:
    """Where each part begins: the line called so that an edit button's word follows, else the last one called so."""
    found = dict(last)
    for name in names:
        for place, line in enumerate(lines[:-1]):
            if line == name and "edit" in concepts(lines[place + 1]):
                found[name] = place
    return found


def _stands_in(mark: Mark, block: Sequence[str]) -> bool:
    text = " ".join(block)
    value = dict(zip(mark.options, mark.option_names, strict=False)).get(mark.value, mark.value)
    if kind_of(mark) in FIELDS and len(value) >= LEAST_VALUE and folded(value) in text:
        return True
    if kind_of(mark) in CHOICES and not mark.checked:
        return False
    words = {word for word in keywords(mark.name) if len(word) >= LEAST_VALUE or not word.isascii()}
    return bool(words & set(keywords(text)))
