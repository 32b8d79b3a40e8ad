"""Charts and totals beside the figures they stand for: what is chosen for everything changes them, too."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.skills.checks.case import VISIBLE, Case, Told, lack, redrawn
from agent.skills.checks.labelled import figures, moved, unpacked
from agent.skills.checks.listed import contents
from agent.words import concepts, folded, keywords, numbers, says
from tools.browser.marks import Observation

NEEDED = 2
"""Choices that moved the figures and left a chart as it was, until that is told."""
APART, LEAST_TOTAL = 0.02, 10.0
"""Share by which a total and its column are apart when it is no rounding; the least a column has to add up to for telling."""
_PAGE = re.compile(r"\bpage\s*\d+\s*(?:of|/)\s*\d+|第\s*\d+\s*(?:/\s*\d+\s*)?页|共\s*\d+\s*页", re.IGNORECASE)
_PAINTED = re.compile(r"\b(?:painted|filled|colou?red|living|alive)\b|像素|存活", re.IGNORECASE)
"""What an eraser makes less of; strokes it only adds to."""
_NUMBERED = re.compile(r"^\s*(?:#|№|no\.?\s|[a-z]{1,6}-?(?=\d{2}))", re.IGNORECASE)
"""How the number of an order or an invoice begins: nothing that could be added up."""


def drawings_follow(case: Case) -> Told:
    """A chart that stays as it is while labelled figures follow a choice that holds for everything: `state_not_updated`."""
    if _turns_a_page(case):
        return Told(None, "another page of the same is shown", attempts=0)
    followed = moved(case.before, case.after)
    if not followed or case.before.moving > VISIBLE or case.after.moving > VISIBLE:
        return Told(None, "no figure followed", attempts=0)
    shown, now = _charts(case.before), _charts(case.after)
    charts = [selector for selector in shown if selector in now]
    stale = [selector for selector in charts if shown[selector] == now[selector]]
    if not charts:
        return Told(None, "no chart is in view", attempts=0)
    if not stale:
        return Told(True, f"{len(charts)} chart(s) follow")
    return lack(
        case, "state_not_updated", f'the chart at {stale[0]} stays as it is although "{followed[0]}" follows', needs=NEEDED
    )


def totals_follow(case: Case) -> Told:
    """A total that stays while the column it is named after adds up to something else: twice `state_not_updated`.

    `Total revenue` over a table with a column `Revenue` that is shown as a whole before and after. Where both change and are
    apart both times, though what another column adds up to stands on the page (so that the table is all there is), it is
    `wrong_result`.
    """
    if _turns_a_page(case) or _PAGE.search(case.after.text) or _PAGE.search(case.before.text):
        return Told(None, "the table is shown page by page", attempts=0)
    before, after = figures(case.before), figures(case.after)
    sums, now = _sums(case.before), _sums(case.after)
    followed = ""
    for label, value in before.items():
        head = " ".join(sorted(word for word in keywords(label) if not says("total", word)))
        if label not in after or not head or head not in sums or sums[head] == now.get(head, sums[head]):
            continue
        if after[label] == value:
            told = f'"{label}" stays {value:g} although its column adds up to {now[head]:g} now, and to {sums[head]:g} before'
            return lack(case, "state_not_updated", told, needs=NEEDED)
        if _apart(value, sums[head]) and _apart(after[label], now[head]) and _whole(after, now, head):
            told = f'"{label}" is {after[label]:g} although its column adds up to {now[head]:g}'
            return lack(case, "wrong_result", told, needs=NEEDED)
        followed = label
    return Told(True, f'"{followed}" follows its column') if followed else Told(None, "no total of a column is shown", attempts=0)


def _apart(one: float, other: float) -> bool:
    """Too far apart for what rounding each row does."""
    return abs(one - other) > APART * max(abs(one), abs(other))


def _whole(shown: Mapping[str, float], sums: Mapping[str, float], head: str) -> bool:
    """Whether what another column adds up to is among the figures: the table leaves nothing out."""
    others = [total for other, total in sums.items() if other != head and abs(total) >= LEAST_TOTAL]
    return any(not _apart(total, value) for total in others for value in shown.values())


def _sums(page: Observation) -> dict[str, float]:
    """Words of a column's head → what the column adds up to, of tables that are shown as a whole."""
    found: dict[str, float] = {}
    for listing in contents(page):
        for column, head in enumerate(listing.columns):
            cells = [numbers(row[column]) for row in listing.items if column < len(row)]
            if any(_NUMBERED.match(row[column]) for row in listing.items if column < len(row)):
                continue
            if head and listing.count == len(listing.items) > 1 and all(len(cell) == 1 for cell in cells):
                found[" ".join(sorted(keywords(head)))] = round(sum(cell[0] for cell in cells), 2)
    return found


def _turns_a_page(case: Case) -> bool:
    """Whether what was pressed shows another page of the same: `Next`, `‹`, `3`."""
    name = case.mark.name if case.mark is not None else ""
    return bool(concepts(name) & {"next", "previous"}) or folded(name).isdigit()


def _charts(page: Observation) -> dict[str, str]:
    return {drawing.selector: drawing.digest for drawing in page.drawings if drawing.digest}


def counts_paint(label: str) -> bool:
    """Whether a label is that of how much is painted on a board."""
    return _PAINTED.search(label) is not None


