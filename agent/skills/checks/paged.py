"""A list shown page by page: its pages are as many as its entries need (`1–10 of 27` has three)."""

from __future__ import annotations

import re

from agent.skills.checks.case import Case, Told
from agent.skills.checks.turning import place_shown
from agent.words import folded
from tools.browser.marks import Observation

_RANGE = re.compile(
    r"(?<![\d.,:/$€£¥])(\d{1,6})\s*[–—-]\s*(\d{1,6})\s*(?:of|out of|/|条?[,，]?\s*共)\s*(\d[\d,]*)(?![\d.,:/%])", re.IGNORECASE
)
LEAST_A_PAGE = 3
LONGEST_LINE = 60
_PAGE_OF = re.compile(
    r"(?:\b(?:pages?|seite|página|pagina)|第)\s*(\d{1,4})\s*页?\s*(?:of|/|／|von|de|sur|di|,?\s*共)\s*(\d{1,4})(?![\d.,:/%])",
    re.IGNORECASE,
)


def range_shown(page: Observation) -> tuple[int, int, int] | None:
    """`(first, last, of how many)` where exactly one line of the page says which entries are shown."""
    found: set[tuple[int, int, int]] = set()
    for line in (folded(raw) for raw in page.text.splitlines()):
        if len(line) <= LONGEST_LINE:
            found |= {(int(one), int(two), int(of.replace(",", ""))) for one, two, of in _RANGE.findall(line)}
    right = [one for one in found if 1 <= one[0] <= one[1] <= one[2]]
    return right[0] if len(found) == len(right) == 1 else None


def pages_fit(case: Case) -> Told:
    """As many pages as entries need. Too few: `broken_navigation`, for the last ones can't be reached; too many: `wrong_result`.

    Told on a full page whose own number fits what it shows.
    """
    shown, place = range_shown(case.after), place_shown(case.after)
    if shown is None or place is None:
        return Told(None, "which entries of how many, and which page, is not shown", attempts=0)
    (first, last, entries), (at, pages, line) = shown, place
    each = last - first + 1
    if each < LEAST_A_PAGE or last == entries or first != (at - 1) * each + 1:
        return Told(None, "how many go on a page can't be told", attempts=0)
    needed = -(-entries // each)
    if pages == needed:
        return Told(True, f'{entries} entries, {each} a page, are on "{line}"')
    told = f'"{line}" although {entries} entries, {each} a page, need {needed} pages'
    if pages < needed:
        return Told(False, f"{told}: the last ones can't be reached", "broken_navigation")
    return Told(False, told, "wrong_result")


def place_possible(case: Case) -> Told:
    """The page that is said to be shown is one of those there are: `Page 4 of 1`, `31–6 of 6` are `state_not_updated`."""
    for line in (folded(raw) for raw in case.after.text.splitlines()):
        if len(line) > LONGEST_LINE:
            continue
        wrong = [found.group() for found in _PAGE_OF.finditer(line) if int(found[1]) > int(found[2]) > 0]
        for found in _RANGE.finditer(line):
            first, last, of = (int(part.replace(",", "")) for part in found.groups())
            if of and (first > last or last > of) and last:
                wrong.append(found.group())
        if wrong:
            return Told(False, f'the page says "{wrong[0]}"', "state_not_updated")
    return Told(None, "no impossible place is shown", attempts=0)
