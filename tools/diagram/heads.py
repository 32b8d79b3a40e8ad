"""What a line ends in, from the ink's width along its last stretch.

At each distance from the tip the ink is measured across the line. A filled arrow grows from the tip and stops at once; a diamond
grows and shrinks; a circle does so roundly; an open arrow is two arms that leave the line at one angle. Hollow heads were filled
before, and the filling is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.graph import Head
from tools.diagram.skeleton import Points
from tools.diagram.surfaces import Mask

Profile = NDArray[np.floating[Any]]

_SLOPES = tuple(0.35 + 0.08 * step for step in range(12))
"""How fast an open head's arms leave the line, in pixels across per pixel along."""


@dataclass(frozen=True)
class Ending:
    """The head at an end of a line, and how sure that is (0–1)."""

    head: Head
    confidence: float


def filled_hollows(ink: Mask, near: Mask, glyph: float) -> tuple[Mask, Mask]:
    """The ink with small holes near nodes filled, and the holes: the insides of hollow heads."""
    holes = np.zeros_like(ink)
    contours, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return ink, holes
    for contour, (_, _, _, parent) in zip(contours, tree[0], strict=True):
        if parent < 0:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        if max(w, h) <= 2.4 * glyph and min(w, h) >= 3 and near[y : y + h, x : x + w].any():
            window = np.zeros((h, w), np.uint8)
            cv2.drawContours(window, [contour - np.array([x, y])], -1, (1,), cv2.FILLED)
            hull = max(float(cv2.contourArea(cv2.convexHull(contour))), 1.0)
            if cv2.contourArea(contour) >= 0.8 * hull:
                holes[y : y + h, x : x + w] |= window & (1 - ink[y : y + h, x : x + w])
    return ink | holes, holes


@dataclass(frozen=True)
class Ground:
    """Where heads are looked for: the ink of the lines, the holes that were filled in it, and where nodes are."""

    ink: Mask
    holes: Mask
    blocked: Mask


def ending(ground: Ground, points: Points, glyph: float, width: float) -> Ending:
    """The head at the beginning of the line `points` (from the tip backwards)."""
    ink, holes = ground.ink, ground.holes
    axis = _axis(points, ground.blocked, glyph)
    if axis is None:
        return Ending(Head.none, 0.5)
    tip, along = axis
    across = np.array([-along[1], along[0]])
    steps = np.arange(0.0, 2.6 * glyph, 0.5, dtype=np.float64)
    offsets = np.arange(-1.5 * glyph, 1.5 * glyph + 0.5, 0.5, dtype=np.float64)
    sampled = _sample(ink, tip + steps[:, None, None] * along + offsets[None, :, None] * across)
    middle = len(offsets) // 2
    left, right = _run(sampled[:, middle::-1]), _run(sampled[:, middle:])
    solid = _solid(steps, left, right, glyph, width)
    if solid.head is not Head.none:
        hollow = _sample(holes, tip + steps[steps < 1.6 * glyph][:, None] * along).mean() > 0.2
        return Ending(_hollowed(solid.head) if hollow else solid.head, solid.confidence)
    return _open(sampled, steps, offsets, glyph, width)


def _hollowed(head: Head) -> Head:
    return {Head.arrow: Head.triangle, Head.filled_diamond: Head.diamond}.get(head, head)


