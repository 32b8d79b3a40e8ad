"""Assertions about where an item stands in its list."""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen
from tools.page.assertions.base import Lines, Outcome, Scene, Target, cannot_tell, held, quoted, violated
from tools.page.assertions.items import the_item
from tools.page.assertions.lists import both_lists, item_texts


class MovedBy(Frozen):
    """An item stands so many places further down (up where negative), and the others in their order."""

    kind: Literal["moved by"] = "moved by"
    target: Target
    item: str
    """Its text before, as `Item.text` says it."""
    by: int

    def evaluate(self, scene: Scene) -> Outcome:
        """Cannot tell where it was not there just once, or where what else is in the list changed with it."""
        both = both_lists(self.target, scene)
        if isinstance(both, Outcome):
            return both
        before, after = item_texts(both[0]), item_texts(both[1])
        item = the_item(self.item, before)
        if before.count(item) != 1:
            return cannot_tell(f'{self.target.words()} has not just one "{self.item[:80]}"')
        if sorted(before) != sorted(after):
            return cannot_tell("what the items say is not the same as before")
        at = before.index(item)
        others = before[:at] + before[at + 1 :]
        wanted = [*others[: at + self.by], item, *others[at + self.by :]]
        if after == wanted:
            return held(f'"{item[:80]}" is the {after.index(item) + 1}. item now')
        if before == after:
            return violated("the items stand as before")
        return violated(f'"{item[:80]}" is the {after.index(item) + 1}. item now; in order: {", ".join(after)}'[:240])

    def words(self) -> str:
        """One clause."""
        way = "down" if self.by > 0 else "up"
        return f'in {self.target.words()} "{self.item[:40]}" goes {abs(self.by)} place{"s" if abs(self.by) > 1 else ""} {way}'

    def playwright(self) -> Lines:
        """As lines of a test."""
        items, words = self.target.items(), quoted(self.item)
        return Lines(
            before=(f"before = item_texts({items})",),
            after=(f"assert item_texts({items}) == moved(before, {words}, {self.by})",),
            helpers=("item_texts", "without", "moved"),
        )
