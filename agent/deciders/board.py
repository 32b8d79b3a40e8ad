"""The parts of a page that a model may name by a number: those that can be used and are not covered, in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tools.page.assertions import Target
from tools.page.model import PageModel
from tools.page.parts import Part

_USED = ("fields", "choices", "toggles", "buttons", "links", "surfaces")
MOST = 120
ROWS_AT_MOST = 6
"""Items of a list that are told one by one. The controls of later ones are named by their words and their item's."""
_LINE_PX = 12
"""Parts whose tops lie less apart stand in one line."""


@dataclass(frozen=True)
class Board:
    """A page with numbers, from 1. They mean the same in the picture, the words and the answer, and hold for one question."""

    page: PageModel

    @cached_property
    def numbered(self) -> tuple[Part, ...]:
        """The part of number n is the n-1st. What is in view comes first: a long page's numbers do not run out on its head."""
        parts = [part for kind in _USED for part in getattr(self.page, kind) if self.shows(part) and part.item < ROWS_AT_MOST]
        places = {(part.selector, part.frame) for part in self.page.fields}
        own = [part for part in parts if part in self.page.fields or (part.selector, part.frame) not in places]
        own.sort(key=lambda item: (not item.in_view, round(item.box.y / _LINE_PX), item.box.x))
        return tuple(own[:MOST])

    @cached_property
    def _numbers(self) -> dict[tuple[str, str, str], int]:
        return {_who(part): number for number, part in enumerate(self.numbered, 1)}

    @cached_property
    def _over(self) -> frozenset[str]:
        """Keys of the layers that can be used while one of them bars the page: what lies under it is left out.

        Many dialogs do not say that they are modal: one that covers controls without saying so is taken for it.
        """
        if not any(layer.modal or (layer.kind == "dialog" and layer.covers) for layer in self.page.layers):
            return frozenset()
        return frozenset(layer.key for layer in self.page.layers)

    def shows(self, part: Part) -> bool:
        """Whether a person could get at it, if need be by scrolling."""
        return not part.covered and (not self._over or part.layer in self._over)

    def number(self, part: Part) -> int | None:
        """Its number; None where it has none."""
        return self._numbers.get(_who(part))

    def part(self, number: int) -> Part | None:
        """The part of that number."""
        return self.numbered[number - 1] if 0 < number <= len(self.numbered) else None

    def target(self, number: int) -> Target | None:
        """What means it in trials, here and on a page opened afresh."""
        part = self.part(number)
        return Target.of(part, self.page) if part is not None else None


def _who(part: Part) -> tuple[str, str, str]:
    return part.node, part.selector, part.key
