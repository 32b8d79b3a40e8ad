"""Thinning: no line is lost, whichever way it runs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.skeleton import thin


@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("wide", [2, 3])
def test_slanting_lines_keep_their_ends(turned: int, wide: int) -> None:
    """A line of two or three pixels that falls by a pixel each column is thinned, but not shortened."""
    mask = np.zeros((80, 80), np.uint8)
    for step in range(60):
        mask[10 + step, 10 + step : 10 + step + wide] = 1
    mask = np.ascontiguousarray(np.rot90(mask, turned))
    off = cv2.distanceTransform(1 - thin(mask), cv2.DIST_L2, 5)
    assert float(off[mask > 0].max()) <= 3.0
    assert int(thin(mask).sum()) <= 75
