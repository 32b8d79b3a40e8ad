"""Whether the brief wants all of a page to follow one control: `a region filter for everything`, not any other select."""

from __future__ import annotations

import re

from agent.skills.controls import Kind, kind_of
from agent.words import keywords, says, sentences
from tools.browser.marks import Mark

_REFERS = re.compile(
    r"\b(?:these|those|they|them|this|that|diesen?|ihnen|ces|celles?-ci|estos|estas|ellos)\b|这些|它们", re.IGNORECASE
)
"""A sentence that begins with what was named before it: `…; figures, charts and table must all follow these filters`."""
_TYPED = re.compile(
    r"\bas (?:i|you|we|one) (?:type|enter|change)|\brecalculat|\brecompute|beim tippen|während der eingabe|à la saisie"
    r"|mientras (?:se )?escrib|随输入|输入时|随之计算",
    re.IGNORECASE,
)
_TYPED_IN = frozenset({Kind.number, Kind.range, Kind.text, Kind.select})
_TIME = re.compile(
    r"\b(?:range|period|dates?|days?|weeks?|months?|quarters?|years?|zeitraum|tage?|monate?|jahre?|période|jours?|mois|período|días?|mes(?:es)?)\b"
    r"|时间|日期|范围|周期|天|周|月|年",
    re.IGNORECASE,
)


def governs(mark: Mark, brief: str) -> bool:
    """Whether a sentence of the brief that speaks of everything names this control, or the time that it sets."""
    own = set(keywords(" ".join((mark.name, *mark.option_names))))
    about_time = kind_of(mark) is Kind.date or _TIME.search(" ".join((mark.name, *mark.option_names))) is not None
    before = ""
    for said in sentences(" ".join(brief.split())):
        sentence = f"{before} {said}" if _REFERS.search(said) else said
        before = said
        if says("everything", said) and _TYPED.search(said) and kind_of(mark) in _TYPED_IN:
            return True
        if says("everything", said) or says("charts_live", said):
            named = own & set(keywords(sentence))
            if any(not word.isdigit() for word in named) or (about_time and _TIME.search(sentence)):
                return True
    return False
