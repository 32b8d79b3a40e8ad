"""Shadows that are drawn behind nodes: soft bands along their borders that darken the paper and tell nothing."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.masks import Mask, pieces
from tools.media.image import Picture

_DARKENED = 0.5, 0.985
"""Share of the paper's light that is left in a shadow."""
_MOST_TINTED = 0.04
"""By how much that share differs between the channels: what has a colour of its own is no shadow."""
_LEAST_DARK = 0.75
"""Share that is left at its darkest places, at the most: fainter shadows are no broad ink."""
_LEAST_PAPER = 128.0
"""Levels of the darkest paper on which shadows are seen."""
_LEAST_SIDE_LETTERS = 1.6
"""Both sides of the box around a shadow, in heights of letters: it lies along two sides of its node, or all around it."""
_LEAST_BAND_LETTERS = 2.0
"""Length of its longest band: longer than heads that lie beside each other."""
_MOST_FULL = 0.6
"""Share of that box that it covers: a node lies in it."""
_STEP = 3, 75
"""Levels by which neighbours differ in a shadow, which is graded: within lines there is no step, at their rims a steeper one."""
_LEVEL, _LEAST_LEVELS, _LEAST_OF_LEVEL = 10, 4, 0.06
"""Width of a level in steps of light; how many of them a shadow has, and the share of it that each has."""
_CROSSED = 3
"""Pixels by which the parts of a shadow are grown that a line parts."""
_RIM = 2
"""Pixels by which a shadow goes on beyond where it is at least three pixels broad."""


def without_shadows(picture: Picture, letters: float, lines: NDArray[np.bool_] | None = None) -> Picture:
    """The picture with the paper's colour where shadows lie.

    `letters`: height of letters in pixels; `lines`: middles of thin lines, which are as soft as shadows in a copy.
    """
    paper = commonest_colour(picture)
    if float(paper.mean()) < _LEAST_PAPER:
        return picture
    share = picture.astype(np.float32) / np.maximum(paper, 1.0)
    low, high = share.min(axis=2), share.max(axis=2)
    tint = ((low >= _DARKENED[0]) & (low <= _DARKENED[1]) & (high - low <= _MOST_TINTED)).astype(np.uint8)
    light = (255 * low).astype(np.uint8)
    steps = np.asarray(cv2.morphologyEx(light, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.uint8)
    # Grey lines that leave a node have steeper rims than its shadow, and are even within them.
    soft = tint & ((steps >= _STEP[0]) & (steps <= _STEP[1])).astype(np.uint8)
    if lines is not None:
        soft = soft & ~lines
    broad = np.asarray(cv2.morphologyEx(soft, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if not broad.any():
        return picture
    bands, lengths = _lengths(broad)
    # Lines that leave a node cross its shadow.
    side = 2 * _CROSSED + 1
    _, labels, stats = pieces(np.asarray(cv2.dilate(broad, np.ones((side, side), np.uint8)), np.uint8))
    large = stats[:, 2:4].min(axis=1) >= _LEAST_SIDE_LETTERS * letters
    large[0] = False
    shadows = np.zeros_like(tint)
    for label in np.flatnonzero(large).tolist():
        x, y, w, h = (int(value) for value in stats[label, :4])
        part = np.s_[y : y + h, x : x + w]
        own = (labels[part] == label) & (broad[part] > 0)
        long = lengths[bands[part][own]].max(initial=0) >= _LEAST_BAND_LETTERS * letters
        if long and float(own.mean()) <= _MOST_FULL and _is_shadow(light[part][own]):
            shadows[part] |= own.astype(np.uint8)
    if not shadows.any():
        return picture
    near = np.asarray(cv2.dilate(shadows, np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)), np.uint8)
    result = picture.copy()
    result[(near & tint) > 0] = np.round(paper).astype(np.uint8)
    return result


def _lengths(broad: Mask) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The number of the piece at each pixel, and the longer side of each."""
    _, labels, stats = pieces(broad)
    longer = stats[:, 2:4].max(axis=1)
    longer[0] = 0
    return labels, longer


def _is_shadow(light: NDArray[np.uint8]) -> bool:
    """It is dark somewhere and has many levels. `light`: of 255, at its pixels."""
    levels = np.bincount(light // _LEVEL) / len(light)
    return float(np.percentile(light, 10)) <= 255 * _LEAST_DARK and int((levels >= _LEAST_OF_LEVEL).sum()) >= _LEAST_LEVELS


def commonest_colour(picture: Picture) -> NDArray[np.float32]:
    """RGB of the colour that most pixels have, nearly."""
    sample = picture[::2, ::2].reshape(-1, 3).astype(np.int32) // 4
    keys = sample[:, 0] * 4096 + sample[:, 1] * 64 + sample[:, 2]
    most = int(np.bincount(keys).argmax())
    return np.asarray(picture[::2, ::2].reshape(-1, 3)[keys == most].mean(axis=0), np.float32)
