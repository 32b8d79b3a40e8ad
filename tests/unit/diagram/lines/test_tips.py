"""Where several lines meet one spot of a node, each still is a line of its own."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.net.test_line_ends import BLACK, _arrow, _box, _ends, _sheet, _traced
from tools.diagram.lines.tips import Tips, _open_at_tips
from tools.diagram.model.blackboard import NodeNote
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import net_of, thin
from tools.media.image import Picture


def _two_over_one(picture: Picture) -> list[NodeNote]:
    """Two boxes side by side and one below, in the middle."""
    boxes = {"one": (40, 30, 140, 80), "two": (380, 30, 480, 80), "end": (200, 260, 320, 310)}
    return [_box(picture, name, box) for name, box in boxes.items()]


def test_heads_that_overlap_belong_to_two_lines() -> None:
    """Two arrows into one spot of a box: two lines with a head each, not one that bends there."""
    picture = _sheet()
    nodes = _two_over_one(picture)
    _arrow(picture, (110, 82), (258, 258))
    _arrow(picture, (410, 82), (262, 258))
    traced = _traced(picture, nodes, [])
    assert _ends(traced) == [("one", "end"), ("two", "end")]
    assert all(line.target_head is Head.arrow and line.source_head is Head.none for line in traced.lines)


def test_lines_that_grow_together_before_their_tip_end_in_it() -> None:
    """Two lines that touch right before a head are one arc past it: the arc is parted there, with a loose end at the tip."""
    lines, numbers = np.zeros((80, 100), np.uint8), np.zeros((80, 100), np.int32)
    cv2.polylines(lines, [np.array([(5, 10), (60, 40), (5, 70)], np.int32)], False, (1,), 1)
    numbers[36:45, 63:75] = 1
    net = net_of(thin(lines), contraction=4.0)
    assert len(net.ends()) == 2
    _open_at_tips(net, Tips(lines, numbers), near=4)
    assert len(net.ends()) == 3
    assert sum(numbers[round(y), round(x)] for x, y in (net.places[vertex] for vertex in net.ends())) == 1


def test_plain_lines_that_meet_at_a_box_are_two() -> None:
    """Two lines without heads end at one spot of a border; for a skeleton they are one line with a sharp bend."""
    picture = _sheet()
    nodes = _two_over_one(picture)
    cv2.line(picture, (110, 82), (260, 257), BLACK, 2)
    cv2.line(picture, (410, 82), (260, 257), BLACK, 2)
    assert {frozenset(pair) for pair in _ends(_traced(picture, nodes, []))} == {
        frozenset(("one", "end")),
        frozenset(("two", "end")),
    }


def test_a_line_with_an_elbow_beside_a_box_stays_one() -> None:
    """A line that turns near a box it has nothing to do with is not cut there."""
    picture = _sheet()
    nodes = [
        _box(picture, "one", (40, 30, 140, 80)),
        _box(picture, "side", (200, 140, 320, 190)),
        _box(picture, "end", (500, 260, 600, 310)),
    ]
    cv2.polylines(picture, [np.array([(90, 82), (90, 214), (550, 214), (550, 246)], np.int32)], False, BLACK, 2)
    _arrow(picture, (550, 214), (550, 258))
    assert _ends(_traced(picture, nodes, [])) == [("one", "end")]


def test_a_head_that_lies_across_the_line_is_seen() -> None:
    """Stepped curves end in a stub, whose head points along the border: it is a head by its form."""
    picture = _sheet()
    nodes = [_box(picture, "one", (40, 30, 140, 80)), _box(picture, "end", (200, 260, 320, 310))]
    cv2.polylines(picture, [np.array([(90, 82), (90, 170), (260, 170), (260, 257)], np.int32)], False, BLACK, 1)
    cv2.fillPoly(picture, [np.array([(255, 247), (267, 252), (255, 257)], np.int32)], BLACK)
    (line,) = _traced(picture, nodes, []).lines
    assert (line.source, line.target) == ("one", "end")
    assert line.target_head is not Head.none
    assert line.source_head is Head.none


def test_a_line_goes_on_beneath_a_head() -> None:
    """It passes right before the box that the head points at, under the head's broad end: it ends at another box."""
    picture = _sheet()
    nodes = [
        _box(picture, "from", (200, 30, 320, 80)),
        _box(picture, "to", (200, 260, 320, 310)),
        _box(picture, "left", (20, 180, 100, 230)),
        _box(picture, "right", (480, 240, 580, 290)),
    ]
    cv2.line(picture, (260, 82), (260, 240), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(260, 259), (251, 236), (269, 236)], np.int32)], BLACK)
    cv2.line(picture, (102, 226), (462, 264), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(479, 266), (461, 258), (460, 270)], np.int32)], BLACK)
    assert _ends(_traced(picture, nodes, [])) == [("from", "to"), ("left", "right")]
