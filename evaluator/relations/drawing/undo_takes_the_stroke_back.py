"""A stroke can be taken back."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import STROKE, button_for, drawings
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Moves, Target, Unchanged
from tools.page.trials import Agree, Control, Point, Press, Reload, Trial


@relation(about=("surfaces", "buttons"), category=Category.wrong_result, severity=Severity.major)
class UndoTakesTheStrokeBack:
    """Undo, and clear on an empty sheet, leave the sheet as it was before the stroke."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One a button, for the largest canvas; a canvas that moves by itself is none to draw on."""
        page = ground.page
        board = next((one for one in drawings(page) if one.kind == "canvas" and one.digest), None)
        if board is None:
            return
        target = Target.of(board, page)
        for deed in ("undo", "clear"):
            button = button_for(page, deed)
            if button is None or (deed == "clear" and any(seen.document == page.document for seen in ground.earlier)):
                continue
            yield Trial(
                why=f'"{button.name}" takes the stroke back',
                acts=(Point(target=target, path=STROKE), Press(target=Target.of(button, page)), Agree()),
                asserts=(Unchanged(target=target),),
                control=Control(explains="it moves by itself", acts=(Reload(),), asserts=(Moves(target=target, wait_ms=1500),)),
                requirements=ground.asked.about(board, button),
            )