def painted_counted(case: Case) -> Told:
    """A stroke that shows on the board is counted, where what is painted is. As many as before, twice: `state_not_updated`."""
    before, after = figures(case.before), figures(case.after)
    labels = [label for label in before if label in after and counts_paint(label)]
    if len(labels) != 1 or case.moved_before or case.ran_before or (case.changes.picture or 0.0) <= VISIBLE:
        return Told(None, "nothing counts what is painted, or nothing was", attempts=0)
    one, other = before[labels[0]], after[labels[0]]
    if one != other:
        return Told(True, f'"{labels[0]}" {one:g} became {other:g}')
    return lack(case, "state_not_updated", f'"{labels[0]}" is still {one:g} after a stroke')


def erased(case: Case) -> Told:
    """A stroke of the eraser over what was painted leaves less of it counted (`painted pixels 12`): `wrong_result`.

    Where nothing is counted, the drawing changes at least: `input_ignored`, told at two strokes.
    """
    before, after = figures(case.before), figures(case.after)
    labels = [label for label, value in before.items() if value > 0 and label in after and _PAINTED.search(label)]
    for label in labels:
        if after[label] < before[label]:
            return Told(True, f'"{label}" {before[label]:g} became {after[label]:g}')
    if labels:
        label = labels[0]
        return Told(False, f'the eraser went over what was painted, and "{label}" is {after[label]:g}', "wrong_result")
    if redrawn(case) or case.changes.dom or case.changes.text or (case.changes.picture or 0.0) > VISIBLE:
        return Told(True, "the drawing changed")
    return lack(case, "input_ignored", "what was painted is there as before")


def as_lines(page: Observation) -> str:
    """What a page's charts show, as `drawn_anew` reads it: place and digest, a line each."""
    return "\n".join(f"{selector}\t{digest}" for selector, digest in _charts(page).items())


def drawn_anew(case: Case) -> Told:
    """With its figures, what is drawn begins anew. A chart left as it was while the rest is as at first: `state_not_updated`.

    The rest: a figure, or the entries of a list.

    `first`: the charts of the first look (`as_lines`), `figures`: the labelled figures of then (`labelled.packed`).
    """
    began, first = unpacked(case.word("figures")), dict(line.split("\t", 1) for line in case.word("first").splitlines())
    before, after = figures(case.before), figures(case.after)
    back = [label for label, value in began.items() if before.get(label, value) != value == after.get(label)]
    shown, now = _charts(case.before), _charts(case.after)
    renewed = case.changes.text and (back or _entries(case.after) < _entries(case.before))
    if not renewed or case.moved_before or case.after.moving > VISIBLE:
        return Told(None, "nothing begins anew", attempts=0)
    drawn = [one for one in first if one in now and shown.get(one, first[one]) != first[one]]
    left = [one for one in drawn if now[one] == shown[one]]
    if left:
        what = f'"{back[0]}"' if back else "what is listed"
        return Told(False, f"the drawing at {left[0]} stays as it was although {what} begins anew", "state_not_updated")
    return Told(True, "what is drawn begins anew") if drawn else Told(None, "nothing else was drawn", attempts=0)


def _entries(page: Observation) -> int:
    return sum(listing.count for listing in contents(page))


_MONTH = re.compile(
    r"\d{4}\s*年\s*\d{1,2}\s*月|\b\d{4}[-/.]\d{2}\b(?![-/.]\d)"
    r"|\b(?:jan|feb|fév|mar|mär|apr|avr|abr|may|mai|jun|jui|jul|aug|aoû|ago|sep|oct|okt|nov|dec|dez|déc|dic|ene)"
    r"[a-zéûä.]*\s+\d{4}\b",
    re.IGNORECASE,
)
LONGER = re.compile(
    r"\b(?:trend|over time|(?:last|past) (?:\d+|six|three|twelve) months|year(?:ly)?|annual)\b"
    r"|趋势|近\s*\S{1,2}\s*个?月|全年|年度|每年",
    re.IGNORECASE,
)
"""Briefs of charts that span more than the month shown."""


def month_drawn(case: Case) -> Told:
    """A press leads to another month: figures and chart follow. The chart alone stays, at two months: `state_not_updated`."""
    was, now = (set(_MONTH.findall(page.text)) for page in (case.before, case.after))
    followed = moved(case.before, case.after)
    shown, later = _charts(case.before), _charts(case.after)
    if not was or not now or was == now or not followed or case.moved_before or case.after.moving > VISIBLE:
        return Told(None, "no other month is shown", attempts=0)
    stale = [one for one in shown if later.get(one) == shown[one]]
    if not shown or (len(stale) < len(shown) and len(shown) > 1):
        return Told(None, "no one chart is in view", attempts=0)
    if not stale:
        return Told(True, f"the chart follows to {next(iter(now))}")
    told = f'the chart at {stale[0]} stays as it is although "{followed[0]}" is that of {next(iter(now))}'
    return lack(case, "state_not_updated", told)


def drawing_stays(case: Case) -> Told:
    """After a reload a canvas shows what was drawn on it. What it showed at first (`blank`) again: `persistence_lost`."""
    selector, blank = case.word("selector"), case.word("blank")
    then, now = (
        next((one.digest for one in page.drawings if one.selector == selector), "") for page in (case.before, case.after)
    )
    if not then or not now or not blank or then == blank:
        return Told(None, "the canvas is not in view as a whole, or nothing was drawn", attempts=0)
    if now == then:
        return Told(True, "the canvas shows what was drawn")
    if now == blank and case.after.moving <= VISIBLE:
        return Told(False, "the canvas is as it was at first after the reload: what was drawn is gone", "persistence_lost")
    return Told(None, "the canvas shows something else, which may be the view", attempts=0)
