"""Dots with a ring around them: final states. Too little ground lies between the two for either to be seen as an outline."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.masks import pieces
from tools.diagram.picture.surfaces import Mask
from tools.diagram.shapes.outlines import Contour

_LEAST_DEPTH, _MOST_DEPTH = 0.25, 1.2
"""Radius of the dot in heights of letters."""
_LEAST_GAP, _MOST_GAP = 1.0, 1.6
"""Least pixels between dot and ring; the most, in radii of the dot."""
_OFF = 1.5
"""Pixels by which dot and ring may be off a circle."""
_LEAST_ROUND = 0.9
"""Share of the way around on which dot, gap and ring follow each other: a line may come to the ring, and on to the dot."""
_TURNS, _STEP = 48, 0.5
_MOST_DOTS = 200


def targets(ink: Mask, glyph: float) -> list[Contour]:
    """Outlines of the rings."""
    depth = np.asarray(cv2.distanceTransform(ink, cv2.DIST_L2, 5))
    count, labels, stats = pieces((depth >= _LEAST_DEPTH * glyph).astype(np.uint8))
    found = []
    for label in range(1, min(count, _MOST_DOTS)):
        x, y, w, h = (int(value) for value in stats[label, :4])
        if max(w, h) > 2 * _MOST_DEPTH * glyph or abs(w - h) > 2 * _OFF:
            continue
        window = np.where(labels[y : y + h, x : x + w] == label, depth[y : y + h, x : x + w], 0)
        radius = _ring(ink, (x + (w - 1) / 2, y + (h - 1) / 2), float(window.max()))
        if radius:
            turns = np.linspace(0, 2 * np.pi, _TURNS, endpoint=False)
            rim = np.stack([x + (w - 1) / 2 + radius * np.cos(turns), y + (h - 1) / 2 + radius * np.sin(turns)], axis=1)
            last = np.array(ink.shape[::-1]) - 1
            found.append(np.clip(np.round(rim), 0, last).astype(np.int32)[:, None])
    return found


def _ring(ink: Mask, middle: tuple[float, float], dot: float) -> float:
    """Radius of the ring's outer rim around the dot of about that radius; 0 if there is none."""
    turns = np.linspace(0, 2 * np.pi, _TURNS, endpoint=False)
    far = np.arange(0.0, (2 + _MOST_GAP) * dot + 4, _STEP)
    xs = np.round(middle[0] + far * np.cos(turns)[:, None]).astype(int)
    ys = np.round(middle[1] + far * np.sin(turns)[:, None]).astype(int)
    height, width = ink.shape
    within = (xs >= 0) & (xs < width) & (ys >= 0) & (ys < height)
    inked: NDArray[np.bool_] = np.where(within, ink[np.clip(ys, 0, height - 1), np.clip(xs, 0, width - 1)], 0) > 0
    dot_ends = np.argmin(inked, axis=1)
    beyond = np.arange(len(far)) >= dot_ends[:, None]
    ring_at = np.argmax(inked & beyond, axis=1)
    outside = np.argmax(~inked & (np.arange(len(far)) >= ring_at[:, None]), axis=1)
    seen = inked[:, 0] & (ring_at > dot_ends) & (outside > ring_at)
    gaps, rims = (ring_at - dot_ends) * _STEP, outside * _STEP
    if seen.mean() < _LEAST_ROUND:
        return 0.0
    ends = dot_ends * _STEP
    fits = seen & (np.abs(ends - np.median(ends[seen])) <= _OFF) & (np.abs(rims - np.median(rims[seen])) <= _OFF)
    fits &= (gaps >= _LEAST_GAP) & (gaps <= _MOST_GAP * dot)
    return float(np.median(rims[seen])) if fits.mean() >= _LEAST_ROUND - 0.1 else 0.0
