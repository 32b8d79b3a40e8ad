"""Is what the brief names there at all? Told by names and words on the page, and only where their absence is plain."""

from __future__ import annotations

from agent.skills.checks.case import Case, Told
from agent.skills.checks.listed import direction
from agent.skills.controls import Kind, is_search, kind_of
from agent.skills.survey import readable
from agent.words import concepts, keywords, says
from tools.browser.marks import Observation

ALSO = {
    "reset": frozenset({"reset", "clear", "restart"}),
    "pause": frozenset({"pause", "stop", "resume"}),
    "sound": frozenset({"sound"}),
    "sort": frozenset({"sort", "drag"}),
    "search": frozenset({"search", "filter"}),
}
"""Concepts that may stand for another one on a control."""


def offered(case: Case) -> Told:
    """What the brief asks for by name (`words`, or a control of a `concept`) is somewhere on the page; else `missing_feature`."""
    if not case.after.marks or case.after.truncated or case.after.marks_found > len(case.after.marks):
        return Told(None, "the page was not read as a whole", attempts=0)
    named = case.word("named")
    if not named:
        return Told(None, "nothing is looked for", attempts=0)
    if on_page(case.after, frozenset(case.word("words").split("\n")) - {""}, case.word("concept")):
        return Told(True, f'"{named}" is there')
    return Told(False, f'"{named}" is nowhere on the page', "missing_feature")


def on_page(page: Observation, words: frozenset[str], concept: str) -> bool:
    """Whether any of these words, or a control of that concept, or one that could be it without saying so, is on the page."""
    shown = set(keywords(f"{page.title}\n{page.text}\n{readable(page)}"))
    told = " ".join(f"{mark.placeholder} {' '.join(mark.option_names)} {mark.context}" for mark in page.marks)
    if words & (shown | set(keywords(told))):
        return True
    return bool(concept) and _has(page, concept, told)


def _has(page: Observation, concept: str, told: str) -> bool:
    wanted = ALSO.get(concept, frozenset({concept}))
    if wanted & (concepts(told) | concepts(page.text)) or any(wanted & concepts(mark.name) for mark in page.marks):
        return True
    match concept:
        case "search":
            return any(is_search(mark) or (kind_of(mark) is Kind.text and not mark.readonly) for mark in page.marks)
        case "sort":
            heads = {head.casefold() for listing in page.lists for head in listing.columns if head}
            return any(
                mark.name.casefold() in heads
                or (mark.options and says("sort", mark.name))
                or any(direction(name) for name in mark.option_names)
                for mark in page.marks
            )
    return any(
        _nameless(mark.name) for mark in page.marks if kind_of(mark) in (Kind.button, Kind.checkbox, Kind.link, Kind.other)
    )


def _nameless(name: str) -> bool:
    """A picture of a control: what it is for cannot be read."""
    return not any(sign.isalnum() for sign in name)
