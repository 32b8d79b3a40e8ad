"""Small boxes drawn with dashes are nodes, wherever their dashes begin."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.arbiter import ground
from tools.diagram.dashed import dashed_boxes
from tools.diagram.shapes import hunt
from tools.diagram.surfaces import prepare
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _dashes(picture: Picture, corners: list[tuple[int, int]], on: int = 9, off: int = 8) -> None:
    """One broken line round the corners: the pattern goes on from side to side."""
    walked = 0
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = int(np.hypot(b[0] - a[0], b[1] - a[1]))
        for step in range(length):
            if (walked + step) % (on + off) < on:
                x, y = (round(p + (q - p) * step / length) for p, q in zip(a, b, strict=True))
                picture[y : y + 2, x : x + 2] = BLACK
        walked += length


def test_a_dashed_box_is_a_node() -> None:
    """Nothing is enclosed, and no side has a dash at each of its ends; lines leave it where dashes are."""
    picture = np.full((300, 520, 3), 255, np.uint8)
    others = [written(picture, "words", (420, 30 + 30 * row)) for row in range(4)]
    _dashes(picture, [(60, 100), (150, 100), (150, 144), (60, 144)])
    cv2.line(picture, (151, 110), (300, 60), BLACK, 2)
    cv2.rectangle(picture, (300, 40), (390, 84), BLACK, 2)
    texts = [written(picture, "plan", (84, 116)), written(picture, "real", (324, 56)), *others]
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["plan", "real"]


def test_solid_sides_are_none_of_a_dashed_box() -> None:
    """Strokes without gaps are left to others, and so are dashes that no uprights stand at."""
    ink = np.zeros((120, 200), np.uint8)
    ink[20, 20:120], ink[60, 20:120] = 1, 1
    ink[20:60, 20], ink[20:60, 120] = 1, 1
    flat, tall = [(20, 20, 120), (60, 20, 120)], [(20, 20, 60), (120, 20, 60)]
    assert dashed_boxes(ink, flat, tall, 12.0) == []
    ink[:, 26:120:16] = 0
    for at in range(26, 120, 16):
        ink[:, at : at + 6] = 0
    for at in range(24, 60, 12):
        ink[at : at + 5] = 0
    assert dashed_boxes(ink, flat, tall, 12.0) == [(20, 20, 120, 60)]
    assert dashed_boxes(ink, flat, tall[:1], 12.0) == []
