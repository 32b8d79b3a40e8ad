"""Which field a form objects to, and in what words: after it was sent its fields are as they were, and a new line names one."""

from __future__ import annotations

from collections.abc import Sequence

from agent.deciders.protocol import Step
from agent.skills.checks.case import Case, text_lines
from agent.skills.controls import FIELDS, kind_of, label_of
from agent.words import folded, keywords, says
from tools.browser.marks import Mark, Observation

LONGEST, LEAST_FIELDS, LEAST_WORDS = 180, 4, 3
LEAST_COMPLAINT, LONG_ENOUGH = 6, 20
"""Characters of a complaint, and of its beginning that an outcome quotes."""
_SENDINGS = frozenset({"accepted", "refused", "validation_shown"})


def objections(before: Observation, after: Observation, fresh: Observation | None = None) -> list[tuple[Mark, str]]:
    """`(field as it is now, complaint)` for each field that a new line names, or stands right under; none if a field changed.

    New are lines that were not there before, or on the page as it was before the form was first sent (`fresh`).
    """
    fields = [mark for mark in before.marks if kind_of(mark) in FIELDS]
    later = {(mark.frame, mark.selector): mark for mark in after.marks}
    now = [later.get((mark.frame, mark.selector)) for mark in fields]
    if not fields or any(one is None or one.value != mark.value for one, mark in zip(now, fields, strict=True)):
        return []
    new = [line for line in text_lines(after) - text_lines(fresh or before) if len(line) <= LONGEST and not says("success", line)]
    found: dict[str, tuple[Mark, str]] = {}
    for line in new:
        named = [one for one in now if one is not None and _names(line, one)]
        best = max(named, key=lambda one: len(_shared(line, one)), default=None) or _over(after, line, fields)
        if best is not None:
            found.setdefault(best.id, (best, line))
    return list(found.values())


def _over(page: Observation, line: str, fields: Sequence[Mark]) -> Mark | None:
    """The field whose label a remark stands right under, or under a hint there."""
    lines = [one for one in (folded(raw) for raw in page.text.splitlines()) if one]
    labels = {folded(label_of(mark)): mark for mark in fields}
    if line not in lines or not _is_remark(line) or any(line in (label, folded(mark.name)) for label, mark in labels.items()):
        return None  # the next field's own label is no remark on the one above
    place = lines.index(line)
    above = lines[place - 1] if place else ""
    over = lines[place - 2] if place > 1 and _is_remark(above) else ""
    return labels.get(above) or labels.get(over)


def _is_remark(line: str) -> bool:
    return not line.isascii() or len(line.split()) >= LEAST_WORDS


def objects(case: Case) -> str:
    """The complaint of a form of several steps, or of one with many fields, that stands as it stood; empty if there is none."""
    button = case.mark
    if button is None or case.mark_after is None or case.changes.url:
        return ""
    many = sum(1 for mark in case.before.marks if kind_of(mark) in FIELDS) >= LEAST_FIELDS
    if not (many or says("next_like", button.name)):
        return ""
    return next((line for _, line in objections(case.before, case.after)), "")


def stands(case: Case) -> str:
    """A complaint that an earlier sending brought and that is there still; empty if something else was said, or nothing.

    Where the value sent this time is as wrong as the one before, nothing changes, and the button is not dead for that.
    """
    if case.changes.text:
        return ""
    told = [
        folded(one.observed)
        for step in case.history
        if _same_button(step, case)
        for one in step.outcomes
        if one.oracle in _SENDINGS and one.held is not False
    ]
    fields = [mark for mark in case.after.marks if kind_of(mark) in FIELDS]
    labels = {folded(label_of(mark)) for mark in fields}
    for line in text_lines(case.after):
        if line in labels:
            continue  # a complaint told earlier may hold the field's name, which stands there all the time
        quoted = any(f'"{line[:LONG_ENOUGH]}' in one or f" {line[:LONG_ENOUGH]}" in one for one in told)
        if LEAST_COMPLAINT <= len(line) <= LONGEST and (quoted or (says("validation", line) and _over(case.after, line, fields))):
            return line
    return ""


def _same_button(step: Step, case: Case) -> bool:
    target = getattr(step.decision.action, "target", None)
    return (
        target is not None
        and case.target is not None
        and (target.frame, target.selector) == (case.target.frame, case.target.selector)
    )


def _shared(line: str, field: Mark) -> set[str]:
    return set(keywords(line)) & set(keywords(label_of(field)))


def _names(line: str, field: Mark) -> bool:
    """Whether a line speaks of a field, and is not merely its label or what stands in it."""
    if field.value and folded(field.value) in line:
        return False
    return bool(_shared(line, field)) and line != folded(label_of(field))
