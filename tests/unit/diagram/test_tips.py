"""Where several lines meet one spot of a node, each still is a line of its own."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.test_line_ends import BLACK, _arrow, _box, _ends, _sheet, _traced
from tools.diagram.graph import Head


def test_heads_that_overlap_belong_to_two_lines() -> None:
    """Two arrows into one spot of a box: two lines with a head each, not one that bends there."""
    picture = _sheet()
    nodes = [
        _box(picture, "one", (40, 30, 140, 80)),
        _box(picture, "two", (380, 30, 480, 80)),
        _box(picture, "end", (200, 260, 320, 310)),
    ]
    _arrow(picture, (110, 82), (258, 258))
    _arrow(picture, (410, 82), (262, 258))
    traced = _traced(picture, nodes, [])
    assert _ends(traced) == [("one", "end"), ("two", "end")]
    assert all(line.target_head is Head.arrow and line.source_head is Head.none for line in traced.lines)


def test_lines_that_grow_together_before_their_head_both_end_in_it() -> None:
    """Two lines touch right before one head: they lead into it, and none leads from the one node to the other."""
    picture = _sheet()
    nodes = [
        _box(picture, "one", (40, 30, 140, 80)),
        _box(picture, "two", (40, 260, 140, 310)),
        _box(picture, "end", (400, 145, 500, 195)),
    ]
    for start, bend in (((142, 55), (330, 166)), ((142, 285), (330, 174))):
        cv2.polylines(picture, [np.array([start, bend, (386, bend[1])], np.int32)], False, BLACK, 2)
    cv2.line(picture, (372, 166), (372, 174), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(398, 170), (380, 160), (380, 180)], np.int32)], BLACK)
    traced = _traced(picture, nodes, [])
    assert _ends(traced) == [("one", "end"), ("two", "end")]


def test_plain_lines_that_meet_at_a_box_are_two() -> None:
    """Two lines without heads end at one spot of a border; for a skeleton they are one line with a sharp bend."""
    picture = _sheet()
    nodes = [
        _box(picture, "one", (40, 30, 140, 80)),
        _box(picture, "two", (380, 30, 480, 80)),
        _box(picture, "end", (200, 260, 320, 310)),
    ]
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
