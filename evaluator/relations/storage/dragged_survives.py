"""What was dragged elsewhere is there after a reload."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.collections.dragged_is_moved import Drags, drags
from evaluator.relations.keeping import asked_to_keep, kept_later
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Kept, Stores, Target
from tools.page.trials import Control, Drag, Trial


@relation(about=("collections",), category=Category.persistence_lost, severity=Severity.major, shows=("persist",))
class DraggedSurvives:
    """What was dragged is where it was put after a reload, too, where dragging writes anything into the browser's stores."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """The first item that can be dragged; the control drags another one of its list."""
        page = ground.page
        by_list: dict[str, list[Drags]] = {}
        for drag in drags(page):
            by_list.setdefault(drag.listed.key, []).append(drag)
        for found in by_list.values():
            first = found[0]
            second = next((each_drags for each_drags in found if each_drags.item != first.item), None)
            if second is None:
                continue
            listed, again = Target.of(first.listed, page), Drag(target=second.handle, to=second.to)
            kept = Kept(target=listed, beside=listed)
            asked = asked_to_keep(ground, first.listed)
            yield Trial(
                why=f'"{first.item.key}", dragged from "{first.listed.name}" to {first.to.words()}, is not back after a reload',
                acts=(Drag(target=first.handle, to=first.to),),
                asserts=(kept,),
                control=kept_later(ground, (again,), kept)
                if asked
                else Control(explains="dragging stores nothing", acts=(again,), asserts=(Stores(yes=False),)),
                requirements=tuple(dict.fromkeys((*asked, *ground.asked.of("drag")))),
            )
            return