def _axis(points: Points, blocked: Mask, glyph: float) -> tuple[Points, Points] | None:
    """The tip and the unit vector from it back along the line, judged behind the head, where the line is itself."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    total = float(along[-1])
    if total < 0.5 * glyph:
        return None
    far = min(2.4 * glyph, 0.85 * total)
    near = min(1.0 * glyph, 0.35 * total)
    a, b = (np.array([np.interp(at, along, points[:, k]) for k in range(2)]) for at in (near, far))
    vector = b - a
    norm = float(np.hypot(*vector))
    if norm < 1.0:
        return None
    vector /= norm
    tip = a + vector * float((points[0] - a) @ vector)
    ahead = a - vector * np.arange(0.0, float((a - tip) @ vector) + 2.6 * glyph, 0.5)[:, None]
    hit = np.flatnonzero(_sample(blocked, ahead))
    return (ahead[max(int(hit[0]) - 1, 0)] if len(hit) else tip), vector


def _sample(mask: NDArray[np.uint8], places: Points) -> NDArray[np.uint8]:
    height, width = mask.shape[:2]
    xs = np.clip(np.round(places[..., 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(places[..., 1]).astype(int), 0, height - 1)
    return mask[ys, xs]


def _run(rows: NDArray[np.uint8]) -> Profile:
    """How far ink goes on from the first column, in pixels; one empty sample at the start is forgiven."""
    filled = rows.copy()
    filled[:, 0] |= filled[:, 1]
    stops = np.argmin(np.pad(filled, ((0, 0), (0, 1))), axis=1)
    return stops * 0.5


def _solid(steps: Profile, left: Profile, right: Profile, glyph: float, width: float) -> Ending:
    spread = left + right
    tail = spread[(steps > 1.7 * glyph)]
    base = min(float(np.median(tail)) if len(tail) else width, width + 1.5)
    head_zone = steps <= 1.9 * glyph
    widest = np.maximum(left, right) <= 1.1 * glyph
    both = np.where(head_zone & widest, np.minimum(left, right) + 0.5 * spread, -1.0)
    if both.max() <= 0:
        return Ending(Head.none, 0.6)
    peak = int(np.flatnonzero(both >= 0.92 * both.max())[-1])
    top = float(spread[peak])
    narrow = min(float(left[peak]), float(right[peak]))
    if top < base + max(1.8, 0.2 * glyph) or narrow < 0.5 * base + 0.5:
        return Ending(Head.none, 0.9)
    half = base + 0.5 * (top - base)
    before = np.flatnonzero(spread[: peak + 1] < half)
    after = np.flatnonzero(spread[peak:] < half)
    if len(before) and float(steps[before[-1]]) > 0.7 * float(steps[peak]) + 0.5:
        return Ending(Head.none, 0.8)
    rise = float(steps[peak] - steps[before[-1]]) if len(before) else float(steps[peak])
    if len(before) and rise < 0.2 * glyph:
        return Ending(Head.none, 0.7)
    fall = float(steps[peak + after[0]] - steps[peak]) if len(after) else float(steps[-1] - steps[peak])
    sure = min(0.6 + 0.4 * (top - base) / glyph, 1.0)
    if not len(before) and float(spread[steps <= 0.5].mean()) > 0.85 * top:
        return Ending(Head.none, 0.7)
    if fall > 2.0 and fall > 0.6 * rise:
        start = spread[steps <= steps[peak] * 0.45]
        round_shape = len(start) > 0 and float(start.max()) >= 0.78 * top
        return Ending(Head.circle if round_shape else Head.filled_diamond, sure * 0.9)
    return Ending(Head.arrow, sure)


def _open(sampled: NDArray[np.uint8], steps: Profile, offsets: Profile, glyph: float, width: float) -> Ending:
    """Two arms that leave the tip at one angle, end together, and do not run on."""
    best = 0.0
    thick = np.maximum(sampled, np.maximum(np.roll(sampled, 1, axis=1), np.roll(sampled, -1, axis=1)))
    for slope in _SLOPES:
        for length in (0.6 * glyph, 0.9 * glyph, 1.3 * glyph):
            lead = 1.0 + width
            inside = (steps >= lead / slope) & (steps <= length)
            beyond = (steps >= length + 4) & (steps <= length + 4 + 0.5 * glyph)
            reach = slope * length
            if inside.sum() < 4 or reach < 2.5 or reach > 1.3 * glyph:
                continue
            arms = [_on_arm(thick, steps[inside], offsets, inside, side * slope) for side in (1, -1)]
            on = [_on_arm(thick, steps[beyond], offsets, beyond, side * slope) for side in (1, -1)]
            if min(arms) >= 0.85 and max(on) < 0.5:
                best = max(best, min(arms))
    return Ending(Head.arrow, 0.6 + 0.3 * best) if best else Ending(Head.none, 0.85)


def _on_arm(sampled: NDArray[np.uint8], at: Profile, offsets: Profile, rows: NDArray[np.bool_], slope: float) -> float:
    """Share of the rows with ink where the arm should be."""
    columns = np.round((at * slope - offsets[0]) / (offsets[1] - offsets[0])).astype(int)
    fitting = (columns >= 0) & (columns < len(offsets))
    if not fitting.any():
        return 0.0
    return float(sampled[np.flatnonzero(rows)[fitting], columns[fitting]].mean())
