"""What is left of nodes' borders is no line, and no part of one that ends there."""

from __future__ import annotations

import numpy as np

from tools.diagram.strokes import _without_rims


def _scene() -> tuple[np.ndarray, np.ndarray]:
    """A node above, a line three pixels wide that comes to it from below, and a rest of its border to both sides."""
    ink, owners = np.zeros((60, 80), np.uint8), np.zeros((60, 80), np.int32)
    owners[:20] = 1
    ink[20:50, 40:43] = 1
    ink[20, 36:47] = 1
    return ink, owners


def test_a_border_s_rest_beside_a_line_goes() -> None:
    """Of the border's row no more stays than a pixel to each side of the line: it would look like an open head."""
    left = _without_rims(*_scene())
    assert set(np.flatnonzero(left[20])) <= set(range(39, 44))


def test_the_line_stays_whole() -> None:
    """Its last pixels before the node are kept, also of a slanting one."""
    ink, owners = _scene()
    slanting = np.zeros_like(ink)
    for row in range(20, 50):
        slanting[row, row : row + 3] = 1
    for line in (ink, slanting):
        assert (_without_rims(line, owners)[20:50].any(axis=1)).all()
