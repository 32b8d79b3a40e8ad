"""Whether the brief asks that something is kept."""

from __future__ import annotations

from evaluator.relations.base import Ground
from evaluator.relations.shape import likeness
from tools.page.parts import Part

KEPT = (
    "It is still there after a reload",
    "Survives a reload of the page",
    "Kept until the next visit",
    "Saved in the browser",
    "Remembered when I come back later",
    "Stored in localStorage",
    "No data is lost when the page is reloaded",
)
EVERYTHING = ("Everything is kept in the browser", "All of it is saved in the browser", "The list is still there after a reload")
SURE, WHOLE = 0.5, 0.6


def asked_to_keep(ground: Ground, *parts: Part) -> tuple[str, ...]:
    """Ids of requirements that surely ask to keep what these parts hold, or everything.

    Most apps that store nothing keep their things in memory by design; one whose brief asks for it does not. What asks for one
    thing (a high score) asks for no other.
    """
    words, about = ground.asked.words(), set(ground.asked.about(*parts))
    sure = [one for one in ground.asked.of("persist") if likeness(words[one], *KEPT) >= SURE]
    return tuple(one for one in sure if one in about or likeness(words[one], *EVERYTHING) >= WHOLE)
