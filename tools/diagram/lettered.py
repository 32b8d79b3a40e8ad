"""Fills with letters upon them: what is between the letters is narrow, but the fill as a whole is broad or a rectangle."""

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
_LEAST_SQUARE, _LEAST_SEEN = 0.92, 0.35
"""Share of its box that it covers with the letters on it, and without: letters alone are thinner."""
_MOST_SHADES = 16
"""Colours that are looked at, those that cover most first."""


def lettered_grounds(
    labels: NDArray[np.int32], stats: NDArray[np.int32], colours: NDArray[np.float32], solid: NDArray[np.bool_], glyph: float
) -> NDArray[np.bool_]:
    """The flat pieces, none of them `solid`, that make a rectangle of one colour with the letters between them: a label's ground.

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
            hull = cv2.convexHull(contour)
            whole = float(cv2.contourArea(hull)) + 0.5 * float(cv2.arcLength(hull, closed=True)) + 1
            part = np.s_[y : y + h, x : x + w]
            if whole >= _LEAST_SQUARE * w * h and float(seen[part].mean()) >= _LEAST_SEEN:
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
