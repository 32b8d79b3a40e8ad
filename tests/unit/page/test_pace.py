"""How fast a shown time runs, where it may have come to its end between two looks."""

from __future__ import annotations

import pytest

from tools.evidence.rows import Box
from tools.page.assertions import Pace, Scene, Target
from tools.page.model import PageModel
from tools.page.parts import Figure
from tools.page.quantities import quantity_of

BOX = Box(x=0, y=0, width=60, height=20)


def seen(text: str, at_ms: float) -> PageModel:
    """A page that shows a time."""
    quantity = quantity_of(text)
    assert quantity is not None
    left = Figure(key="figure left", node="f", name="Left", selector="#left", box=BOX, in_view=True, quantity=quantity)
    return PageModel(url="http://a/", viewport=(1280, 800), document="one", at_ms=at_ms, figures=(left,))


@pytest.mark.parametrize(
    ("before", "after", "later", "result"),
    [
        ("0:00", "0:00", "0:07", "violated"),
        ("0:20", "0:20", "0:13", "violated"),
        ("0:02", "0:02", "0:09", "cannot tell"),
        ("0:03", "0:02", "0:09", "cannot tell"),
        ("0:01", "0:02", "0:09", "violated"),
        ("0:02", "0:02", "0:05", "cannot tell"),
        ("0:00", "0:00", "0:03", "held"),
    ],
)
def test_a_time_that_may_have_begun_anew_is_not_too_fast(before: str, after: str, later: str, result: str) -> None:
    """Two seconds left, and nine three seconds later: the next span, unless it was seen to run up, or began at nothing."""
    scene = Scene(before=seen(before, 0), after=seen(after, 100), later=seen(later, 3_200))
    target = Target(kind="figures", key="figure left", name="Left")
    assert Pace(target=target, wait_ms=3_000).evaluate(scene).result == result
