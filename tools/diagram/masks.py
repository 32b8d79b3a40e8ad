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
