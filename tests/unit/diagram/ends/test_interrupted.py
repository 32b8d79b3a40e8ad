"""Lines beneath labels, and tips that are no heads."""

from __future__ import annotations

import numpy as np
import pytest

from tools.diagram.ends.heads import Ending
from tools.diagram.ends.interrupted import across_texts
from tools.diagram.ends.seen import likely
from tools.diagram.model.blackboard import Agent, TextNote
from tools.diagram.model.graph import Frame, Head
from tools.diagram.picture.skeleton import Arc, Net

_GLYPH = 11.0


def _label(x: float, y: float, width: float, height: float) -> TextNote:
    frame = Frame(x=x, y=y, width=width, height=height)
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return TextNote(writer=Agent.text_spotter, pixels=frame, id="t1", text="book", corners=corners, turned=0)


@pytest.mark.parametrize(("away", "patched", "joined"), [(40, True, True), (40, False, False), (-40, True, False)])
def test_a_curve_that_turns_about_beneath_its_label_is_one_line(away: float, patched: bool, joined: bool) -> None:
    """Down to the left, beneath the patch, and down to the right; not where the second stretch comes from the left as well."""
    net = Net()
    for places in (((100, 40), (60, 75)), ((60, 105), (60 + away, 140))):
        points = np.linspace(*places, 60)
        start, stop = (net.vertex((float(point[0]), float(point[1]))) for point in (points[0], points[-1]))
        net.add(Arc(points, (start, stop)))
    found = across_texts(net, net.ends(), [_label(30, 77, 60, 26)], _GLYPH, patched=patched)
    assert bool(found) is joined


def test_a_tip_alone_is_a_head_only_where_the_network_does_not_see_a_plain_end() -> None:
    """Lines that cross where they leave their node have a sliver between them, with a tip; it is asked where that can be seen."""
    seen = {1: Ending(Head.arrow, 0.3), 2: Ending(Head.arrow, 0.9)}
    assert likely({1, 2, 3}, seen) == {2, 3}
