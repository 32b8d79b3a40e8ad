"""What tells an outline from things that stand like one by chance, and mends one that something else dents.

Four strokes of different things that stand like a box's sides do not meet at its corners, and lines that enclose something by
chance run on beyond them. Letters that touch a node's border take a piece out of its ground, and nothing but letters is in it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.surfaces import Mask, Scene, pieces
from tools.diagram.shapes.outlines import Contour, Outline

Corners = NDArray[np.float64]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom: columns and rows of the sides' middles."""
_CORNER_GLYPHS = 1.3
"""Within so many heights of letters a corner may be rounded."""
_OFF = 3
"""Pixels that a side's ink may stand off its middle."""
_LEAST_SOLID = 0.8
"""Share of a side that is ink from which on it is not dashed."""
_DENTED = 0.97
"""Share of its hull that a surface covers that nothing dents."""
_MOST_FOREIGN = 0.01
"""Share of the hull that may be other ground."""
_WITHIN = 0.9
"""Share of a small surface's pixels (the inside of an o) in the dents from which on it is all in them."""

_FLAT = 0.98
"""Sine of half the angle at a corner so flat that the next side lies where a line running on would."""
_MOST_GAP = 3
"""Pixels without ink that a line running on may have where it leaves a corner."""


def undented(scene: Scene, label: int, contour: Contour) -> Contour:
    """The hull of a surface's outline where only ink, and ground that ink encloses, lies in its dents; else the outline."""
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    if cv2.contourArea(contour) >= _DENTED * cv2.contourArea(hull):
        return contour
    x, y, w, h = cv2.boundingRect(hull)
    dents, own = np.zeros((h, w), np.uint8), np.zeros((h, w), np.uint8)
    cv2.drawContours(dents, [hull - np.array([x, y])], -1, (1,), cv2.FILLED)
    cv2.drawContours(own, [contour - np.array([x, y])], -1, (1,), cv2.FILLED)
    found = np.bincount(scene.surfaces[y : y + h, x : x + w][(dents > 0) & (own == 0)], minlength=len(scene.boxes))
    found[[0, label]] = 0
    foreign = found[found < _WITHIN * scene.boxes[:, 4]].sum()
    return hull if foreign <= _MOST_FOREIGN * cv2.contourArea(hull) else contour


_SHARP = 0.35
"""Sine of half the angle of a corner from which on its border sticks out by more than it is thick all round."""
_BLUNT = 3.0
"""Pixels by which a ground's sharp end may be cut off: it is too narrow there to be one."""
_BORDER = 5.0
"""Pixels from the ground to well beyond the border."""


def spikes(outline: Corners, ink: Mask) -> list[Contour]:
    """Where the border sticks out at the sharp corners of a ground, as triangles: far at a wide diamond's ends.

    They are no longer than there is ink: a line that passes by beyond is none of the border. `outline`: shape (count, 2), pixels.
    """
    found = []
    plain = cv2.approxPolyDP(outline.astype(np.float32)[:, None], _BLUNT, closed=True)[:, 0].astype(np.float64)
    for corner, back, on in zip(plain, np.roll(plain, 1, axis=0), np.roll(plain, -1, axis=0), strict=True):
        sides = np.stack([back - corner, on - corner])
        lengths = np.hypot(*sides.T)
        if lengths.min() < 2 * _BORDER:
            continue
        sides /= lengths[:, None]
        sine = float(np.sqrt(max((1 - float(sides[0] @ sides[1])) / 2, 0.0)))
        if sine >= _SHARP:
            continue
        out = -sides.sum(axis=0) / np.hypot(*sides.sum(axis=0))
        aside = np.array([-out[1], out[0]]) * (_BORDER + 1)
        tip = corner + out * _inked(ink, corner, out, _BORDER / max(sine, 0.1))
        found.append(np.round(np.stack([corner + aside, tip, corner - aside])).astype(np.int32))
    return found


def _inked(ink: Mask, corner: NDArray[np.float64], out: NDArray[np.float64], most: float) -> float:
    """Pixels over which the ink goes on from the corner in that direction, at most so many; all of them if none does."""
    height, width = ink.shape
    steps, aside = np.arange(0.0, most), np.array([-out[1], out[0]])
    # As wide as the triangle is there: the ground's end may lie beside the axis.
    wide = np.linspace(-_BORDER, _BORDER, 2 * round(_BORDER) + 1)[:, None] * (1 - steps / most)
    spots = np.round(corner + out * steps[:, None] + aside * wide[..., None]).astype(int)
    xs, ys = np.clip(spots[..., 0], 0, width - 1), np.clip(spots[..., 1], 0, height - 1)
    drawn = np.flatnonzero(ink[ys, xs].any(axis=0))
    if not len(drawn):
        return most
    gaps = np.flatnonzero(np.diff(drawn) > _MOST_GAP)
    return most if not len(gaps) and drawn[-1] + _MOST_GAP >= most else float(drawn[gaps[0] if len(gaps) else -1] + 1)


