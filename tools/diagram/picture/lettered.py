"""Fills with letters upon them: what lies between them is narrow, but the whole is broad, or has no other dents."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

_MOST_LETTER_GLYPHS = 1.8
"""Height of the holes that letters leave in the fill they are written on."""
_GAP_GLYPHS = 0.6
"""Width of the strokes and hollows of letters that part what is seen of a label's ground."""
_LOW_GLYPHS, _SHORT_GLYPHS, _MOST_GLYPHS = (1.2, 7.0), 1.5, 30.0
"""Least and largest height of such a ground in heights of letters, its least width and its longest side."""
_LEAST_SQUARE, _LEAST_JOINT = 0.92, 0.85
"""Share of its box that its hull covers, which a rectangle does; share of its hull that any other covers with its letters."""
_ROOM_GLYPHS = 1.6, 2.5
"""Least height and width of what is no rectangle: larger than heads, which letters and dots beside them seem to cut up."""
_SEEN = 0.35, 0.95
"""Share of its hull that is seen between the letters: letters alone are thinner, a head has none upon it."""
_MOST_SHADES = 16
"""Colours that are looked at, those that cover most first."""


def lettered_grounds(
    labels: NDArray[np.int32], stats: NDArray[np.int32], colours: NDArray[np.float32], solid: NDArray[np.bool_], glyph: float
) -> NDArray[np.bool_]:
    """The flat pieces, none of them `solid`, that are one whole with the letters between them: the ground of a label or a name.

    `labels`: number of the flat piece at each pixel; `stats`: OpenCV's row of each; `solid`: which are surfaces already.
    """
    result = np.zeros(len(stats), np.bool_)
    area = stats[:, cv2.CC_STAT_AREA]
    left = ~solid & (area >= 4) & (stats[:, 2:4].max(axis=1) <= _MOST_GLYPHS * glyph)
    left[0] = False
    if not left.any():
        return result
    shades, number = np.unique(np.round(colours[left] / 4).astype(np.int32), axis=0, return_inverse=True)
    covered = np.bincount(np.asarray(number).ravel(), weights=area[left], minlength=len(shades))
    side = max(round(_GAP_GLYPHS * glyph), 3) | 1
    for shade in np.argsort(-covered, kind="stable")[:_MOST_SHADES].tolist():
        if covered[shade] < glyph**2:
            break
        alike = left & (np.abs(colours - shades[shade] * 4.0).max(axis=1) <= 4)
        seen = alike[labels].astype(np.uint8)
        joint = np.asarray(cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
        for contour in cv2.findContours(joint, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            x, y, w, h = cv2.boundingRect(contour)
            if not (_LOW_GLYPHS[0] * glyph <= h <= _LOW_GLYPHS[1] * glyph and _SHORT_GLYPHS * glyph <= w <= _MOST_GLYPHS * glyph):
                continue
            # Letters reach the borders and dent them.
            hull = np.zeros((h, w), np.uint8)
            cv2.fillConvexPoly(hull, cv2.convexHull(contour) - np.array([x, y]), (1,))
            part, area_of_hull = np.s_[y : y + h, x : x + w], float(hull.sum())
            shown = float((seen[part] & hull).sum()) / area_of_hull
            covered_hull = float((joint[part] & hull).sum()) / area_of_hull
            roomy = h >= _ROOM_GLYPHS[0] * glyph and w >= _ROOM_GLYPHS[1] * glyph and covered_hull >= _LEAST_JOINT
            if (roomy or area_of_hull >= _LEAST_SQUARE * w * h) and _SEEN[0] <= shown <= _SEEN[1]:
                result[np.unique(labels[part][seen[part] > 0])] = True
    return result


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
