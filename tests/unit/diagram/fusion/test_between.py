"""What two arrows to and fro enclose between two nodes is ground, with their labels on it."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt

BLACK = (0, 0, 0)


def test_the_ground_between_two_arrows_is_no_node() -> None:
    """A label stands in its middle as a name would; a hexagon that touches nothing is a node."""
    picture = np.full((420, 640, 3), 255, np.uint8)
    for row in range(3):
        written(picture, "words", (540, 40 + 30 * row))
    for y in (90, 290):
        cv2.ellipse(picture, (160, y), (110, 34), 0, 0, 360, BLACK, 2)
    for x, out in ((120, 100), (200, 220)):
        cv2.polylines(picture, [np.array([(x, 120), (out, 160), (out, 220), (x, 262)], np.int32)], False, BLACK, 2)
    apart = np.array([(380, 250), (410, 220), (480, 220), (510, 250), (480, 280), (410, 280)], np.int32)
    cv2.polylines(picture, [apart], True, BLACK, 2)
    texts = [
        written(picture, "first", (135, 84)), written(picture, "second", (128, 284)), written(picture, "go", (148, 184)),
        written(picture, "lone", (424, 244)),
    ]  # fmt: skip
    scene = prepare(picture)
    nodes, _, free = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["first", "lone", "second"]
    assert [text.text for text in free] == ["go"]


def test_a_box_of_two_arrows_and_two_borders_is_no_node() -> None:
    """Straight arrows enclose a rectangle, and of what is read in it all are strokes: their own heads."""
    picture = np.full((420, 640, 3), 255, np.uint8)
    for row in range(3):
        written(picture, "words", (540, 40 + 30 * row))
    for y in (60, 280):
        cv2.rectangle(picture, (60, y), (260, y + 60), BLACK, 2)
    for x in (146, 176):
        cv2.line(picture, (x, 120), (x, 280), BLACK, 2)
    texts = [written(picture, "first", (125, 96)), written(picture, "second", (120, 316)), written(picture, "1", (156, 204))]
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["first", "second"]
