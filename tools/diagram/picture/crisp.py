"""Soft rims made steep: what scaling blurred is drawn again as steps, and thin lines keep their paler colour.

A shock filter (Osher and Rudin, 1990): where the blurred picture bends up, pixels take the darkest neighbour's value, where it
bends down the lightest one's.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.media.image import Picture

_ROUNDS = 1.0
"""Pixels by which a rim is narrowed from both its sides, for each of the working scale."""
_SIGMA = 0.6
"""Pixels of the blur from which it is told to which side of a rim a pixel belongs, for each of the working scale."""
_FLAT = 0.3
"""Bend in levels up to which ground is flat."""
_LEAST_NOISE = 0.3
"""Levels of noise from which on flat ground is calmed first (a bilateral filter: Tomasi and Manduchi, 1998)."""
_CALM_SIDE, _CALM = 4.5, (20.0, 12.0)
"""Pixels of its side for each of the working scale; levels within which colours are one, and so many more a level of noise."""
_HALO, _HALO_REACH, _MOST_HALO = 1.0, 3.0, 0.2
"""Half the width of such a band and how far it is from the ink, in the copy's pixels; its share of the ink's contrast."""
_RIDGE, _LEAST_RIDGE = 1.5, 16
"""Distance from a thin line's middle to its sides in the copy's pixels, and levels by which it is darker than both."""
_HALF, _LEAST_STEP = 0.55, 32.0
"""Share of the way from the darkest to the palest up to which a pixel is ink, and levels that these are apart at least."""


def crisp(picture: Picture, scale: float, noise: float) -> Picture:
    """The picture with steep rims. `scale`: its pixels per pixel of the copy; `noise`: levels by which flat ground trembles."""
    if noise > _LEAST_NOISE:
        side = round(_CALM_SIDE * scale) | 1
        picture = np.asarray(cv2.bilateralFilter(picture, side, _CALM[0] + _CALM[1] * noise, 1.5 * scale), np.uint8)
    out = _without_halos(picture, scale).astype(np.float32)
    cross = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), np.uint8)
    for _ in range(round(_ROUNDS * scale)):
        bend = cv2.Laplacian(cv2.GaussianBlur(out, (0, 0), _SIGMA * scale), cv2.CV_32F, ksize=3)
        out = np.where(bend < -_FLAT, cv2.dilate(out, cross), np.where(bend > _FLAT, cv2.erode(out, cross), out))
    # Beside a dark head the shoulder of its rim takes the pale border that it touches with it.
    kept = np.where((ridges(picture, scale) | _dark(picture, scale))[:, :, None], np.minimum(out, picture), out)
    return np.asarray(np.clip(kept, 0, 255), np.uint8)


def _dark(picture: Picture, scale: float) -> NDArray[np.bool_]:
    """Where ink is the more likely: nearer to the darkest than to the palest within a stroke's width."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    about = np.ones((2 * round(scale) + 1, 2 * round(scale) + 1), np.uint8)
    low, high = cv2.erode(grey, about).astype(np.float32), cv2.dilate(grey, about).astype(np.float32)
    return np.asarray((high - low >= _LEAST_STEP) & (grey < low + _HALF * (high - low)), np.bool_)


def ridges(picture: Picture, scale: float) -> NDArray[np.bool_]:
    """The middles of thin dark lines: darker than what is on both their sides."""
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.int16)
    off = round(_RIDGE * scale)
    height, width = grey.shape
    wide = np.pad(grey, off, mode="edge")
    found = np.zeros(grey.shape, np.bool_)
    for right, down in ((off, 0), (0, off), (off, off), (off, -off)):
        sides = (wide[off + y : off + y + height, off + x : off + x + width] for x, y in ((right, down), (-right, -down)))
        found |= np.minimum(*sides) - grey >= _LEAST_RIDGE
    return found


def _without_halos(picture: Picture, scale: float) -> Picture:
    """The picture without the thin bands, paler than their ground, that sharp scaling draws along strong ink."""
    side = 2 * round(_HALO * scale) + 1
    around = 2 * round(_HALO_REACH * scale) + 1
    kernel = np.ones((side, side), np.uint8)
    most = _MOST_HALO * cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, np.ones((around, around), np.uint8)).astype(np.float32)
    opened = np.asarray(cv2.morphologyEx(picture, cv2.MORPH_OPEN, kernel), np.uint8)
    return np.asarray(np.where(picture.astype(np.int16) - opened <= most, opened, picture), np.uint8)