def cornered(ink: Mask, box: Box, glyph: float) -> bool:
    """Ink leads round each corner from one side to the next. Dashed sides may have their gaps there, and are not asked."""
    left, top, right, bottom = box
    reach = round(_CORNER_GLYPHS * glyph)
    if min(right - left, bottom - top) <= 2 * reach or not _solid(ink, box, reach):
        return True
    flips = ((False, False), (False, True), (True, False), (True, True))
    return all(
        _leads_round(ink, right if flip_x else left, bottom if flip_y else top, flip_x, flip_y, reach) for flip_x, flip_y in flips
    )


def _solid(ink: Mask, box: Box, reach: int) -> bool:
    """All four sides are drawn without gaps, away from the corners."""
    left, top, right, bottom = box
    for across, at, first, last in (
        (ink, top, left, right),
        (ink, bottom, left, right),
        (ink.T, left, top, bottom),
        (ink.T, right, top, bottom),
    ):
        band = across[max(at - _OFF, 0) : at + _OFF + 1, first + reach : last - reach]
        if band.size == 0 or float(band.any(axis=0).mean()) < _LEAST_SOLID:
            return False
    return True


def _leads_round(ink: Mask, x: int, y: int, flip_x: bool, flip_y: bool, reach: int) -> bool:
    """Within a square at the corner one piece of ink has both the end of the one side and that of the other."""
    rows = np.clip(np.arange(-_OFF, reach + 1) * (-1 if flip_y else 1) + y, 0, ink.shape[0] - 1)
    columns = np.clip(np.arange(-_OFF, reach + 1) * (-1 if flip_x else 1) + x, 0, ink.shape[1] - 1)
    _, labels, _ = pieces(np.ascontiguousarray(ink[np.ix_(rows, columns)]))
    level, upright = set(labels[: 2 * _OFF + 1, -1].tolist()) - {0}, set(labels[-1, : 2 * _OFF + 1].tolist()) - {0}
    return bool(level & upright)


def run_on(scene: Scene, outline: Outline) -> tuple[int, int]:
    """How many lines run straight on beyond the corners: level and steep ones."""
    corners = np.array(outline.corners, dtype=float)
    if len(corners) < 3:
        return 0, 0
    extended = [0, 0]
    middle = corners.mean(axis=0)
    for index, corner in enumerate(corners):
        sharp = _half_angle_sine(corners, index)
        if sharp > _FLAT:
            continue
        for other in (corners[index - 1], corners[(index + 1) % len(corners)]):
            along = corner - other
            length = float(np.linalg.norm(along))
            if length < scene.glyph:
                continue
            along /= length
            across = np.array([-along[1], along[0]])
            if float(across @ (corner - middle)) < 0:
                across = -across
            mitre = 5.0 / max(sharp, 0.12)
            steep = int(abs(along[1]) > abs(along[0]))
            extended[steep] += _runs_on(scene.ink, corner, mitre, (along, across), scene.glyph)
    return extended[0], extended[1]


def _half_angle_sine(corners: Corners, index: int) -> float:
    """Sine of half the angle at a corner: lines joined at acute corners stick out by their width divided by it."""
    a = corners[index - 1] - corners[index]
    b = corners[(index + 1) % len(corners)] - corners[index]
    cosine = float(a @ b) / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
    return float(np.sqrt(max((1 - cosine) / 2, 0.0)))


def _runs_on(ink: Mask, corner: Corners, mitre: float, towards: tuple[Corners, Corners], glyph: float) -> bool:
    """Ink leads without a gap along the side past its joint with the next one, and is a line's there."""
    height, width = ink.shape
    along, across = towards
    steps = np.arange(2.0, 2.0 + mitre + max(0.8 * glyph, 6.0))
    offsets = np.arange(-1.0, 5.0)
    points = corner + steps[:, None, None] * along + offsets[None, :, None] * across
    xs = np.clip(np.round(points[..., 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(points[..., 1]).astype(int), 0, height - 1)
    hit = ink[ys, xs]
    beyond = hit[steps > mitre + 1.0]
    whole = longest_gap(np.asarray(hit.any(axis=1), np.bool_)) <= _MOST_GAP
    return bool(whole and beyond.any(axis=1).mean() > 0.9 and beyond.sum(axis=1).mean() < 4.5)


def longest_gap(covered: NDArray[np.bool_]) -> int:
    """Length of the longest stretch of false values."""
    edges = np.flatnonzero(np.concatenate(([True], covered, [True])))
    return int(np.diff(edges).max()) - 1
