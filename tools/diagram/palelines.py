"""Pale thin lines right beside dark heads, in pictures that were made smaller.

Scaling makes a thin line paler than the head it ends in. In a copy ink is asked for a share of the strongest ink about it, so
that soft rims are none: close to a head that share takes the line for a part of the head's rim as well, and the border beside
the head's tip. The head is parted from its line then, or the node's ground runs out through the gap in its border. A line has
a middle that stands out to both sides, and a rim has not.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.masks import Mask

_HALF = 2
"""Pixels from the middle of such a line to beyond its sides."""
_LEAST_RIDGE = 0.3
"""Share of its contrast by which a line's middle stands out from both its sides."""
_PALER = 0.5
"""Share of what ink is asked for that a line's middle has at least: what rings beside strong ink is paler still."""
_LEAST_HEAD_GLYPHS, _BY_HEAD_GLYPHS = 0.3, 0.5
"""Least breadth of a head, and how far from it such lines are looked for, in heights of letters."""


def middles(beyond: NDArray[np.int16], asked: NDArray[np.floating], contrast: float) -> NDArray[np.bool_]:
    """Where the middles of pale lines are, and the sharp corners of heads.

    `beyond`: (height, width) levels by which each pixel leaves its ground; `asked`: those that ink is asked for because of what
    is about it; `contrast`: those that all ink is asked for.
    """
    high = np.pad(beyond, _HALF, mode="edge").astype(np.int32)
    height, width = beyond.shape

    def moved(right: int, down: int) -> NDArray[np.int32]:
        return high[_HALF + down : _HALF + down + height, _HALF + right : _HALF + right + width]

    least = np.maximum(contrast, _LEAST_RIDGE * beyond)
    found = np.zeros(beyond.shape, np.bool_)
    for right, down in ((_HALF, 0), (0, _HALF), (_HALF, _HALF), (_HALF, -_HALF)):
        found |= beyond - np.maximum(moved(right, down), moved(-right, -down)) >= least
    return found & (beyond > np.maximum(_PALER * asked, contrast))


def by_heads(ink: Mask, glyph: float) -> Mask:
    """Where ink is near that is broader than the strokes of letters and lines: heads."""
    across, about = max(round(_LEAST_HEAD_GLYPHS * glyph), 3), 2 * round(_BY_HEAD_GLYPHS * glyph) + 1
    broad = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((across, across), np.uint8))
    return np.asarray(cv2.dilate(broad, np.ones((about, about), np.uint8)), np.uint8)
