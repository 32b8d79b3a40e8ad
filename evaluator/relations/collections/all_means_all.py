"""A control for all items is for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.meanings import means
from evaluator.relations.shape import called, open_lists, usable
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import IsOn, Target
from tools.page.model import PageModel
from tools.page.parts import Collection, Toggle
from tools.page.trials import Control, Press, Trial

_ALL = ("Mark all as complete", "Select all", "Check all", "Toggle all", "Mark everything as done", "Complete all")
_OTHERS = ("All", "Show all", "Select", "Delete all", "Clear all", "Expand all", "Clear completed", "Mark as complete")
MOST = 8
"""Items that are looked at."""


@relation(about=("collections", "toggles"), category=Category.wrong_result, severity=Severity.major, shows=("mark",))
class AllMeansAll:
    """What marks all items of a list marks every one of them, and takes the mark from every one when they all have it."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a list and state: with some marked, or with all of them."""
        page = ground.page
        switch = next(
            (toggle for toggle in page.toggles if toggle.item < 0 and usable(toggle) and means(toggle.name, _ALL, _OTHERS)), None
        )
        if switch is None:
            return
        for listed in open_lists(page):
            boxes = marks_of(listed, page)
            if len(boxes) < 2 or len(boxes) != listed.count:
                continue
            wanted = not all(box.on for box in boxes)
            targets = [(Target.of(box, page), bool(box.on)) for box in boxes[:MOST]]
            yield Trial(
                why=f"{called(switch, page)} {'marks' if wanted else 'takes the mark from'} all of {called(listed, page)}",
                acts=(Press(target=Target.of(switch, page)),),
                asserts=tuple(IsOn(target=target, yes=wanted) for target, _ in targets),
                control=Control(
                    explains="it is about something else: no item is marked otherwise than before",
                    acts=(),
                    asserts=tuple(IsOn(target=target, yes=on) for target, on in targets),
                ),
                requirements=ground.asked.about(switch, listed),
            )


def marks_of(listed: Collection, page: PageModel) -> list[Toggle]:
    """The toggles of its items where each has just one, in their order; none where one of them can't be pressed."""
    boxes = sorted(
        (toggle for toggle in page.toggles if toggle.collection == listed.key and toggle.item >= 0),
        key=lambda toggle: toggle.item,
    )
    alone = [toggle.item for toggle in boxes] == list(range(len(boxes)))
    return boxes if alone and not any(box.disabled or box.on is None for box in boxes) else []
