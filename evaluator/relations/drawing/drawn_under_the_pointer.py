"""What is drawn lies under the pointer."""

from __future__ import annotations

from collections.abc import Iterator

from evaluator.relations.base import Ground, relation
from evaluator.relations.shape import STROKE, drawings
from evaluator.verdict.taxonomy import Category, Severity
from tools.page.assertions import DrawnAt, Target
from tools.page.trials import Act, Control, Keys, Point, Reload, Resize, Trial

_ASKS = ("draw on the canvas with the mouse",)
SCROLLED = (Keys(keys=("ArrowDown",)),) * 2
"""By some 80 px: what was in view mostly still is, so that the hand need not bring it back. One after the other: of two keys in
one smooth scroll a busy browser now and then loses one."""


@relation(
    about=("surfaces",),
    category=Category.wrong_result,
    severity=Severity.major,
    shows=("draw",),
    says=_ASKS,
)
class DrawnUnderThePointer:
    """A stroke lies where the pointer went, also after the page was scrolled and after the window became narrower.

    The two latter with the tools that the app comes up with: an eraser draws nothing. That nothing is drawn at all is no
    failing here: a canvas may be for looking at.
    """

    def trials(self, ground: Ground) -> Iterator[Trial]:
        """Three for the largest canvas, each along a way of its own; where the brief asks for other things, just the first."""
        page = ground.page
        for board in [drawing for drawing in drawings(page) if drawing.kind == "canvas"][:1]:
            target, asked = Target.of(board, page), ground.asked.about(board)
            drawn = DrawnAt(target=target, path=STROKE)
            first = Point(target=target, path=STROKE)
            other = lower(0.1)
            yield Trial(
                why="a stroke lies under the pointer",
                acts=(first,),
                asserts=(drawn,),
                control=_another(target, other),
                requirements=asked,
            )
            if ground.asked.words() and not (ground.asked.of("draw") or ground.asked.saying(_ASKS)):
                continue
            narrower = Resize(width=int(page.viewport[0] * 0.8), height=int(page.viewport[1]))
            ways: list[tuple[str, tuple[Act, ...]]] = [("in a narrower window", (narrower,))]
            if page.size[1] > page.viewport[1] + 60:
                ways.insert(0, ("after scrolling", SCROLLED))
            for number, (how, lead) in enumerate(ways):
                path, other = lower(0.1 + 0.2 * number), lower(0.2 + 0.2 * number)
                yield Trial(
                    why=f"a stroke lies under the pointer {how}",
                    precondition=(Reload(), *lead),
                    acts=(Point(target=target, path=path),),
                    asserts=(DrawnAt(target=target, path=path),),
                    control=_another(target, other),
                    requirements=asked,
                )


def _another(target: Target, path: tuple[tuple[float, float], ...]) -> Control:
    return Control(
        explains="what changed there was no stroke",
        acts=(Point(target=target, path=path),),
        asserts=(DrawnAt(target=target, path=path),),
    )


def lower(by: float) -> tuple[tuple[float, float], ...]:
    """The stroke, further down by that share of the surface's height."""
    return tuple((x, round(y + by, 3)) for x, y in STROKE)
