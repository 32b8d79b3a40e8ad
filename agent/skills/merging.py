"""What the brief wants merged: the same thing added twice is there once, with its amounts added up."""

from __future__ import annotations

import re

from agent.deciders.protocol import Step
from agent.skills.checks.merged import amounts
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

SKILL, PRIORITY = "add the same once more", 87.0
MERGES = re.compile(
    r"\b(?:merg|combin|sum|add)\w*\s+(?:up|together|into one|the (?:amounts|quantities))\b|\bmerged?\b|\badded up\b"
    r"|合并|相加|累加|叠加",
    re.IGNORECASE,
)


def propose(survey: Survey) -> list[Candidate]:
    """Once, right after a button put amounts into a list: the same button again."""
    last = survey.last
    if last is None or survey.count(SKILL) or not MERGES.search(survey.view.brief):
        return []
    button, filled = _same(survey, last), _filled(survey, last)
    if button is None or not filled:
        return []
    match = survey.promise_about("merge combine same amounts 合并 相加", frozenset({"feature", "control", "content"}))
    told = expects(
        "added_up", "the amounts of the same thing are added up", match.id, lists="\n".join(filled), made_by=last.acted_id
    )
    why = because(match, survey, "the same again is to be added up")
    return [candidate(PRIORITY, Click(target=Target.of(button)), why, SKILL, told)]


def _same(survey: Survey, last: Step) -> Mark | None:
    target = target_of(last)
    if target is None or not isinstance(last.decision.action, Click):
        return None
    marks = (one for one in survey.usable if (one.selector, one.frame) == (target.selector, target.frame))
    return next((one for one in marks if kind_of(one) is Kind.button and "add" in mark_concepts(one) and not one.disabled), None)


def _filled(survey: Survey, last: Step) -> list[str]:
    """Lists, as selector and frame, that hold two things with amounts more than before."""
    before = survey.observation(last.acted.before)
    if before is None or not last.acted.delivered:
        return []
    had, has = amounts(before), amounts(survey.now)
    return ["\t".join(place) for place, rows in has.items() if len(rows) >= len(had.get(place, {})) + 2]
