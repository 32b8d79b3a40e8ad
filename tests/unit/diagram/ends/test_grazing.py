"""Lines that pass a node so closely that its border covers them do not end there."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.net.test_line_ends import BLACK, _arrow, _box, _ends, _node, _sheet, _traced
from tools.diagram.model.graph import Shape


def test_a_line_along_a_border_passes() -> None:
    """From one node to another along the lower border of a third, which hides half of it."""
    picture = _sheet()
    cv2.line(picture, (120, 171), (480, 171), BLACK, 2)
    _arrow(picture, (480, 171), (560, 171))
    nodes = [_box(picture, "one", (20, 140, 120, 200)), _box(picture, "two", (560, 140, 660, 200))]
    nodes.append(_box(picture, "passed", (260, 110, 380, 170)))
    assert _ends(_traced(picture, nodes, [])) == [("one", "two")]


def test_a_line_that_touches_a_circle_passes() -> None:
    """Slanting, with the circle's border upon it at one place."""
    picture = _sheet()
    nodes = [_box(picture, "one", (20, 20, 120, 70)), _box(picture, "two", (580, 280, 680, 330))]
    cv2.line(picture, (120, 60), (580, 290), BLACK, 2)
    across = np.array([-230.0, 460.0]) / np.hypot(230, 460)
    middle = np.array([350.0, 175.0]) + 45 * across
    at = (round(middle[0]), round(middle[1]))
    cv2.circle(picture, at, 45, (255, 255, 255), cv2.FILLED)
    cv2.circle(picture, at, 45, BLACK, 3)
    turns = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    outline = tuple((at[0] + 45 * float(np.cos(t)), at[1] + 45 * float(np.sin(t))) for t in turns)
    nodes.append(_node("disc", Shape.circle, outline))
    assert [set(pair) for pair in _ends(_traced(picture, nodes, []))] == [{"one", "two"}]


def test_lines_that_end_at_two_sides_of_a_node_do() -> None:
    """They look at each other, too, but across the node and not along its rim."""
    picture = _sheet()
    nodes = [_box(picture, "one", (20, 140, 120, 200)), _box(picture, "two", (560, 140, 660, 200))]
    nodes.append(_box(picture, "between", (260, 140, 380, 200)))
    _arrow(picture, (122, 170), (258, 170))
    cv2.line(picture, (382, 170), (558, 170), BLACK, 2)
    assert {frozenset(pair) for pair in _ends(_traced(picture, nodes, []))} == {
        frozenset(("one", "between")), frozenset(("between", "two"))
    }  # fmt: skip


def test_a_line_goes_on_beneath_the_head_at_a_border() -> None:
    """One line ends with its head at a node's corner, another comes along that node's border and joins it behind the head."""
    picture = _sheet()
    cv2.line(picture, (120, 171), (390, 171), BLACK, 2)
    nodes = [_box(picture, "one", (20, 140, 120, 200)), _box(picture, "two", (560, 240, 660, 300))]
    nodes += [_box(picture, "three", (560, 140, 660, 200)), _box(picture, "headed", (220, 110, 340, 170))]
    cv2.line(picture, (352, 171), (558, 171), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(342, 171), (357, 164), (357, 178)], np.int32)], BLACK)
    cv2.line(picture, (420, 171), (558, 270), BLACK, 2)
    found = {frozenset(pair) for pair in _ends(_traced(picture, nodes, []))}
    assert not any({"one", "headed"} == pair for pair in found)
    assert any("one" in pair for pair in found)
    assert any("headed" in pair for pair in found)
