"""Heads are found from the ink's width along a line, whatever the line does behind them."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from tools.diagram.ends.fans import without_doubtful
from tools.diagram.ends.heads import Ending, Ground, ending
from tools.diagram.ends.hollows import filled_hollows
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Arc, Net, Points

GLYPH, WIDTH = 11.0, 2.0


def _ground(*, bend: bool = False) -> tuple[np.ndarray, np.ndarray, Points]:
    """A line that ends at a node's upper border at (100, 150): its ink, the node, and points from the tip backwards."""
    ink, blocked = np.zeros((240, 240), np.uint8), np.zeros((240, 240), np.uint8)
    blocked[151:200, 60:140] = 1
    corners = [(100, 149), (100, 125), (180, 125)] if bend else [(100, 149), (100, 40)]
    for a, b in itertools.pairwise(corners):
        cv2.line(ink, a, b, (1,), 2)
    line = np.vstack([np.linspace(a, b, 160) for a, b in itertools.pairwise(corners)])
    return ink, blocked, line


def _found(ink: np.ndarray, blocked: np.ndarray, line: Points) -> Head:
    near = np.ones_like(ink)
    solid, holes = filled_hollows(ink, near, blocked, GLYPH)
    return ending(Ground(solid, holes, blocked), line, GLYPH, WIDTH).head


@pytest.mark.parametrize("bend", [False, True])
def test_a_filled_arrow(bend: bool) -> None:
    """A triangle of nine pixels is a head, also right after an elbow."""
    ink, blocked, line = _ground(bend=bend)
    cv2.fillPoly(ink, [np.array([(100, 150), (95, 140), (105, 140)], np.int32)], (1,))
    assert _found(ink, blocked, line) is Head.arrow


def test_a_head_that_stands_off_its_node() -> None:
    """Layouts end lines at the box around a round shape: the head's form is measured from its tip, not from the node."""
    ink, blocked, line = _ground()
    ink[126:] = 0
    cv2.fillPoly(ink, [np.array([(100, 125), (94, 111), (106, 111)], np.int32)], (1,))
    assert _found(ink, blocked, line[line[:, 1] <= 125]) is Head.arrow


def test_a_hollow_diamond_that_lost_its_tip_to_the_border() -> None:
    """What is taken out with the rest of the node's border leaves the diamond open by two pixels."""
    ink, blocked, line = _ground()
    ink[132:] = 0
    cv2.polylines(ink, [np.array([(100, 151), (94, 142), (100, 133), (106, 142)], np.int32)], isClosed=True, color=(1,))
    ink[149:] = 0
    assert _found(ink, blocked, line) is Head.diamond


@pytest.mark.parametrize("bend", [False, True])
def test_a_plain_end(bend: bool) -> None:
    """A line without anything at its end has no head; an elbow is none."""
    assert _found(*_ground(bend=bend)) is Head.none


def test_a_short_line_may_end_in_another_node() -> None:
    """What lies in that node is not cut off as if it were the first one's: nothing would be left of the line."""
    ink, blocked, line = _ground()
    short = line[line[:, 1] >= 140]
    blocked[130:142, 60:140] = 1
    ink[blocked > 0] = 0
    assert ending(Ground(ink, np.zeros_like(ink), blocked), short, GLYPH, WIDTH).head is Head.none


def test_a_handle_is_no_head() -> None:
    """Half a disc on the node's border shrinks away from it: a handle, not a head."""
    ink, blocked, line = _ground()
    cv2.circle(ink, (100, 150), 4, (1,), cv2.FILLED)
    ink &= 1 - blocked
    assert _found(ink, blocked, line) is Head.none


def test_a_handle_over_an_arrow() -> None:
    """A handle drawn over an arrow's tip hides it only in part."""
    ink, blocked, line = _ground()
    cv2.fillPoly(ink, [np.array([(100, 150), (94, 138), (106, 138)], np.int32)], (1,))
    cv2.circle(ink, (100, 150), 3, (1,), cv2.FILLED)
    ink &= 1 - blocked
    assert _found(ink, blocked, line) is Head.arrow


def test_lines_that_part_are_no_head() -> None:
    """Three lines from one place look like a wedge, but go on behind its corners."""
    ink, blocked, line = _ground()
    for x in (60, 140):
        cv2.line(ink, (100, 149), (x, 60), (1,), 2)
    assert _found(ink, blocked, line) is Head.none


def test_a_hollow_diamond() -> None:
    """An outlined diamond is told from a filled one."""
    ink, blocked, line = _ground()
    diamond = np.array([(100, 149), (94, 141), (100, 133), (106, 141)], np.int32)
    cv2.fillPoly(ink, [diamond], (0,))
    cv2.polylines(ink, [diamond], isClosed=True, color=(1,), thickness=1)
    assert _found(ink, blocked, line) is Head.diamond


def test_a_bar() -> None:
    """A short stroke across the line is a cardinality's bar."""
    ink, blocked, line = _ground()
    cv2.line(ink, (93, 142), (107, 142), (1,), 2)
    assert _found(ink, blocked, line) is Head.bar


def test_a_plain_end_beside_a_label_is_no_head() -> None:
    """A label that interrupts the line near its end leaves nothing to tell the line's width from."""
    ink, blocked, line = _ground()
    ink[:128] = 0
    cv2.line(ink, (99, 150), (99, 128), (1,), 2)
    assert _found(ink, blocked, line) is Head.none


