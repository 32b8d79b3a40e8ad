"""What is locked, held or pinned stays when all is made anew: a palette's colour, a die, a row of a plan."""

from __future__ import annotations

import re

from agent.skills.choices import ONCE_NAMED
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts, target_of
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

LOCK, ANEW = "lock an entry", "make anew beside a lock"
BASE, NEXT = 46.0, 97.0
LEAST_ENTRIES = 3
_LOCKS = re.compile(
    r"\b(?:lock|hold|pin|keep|freeze|sperren|halten|fixieren|verrouiller|garder|bloquear|fijar)\b|锁定|保留|固定", re.IGNORECASE
)
_NEW_ONES = re.compile(r"^(?:new|neue|nouvelle?s?|nuev[oa]s?)\s+\w+|^换一|^再来", re.IGNORECASE)
"""What makes all entries anew is called so, where it is not called after chance."""
_ON = re.compile(r"\b(?:locked|held|pinned|kept|unlock|release|unpin)\b|已锁定|解锁", re.IGNORECASE)


def propose(survey: Survey) -> list[Candidate]:
    """One entry is locked, then everything is made anew; twice, with another entry the second time."""
    anew = _makes_anew(survey)
    if anew is None or survey.layered:
        return []
    last = survey.last
    if last is not None and last.decision.skill == LOCK and last.acted.delivered:
        locked = target_of(last)
        row = locks(survey.now.marks)
        place = next((n for n, mark in enumerate(row) if locked is not None and mark.selector == locked.selector), -1)
        if place < 0:
            return []
        match = survey.promise_about(f"{row[place].name} lock keep hold 锁定", frozenset({"feature", "control"}))
        told = expects(
            "stays_locked",
            "what is locked stays, and the rest is made anew",
            match.id,
            place=place,
            of=len(row),
            made_by=last.acted_id,
            key="locked",
        )
        return [candidate(NEXT, Click(target=Target.of(anew)), "whether what is locked stays", ANEW, told)]
    return _lock(survey)


def _lock(survey: Survey) -> list[Candidate]:
    told = [one for step in survey.steps if step.decision.skill == ANEW for one in step.outcomes if one.oracle == "stays_locked"]
    if survey.count(LOCK) >= 2 or any(one.held is not None for one in told):
        return []
    row = [mark for mark in locks(survey.usable) if not (mark.checked or _ON.search(mark.name))]
    if len(row) < LEAST_ENTRIES:
        return []
    mark = row[1 if not survey.count(LOCK) else -1]
    match = survey.match(mark)
    why = because(match, survey, "what is locked has to stay")
    wish = expects("responds", f'pressing "{mark.name}" has an effect', match.id)
    return [candidate(survey.worth(BASE, mark, match), Click(target=Target.of(mark)), why, LOCK, wish)]


def locks(marks: tuple[Mark, ...]) -> list[Mark]:
    """The switches that lock an entry each, in the order of their entries."""
    found = [
        mark
        for mark in marks
        if kind_of(mark) in (Kind.button, Kind.checkbox) and (_LOCKS.search(mark.name) or _ON.search(mark.name))
    ]
    tags = [mark.tag for mark in found]
    return [mark for mark in found if mark.tag == max(set(tags), key=tags.count)] if len(found) >= LEAST_ENTRIES else []


def _makes_anew(survey: Survey) -> Mark | None:
    return next(
        (
            mark
            for mark in survey.usable
            if kind_of(mark) is Kind.button
            and not _LOCKS.search(mark.name)
            and ("generate" in mark_concepts(mark) or ONCE_NAMED.search(mark.name) or _NEW_ONES.search(mark.name))
        ),
        None,
    )
