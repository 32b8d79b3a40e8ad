"""Whether the brief wants all of a page to follow one control: `a region filter for everything`, not any other select."""

from __future__ import annotations

import re

from agent.skills.controls import Kind, kind_of
from agent.words import keywords, says, sentences
from tools.browser.marks import Mark

_TIME = re.compile(
    r"\b(?:range|period|dates?|days?|weeks?|months?|quarters?|years?|zeitraum|tage?|monate?|jahre?|période|jours?|mois|período|días?|mes(?:es)?)\b"
    r"|时间|日期|范围|周期|天|周|月|年",
    re.IGNORECASE,
)


def governs(mark: Mark, brief: str) -> bool:
    """Whether a sentence of the brief that speaks of everything names this control, or the time that it sets."""
    own = set(keywords(" ".join((mark.name, *mark.option_names))))
    about_time = kind_of(mark) is Kind.date or _TIME.search(" ".join((mark.name, *mark.option_names))) is not None
    for sentence in sentences(" ".join(brief.split())):
        if says("everything", sentence) or says("charts_live", sentence):
            named = own & set(keywords(sentence))
            if any(not word.isdigit() for word in named) or (about_time and _TIME.search(sentence)):
                return True
    return False
