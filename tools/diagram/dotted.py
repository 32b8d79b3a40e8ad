"""Round nodes drawn with dashes or dots: nothing is enclosed, but the dashes stand along the rim of one round shape."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.graph import Shape
from tools.diagram.masks import Mask, pieces
from tools.diagram.outlines import Contour, classify

_MOST_DASH_GLYPHS, _LEAST_DASHES = 2.2, 8
"""Longest dash in heights of letters, and how many make a rim."""
_REACH_GLYPHS = 0.5
"""Half of the widest gap between dashes."""
_SIDES_GLYPHS = 1.6, 30.0
"""Shortest and longest side of such a node."""
_LEAST_FIT = 0.95
_ON_RIM = 3.5
"""Pixels from the rim within which its dashes lie."""
_LEAST_RIM = 0.85
"""Share of the rim that is near a dash."""
_WITHIN = 4.0, 6.5
"""Pixels inside the rim between which nothing is drawn but where lines or letters come up to it."""
_MOST_WITHIN = 0.25


def dotted_rounds(ink: Mask, glyph: float) -> list[Contour]:
    """Outlines of the ellipses, circles and diamonds that dashes or dots stand along."""
    _, labels, stats = pieces(ink)
    small = (stats[:, 2:4].max(axis=1) <= _MOST_DASH_GLYPHS * glyph).astype(np.uint8)
    small[0] = 0
    dashes = small[labels]
    reach = max(round(_REACH_GLYPHS * glyph), 2)
    disc = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1)), np.uint8)
    _, groups, boxes = pieces(np.asarray(cv2.dilate(dashes, disc), np.uint8))
    found = []
    least, most = (side * glyph for side in _SIDES_GLYPHS)
    for group in range(1, len(boxes)):
        x, y, w, h = (int(value) for value in boxes[group, :4])
        if min(w, h) - 2 * reach < least or max(w, h) - 2 * reach > most:
            continue
        part = np.s_[y : y + h, x : x + w]
        own = ((groups[part] == group) & (dashes[part] > 0)).astype(np.uint8)
        if len(np.unique(labels[part][own > 0])) < _LEAST_DASHES:
            continue
        ys, xs = np.nonzero(own)
        hull = cv2.convexHull(np.stack([xs, ys], axis=1).astype(np.int32))
        outline = classify(np.asarray(hull, np.int32))
        round_or_pointed = outline.shape in {Shape.ellipse, Shape.circle, Shape.diamond} and outline.fit >= _LEAST_FIT
        if round_or_pointed and _stands_along(own, np.asarray(hull, np.int32), reach):
            found.append(np.asarray(hull + np.array([x, y]), np.int32))
    return found


def _stands_along(own: Mask, hull: Contour, reach: int) -> bool:
    """The dashes are along the whole rim and next to nothing stands right inside it."""
    whole = np.zeros_like(own)
    cv2.drawContours(whole, [hull], -1, (1,), cv2.FILLED)
    depth = cv2.distanceTransform(np.pad(whole, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    rim = _rim(hull)
    on_rim = own & (depth <= _ON_RIM).astype(np.uint8)
    near = np.asarray(cv2.dilate(on_rim, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)), np.uint8)
    inside = (depth >= _WITHIN[0]) & (depth <= _WITHIN[1])
    covered = float(near[rim[:, 1], rim[:, 0]].mean())
    return covered >= _LEAST_RIM and bool(inside.any()) and float(own[inside].mean()) <= _MOST_WITHIN


def _rim(hull: Contour) -> NDArray[np.int64]:
    """Shape (n, 2): places a pixel apart along the hull."""
    corners = hull[:, 0].astype(np.float64)
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    steps = [np.linspace(a, b, max(round(float(np.hypot(*(b - a)))), 1), endpoint=False) for a, b in sides]
    return np.round(np.vstack(steps)).astype(np.int64)
