"""Assertions about what only one person can have: a seat, a slot, a table. They look at the items in which it is offered."""

from __future__ import annotations

import re
from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.anywhere import plain_words
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, judged, quoted, quoted_list, violated
from tools.page.model import PageModel
from tools.page.parts import Item

_DIGITS = re.compile(r"\d+")


def item_of(target: Target, page: PageModel) -> tuple[str, int, Item] | None:
    """The item that a target stands in: its collection's key, its number from 0, and itself."""
    words = plain_words(target.within)
    for listed in page.collections if words else ():
        for number, item in enumerate(listed.items):
            if plain_words(item.text).startswith(words):
                return listed.key, number, item
    return None


def item_says(target: Target, page: PageModel) -> frozenset[str] | None:
    """All that the item says, its controls' names among it, in plain words with numbers left out; None where it is not there."""
    found = item_of(target, page)
    if found is None:
        return None
    key, number, item = found
    controls = (
        button for button in (*page.buttons, *page.links, *page.toggles) if (button.collection, button.item) == (key, number)
    )
    return frozenset(_bare(text) for text in (*(cell.text for cell in item.cells), *(control.name for control in controls))) - {
        ""
    }


def _bare(words: str) -> str:
    return _DIGITS.sub("#", plain_words(words))


def is_offered(target: Target, page: PageModel) -> bool | None:
    """Whether the control of that very name can be used in that item; None where there is no such item."""
    found = item_of(target, page)
    if found is None:
        return None
    inside = (button for button in (*page.buttons, *page.links) if (button.collection, button.item) == found[:2])
    return any(plain_words(part.name) == plain_words(target.name) and not part.disabled for part in inside)


class StillOffered(Frozen):
    """What stands in an item can be had: the control of that name is there and can be used."""

    kind: Literal["still offered"] = "still offered"
    target: Target

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the item is not on the page."""
        offered = is_offered(self.target, scene.after)
        if offered is None:
            return cannot_tell(f'"{self.target.within[:40]}" is not on the page')
        return judged(offered, f"{self.target.words()} {'can' if offered else 'can not'} be pressed")

    def words(self) -> str:
        """One clause."""
        return f"{self.target.words()} is still offered"

    def playwright(self) -> Lines:
        """As lines of a test."""
        return Lines(after=(f"expect({self.target.locator()}).to_be_enabled()",))


class NotBoth(Frozen):
    """What one person got another did not get as well: the other is not told of it what the first is told of their own.

    Two items are looked at. The first person has one of them (`owned`), which is not offered to the other; for the other one
    (`target`) both have asked. Where the other's page says of that what the first's page says of `owned`, and something else of
    `owned`, it is theirs in the app's own words, though the first one had it.
    """

    kind: Literal["not both"] = "not both"
    target: Target
    owned: Target
    free: tuple[str, ...]
    """What both items said while nobody had them: their names, times, places."""
    places: tuple[str, str] = ("", "")
    """Selectors of the items of `target` and `owned`, for exported tests."""

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where the app does not say whose something is, or offers `owned` to both: then there may be more of it."""
        if scene.others is None:
            return cannot_tell("no other person's page was seen")
        own, other = scene.after, scene.others.after
        said = (item_says(self.owned, own), item_says(self.owned, other), item_says(self.target, other))
        if any(group is None for group in said):
            return cannot_tell("the items are not on both persons' pages")
        known = {_bare(text) for text in self.free}
        mine, told, theirs = (group - known for group in said if group is not None)
        if is_offered(self.owned, other):
            return cannot_tell(f'"{self.owned.within[:40]}", which one has, is offered to the other: there may be more of it')
        if not mine or mine == told:
            return cannot_tell("the page does not say whose it is")
        if theirs == mine and not is_offered(self.target, other):
            return violated(f'both were told of "{self.target.within[:40]}": {", ".join(sorted(mine))[:100]}')
        return held(f'the other is told of "{self.target.within[:40]}": {", ".join(sorted(theirs))[:100] or "nothing new"}')

    def words(self) -> str:
        """One clause."""
        return f'"{self.target.within[:40]}" is not given to both'

    def playwright(self) -> Lines:
        """As lines of a test, in which the other person's page is called `other`."""
        target, owned = (quoted(place) for place in self.places)
        return Lines(
            after=(
                f"mine, theirs = page.locator({owned}).inner_text(), other.locator({target}).inner_text()",
                f"for words in {quoted_list(sorted(self.free, key=len, reverse=True))}:",
                '    mine, theirs = mine.replace(words, ""), theirs.replace(words, "")',
                "assert mine.split() != theirs.split()",
            )
        )
