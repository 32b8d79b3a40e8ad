"""Small discs: dots of ink (a state machine's start, a round head) told from nodes that are no larger (a force layout's)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.media.image import Picture

_OFF_TINT = 30.0
_LINES_AT = (4, 6)
"""Pixels off the flat part of a disc between which its lines are looked at: beyond its rim, before its name."""
_LEAST_LINE_CONTRAST = 40.0
_FAINTEST = 0.45
"""Share of a disc's contrast that a line of its colour has somewhere, however thin it is."""


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
