"""Find and replace: a word of the text is given another all over it, and none of it may be left."""

from __future__ import annotations

import re
from collections import Counter

from agent.deciders.protocol import Step
from agent.skills.controls import Kind, kind_of, label_of
from agent.skills.survey import Candidate, Survey, because, candidate, expects
from agent.words import folded
from tools.browser.actions import Click, Target, Type

BEGIN, NEXT = 64.0, 97.0
FIND, PUT, ALL = "enter what to find", "enter what to put in its place", "replace all"
WORD_FOR_IT = "violet"
_FIND = re.compile(r"\b(?:find|search|such\w*|recherch\w*|cherch\w*|busca\w*)\b|查找|搜索", re.IGNORECASE)
_PUT = re.compile(r"\b(?:replace\w*|with|ersetz\w*|durch|remplac\w*|par|reemplaz\w*|por)\b|替换", re.IGNORECASE)
_ALL = re.compile(
    r"\b(?:replace|ersetz\w*|remplac\w*|reemplaz\w*)\b.*\b(?:all|everything|alle?s?|tout\w*|tod[oa]s?)\b"
    r"|\balle?\b.*\b(?:replace|ersetz\w*)\b|全部替换|替换全部",
    re.IGNORECASE,
)
LEAST_LETTERS = 4


def propose(survey: Survey) -> list[Candidate]:
    """The field that finds, the field that puts, the button for all of them: once."""
    fields = [mark for mark in survey.usable if kind_of(mark) is Kind.text and mark.tag == "input"]
    put = next((mark for mark in fields if _PUT.search(label_of(mark))), None)
    find = next((mark for mark in fields if mark is not put and _FIND.search(label_of(mark))), None)
    button = next((mark for mark in survey.usable if kind_of(mark) is Kind.button and _ALL.search(mark.name)), None)
    if put is None or find is None or button is None or survey.count(ALL):
        return []
    typed = next((step for step in reversed(survey.steps) if step.decision.skill == FIND and step.acted.delivered), None)
    word = _typed(typed) if typed is not None else _word(survey)
    if not word:
        return []
    match = survey.promise_about("find and replace all 查找 替换", frozenset({"feature", "control"}))
    why = because(match, survey, "find and replace")
    if typed is None or folded(find.value) != folded(word):
        if survey.count(FIND) > 1:
            return []
        return [candidate(survey.worth(BEGIN, find, match), Type(target=Target.of(find), text=word), why, FIND)]
    if folded(put.value) != WORD_FOR_IT:
        return [] if survey.count(PUT) > 1 else [candidate(NEXT, Type(target=Target.of(put), text=WORD_FOR_IT), why, PUT)]
    told = expects("all_replaced", f'no "{word}" is left', match.id, word=word, by=WORD_FOR_IT, key="replace all")
    return [candidate(NEXT, Click(target=Target.of(button)), why, ALL, told)]


def _typed(step: Step) -> str:
    return step.decision.action.text if isinstance(step.decision.action, Type) else ""


def _word(survey: Survey) -> str:
    """The word that stands most often in the longest text, of some letters."""
    texts = [mark.value for mark in survey.now.marks if mark.tag == "textarea" or "contenteditable" in mark.evidence]
    words = re.findall(r"[^\W\d_]+", max(texts, key=len, default=""))
    counted = Counter(word for word in words if len(word) >= LEAST_LETTERS or not word.isascii())
    return max(counted, key=lambda word: (counted[word], len(word)), default="")
