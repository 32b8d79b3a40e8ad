"""Masks and their connected pieces."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
"""Shape (height, width), 0 or 1."""


def pieces(mask: Mask, connectivity: int = 8) -> tuple[int, NDArray[np.int32], NDArray[np.int32]]:
    """Connected pieces of a mask: how many labels (0 is the ground), the label at each pixel, and OpenCV's row of each."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=connectivity)
    return count, np.asarray(labels, np.int32), np.asarray(stats, np.int32)


def line_width(ink: Mask) -> float:
    """How wide its lines are: the median, in pixels, 1.5 where there is none."""
    distance = cv2.distanceTransform(ink, cv2.DIST_L2, 3)
    ridge = distance[(ink > 0) & (distance >= cv2.dilate(distance, np.ones((3, 3), np.uint8)) - 1e-3)]
    return float(2 * np.median(ridge) - 0.5) if len(ridge) else 1.5