def test_a_head_that_runs_along_a_border() -> None:
    """Half of it lies over the node and counts as the node's: the other half tells what it is."""
    ink, blocked = np.zeros((240, 240), np.uint8), np.zeros((240, 240), np.uint8)
    blocked[100:160, 100:180] = 1
    cv2.line(ink, (20, 98), (118, 98), (1,), 2)
    cv2.fillPoly(ink, [np.array([(118, 98), (106, 92), (106, 104)], np.int32)], (1,))
    ink &= 1 - blocked
    line = np.linspace((117, 98), (20, 98), 160)
    assert _found(ink, blocked, line) is Head.arrow
    plain = np.zeros_like(ink)
    cv2.line(plain, (20, 98), (118, 98), (1,), 2)
    assert _found(plain, blocked, line) is Head.none


def test_a_head_before_no_node() -> None:
    """Skeletons end some pixels before the ink does: the profile begins at the ink's tip all the same."""
    ink, blocked, line = _ground()
    cv2.fillPoly(ink, [np.array([(100, 150), (96, 142), (104, 142)], np.int32)], (1,))
    assert _found(ink, np.zeros_like(blocked), line[line[:, 1] <= 147]) is Head.arrow


def test_a_small_loop_is_no_hollow_head() -> None:
    """What it encloses with its node is walled by the node along one side; a hollow head stands at the node with its tip."""
    ink, blocked = np.zeros((160, 200), np.uint8), np.zeros((160, 200), np.uint8)
    blocked[20:140, 10:60] = 1
    cv2.ellipse(ink, (60, 60), (26, 10), 0, -90, 90, (1,), 2)
    cv2.polylines(ink, [np.array([(62, 110), (76, 103), (76, 117)], np.int32)], True, (1,), 2)
    _, holes = filled_hollows(ink & (1 - blocked), np.ones_like(ink), blocked, 12.0)
    assert not holes[45:75].any()
    assert holes[105:116, 66:76].any()


def test_where_no_line_by_itself_has_a_head_fans_have_none() -> None:
    """Lines that end at one spot look like a head that grows from it; one head that stands by itself tells otherwise."""
    net = Net()
    ports: dict[int, str] = {}
    for index in range(8):
        a, b = net.vertex((20.0, 40.0 * index)), net.vertex((120.0, 40.0 * index))
        net.add(Arc(np.array([net.places[a], net.places[b]]), (a, b)))
        ports |= {a: f"a{index}", b: f"b{index}"}
    fan = [net.vertex((300.0, 100.0 + 4 * index)) for index in range(2)]
    for index, vertex in enumerate(fan):
        far = net.vertex((200.0, 60.0 + 90.0 * index))
        net.add(Arc(np.array([net.places[vertex], net.places[far]]), (vertex, far)))
        ports |= {vertex: "c", far: f"d{index}"}
    endings = {v: Ending(Head.arrow if v in fan else Head.none, 0.8) for v in ports}
    seen = dict(endings)
    without_doubtful(net, ports, seen, 12.0)
    assert {seen[v].head for v in fan} == {Head.none}
    alone = min(ports)
    endings[alone] = Ending(Head.arrow, 0.9)
    without_doubtful(net, ports, endings, 12.0)
    assert {endings[v].head for v in (*fan, alone)} == {Head.arrow}


@pytest.mark.parametrize("slope", [0.0, 0.2, 0.35])
def test_a_line_that_crosses_right_before_the_end_is_no_head(slope: float) -> None:
    """It makes the ink broad for a while where it comes at a slant; with a head before it the head is seen."""
    for head in (False, True):
        ink, blocked, line = _ground()
        cv2.line(ink, (30, round(134 - 70 * slope)), (170, round(134 + 70 * slope)), (1,), 2)
        if head:
            cv2.fillPoly(ink, [np.array([(100, 150), (94, 138), (106, 138)], np.int32)], (1,))
        assert (_found(ink & (1 - blocked), blocked, line) is Head.none) is not head


def test_a_thick_line_has_a_head_as_large_as_it_is_thick() -> None:
    """Its own end is as broad as other lines' heads, and no head of any kind."""
    ink, blocked, line = _ground()
    cv2.line(ink, (100, 149), (100, 40), (1,), 8)
    assert _found(ink, blocked, line) is Head.none
    cv2.fillPoly(ink, [np.array([(100, 150), (86, 128), (114, 128)], np.int32)], (1,))
    assert _found(ink, blocked, line) is Head.arrow


@pytest.mark.parametrize("gap", [1, 4])
def test_a_large_hollow_triangle_points_at_its_node(gap: int) -> None:
    """Inheritance is drawn larger than letters are, and its tip is lost to the border by a few pixels."""
    ink, blocked, _ = _ground()
    ink[118:] = 0
    cv2.polylines(ink, [np.array([(100, 151), (84, 118), (116, 118)], np.int32)], isClosed=True, color=(1,), thickness=2)
    ink[151 - gap :] = 0
    _, holes = filled_hollows(ink, np.ones_like(ink), blocked, GLYPH)
    assert holes[130, 100]


def test_three_lines_that_cross_are_no_hollow_head() -> None:
    """A triangle with a node at two of its corners points at neither."""
    ink, blocked, _ = _ground()
    ink[112:] = 0
    cv2.polylines(ink, [np.array([(70, 150), (130, 150), (100, 112)], np.int32)], isClosed=True, color=(1,), thickness=2)
    _, holes = filled_hollows(ink, np.ones_like(ink), blocked, GLYPH)
    assert not holes.any()
