"""What is left of nodes' borders is no line, and no part of one that ends there."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.lines.remains import _over_border, _without_rims


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


@pytest.mark.parametrize("whole", [True, False])
def test_a_circle_around_a_circle_is_its_border(*, whole: bool) -> None:
    """Of two circles that stand close together both are the node's; a piece of the outer one alone is not."""
    picture = np.full((300, 300), 0, np.uint8)
    cv2.circle(picture, (150, 150), 90, (1,), 2)
    cv2.ellipse(picture, (150, 150), (97, 97), 0, 0, 360 if whole else 120, (1,), 2)
    cv2.line(picture, (247, 150), (299, 150), (1,), 2)
    mask = np.zeros_like(picture)
    cv2.circle(mask, (150, 150), 89, (1,), cv2.FILLED)
    grown = _over_border(mask, picture, 12.0)
    assert bool(grown[150, 55]) is whole
    assert not grown[150, 260]
