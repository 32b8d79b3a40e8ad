"""Thick lines and heads in the colour of a node they touch: as flat as its fill and one with it, but no part of the node."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.masks import Mask, pieces

_LEAST_APART = 60.0
"""Levels by which such a fill differs from the paper."""
_DEEP_GLYPHS = 0.75
"""Half of the breadth of the narrowest fill of a node, letters filled, in heights of letters: heads are narrower."""
_LEAST_ARM_GLYPHS = 0.9
"""Length of the shortest arm: what rounding the corners of a fill off leaves is shorter."""
_LEAST_OUTER = 0.4
"""Share of an arm that lies in its outer half: a pointed corner has a quarter there."""
_STROKE_GLYPHS, _LEAST_WHOLE = 0.6, 0.93
"""Width of letters' strokes; share of its hull that a fill covers that nothing sticks out of, letters at its border closed."""
_MOST_LETTER_GLYPHS = 1.8
"""Height of the holes that letters leave in the fill they are written on."""
_LEAST_CONVEX = 0.75
"""Share of its hull that a small fill covers: a line with its head covers less."""


def arms_of(
    labels: NDArray[np.int32], stats: NDArray[np.int32], colours: NDArray[np.float32], solid: NDArray[np.bool_], glyph: float
) -> Mask:
    """The pixels of lines and heads that run into a fill of their colour, `solid` telling which flat pieces are surfaces.

    `labels`: number of the flat piece at each pixel; `stats`: OpenCV's row of each.
    """
    result = np.zeros(labels.shape, np.uint8)
    if not solid.any():
        return result
    paper = colours[int(np.where(solid, stats[:, cv2.CC_STAT_AREA], 0).argmax())]
    apart = np.abs(colours - paper).max(axis=1) > _LEAST_APART
    large = stats[:, cv2.CC_STAT_AREA] >= 4 * glyph**2
    for label in np.flatnonzero(solid & apart & large).tolist():
        x, y, w, h = (int(value) for value in stats[label, :4])
        own = np.pad((labels[y : y + h, x : x + w] == label).astype(np.uint8), 1)
        side = max(round(_STROKE_GLYPHS * glyph), 3) | 1
        joint = np.asarray(cv2.morphologyEx(np.pad(own, side), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
        if _convexity(joint) < _LEAST_WHOLE:
            result[y : y + h, x : x + w] |= (_arms(own, glyph) & own)[1:-1, 1:-1]
    return result


def _convexity(own: Mask) -> float:
    """Share of its hull that the piece covers, its holes filled."""
    contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole, hull = np.zeros_like(own), np.zeros_like(own)
    cv2.drawContours(whole, contours, -1, (1,), cv2.FILLED)
    cv2.fillConvexPoly(hull, cv2.convexHull(np.vstack(contours)), (1,))
    return float(whole.sum()) / max(float(hull.sum()), 1.0)


def _arms(own: Mask, glyph: float) -> Mask:
    """What sticks out of the broad part of the piece and does not come to a point."""
    whole = _behind_letters(own, glyph)
    reach = _DEEP_GLYPHS * glyph
    core = (cv2.distanceTransform(whole, cv2.DIST_L2, 5) >= reach).astype(np.uint8)
    found = np.zeros_like(own)
    if not core.any():
        return found
    off = cv2.distanceTransform(1 - core, cv2.DIST_L2, 5)
    rest = whole & (off > reach + 1.0).astype(np.uint8)
    _, numbers, stats = pieces(rest)
    for number in np.flatnonzero(stats[:, 2:4].max(axis=1) >= _LEAST_ARM_GLYPHS * glyph).tolist():
        if number == 0:
            continue
        x, y, w, h = (int(value) for value in stats[number, :4])
        part = numbers[y : y + h, x : x + w] == number
        away = off[y : y + h, x : x + w][part]
        long = float(np.ptp(away))
        outer = float((away > float(away.min()) + long / 2).mean())
        if long >= _LEAST_ARM_GLYPHS * glyph and outer >= _LEAST_OUTER:
            found[y : y + h, x : x + w] |= part.astype(np.uint8)
    return found


def _behind_letters(own: Mask, glyph: float) -> Mask:
    """The piece with holes as low as letters filled; a node with a thick border in its fill's colour has a large one."""
    contours, tree = cv2.findContours(own, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    whole = own.copy()
    for contour, (_, _, _, parent) in zip(contours, tree[0], strict=True):
        if parent >= 0 and cv2.boundingRect(contour)[3] <= _MOST_LETTER_GLYPHS * glyph:
            cv2.drawContours(whole, [contour], -1, (1,), cv2.FILLED)
    return whole


def is_line(labels: NDArray[np.int32], row: NDArray[Any], label: int) -> bool:
    """The piece covers too little of its hull for a fill: a thick line with its head."""
    x, y, w, h = (int(value) for value in row[:4])
    own = np.pad((labels[y : y + h, x : x + w] == label).astype(np.uint8), 1)
    return _convexity(own) < _LEAST_CONVEX
