"""Frames with round corners are found though lines cross them, and only where all their corners are drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.picture.surfaces import Mask
from tools.diagram.shapes.roundly import rounded_boxes

RADIUS, GLYPH = 18, 11.0
LEFT, TOP, RIGHT, BOTTOM = 40, 40, 340, 200
FLAT = [(TOP, LEFT + RADIUS, RIGHT - RADIUS), (BOTTOM, LEFT + RADIUS, RIGHT - RADIUS)]
TALL = [(LEFT, TOP + RADIUS, BOTTOM - RADIUS), (RIGHT, TOP + RADIUS, BOTTOM - RADIUS)]


def _drawn() -> Mask:
    ink = np.zeros((260, 400), np.uint8)
    for row, first, last in FLAT:
        cv2.line(ink, (first, row), (last, row), (1,), 1)
    for column, first, last in TALL:
        cv2.line(ink, (column, first), (column, last), (1,), 1)
    for x, y, turn in (
        (LEFT + RADIUS, TOP + RADIUS, 180), (RIGHT - RADIUS, TOP + RADIUS, 270),
        (RIGHT - RADIUS, BOTTOM - RADIUS, 0), (LEFT + RADIUS, BOTTOM - RADIUS, 90),
    ):  # fmt: skip
        cv2.ellipse(ink, (x, y), (RADIUS, RADIUS), turn, 0, 90, (1,), 1)
    return ink


def test_a_frame_that_a_line_crosses_is_found() -> None:
    """The line parts the ground within, not the frame's sides."""
    ink = _drawn()
    cv2.line(ink, (190, 0), (190, 120), (1,), 1)
    assert list(rounded_boxes(ink, FLAT, TALL, GLYPH)) == [(LEFT, TOP, RIGHT, BOTTOM)]


@pytest.mark.parametrize("corner", [(30, 30), (325, 185)])
def test_without_a_corner_there_is_no_frame(corner: tuple[int, int]) -> None:
    """Sides that happen to lie so are those of other things."""
    ink, (x, y) = _drawn(), corner
    ink[y : y + 26, x : x + 26] = 0
    assert not list(rounded_boxes(ink, FLAT, TALL, GLYPH))
