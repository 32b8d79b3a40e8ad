"""Small discs: dots of ink (a state machine's start, a round head) told from nodes that are no larger (a force layout's)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import ShapeNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.masks import Mask, pieces
from tools.media.image import Picture

_OFF_TINT = 30.0
_LINES_AT = (4, 6)
"""Pixels off the flat part of a disc between which its lines are looked at: beyond its rim, before its name."""
_LEAST_LINE_CONTRAST = 40.0
_FAINTEST = 0.45
"""Share of a disc's contrast that a line of its colour has somewhere, however thin it is."""

_LEAST_DISC, _MOST_DISC = 1.6, 4.0
"""Diameters, in heights of letters, of discs that copying left nothing flat of."""
_LEAST_ROUND, _MOST_ROUND = 0.7, 0.88
"""Share of its square that a disc fills: about π / 4, a rounded box more."""
_MOST_PAPER = 0.2
"""Share of a disc that is paper."""
_LEAST_DISCS = 3
"""So many of them make a layout of discs; a single one is something else."""
_DISC_RIM = 3
"""Pixels of a disc's rim, with the blur that copying gives it."""
_LEAST_BULGING, _MOST_TURN, _MOST_DENT = 7, 65.0, 12.0
"""Corners of such an outline; degrees by which it turns at one at the most, and by which it may turn back where a line begins."""
_LEAST_ROUND_CORNERS = 6
_LEAST_EVEN = 0.8
"""Smallest distance of a disc's rim from its middle in the largest."""
_ROUND = (0.67, 0.88)
"""Share of its box that a disc covers, about π / 4, less what lines that leave it cut off."""
_COARSE = 0.5
"""Pixels that the rim of a disc of few pixels is off for being drawn in whole ones."""
_LIKE_DISCS = frozenset({Shape.polygon, Shape.hexagon, Shape.rounded, Shape.stadium})


def copied_discs(ink: Mask, paper: Mask, glyph: float) -> tuple[Mask, Mask]:
    """The inner parts of round blobs of ink with what they enclose, and their rims: nodes of a force layout, made round again.

    Scaling and packing leave small discs whose rim has a colour of its own hardly a quiet pixel.
    """
    labels, stats = blobs(ink, _LEAST_DISC * glyph, _MOST_DISC * glyph)
    sides, area = stats[:, 2:4], stats[:, cv2.CC_STAT_AREA]
    fits = (sides.max(axis=1) <= _MOST_DISC * glyph) & (sides.min(axis=1) >= 0.8 * sides.max(axis=1))
    share = area / np.maximum(sides.prod(axis=1), 1)
    fits &= (share >= _LEAST_ROUND) & (share <= _MOST_ROUND)
    # Lines to and fro enclose round pieces of paper.
    fits &= np.bincount(labels.ravel(), weights=paper.ravel(), minlength=len(stats)) <= _MOST_PAPER * area
    fits[0] = False
    inner, rims = np.zeros_like(ink), np.zeros_like(ink)
    if int(fits.sum()) < _LEAST_DISCS:
        return inner, rims
    for label in np.flatnonzero(fits).tolist():
        left, top, width, height = (int(value) for value in stats[label, :4])
        middle, radius = (round(16 * (left + (width - 1) / 2)), round(16 * (top + (height - 1) / 2))), min(width, height) / 2
        cv2.circle(rims, middle, round(16 * radius), (1,), cv2.FILLED, shift=4)
        cv2.circle(inner, middle, round(16 * (radius - _DISC_RIM)), (1,), cv2.FILLED, shift=4)
    return inner, rims & (1 - inner)


