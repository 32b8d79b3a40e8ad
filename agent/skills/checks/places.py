"""Where one is: links that lead somewhere, the way back, what is left after a reload."""

from __future__ import annotations

import re

from agent.addresses import document, fragment
from agent.skills.checks.case import Case, Told, effect, lack
from agent.skills.controls import FIELDS, in_page, kind_of
from agent.skills.quiet import excuse
from agent.skills.survey import readable
from agent.words import folded, says

_HEAD = 30
"""Characters of a line that only says which month is shown."""
_MONTH = re.compile(
    r"^(?:jan|feb|mar|mär|apr|abr|avr|may|mai|jun|juin|jul|juil|aug|ago|aoû|sep|oct|okt|nov|dec|dez|dic|déc|ene|fév|mars)[a-zé]*\.?"
    r"\s+(?:de\s+)?(?:19|20)\d\d$|^(?:19|20)\d\d\s*年\s*\d{1,2}\s*月$"
)


def navigates(case: Case) -> Told:
    """A link shows another page or part. A page that is not there: `broken_navigation`.

    Nothing at all, twice: the same, or `dead_control` for a link that has no address.
    """
    if case.changes.url and not case.after.url.startswith(("chrome-error:", "about:")):
        return _arrived(case)
    if case.changes.url:
        return Told(False, f"the browser shows an error instead of {case.word('href')}", "broken_navigation")
    seen = effect(case)
    if seen.definite:
        return Told(True, seen.definite)
    if seen.doubtful:
        return Told(None, f"{seen.doubtful}, but the page moves by itself", attempts=0)
    reason = excuse(case)
    if reason:
        return Told(None, f"nothing changed, which need not be a fault: {reason}", attempts=0)
    mark = case.mark
    leads = mark is not None and mark.href and not in_page(mark, case.before.url)
    return lack(case, "broken_navigation" if leads else "dead_control", "the page shown is the same")


def _arrived(case: Case) -> Told:
    text = case.after.text.strip()
    if len(text) < 600 and says("not_found", f"{case.after.title} {text}") and not says("not_found", case.before.text):
        return Told(False, f'{case.after.url} answers "{folded(text)[:80]}"', "broken_navigation")
    whole = document(case.before.url) != document(case.after.url)
    if whole and not text and not case.after.marks:
        return lack(case, "broken_navigation", f"{case.after.url} is empty", needs=1)
    changes, mark = case.changes, case.mark
    astray = mark is not None and "astray" in mark.evidence
    # Where the page has no such part a change of the picture alone is something else's (what fades in, a focus ring).
    drawn = not astray and (changes.picture or 0.0) > 0.01
    moved = not case.reached_for and (changes.dom or changes.scroll or drawn)
    if not whole and not (changes.text or moved):
        if mark is not None and astray:
            return lack(case, "broken_navigation", f'the page has no part "{fragment(mark.href)}"', needs=1)
        now = case.mark_after
        if now is not None and "shut" in now.evidence and not case.after.moving and not case.after.pending_requests:
            return lack(case, "broken_navigation", f'the part "{fragment(now.href)}" is not shown', needs=1)
        return Told(None, "only the address changed; the part may be in view already", attempts=0)
    return Told(True, f"{case.after.url} is shown")


def returns(case: Case) -> Told:
    """One is back at `url`. Elsewhere on the site cannot be told from an app that minds its own history."""
    wanted = case.word("url")
    if document(case.after.url) == document(wanted):
        return Told(True, "the page before is shown again")
    return Told(None, f"{case.after.url} is shown", attempts=0)


ELSEWHERE = "another part of the page is shown after the reload"
SAME = 0.5
"""Share of the fields that were in sight which a reload must leave for it to be the same part of the page."""


def _elsewhere(case: Case) -> bool:
    """Whether most fields that were in sight are none any more; where there were none it is taken for the same part."""
    was, now = (
        {(mark.frame, mark.selector) for mark in page.marks if kind_of(mark) in FIELDS} for page in (case.before, case.after)
    )
    return bool(was) and len(was & now) < SAME * len(was)


def came_back(case: Case) -> Told:
    """Back in the part of the page where it stood, `text` stands there after a reload. Promised and gone: `persistence_lost`."""
    if folded(case.word("text")) in readable(case.after):
        return Told(True, f'"{case.word("text")}" is still there')
    if not case.number("promised"):
        return Told(None, "it is gone after the reload, which the brief does not forbid", attempts=0)
    return Told(False, f'"{case.word("text")}" is gone after the reload', "persistence_lost")


def persists(case: Case) -> Told:
    """What was entered is still there after a reload. Lost although the brief promises it (`promised` 1): `persistence_lost`.

    Where a reload leads to another part of the page (another tab than the one that was open), nothing is told yet.
    """
    text = folded(case.word("text"))
    if text not in readable(case.before):
        return Told(None, "it was not there before the reload", attempts=0)
    if text in readable(case.after):
        return Told(True, f'"{case.word("text")}" is still there')
    if not case.after.marks and not case.after.text.strip():
        return Told(None, "the page did not come back", attempts=0)
    if _elsewhere(case) or _another_month(case):
        return Told(None, ELSEWHERE, attempts=0)
    if case.number("promised"):
        return Told(False, f'"{case.word("text")}" is gone after the reload', "persistence_lost")
    return Told(None, "it is gone after the reload, which the brief does not forbid", attempts=0)


def _another_month(case: Case) -> bool:
    """Whether a page that shows a month shows another one now: what was entered in the one is not looked for in the other."""
    before, after = (
        {found[0] for line in page.text.splitlines() if len(line) <= _HEAD and (found := _MONTH.search(folded(line)))}
        for page in (case.before, case.after)
    )
    return bool(before - after and after - before)


def scrolls(case: Case) -> Told:
    """The page scrolls, and what is further down comes into view. Never held False: inner areas scroll by themselves."""
    if case.changes.scroll:
        return Told(True, f"the page is at {case.after.scroll[1]:.0f} px")
    return Told(None, "the page did not scroll", attempts=0)
