"""Fills with letters upon them: what is between the letters is narrow, but the fill as a whole is broad."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_MOST_LETTER_GLYPHS = 1.8
"""Height of the holes that letters leave in the fill they are written on."""


def deep_behind_letters(labels: NDArray[np.int32], row: NDArray[np.int32], label: int, least: float, glyph: float) -> int:
    """How many pixels of the flat piece lie at least so deep in it, if letters were no holes in it.

    `labels`: number of the flat piece at each pixel; `row`: the piece's left, top, width, height.
    """
    x, y, w, h = (int(value) for value in row[:4])
    own = np.pad((labels[y : y + h, x : x + w] == label).astype(np.uint8), 1)
    contours, tree = cv2.findContours(own, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    whole = own.copy()
    for contour, (_, _, _, parent) in zip(contours, tree[0], strict=True):
        if parent >= 0 and cv2.boundingRect(contour)[3] <= _MOST_LETTER_GLYPHS * glyph:
            cv2.drawContours(whole, [contour], -1, (1,), cv2.FILLED)
    distance = cv2.distanceTransform(whole, cv2.DIST_L2, 3)
    return int(((distance >= least) & (own > 0)).sum())
