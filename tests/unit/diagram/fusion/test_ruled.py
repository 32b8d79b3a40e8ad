"""Boxes ruled from wall to wall are tables, whatever dents their grounds; boxes that lines run over are not."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.fusion.ruled import _rules
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt

RED, CREAM = (168, 0, 54), (254, 254, 206)


def _class(picture: np.ndarray, box: tuple[int, int, int, int], rules: tuple[int, ...]) -> None:
    left, top, right, bottom = box
    cv2.rectangle(picture, (left, top), (right, bottom), CREAM, cv2.FILLED)
    cv2.rectangle(picture, (left, top), (right, bottom), RED, 2)
    for row in rules:
        cv2.line(picture, (left, row), (right, row), RED, 2)


def test_a_class_with_signs_and_low_compartments_is_one_node() -> None:
    """Its badge touches the wall, its names leave no ground below them, its last compartment is no higher than a sign."""
    picture = np.full((300, 500, 3), 255, np.uint8)
    _class(picture, (60, 60, 260, 140), (86, 128))
    cv2.circle(picture, (72, 73), 11, (80, 80, 80), 2)
    texts = [written(picture, "Ledger", (90, 66)), written(picture, "total", (90, 94)), written(picture, "rank", (90, 112))]
    scene = prepare(picture)
    (node,), _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert (node.shape, node.label) == (Shape.table, "Ledger")
    assert " ".join(node.rows) == "total rank"


def test_a_line_over_a_box_is_no_rule() -> None:
    """It goes on beyond both walls."""
    picture = np.full((300, 500, 3), 255, np.uint8)
    _class(picture, (160, 60, 360, 140), (84,))
    cv2.line(picture, (20, 110), (480, 110), (0, 0, 0), 2)
    (rule,) = _rules(prepare(picture), Frame(x=160, y=60, width=200, height=80))
    assert abs(rule - 84) <= 2
