"""A stroke is told from what flies through the pointer's way on a drawing that moves by itself."""

from __future__ import annotations

import pytest

from tests.unit.deciders.scenes import todo
from tools.evidence.rows import Box
from tools.page.assertions import DrawnAt, Scene, Target
from tools.page.changes import Witness
from tools.page.parts import Surface

BOARD = Surface(
    key="board", node="n", name="Board", selector="#b", kind="canvas", in_view=True, box=Box(x=100, y=100, width=600, height=400)
)


def box(x: float, y: float, width: float, height: float) -> Box:
    """What changed there."""
    return Box(x=x, y=y, width=width, height=height)


@pytest.mark.parametrize(
    ("regions", "result"),
    [
        ([box(276, 236, 188, 8)], "held"),  # the stroke
        ([box(300, 236, 40, 8), box(350, 236, 40, 8), box(400, 236, 60, 8)], "held"),  # a dotted one
        ([box(100, 100, 600, 400)], "held"),  # all of it is painted anew
        ([box(300, 225, 40, 40)], "cannot tell"),  # an apple on its way down
        ([box(300, 225, 40, 40), box(310, 225, 40, 40), box(150, 400, 80, 20)], "cannot tell"),  # two, and a basket
        ([box(276, 336, 188, 8)], "violated"),  # the stroke, elsewhere
        ([], "cannot tell"),
    ],
)
def test_a_stroke_goes_along_the_pointers_way(regions: list[Box], result: str) -> None:
    """For half of it at least."""
    page = todo(surfaces=[BOARD])
    drawn = DrawnAt(target=Target.of(BOARD, page), path=((0.3, 0.35), (0.6, 0.35)))
    assert drawn.evaluate(Scene(after=page, before=page, witness=Witness(picture=tuple(regions)))).result == result
