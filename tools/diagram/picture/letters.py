"""How high the letters of a picture are, which is the measure of all that is drawn around them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.masks import Mask, pieces
from tools.media.image import Picture

_GLYPH_SIDES = (4, 90)
"""Heights in pixels that letters may have."""
_LEAST_LETTERS = 6
"""Fewer pieces that look like letters say nothing about the letters' height."""
_LEAST_EQUAL = 0.6
"""Share of the pieces in a letter's form that are equally high where letters stand alone."""
_STROKE_SIDE = 13
"""Pixels of a picture enlarged twice within which letters' strokes are told from their ground."""
_LEAST_DEPTH = 24
_HEAVIEST_GLYPH = 30.0
"""Height from which on a piece of ink says no more about the letters' height than another."""
_COMPANY = 5
"""How many neighbours of a piece of ink are looked at, itself included."""
USUAL_GLYPH = 10.0


def letter_height(picture: Picture) -> float:
    """Median height of the letters in pixels of the picture, also of letters so small that their blurred rims touch.

    Looked for at twice the size, where ink is what leaves the ground by half of what the strongest ink around it does.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    large = cv2.resize(grey, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    kernel = np.ones((_STROKE_SIDE, _STROKE_SIDE), np.uint8)
    dark = cv2.morphologyEx(large, cv2.MORPH_BLACKHAT, kernel)
    pale = cv2.morphologyEx(large, cv2.MORPH_TOPHAT, kernel)
    found = []
    for depth in (dark, pale):
        strongest = cv2.dilate(depth, np.ones((7, 7), np.uint8))
        ink = ((depth > _LEAST_DEPTH) & (depth >= 0.5 * strongest)).astype(np.uint8)
        stats = pieces(ink)[2]
        found.append(stats[_letters(stats), cv2.CC_STAT_HEIGHT])
    heights = np.concatenate(found)
    return _heavy_median(heights) / 2 if len(heights) >= _LEAST_LETTERS else USUAL_GLYPH


def glyph_height(ink: Mask) -> float:
    """Median height of pieces of ink that could be letters; the usual height if there are fewer than six."""
    stats = pieces(ink)[2]
    together = stats[_letters(stats), cv2.CC_STAT_HEIGHT]
    return _heavy_median(together) if len(together) >= _LEAST_LETTERS else _alone(stats) or USUAL_GLYPH


def lone_height(ink: Mask) -> float:
    """Height of the letters where all names are of one letter: most pieces of a letter's form are equally high; 0 elsewhere."""
    stats = pieces(ink)[2]
    return 0.0 if len(_letters(stats)) >= _LEAST_LETTERS else _alone(stats)


def _alone(stats: NDArray[np.int32]) -> float:
    """The height that most pieces of a letter's form have; 0 if they differ, or are few."""
    heights = np.sort(stats[1:][_are_letters(stats), cv2.CC_STAT_HEIGHT])
    if len(heights) < _LEAST_LETTERS:
        return 0.0
    middle = float(heights[len(heights) // 2])
    return middle if float((np.abs(heights - middle) <= 1).mean()) >= _LEAST_EQUAL else 0.0


def _letters(stats: NDArray[np.int32]) -> NDArray[np.int64]:
    """Numbers of the pieces that could be letters: of their size and form, with others of about their height beside them."""
    heights = stats[1:, cv2.CC_STAT_HEIGHT]
    some = np.flatnonzero(_are_letters(stats))[:6000]
    places = stats[1:, :2][some] + stats[1:, 2:4][some] / 2
    return some[_in_company(places, heights[some])] + 1


def _are_letters(stats: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which of the pieces, the ground left out, are of a letter's size and form."""
    heights, widths = stats[1:, cv2.CC_STAT_HEIGHT], stats[1:, cv2.CC_STAT_WIDTH]
    area = stats[1:, cv2.CC_STAT_AREA]
    letters = (heights >= _GLYPH_SIDES[0]) & (heights <= _GLYPH_SIDES[1]) & (widths <= 2.2 * heights) & (widths * 4 >= heights)
    return np.asarray(letters & (area >= 0.15 * heights * widths) & (area <= 0.88 * heights * widths), np.bool_)


def _heavy_median(heights: NDArray[np.int32]) -> float:
    """The height that nearly half of the ink's heights lie below.

    Many dots of dotted lines do not outweigh few letters, nor a few long pieces of lines many letters.
    """
    ordered = np.sort(heights)
    below = np.cumsum(np.minimum(ordered.astype(np.float64), _HEAVIEST_GLYPH) ** 2)
    return float(ordered[int(np.searchsorted(below, 0.4 * below[-1]))])


def _in_company(places: NDArray[np.floating[Any]], heights: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which pieces have one of about their height near them: letters come in words, a patterned ground's dots stand alone."""
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who looks at a picture pays for it)

    if len(places) < 2:
        return np.zeros(len(places), np.bool_)
    distances, others = KDTree(places).query(places, k=min(_COMPANY, len(places)))
    ratio = heights[np.asarray(others)] / heights[:, None]
    near = (np.asarray(distances) <= 2.5 * heights[:, None]) & (ratio >= 0.45) & (ratio <= 2.2)
    return np.asarray(near[:, 1:].any(axis=1), np.bool_)
