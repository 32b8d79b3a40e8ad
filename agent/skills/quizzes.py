"""A quiz is gone through to its end: each question answered, what is said of it compared with the score, then once more."""

from __future__ import annotations

import re

from agent.deciders.protocol import Expectation, Step
from agent.skills.checks.counters import as_lines
from agent.skills.checks.turning import place_shown
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects, mark_concepts
from agent.words import concepts, folded
from tools.browser.actions import Click, Target, Wait
from tools.browser.marks import Mark, Observation

CHOOSE, ON, AGAIN = 93.0, 95.0, 92.0
"""Before the other answers to a question that has its answer."""
ANSWER, GO_ON, WAIT, ANEW = "answer a question", "step on in a quiz", "wait for the next question", "begin a quiz again"
LEAST, MOST, MOST_ANSWERS, SECOND_ROUND, MOST_WAITS = 2, 6, 12, 3, 6
WAIT_MS = 1500.0
_ASKS = re.compile(r"[?？]\s*$|\bquestion\s+\d|第\s*\d+\s*题", re.IGNORECASE)
_NAMES = re.compile(r"\bquiz|\btrivia\b|测验|问答|答题", re.IGNORECASE)
_KINDS = frozenset({Kind.button, Kind.radio, Kind.option, Kind.other})
_NO_ANSWERS = frozenset(
    {
        *("next", "previous", "start", "restart", "submit", "confirm", "close", "cancel", "theme", "sound", "menu", "help"),
        *("share", "pause", "reset", "login", "copy", "download"),
    }
)
_ONWARD = frozenset({"next", "submit", "confirm"})
_FINISHES = re.compile(r"\b(?:finish|results?|check|done)\b|完成|交卷|结果|提交", re.IGNORECASE)


def propose(survey: Survey) -> list[Candidate]:
    """The answer to the question in sight, the step on from it, or another round once the result is shown."""
    if survey.layered or not (survey.domain == "quiz" or _NAMES.search(survey.view.brief[:400])):
        return []
    options = options_of(survey.now)
    if not options:
        return _wait(survey) or _anew(survey)
    if _is_answered(survey, options):
        return _on(survey, options) or _wait(survey)
    return _answer(survey, options)


def options_of(page: Observation) -> list[Mark]:
    """The answers to choose from: two to six things alike in a row or column, where something is asked."""
    lines = [line.strip() for line in page.text.splitlines() if line.strip()]
    if place_shown(page) is None and not any(_ASKS.search(line) for line in lines):
        return []
    groups: dict[tuple[str, str, str, int], list[Mark]] = {}
    for mark in page.marks:
        if kind_of(mark) in _KINDS and mark.name.strip() and not mark.covered and not mark_concepts(mark) & _NO_ANSWERS:
            groups.setdefault((mark.role, mark.tag, mark.frame, round(mark.box.height / 12)), []).append(mark)
    few = [marks for marks in groups.values() if LEAST <= len(marks) <= MOST]
    fitting = [marks for marks in few if len({one.name for one in marks}) == len(marks)]
    return max(fitting, key=len, default=[])


def _is_answered(survey: Survey, options: list[Mark]) -> bool:
    """Whether the question in sight has its answer: one is chosen, none can be chosen any more, or one was just pressed."""
    if any(mark.checked for mark in options) or all(mark.disabled for mark in options):
        return True
    last = next((step for step in reversed(survey.steps) if step.decision.skill != WAIT), None)
    before = survey.observation(last.acted.before) if last is not None and last.decision.skill == ANSWER else None
    return before is not None and [mark.name for mark in options_of(before)] == [mark.name for mark in options]


def _round(survey: Survey) -> list[Step]:
    """The answers given since the quiz was begun, oldest first."""
    begun = max((step.number for step in survey.steps if step.decision.skill == ANEW), default=0)
    return [step for step in survey.steps if step.decision.skill == ANSWER and step.number > begun and step.acted.delivered]


def _answer(survey: Survey, options: list[Mark]) -> list[Candidate]:
    """Another place among the answers at each question, so that some are right and some are not."""
    given, free = survey.count(ANSWER), [mark for mark in options if not mark.disabled]
    again = bool(survey.count(ANEW))
    if not free or given >= MOST_ANSWERS + SECOND_ROUND * again or (again and len(_round(survey)) >= SECOND_ROUND):
        return []
    mark = free[(given + survey.seed) % len(free)]
    match = survey.promise_about("answer question quiz score 答题", frozenset({"feature", "control"}), ("answer", "score"))
    told = [
        expects("responds", f'choosing "{mark.name[:40]}" has an effect', match.id, key="answers of a quiz"),
        expects("answered", "the score follows what is said of an answer", match.id, key="answers of a quiz"),
    ]
    why = because(match, survey, "a question is to be answered")
    return [candidate(CHOOSE, Click(target=Target.of(mark)), why, ANSWER, *told)]


def _on(survey: Survey, options: list[Mark]) -> list[Candidate]:
    """On to the next question, or to the result."""
    chosen = {mark.id for mark in options}
    for mark in survey.usable:
        onward = bool(mark_concepts(mark) & _ONWARD) or _FINISHES.search(mark.name) is not None
        if kind_of(mark) is Kind.button and onward and mark.id not in chosen:
            told = _result(survey)
            also = expects("answered", "the score follows what is said of an answer", key="answers of a quiz")
            judged = survey.last is not None and any(one.oracle == "answered" for one in survey.last.outcomes)
            wishes = (told,) if judged else (told, also)
            return [candidate(ON, Click(target=Target.of(mark)), "on to the next question", GO_ON, *wishes)]
    return []


def _wait(survey: Survey) -> list[Candidate]:
    """Some quizzes go on by themselves a moment after an answer."""
    last = survey.last
    if last is None or last.decision.skill != ANSWER or survey.count(WAIT) >= MOST_WAITS:
        return []
    return [candidate(ON, Wait(ms=WAIT_MS), "it may go on by itself", WAIT, _result(survey))]


def _result(survey: Survey) -> Expectation:
    """That a result which comes up is the number of answers that were called right."""
    begun = max((step.number for step in survey.steps if step.decision.skill == ANEW), default=0)
    walked = " ".join(step.acted_id for step in survey.steps if step.number > begun and step.decision.skill in (ANSWER, GO_ON))
    text = "the result is the number of right answers"
    return expects("quiz_result", text, round=walked, answers=float(len(_round(survey))), made_by=walked, key="result")


def _anew(survey: Survey) -> list[Candidate]:
    """Another round once the first one is over: its counters begin anew."""
    if survey.count(ANEW) or survey.count(ANSWER) < LEAST:
        return []
    begun = next((survey.observation(step.acted.before) for step in survey.steps if step.decision.skill == ANSWER), None)
    for mark in survey.usable:
        again = "restart" in mark_concepts(mark) or {"again", "once more"} & {folded(word) for word in mark.name.split()}
        if kind_of(mark) is Kind.button and (again or "reset" in concepts(mark.name)):
            match = survey.match(mark, ("restart",))
            told = [expects("responds", "another round begins", match.id)]
            if begun is not None:
                told.append(expects("begins_anew", "its counters begin anew", match.id, first=as_lines(begun)))
            return [candidate(AGAIN, Click(target=Target.of(mark)), because(match, survey, "another round"), ANEW, *told)]
    return []
