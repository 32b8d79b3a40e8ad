"""A dark fill with pale letters close upon each other is a surface, though nothing broad is left of it between them."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.picture.lettered import deep_behind_letters


def test_letters_are_no_holes_in_their_fill() -> None:
    """A hole as large as a node is one: a ring of a thick line is hardly deep but at its corners."""
    labels = np.zeros((60, 200), np.int32)
    labels[10:44, 20:180] = 7
    for left in range(30, 168, 16):
        labels[20:34, left : left + 12] = 0
    row = np.array([20, 10, 160, 34, 0], np.int32)
    distance = cv2.distanceTransform((labels == 7).astype(np.uint8), cv2.DIST_L2, 3)
    assert not (distance >= 6).any()
    assert deep_behind_letters(labels, row, 7, 6.0, 14.0) > 300
    ring = np.zeros((120, 200), np.int32)
    cv2.rectangle(ring, (20, 10), (180, 100), (7,), 9)
    assert deep_behind_letters(ring, np.array([15, 5, 171, 101, 0], np.int32), 7, 6.0, 14.0) < 30
