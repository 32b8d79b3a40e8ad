"""A stroke that is undone is gone."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.undo.undo_restores import button_for
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import DrawnAt, Target, Unchanged
from tools.page.trials import Control, Point, Press, Trial, Wait

_STROKES = (((0.3, 0.35), (0.45, 0.5), (0.6, 0.4)), ((0.35, 0.65), (0.5, 0.6), (0.65, 0.7)))

_ANOTHER = (0.25, 0.8), (0.4, 0.75), (0.55, 0.85)


@relation(
    about=("surfaces", "buttons"),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("undo", "draw"),
    says=("undo takes back the last stroke",),
)
class UndoneDrawing:
    """Two strokes and two undos leave a drawing as it was."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """One stroke and one undo, then two and two, of the largest drawing."""
        undo = button_for("undo", ground)
        surfaces = [each_surface for each_surface in ground.page.surfaces if each_surface.in_view and not each_surface.covered]
        if undo is None or undo.find(ground.page) is None or not surfaces:
            return
        surface = max(surfaces, key=lambda each_surface: each_surface.box.width * each_surface.box.height)
        target = Target.of(surface, ground.page)
        for many in (1, 2):
            yield Trial(
                why=f"{many} undone strokes leave the drawing as it was",
                acts=(*(Point(target=target, path=path) for path in _STROKES[:many]), *(Press(target=undo) for _ in range(many))),
                asserts=(Unchanged(target=target),),
                control=Control(
                    explains="it is not drawn on, or moves by itself",
                    precondition=(Wait(app_ms=700),),
                    acts=(Point(target=target, path=_ANOTHER),),
                    asserts=(DrawnAt(target=target, path=_ANOTHER, yes=False),),
                ),
                requirements=ground.asked.about(surface),
            )
