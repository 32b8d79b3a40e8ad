"""What clears the marked items of a list clears just those."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.all_means_all import marks_of
from evaluator.relations.meanings import means
from evaluator.relations.shape import by_itself, called, open_lists, usable
from evaluator.requirements.deeds import does
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Lists, Target
from tools.page.trials import Agree, Press, Trial

_CLEARS = (
    "Clear completed", "Remove completed items", "Delete checked items", "Clear bought items", "Remove what is done",
    "Delete selected",
)  # fmt: skip
_OTHERS = (
    "Clear all", "Clear", "Delete all", "Clear search", "Clear filters", "Reset", "Mark all as completed", "Show completed",
    "Hide completed", "Completed", "Select all", "Deselect all", "Clear the selection", "Delete", "Remove", "Clear the cart",
    "Clear the history", "Delete the list", "Add to the shopping list", "Add to the cart", "Shopping list",
)  # fmt: skip


SURE = 0.6


@relation(
    about=("collections", "buttons", "toggles"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("delete",),
    says=("completed items can be cleared", "remove everything that is ticked"),
)
class ClearedAreTheMarked:
    """What clears the ticked items of a list takes every one of them, and leaves the others."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list some of whose boxes are on; where none is, one of them is ticked first."""
        page = ground.page
        free = (each for each in page.buttons if each.item < 0 and usable(each) and not does(each, "add"))
        button = next((each for each in free if means(each.name, _CLEARS, _OTHERS, sure=SURE)), None)
        if button is None:
            return
        for listed in open_lists(page):
            boxes = marks_of(listed, page)
            if len(boxes) < 2 or len(boxes) != listed.count or any(box.role != "checkbox" for box in boxes):
                continue
            on = {box.item for box in boxes if box.on} or {0}
            if len(on) == listed.count:
                continue
            first = () if any(box.on for box in boxes) else (Press(target=Target.of(boxes[0], page)),)
            yield Trial(
                why=f"{called(button, page)} takes just what is ticked in {called(listed, page)}",
                acts=(*first, Press(target=Target.of(button, page)), Agree()),
                asserts=(
                    Lists(
                        target=Target.of(listed, page),
                        items=tuple(item.text for at, item in enumerate(listed.items) if at not in on),
                    ),
                ),
                control=by_itself(listed, page),
                requirements=ground.asked.about(button, listed),
            )
