"""Theme switches: pressed once, the page is repainted; pressed again, it is as before."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills.checks.legible import ORACLE as LEGIBLE
from agent.skills.controls import Kind, is_chip, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

BASE, BACK = 44.0, 90.0


def propose(survey: Survey) -> list[Candidate]:
    """The switch, and right afterwards the way back."""
    switches = [mark for mark in survey.usable if is_switch(mark) and not is_chip(mark, survey.now.marks)]
    back = _back(survey, switches)
    if back is not None:
        return [back]
    if survey.count("switch the theme"):
        return []
    return [_switch(survey, mark) for mark in switches[:1] if not survey.tried(mark)]


def is_switch(mark: Mark) -> bool:
    """Whether a control switches the page's theme."""
    return "theme" in mark_concepts(mark) and kind_of(mark) in (Kind.button, Kind.checkbox, Kind.other)


def _switch(survey: Survey, mark: Mark) -> Candidate:
    match = survey.match(mark, ("theme",), frozenset({"theme", "feature", "control"}))
    told = expects("theme_changes", "the page is repainted in another theme", match.id)
    why = because(match, survey, "a theme switch")
    read = expects(LEGIBLE, "every text can be read in the other theme", match.id, key="legible")
    return candidate(survey.worth(BASE, mark, match), Click(target=Target.of(mark)), why, "switch the theme", told, read)


def _back(survey: Survey, switches: list[Mark]) -> Candidate | None:
    last = survey.last
    if last is not None and last.decision.skill == "reload to see the theme" and any(told.held for told in last.outcomes):
        last = survey.steps[-2]  # still in the other theme
    if (
        last is None
        or last.decision.skill not in ("switch the theme", "switch the theme back")
        or survey.count("switch the theme back") >= 2
    ):
        return None
    if last.decision.skill == "switch the theme" and not any(
        told.held for told in last.outcomes if told.oracle == "theme_changes"
    ):
        return None
    if last.decision.skill == "switch the theme back" and not any(told.held is None and told.attempts for told in last.outcomes):
        return None
    first = next(step for step in reversed(survey.steps) if step.decision.skill == "switch the theme")
    before = survey.observation(first.acted.before)
    mark = _same(switches, first)
    if before is None or mark is None:
        return None
    match = survey.match(mark, ("theme",), frozenset({"theme", "feature", "control"}))
    told = expects(
        "toggles_back",
        "pressed again, the page is as before",
        match.id,
        fingerprint=before.fingerprint,
        text=before.text_sha256,
        picture=first.acted.changes.picture or 0.0,
        key="theme back",
    )
    return candidate(BACK, Click(target=Target.of(mark)), "what a switch does, it must undo", "switch the theme back", told)


def _same(switches: list[Mark], step: Step) -> Mark | None:
    target = target_of(step)
    same = [mark for mark in switches if target is not None and mark.selector == target.selector and mark.frame == target.frame]
    return (same or switches or [None])[0]
