"""Labels that stand right beside the node that their line leaves."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import trace
from tools.diagram.picture.surfaces import prepare
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _node(picture: Picture, name: str, left: int, shape: Shape, top: int = 10) -> NodeNote:
    outline = ((left, top), (left + 120, top), (left + 120, top + 80), (left, top + 80))
    if shape is Shape.diamond:
        outline = ((left, top + 40), (left + 60, top), (left + 120, top + 40), (left + 60, top + 80))
    cv2.polylines(picture, [np.array(outline, np.int32)], True, BLACK, 2)
    cv2.putText(picture, name, (left + 18, top + 47), cv2.FONT_HERSHEY_SIMPLEX, 0.6, BLACK, 2)
    frame = Frame(x=left, y=top, width=120, height=80)
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=shape, outline=outline)


def test_a_label_hides_where_a_line_leaves_its_node() -> None:
    """Only a short stretch is seen beneath it, then the line turns a corner: it comes from the node above the label."""
    picture = np.full((240, 640, 3), 255, np.uint8)
    nodes = [_node(picture, "Practice", 40, Shape.rectangle), _node(picture, "Decide", 448, Shape.diamond)]
    cv2.polylines(picture, [np.array([(508, 92), (508, 124), (100, 124), (100, 104)], np.int32)], False, BLACK, 2)
    cv2.fillPoly(picture, [np.array([(100, 93), (94, 106), (106, 106)], np.int32)], BLACK)
    label = written(picture, "No", (494, 98), on_white=True)
    (line,) = trace(prepare(picture), nodes, [], {}, [label], []).lines
    assert (line.source, line.target) == ("Decide", "Practice")
    assert (line.source_head, line.target_head) == (Head.none, Head.arrow)


def test_a_line_leaves_its_node_beneath_the_label_and_turns() -> None:
    """The text's box holds the line from the node's tip to its corner, and letters touch it: only one end leaves the box."""
    picture = np.full((300, 640, 3), 255, np.uint8)
    nodes = [_node(picture, "Ready", 40, Shape.diamond), _node(picture, "Order", 140, Shape.rectangle, 180)]
    label = written(picture, "yes", (166, 34))
    cv2.polylines(picture, [np.array([(161, 50), (200, 50), (200, 168)], np.int32)], False, BLACK, 2)
    cv2.fillPoly(picture, [np.array([(200, 178), (194, 165), (206, 165)], np.int32)], BLACK)
    box = Frame(x=160, y=30, width=46, height=24)
    (line,) = trace(prepare(picture), nodes, [], {}, [label.model_copy(update={"pixels": box})], []).lines
    assert (line.source, line.target) == ("Ready", "Order")
    assert (line.source_head, line.target_head) == (Head.none, Head.arrow)
