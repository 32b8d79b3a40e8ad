"""A cleared sheet is empty."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import STROKE, button_for, called, drawings
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import Moves, Target, Unchanged
from tools.page.trials import Agree, Control, Point, Press, Reload, Trial


@relation(
    about=("surfaces", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("draw",),
    says=("clear empties the drawing",),
)
class ClearedIsEmpty:
    """A stroke on a sheet that was cleared is gone once it is cleared again."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """At most one: for the largest canvas of a document that was not seen before, if a button clears it."""
        page = ground.page
        board = next((drawing for drawing in drawings(page) if drawing.kind == "canvas" and drawing.digest), None)
        button = button_for(page, "clear")
        if board is None or button is None or any(seen.document == page.document for seen in ground.earlier):
            return
        target = Target.of(board, page)
        clear = (Press(target=Target.of(button, page)), Agree())  # first for a sheet that comes up with something on it
        yield Trial(
            why=f"{called(button, page)} leaves the sheet empty",
            precondition=clear,
            acts=(Point(target=target, path=STROKE), *clear),
            asserts=(Unchanged(target=target),),
            control=Control(explains="it moves by itself", acts=(Reload(),), asserts=(Moves(target=target, wait_ms=1500),)),
            requirements=ground.asked.about(board, button),
        )
