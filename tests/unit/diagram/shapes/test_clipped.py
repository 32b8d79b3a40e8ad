"""A node that a line cuts a piece off is whole."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt

BLACK = (0, 0, 0)


def _clipped(line: tuple[tuple[int, int], tuple[int, int]] | None) -> list[tuple[Shape, int, int]]:
    """Shapes about as wide as an ellipse of 160 by 60, with a line drawn over it."""
    picture = np.full((320, 520, 3), 255, np.uint8)
    for row in range(4):
        written(picture, "words", (400, 30 + 30 * row))
    cv2.ellipse(picture, (180, 130), (80, 30), 0, 0, 360, BLACK, 2)
    written(picture, "name", (150, 122))
    if line is not None:
        cv2.line(picture, *line, BLACK, 2)
    found = [note for note in hunt(prepare(picture)) if note.source == "face" and abs(note.pixels.width - 158) < 8 and note.clean]
    return [(note.shape, round(note.pixels.width / 10), round(note.pixels.height / 10)) for note in found]


def test_an_end_that_a_line_cuts_off_belongs_to_the_node() -> None:
    """What is left of it is no node by itself; one with no line over it is what it was."""
    assert _clipped(((200, 240), (270, 60))) == _clipped(None) == [(Shape.ellipse, 16, 6)]
