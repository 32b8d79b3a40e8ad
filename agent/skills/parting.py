"""Filters in a row that exclude each other (income, spending): what the second shows is held against what the first showed."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.checks.chips import labelled_by
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
    rows = "\n".join(folded(" ".join(one)) for one in listing.items)
    text = f'what is shown is "{mark.name}"'
    asked = "\n".join(one.name for one in row[1:] if one.id != mark.id and (survey.tried(one) or one.checked))
    key = f"chip {mark.signature}"
    return (expects("chip_filters", text, survey.match(mark).id, word=mark.name, rows=rows, asked=asked, key=key),)


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
