"""Filters in a row that exclude each other (income, spending): what the second shows is held against what the first showed."""

from __future__ import annotations

from collections.abc import Sequence, Set

from agent.deciders.protocol import Expectation
from agent.skills.checks.chips import labelled_by, narrows
from agent.skills.checks.listed import contents
from agent.skills.checks.parted import as_lines, opposite
from agent.skills.controls import beside
from agent.skills.survey import Survey, expects, target_of
from agent.words import folded, says
from tools.browser.actions import Click
from tools.browser.marks import Mark


def chips(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """The expectation for a press on one of a row of filters, where the entries of a list say which of them they are of."""
    row = beside(mark, survey.usable)
    if not row or not says("all_of_them", row[0].name) or mark.id == row[0].id:
        return ()
    names = [one.name for one in row[1:]]
    listing = next((found for page in (survey.now, *survey.view.past) if (found := labelled_by(page, names))), None)
    if listing is None:
        return ()
    entries = [folded(" ".join(one)) for one in listing.items]
    rows, filters = "\n".join(entries), _filters(survey, row, set(entries))
    text = f'what is shown is "{mark.name}"'
    asked = "\n".join(one.name for one in row[1:] if one.id != mark.id and (survey.tried(one) or one.checked))
    key = f"chip {mark.signature}"
    params = {"word": mark.name, "rows": rows, "asked": asked, "filters": filters, "key": key}
    return (expects("chip_filters", text, survey.match(mark).id, **params),)


def _filters(survey: Survey, row: Sequence[Mark], whole: Set[str]) -> str:
    """The name of one of the row that narrowed the list with these entries when it was pressed; empty if none did."""
    places = {(one.selector, one.frame) for one in row}
    for step in survey.steps:
        target, before, after = target_of(step), survey.observation(step.acted.before), survey.observation(step.acted.after)
        if target is None or before is None or after is None or (target.selector, target.frame) not in places:
            continue
        if any(narrows(listing, before, whole) for listing in contents(after)):
            return target.name
    return ""


def parts(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """The expectation for a press on `mark`, if its opposite in a row with `All` was pressed and nothing but that row since."""
    row = beside(mark, survey.usable)
    if not any(says("all_of_them", one.name) for one in row):
        return ()
    places = {(one.selector, one.frame) for one in row}
    for step in reversed(survey.steps):
        target = target_of(step)
        after = survey.now if step.acted.after == survey.now.id else survey.observation(step.acted.after)
        changes = step.acted.changes
        if not (changes.dom or changes.text or changes.value or changes.storage):
            continue
        if target is None or after is None or (target.selector, target.frame) not in places:
            return ()
        before = survey.observation(step.acted.before)
        if not isinstance(step.decision.action, Click) or not opposite(mark.name, target.name) or before is None:
            continue
        text = f'"{mark.name}" shows nothing that "{target.name}" shows'
        return (
            expects(
                "parted",
                text,
                survey.match(mark).id,
                rows=as_lines(after),
                whole=as_lines(before),
                other=target.name,
                key=f"parted {mark.signature}",
            ),
        )
    return ()