def blobs(ink: Mask, least: float, most: float) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The parts of the ink that hold a disc of `least` pixels across, with what they enclose up to `most` pixels wide and high.

    Returns the number of the one at each pixel, and OpenCV's row of each.
    """
    across = max(round(least), 5) | 1
    disc = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.uint8)
    _, labels, stats = pieces(np.asarray(cv2.morphologyEx(_filled(ink, most), cv2.MORPH_OPEN, disc), np.uint8), 4)
    return labels, stats


def _filled(ink: Mask, most: float) -> Mask:
    """The ink with what it encloses, up to `most` pixels wide and high."""
    closed = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    _, labels, stats = pieces((1 - closed).astype(np.uint8), 4)
    holes = stats[:, 2:4].max(axis=1) <= most
    holes[0] = False
    return closed | holes[labels].astype(np.uint8)


def is_dot(picture: Picture, labels: NDArray[np.int32], row: NDArray[np.int32], label: int) -> bool:
    """Around the flat piece `label` is nothing but its own colour and its ground's, and no line of another colour leads to it.

    `labels`: number of the flat piece at each pixel; `row`: the piece's left, top, width, height.
    """
    x, y, w, h = (int(value) for value in row[:4])
    pad = _LINES_AT[1] + 1
    part = np.s_[max(y - pad, 0) : y + h + pad, max(x - pad, 0) : x + w + pad]
    own = (labels[part] == label).astype(np.uint8)
    ring = (cv2.dilate(own, np.ones((5, 5), np.uint8)) & (1 - own)) > 0
    others = labels[part][(labels[part] > 0) & (own == 0)]
    shades = picture[part].astype(np.float32)
    if not len(others) or not ring.any():
        return False
    ground = shades[labels[part] == int(np.bincount(others).argmax())].mean(axis=0)
    disc = shades[own > 0].mean(axis=0)
    _, off = _tinted(shades[ring], ground, disc)
    return float((off > _OFF_TINT).mean()) < 0.1 and not _led_to_by_others(shades, own, ground, disc)


def _led_to_by_others(
    shades: NDArray[np.float32], own: NDArray[np.uint8], ground: NDArray[np.float32], disc: NDArray[np.float32]
) -> bool:
    """The lines that leave the disc have another colour than it: a node, for a dot of ink is drawn with its lines' pen."""
    near, far = (np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2), np.uint8) for reach in _LINES_AT)
    around = (cv2.dilate(own, far) & (1 - cv2.dilate(own, near))) > 0
    contrast = np.abs(shades[around] - ground).max(axis=1)
    if not len(contrast) or float(contrast.max()) < _LEAST_LINE_CONTRAST:
        return False
    along, off = _tinted(shades[around][contrast >= 0.6 * contrast.max()], ground, disc)
    return float((off > _OFF_TINT).mean()) > 0.5 or float(along.max()) < _FAINTEST


def _tinted(
    shades: NDArray[np.float32], ground: NDArray[np.float32], full: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How far each shade (n, 3) is on the way from the ground's colour to the full one, 0–1, and by how many levels it is off."""
    way = full - ground
    along = np.clip(((shades - ground) @ way) / max(float(way @ way), 1.0), 0.0, 1.0).astype(np.float32)
    return along, np.abs(shades - ground - along[:, None] * way).max(axis=1)


def is_bulging(note: ShapeNote) -> bool:
    """An outline of many corners, all blunt and turning one way (an octagon, an egg): lines that meet enclose none."""
    rim = np.array(note.outline, np.float64)
    if len(rim) < _LEAST_BULGING:
        return False
    sides = np.roll(rim, -1, axis=0) - rim
    before, after = np.roll(sides, 1, axis=0), sides
    turns = np.degrees(np.arctan2(before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0], (before * after).sum(axis=1)))
    turns = turns * np.sign(turns.sum())
    return bool(turns.min() >= -_MOST_DENT and turns.max() <= _MOST_TURN)


def is_roundish(note: ShapeNote) -> bool:
    """A small disc off which the lines that touch it cut a little: taken for a polygon of many corners."""
    rim = np.array(note.outline, np.float64)
    # An outline runs through the middles of the outermost pixels.
    whole = float(cv2.contourArea(rim.astype(np.float32))) + 0.5 * float(cv2.arcLength(rim.astype(np.float32), closed=True)) + 1
    area = whole / max(note.pixels.area, 1.0)
    if note.shape not in _LIKE_DISCS or len(rim) < _LEAST_ROUND_CORNERS or not _ROUND[0] <= area <= _ROUND[1]:
        return False
    sides = np.vstack([np.linspace(a, b, 6, endpoint=False) for a, b in zip(rim, np.roll(rim, -1, axis=0), strict=True)])
    off = np.hypot(*(sides - (rim.min(axis=0) + rim.max(axis=0)) / 2).T)
    return float(off.min()) + _COARSE >= _LEAST_EVEN * (float(off.max()) - _COARSE)
