"""What is listed can be scrolled to."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import all_shown, called, open_lists
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import InView, Target
from tools.page.model import PageModel
from tools.page.parts import Collection, Part
from tools.page.trials import Control, Keys, Scroll, Trial

LEAST = 5
BEYOND = 40.0
"""CSS pixels by which the wheel is turned further than to where the last item comes into the window."""


@relation(about=("collections",), category=Category.out_of_viewport, severity=Severity.major)
class LastCanBeReached:
    """The last item of a list that begins in the window comes into it when the wheel is turned over the list."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list that goes on beneath the window; by just as far as it lies away, for more may be loaded then."""
        page = ground.page
        high = page.viewport[1]
        for listed in open_lists(page):
            first, last = _part_of(0, listed, page), _part_of(listed.count - 1, listed, page)
            if first is None or last is None or not first.in_view or last.box.y < high:
                continue
            if listed.count < LEAST or not all_shown(listed, ground):
                continue
            reached = (InView(target=Target.of(last, page)),)
            yield Trial(
                why=f"the end of {called(listed, page)} can be reached",
                acts=(Scroll(target=Target.of(first, page), down=last.box.y + last.box.height - high + BEYOND),),
                asserts=reached,
                control=Control(
                    explains="the keyboard leads there",
                    acts=(Keys(keys=("End",)),),
                    asserts=reached,
                ),
                requirements=ground.asked.about(listed),
            )


def _part_of(item: int, listed: Collection, page: PageModel) -> Part | None:
    """A control or a text in an item."""
    parts: tuple[Part, ...] = (*page.buttons, *page.links, *page.toggles, *page.texts)
    return next((part for part in parts if part.collection == listed.key and part.item == item), None)
