"""Lines that begin at a dot have a node there; lines that end in nothing do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import trace
from tools.diagram.picture.surfaces import prepare
from tools.media.image import Picture

LEFT, TOP, RIGHT, BOTTOM = 200, 160, 320, 210


def _drawn(dot: int) -> Picture:
    """A dot of that radius (0: none) at (260, 40), an arrow from it down to a box."""
    picture = np.full((260, 520, 3), 255, np.uint8)
    cv2.rectangle(picture, (LEFT, TOP), (RIGHT, BOTTOM), (0, 0, 0), 2)
    cv2.putText(picture, "begin", (222, 192), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    cv2.line(picture, (260, 40), (260, 150), (0, 0, 0), 2)
    cv2.fillPoly(picture, [np.array([(260, 158), (254, 146), (266, 146)], np.int32)], (0, 0, 0))
    if dot:
        cv2.circle(picture, (260, 40), dot, (0, 0, 0), cv2.FILLED)
    return picture


def _box() -> NodeNote:
    outline = ((LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM))
    frame = Frame(x=LEFT, y=TOP, width=RIGHT - LEFT, height=BOTTOM - TOP)
    return NodeNote(
        writer=Agent.fusion_arbiter, pixels=frame, id="n1", label="begin", shape=Shape.rectangle, outline=outline
    )  # fmt: skip


@pytest.mark.parametrize("radius", [4, 7])
def test_a_line_begins_at_a_dot(radius: int) -> None:
    """The dot becomes a node without a name, and the arrow leads from it into the box."""
    traced = trace(prepare(_drawn(radius)), [_box()], [], {}, [], [])
    assert [(node.shape, node.label) for node in traced.nodes] == [(Shape.point, "")]
    assert abs(traced.nodes[0].pixels.centre[1] - 40) <= 3
    (line,) = traced.lines
    assert (line.source, line.target) == (traced.nodes[0].id, "n1")
    assert (line.source_head, line.target_head) == (Head.none, Head.arrow)


def test_a_loose_line_has_no_dot() -> None:
    """A line that begins in nothing makes neither a node nor an edge."""
    traced = trace(prepare(_drawn(0)), [_box()], [], {}, [], [])
    assert traced.nodes == ()
    assert traced.lines == ()


def test_the_dots_of_a_dotted_line_are_no_nodes() -> None:
    """Where it turns a corner its dots lie farther apart, and what is drawn between the others ends there."""
    picture = _drawn(0)
    cv2.line(picture, (260, 40), (260, 150), (255, 255, 255), 4)
    for at in (*((60 + 12 * place, 40) for place in range(12)), *((228 + 3 * place, 62 + 12 * place) for place in range(7))):
        cv2.circle(picture, at, 2, (0, 0, 0), cv2.FILLED)
    traced = trace(prepare(picture), [_box()], [], {}, [], [])
    assert not traced.nodes


def test_a_head_stands_before_a_dot_that_another_line_leaves() -> None:
    """One leaves it, the head of the other stands a little before it."""
    picture = np.full((300, 520, 3), 255, np.uint8)
    boxes = []
    for name, left in (("one", 30), ("two", 390)):
        cv2.rectangle(picture, (left, 30), (left + 100, 80), (0, 0, 0), 2)
        cv2.putText(picture, name, (left + 25, 62), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
        outline = ((left, 30), (left + 100, 30), (left + 100, 80), (left, 80))
        frame = Frame(x=left, y=30, width=100, height=50)
        boxes.append(
            NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=Shape.rectangle, outline=outline)
        )
    cv2.circle(picture, (260, 240), 7, (0, 0, 0), cv2.FILLED)
    for begin, end in (((260.0, 240.0), (80.0, 84.0)), ((440.0, 82.0), (272.0, 229.0))):
        way = np.subtract(end, begin) / np.hypot(*np.subtract(end, begin))
        tip, aside = np.array(end), 5 * np.array([-way[1], way[0]])
        cv2.line(
            picture,
            tuple(np.round(begin).astype(int).tolist()),
            tuple(np.round(tip - 9 * way).astype(int).tolist()),
            (0, 0, 0),
            2,
        )
        cv2.fillPoly(picture, [np.round([tip, tip - 12 * way + aside, tip - 12 * way - aside]).astype(np.int32)], (0, 0, 0))
    traced = trace(prepare(picture), boxes, [], {}, [], [])
    assert len(traced.nodes) == 1
    dot = traced.nodes[0].id
    assert {(line.source, line.target, line.target_head) for line in traced.lines} == {
        (dot, "one", Head.arrow),
        ("two", dot, Head.arrow),
    }
