"""What an entry of a list shows only while the pointer rests on it: a ✖ at its end, a row of small buttons.

Nothing on the page tells of them before, and moving on takes them away: they are looked for where a list hides its entries'
buttons, or where none can be seen that the brief asks for, and pressed before anything else leads the pointer away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent.skills import buttons
from agent.skills.survey import Candidate, Survey, candidate
from agent.words import folded
from tools.browser.actions import Hover, Target
from tools.browser.marks import Listing

SKILL = "rest the pointer on an entry"
AT_ONCE = 98.0
"""What came up goes again with the pointer."""
ANY_ENTRY = 16.0
"""An entry that was there from the start: late, for what comes up may delete it."""
MOST = 3


def propose(survey: Survey) -> list[Candidate]:
    """Where a list hides its entries' buttons and nothing was added to it, its first entry; then what came up."""
    if uncovered(survey):
        return at_once(survey, buttons.propose(survey))
    if survey.count(SKILL):
        return []
    hidden = (listing for listing in survey.now.lists if listing.veiled and listing.holders)
    return [point_at(target_in(listing, 0), ANY_ENTRY) for listing in hidden][:1]


def uncovered(survey: Survey) -> bool:
    """Whether the pointer has just come to rest on an entry."""
    return survey.last is not None and survey.last.decision.skill == SKILL and survey.last.acted.delivered


def at_once(survey: Survey, proposed: Iterable[Candidate]) -> list[Candidate]:
    """Of these the best that is aimed at what came up under the pointer, before all else."""
    before = survey.observation(survey.last.acted.before) if survey.last is not None else None
    known = {mark.signature for mark in before.marks} if before is not None else set[str]()
    fresh = [one for one in proposed if (aim := getattr(one.decision.action, "target", None)) and aim.signature not in known]
    return [replace(one, priority=AT_ONCE) for one in sorted(fresh, key=lambda one: -one.priority)[:1]]


def point_at(target: Target, priority: float) -> Candidate:
    """The pointer rests on the text of an entry; nothing is expected of that."""
    return candidate(priority, Hover(target=target), "its buttons may come up under the pointer", SKILL, checked=False)


def row_of(survey: Survey, texts: Sequence[str]) -> tuple[Target, Listing] | None:
    """The text of the first entry of a list that holds one of these, and the list."""
    for listing in survey.now.lists:
        for place, item in enumerate(listing.items[: len(listing.holders)]):
            if any(folded(text) in folded(" ".join(item)) for text in texts):
                return target_in(listing, place), listing
    return None


def target_in(listing: Listing, place: int) -> Target:
    """The text of one entry."""
    return Target(selector=listing.holders[place], frame=listing.frame, name=" ".join(filter(None, listing.items[place]))[:60])
