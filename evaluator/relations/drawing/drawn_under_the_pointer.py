"""What is drawn lies under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import STROKE, drawings
from evaluator.taxonomy import Category, Severity
from tools.page.assertions import Changes, DrawnAt, Target, Unchanged
from tools.page.trials import Act, Control, Keys, Point, Reload, Resize, Trial

SCROLLED = Keys(keys=("ArrowDown",) * 2)
"""By some 80 px: what was in view mostly still is, so that the hand need not bring it back."""


@relation(about=("surfaces",), category=Category.wrong_result, severity=Severity.major, shows=("draw",))
class DrawnUnderThePointer:
    """A stroke lies where the pointer went, also after the page was scrolled and after the window became narrower."""

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Three for the largest canvas. That it is drawn upon at all shows in what it does unscrolled, or in its first size."""
        page = ground.page
        for board in [one for one in drawings(page) if one.kind == "canvas"][:1]:
            target = Target.of(board, page)
            stroke, asked = Point(target=target, path=STROKE), ground.asked.about(board)
            drawn = DrawnAt(target=target, path=STROKE)
            yield Trial(why="a stroke lies under the pointer", acts=(stroke,), asserts=(drawn,), requirements=asked)
            ways: list[tuple[str, Act]] = [
                ("in a narrower window", Resize(width=int(page.viewport[0] * 0.8), height=int(page.viewport[1])))
            ]
            if page.size[1] > page.viewport[1] + 60:
                ways.insert(0, ("after scrolling", SCROLLED))
            for how, first in ways:
                yield Trial(
                    why=f"a stroke lies under the pointer {how}",
                    precondition=(first,),
                    acts=(stroke,),
                    asserts=(Changes(target=target), drawn),
                    control=Control(
                        explains="nothing is drawn by the pointer there before that either",
                        precondition=(
                            Reload(),
                            Keys(keys=("Home",)),
                            Resize(width=int(page.viewport[0]), height=int(page.viewport[1])),
                        ),
                        acts=(stroke,),
                        asserts=(Unchanged(target=target),),
                    ),
                    requirements=asked,
                )
