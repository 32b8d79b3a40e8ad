"""What a button that sets back to the defaults has to set back: the controls that were moved since the beginning."""

from __future__ import annotations

import re

from agent.deciders.protocol import Expectation
from agent.skills.checks.setback import as_lines
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Survey, expects, mark_concepts
from agent.words import concepts, sentences
from tools.browser.marks import Mark

_SETS_BACK = frozenset({"reset", "restart"})
_TO_DEFAULTS = re.compile(
    r"\b(?:defaults?|parameters?|settings|sliders|controls|inputs|everything|(?:initial|original|starting) values?)\b"
    r"|\ball\W*$|默认|初始值|参数|设置|滑块|(?:重置|恢复)(?:全部|所有)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r",|，|、")


def set_back(survey: Survey, mark: Mark) -> tuple[Expectation, ...]:
    """The expectation for a press on `mark`, where the brief or its own name says that it sets values back."""
    if not mark_concepts(mark) & _SETS_BACK or not survey.view.past:
        return ()
    fellows = (one for one in survey.now.marks if one.id != mark.id and kind_of(one) is Kind.button)
    if not _TO_DEFAULTS.search(mark.name) and any(_TO_DEFAULTS.search(one.name) for one in fellows):
        return ()  # Restart begins anew with what is set; beside it stands what sets back to the defaults
    clauses = [clause for sentence in sentences(survey.view.brief) for clause in _CLAUSE.split(sentence)]
    said = any(_TO_DEFAULTS.search(clause) and concepts(clause) & _SETS_BACK for clause in (*clauses, mark.name))
    if not said:
        return ()
    match = survey.match(mark, ("reset",))
    text = "the controls are set back to how they stood at first"
    return (expects("set_back", text, match.id, first=as_lines(survey.view.past[0]), key=f"set back {mark.signature}"),)
