"""Filters in a row that exclude each other (income, spending): what the second shows is held against what the first showed."""

from __future__ import annotations

from agent.deciders.protocol import Expectation
from agent.skills.checks.parted import as_lines, opposite
from agent.skills.controls import beside
from agent.skills.survey import Survey, expects, target_of
from agent.words import says
from tools.browser.actions import Click
from tools.browser.marks import Mark


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
