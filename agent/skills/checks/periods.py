"""Buttons in a row that are called after spans of time (1W, 1M, 1Y; last 7 days, last 30 days), over a chart that shows one."""

from __future__ import annotations

import re

from agent.skills.checks.case import VISIBLE, Case, Told, lack, reach_of, redrawn
from agent.skills.controls import beside
from agent.words import folded
from tools.browser.marks import Mark

_UNITS = (
    r"h|hrs?|hours?|d|days?|w|wks?|weeks?|m|mo|months?|q|quarters?|y|yrs?|years?|"
    r"std|stunden?|tage?n?|wochen?|monate?n?|quartale?|jahre?n?|j|jours?|semaines?|mois|trimestres?|ans?|années?|"
    r"días?|semanas?|mes(?:es)?|años?|小时|天|日|周|星期|个月|月|季度|年"
)
_SPAN = re.compile(
    rf"(?:(?:the\s+)?(?:last|past|letzten?|derni[eè]re?s?|últim[oa]s?|最近|近|过去)\s*)?\d{{1,3}}\s*(?:{_UNITS})|ytd|mtd|qtd",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"all(?: time)?|max|everything|alles?|gesamt|tout|todo|全部|所有|最大", re.IGNORECASE)
_DIGITS = str.maketrans("", "", "0123456789:.,%+-−▲▼ ")


def names_span(mark: Mark) -> bool:
    """Whether a control is called after a span of time with its length, or after all of it."""
    words = folded(mark.name)
    return bool(_SPAN.fullmatch(words) or _WHOLE.fullmatch(words))


def is_span(mark: Mark, marks: tuple[Mark, ...]) -> bool:
    """Whether it stands in a row of spans, two of them with their lengths."""
    row = beside(mark, marks)
    return (
        names_span(mark)
        and sum(1 for one in row if _SPAN.fullmatch(folded(one.name))) > 1
        and all(names_span(one) for one in row)
    )


def period_follows(case: Case) -> Told:
    """A chart follows the span of time chosen for it. The button takes the mark and nothing else, twice: `dead_control`."""
    mark, changes = case.mark, case.changes
    shown = {one.selector: one.digest for one in case.before.drawings if one.digest}
    now = {one.selector: one.digest for one in case.after.drawings if one.digest}
    if mark is None or mark.checked or "current" in mark.evidence or not (shown.keys() & now.keys()):
        return Told(None, "no chart is in view, or the span was chosen already", attempts=0)
    if redrawn(case) or changes.url or any(shown[one] != now[one] for one in shown.keys() & now.keys()):
        return Told(True, "the chart follows")
    row = beside(mark, case.before.marks)
    gone, new = ({line for line in lines if line not in {folded(one.name) for one in row}} for lines in case.lines)
    if {line.translate(_DIGITS) for line in gone} != {line.translate(_DIGITS) for line in new}:
        return Told(True, "the text follows")
    if gone or new or changes.network or case.moved_before or case.after.moving > VISIBLE:
        return Told(None, "figures changed, which may run by themselves, or something is on its way", attempts=0)
    width, height = case.before.viewport
    if changes.picture is None or changes.picture * width * height > reach_of(case, row):
        return Told(True, "more than the buttons was painted anew")
    if not (changes.dom or changes.picture > VISIBLE):
        return Told(None, "nothing at all changed", attempts=0)
    return lack(case, "dead_control", f'"{mark.name}" takes the mark, but the chart stays the same')
