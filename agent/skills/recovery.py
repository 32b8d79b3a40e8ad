"""Getting back on track, and second attempts: nothing is called dead before it was tried in two well-formed ways."""

from __future__ import annotations

from dataclasses import replace

from agent.conduct import IDENTICAL_BEFORE_CHANGE, garbled, off_site, reloads
from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.case import stands_for
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, candidate, mark_concepts, target_of
from agent.words import concepts
from tools.browser.actions import Action, Click, GoBack, Goto, Press, Reload, Target
from tools.browser.marks import Mark

REPAIR, AGAIN, AGAIN_LATER = 120.0, 86.0, 30.0
RETRIED = frozenset(
    {
        "responds",
        "navigates",
        "toggles",
        "dialog_opens",
        "dialog_closes",
        "theme_changes",
        "number_changes",
        "text_disappears",
        "text_appears",
        "accepted",
        "equals",
        "restarted",
        "switch_follows",
        "formats",
        "choice_follows",
        "turns",
        "prices_all_follow",
        "taken_back",
        "unit_follows",
        "done_counted",
        "costs_as_said",
        "list_emptied",
        "downloaded",
    }
)
"""Oracles whose first empty attempt calls for a second on the same control."""


def propose(survey: Survey) -> list[Candidate]:
    """Back to the site, a reload of a garbled page, and second attempts."""
    if off_site(survey.view):
        return [_home(survey)]
    if garbled(survey.now) and survey.steps and reloads(survey.steps) < 2:
        return [candidate(REPAIR, Reload(), "the page shows nothing that could be used", "reload a garbled page", checked=False)]
    return [*_second_attempts(survey), *_another_piece(survey)]


def _another_piece(survey: Survey) -> list[Candidate]:
    """Where a basket's counter stayed although something was put in: another thing put in tells, before anything else is done.

    The same thing again would not: a counter may be of kinds.
    """
    last = survey.last
    wish = next((one for one in last.decision.expectations if one.oracle == "counts"), None) if last is not None else None
    told = next((one for one in last.outcomes if one.oracle == "counts"), None) if last is not None else None
    if last is None or wish is None or told is None or told.held is not None or not told.attempts:
        return []
    if wish.params.get("of") != "cart":
        return []
    target = target_of(last)
    for mark in survey.untried():
        if target is not None and "add" in mark_concepts(mark) & concepts(target.name) and mark.role == target.role:
            why = "the first one was not counted; another one tells bad luck from a counter that stands"
            return [candidate(AGAIN, Click(target=Target.of(mark)), why, "press a button", wish)]
    return []


def _home(survey: Survey) -> Candidate:
    """Back in history first, then by address."""
    tries = sum(1 for step in survey.steps[-3:] if step.decision.skill == "return to the site")
    act: Action = GoBack() if tries == 0 else Goto(url=survey.view.entry_url)
    return candidate(REPAIR, act, "another site is shown; it is not evaluated", "return to the site", checked=False)


def _second_attempts(survey: Survey) -> list[Candidate]:
    """For each control whose only attempt came to nothing: another way of doing the same. Put off while nothing at all reacts."""
    found: list[Candidate] = []
    priority = AGAIN_LATER if survey.stagnation >= IDENTICAL_BEFORE_CHANGE else AGAIN
    for step in survey.steps[-8:]:
        wanted = _open_expectation(step)
        if wanted is None or not isinstance(step.decision.action, Click) or _tried_since(survey, step):
            continue
        if _told_elsewhere(survey, step, wanted):
            continue
        mark = _same_mark(survey, step)
        if mark is None:
            continue
        if mark.signature != getattr(target_of(step), "signature", ""):
            wanted = replace(wanted, params={**wanted.params, "renamed": 1.0})
        act = _another_way(survey, mark)
        why = "the first attempt changed nothing; a second one in another way tells bad luck from a dead control"
        found.append(
            candidate(priority, act, why, step.decision.skill if wanted.oracle == "equals" else "second attempt", wanted)
        )
    return found


def _open_expectation(step: Step) -> Expectation | None:
    """The expectation of a step that a well-formed attempt left open; a moved-on page or a met one needs none."""
    for told in step.outcomes:
        if told.oracle in RETRIED and told.held is None and told.attempts == 1:
            wishes = step.decision.expectations
            wish = next((one for one in wishes if one.oracle == told.oracle and one.text == told.expectation), None)
            # An entry that is nowhere to be seen is entered anew; its button alone would find the fields empty.
            return None if wish is None or wish.params.get("entry") else wish
    return None


def _told_elsewhere(survey: Survey, step: Step, wanted: Expectation) -> bool:
    """Whether what a key names was told since by something else: another box that names its price."""
    key = wanted.params.get("key")
    if key is None:
        return False
    for other in survey.steps:
        asked = {one.text for one in other.decision.expectations if one.oracle == wanted.oracle and one.params.get("key") == key}
        told = (one for one in other.outcomes if one.oracle == wanted.oracle and one.expectation in asked)
        if other.number > step.number and any(one.held is not None for one in told):
            return True
    return False


def _tried_since(survey: Survey, step: Step) -> bool:
    """Whether the control was acted on again, or its expectation put to the test again by a key, after this step."""
    target, wishes = target_of(step), {wish.text for wish in step.decision.expectations if wish.oracle in RETRIED}
    for other in survey.steps:
        if other.number <= step.number:
            continue
        aim = target_of(other)
        if aim is None and wishes & {wish.text for wish in other.decision.expectations}:
            return True
        if aim is None or target is None or (aim.selector, aim.frame) != (target.selector, target.frame):
            continue
        renamed = any(wish.params.get("renamed") for wish in other.decision.expectations)
        if renamed or aim.signature == target.signature or _renamed(survey, target) is not None:
            return True
    return False


def _same_mark(survey: Survey, step: Step) -> Mark | None:
    target = target_of(step)
    if target is None:
        return None
    alike = [mark for mark in survey.usable if mark.signature == target.signature]
    placed = [mark for mark in alike if mark.selector == target.selector and mark.frame == target.frame]
    return (placed or (alike if len(alike) == 1 else []) or [_renamed(survey, target)])[0]


def _renamed(survey: Survey, target: Target) -> Mark | None:
    """What stands where the target stood, where nothing goes by its name any more: a switch that says what it does next."""
    if any(mark.signature == target.signature for mark in survey.now.marks):
        return None
    return next((mark for mark in survey.usable if stands_for(mark, target)), None)


def _another_way(survey: Survey, mark: Mark) -> Action:
    """Not the same act again: another point of the control, a double click for a row; Enter for a link that has the focus."""
    if kind_of(mark) is Kind.link and survey.now.focused == mark.id:
        return Press(keys=("Enter",))
    if kind_of(mark) is Kind.other:
        return Click(target=Target.of(mark), count=2)
    return Click(target=Target.of(mark, dx=0.22, dy=0.12))
