"""The frames of groups taken out of the ink, and the lines that cross them kept."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.skeleton import Points
from tools.diagram.surfaces import Mask, Scene, pieces

_LONGEST_CROSSING = 40
"""Pixels along a frame beyond which a thin line in its band does not cross it."""
_PLAINER = 45.0
"""Levels by which a line's ink must stand out more than the frame's to be told from it by colour."""


def without_frame(scene: Scene, ink: Mask, outline: Points, cut: Mask) -> Mask:
    """Takes the band of a frame out, as thick as its line is; marks it in `cut` (in place).

    Where ink of another colour stands in the band it is a line's; where it has the frame's colour, what stands on both sides is.
    """
    x, y, w, h = cv2.boundingRect(np.round(outline).astype(np.int32))
    pad = 8
    left, top = max(x - pad, 0), max(y - pad, 0)
    part = np.s_[top : y + h + pad, left : x + w + pad]
    window = ink[part]
    shifted = np.round(outline - np.array([left, top])).astype(np.int32)
    band = np.zeros(window.shape, np.uint8)
    for thickness in (5, 7, 9, 11):
        wider = np.zeros(window.shape, np.uint8)
        cv2.polylines(wider, [shifted], isClosed=True, color=(1,), thickness=thickness)
        ring = (wider > 0) & (band == 0)
        if thickness > 5 and float(window[ring].mean()) < 0.3:
            break
        band = wider
    cut[part] |= band
    kept = _through(window, band) | _of_other_colour(scene, np.asarray(scene.picture[part]), window, band)
    result = ink.copy()
    result[part][(band > 0) & (kept == 0)] = 0
    return result


def _of_other_colour(scene: Scene, picture: np.ndarray, ink: Mask, band: Mask) -> Mask:
    """Ink in the band that stands out from the paper clearly more than most of it does: a dark line on a pale frame."""
    inside = (band > 0) & (ink > 0)
    if inside.sum() < 20:
        return np.zeros_like(ink)
    contrast = np.abs(picture.astype(np.float32) - scene.colours[scene.paper]).max(axis=2)
    usual = float(np.percentile(contrast[inside], 60))
    return _no_border((inside & (contrast > usual + _PLAINER)).astype(np.uint8))


def _no_border(found: Mask) -> Mask:
    """Drops long pieces a pixel or two thick: the darker of the two rows over which a frame's own line is spread."""
    _, labels, stats = pieces(found)
    sides = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    own = (np.minimum(*sides) <= 2) & (np.maximum(*sides) > _LONGEST_CROSSING)
    own[0] = False
    return found & (1 - own.astype(np.uint8)[labels])


def _through(ink: Mask, band: Mask) -> Mask:
    """Where lines go through the band: ink stands on both sides of it, across or nearly."""
    outside = ink & (1 - band)
    through = np.zeros_like(ink)
    for across, kernel in ((0, np.ones((1, 3), np.uint8)), (1, np.ones((3, 1), np.uint8))):
        thickness = 14
        wide = np.asarray(cv2.dilate(outside, kernel), np.uint8)
        before, after = wide.copy(), wide.copy()
        for shift in range(1, thickness):
            before |= np.roll(wide, shift, axis=across) & np.roll(band, shift - 1, axis=across)
            after |= np.roll(wide, -shift, axis=across) & np.roll(band, 1 - shift, axis=across)
        through |= before & after & band & ink
    return _not_along(through)


def _not_along(through: Mask) -> Mask:
    """Drops pieces that are as long as the frame's own lines: they only have ink beside them."""
    _, labels, stats = pieces(through)
    long = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) > 26
    return through & (1 - long.astype(np.uint8)[labels])
