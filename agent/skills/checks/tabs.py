"""A tab that is marked as the chosen one shows what it stands for, not what another tab shows."""

from __future__ import annotations

from agent.skills.checks.case import VISIBLE, Case, Told
from agent.skills.controls import FIELDS, kind_of
from agent.words import folded, keywords
from tools.browser.marks import Mark, Observation


def tab_shows(case: Case) -> Told:
    """Choosing another tab changes what is shown. The same as under the one before, which it names: `broken_navigation`."""
    chosen, was = case.mark_after, _chosen(case.before)
    if chosen is None or chosen.role != "tab" or not chosen.checked or was is None or was.signature == chosen.signature:
        return Told(None, "no other tab was chosen", attempts=0)
    if case.changes.text or case.after.moving > VISIBLE or case.moved_before:
        return Told(None, "the page shows something else", attempts=0)
    tabs = {folded(mark.name) for mark in case.after.marks if mark.role == "tab"}
    lines = [folded(line) for line in case.after.text.splitlines() if folded(line) not in tabs]
    # A line may name it for other reasons ("0 active"): what its fields stand under is its own.
    parts = [mark.context for mark in case.after.marks if kind_of(mark) in FIELDS]
    if _named(chosen, lines) or not _named(was, parts):
        return Told(None, "whose content is shown cannot be told", attempts=0)
    return Told(False, f'"{chosen.name}" is marked as chosen, and what "{was.name}" stands for is shown', "broken_navigation")


def _chosen(page: Observation) -> Mark | None:
    tabs = [mark for mark in page.marks if mark.role == "tab" and mark.checked]
    return tabs[0] if len(tabs) == 1 else None


def _named(tab: Mark, lines: list[str]) -> bool:
    """Whether a line has all the words a tab is called by."""
    words = set(keywords(tab.name))
    return bool(words) and any(words <= set(keywords(line)) for line in lines)
