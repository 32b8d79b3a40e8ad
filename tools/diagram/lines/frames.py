"""The frames of groups taken out of the ink, and the lines that cross them kept.

A frame of straight sides is told by its rows: those along a side that are ink nearly everywhere (or, dashed, about half of the
way) are the frame's line, and only they are taken out. Any other outline is taken out in a band along it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.skeleton import Points
from tools.diagram.picture.surfaces import Mask, Scene, pieces

_LONGEST_CROSSING = 40
"""Pixels along a frame beyond which a thin line in its band does not cross it."""
_PLAINER = 45.0
"""Levels by which a line's ink must stand out more than the frame's to be told from it by colour."""
_OFF_SIDE = 7
"""Pixels that a side's line may stand off the outline."""
_LEAST_SIDE = 0.35
"""Share of a side that a row must be inked to be the frame's, dashes taken into account."""
_MOST_ROWS = 7
"""Rows of the thickest frame."""
_LEAST_ROW = 0.45
"""Share of a side's fullest row from which on a row beside it is part of the line."""
_CORNER_GLYPHS = 1.2
_MOST_SLANT = 2.5
"""Pixels along a side per pixel across it up to which a line is drawn on through the frame."""


@dataclass(frozen=True)
class _Side:
    """A side's line: its first and last row, and from which to which column it runs (columns and rows of an upright one)."""

    first: int
    last: int
    begin: int
    end: int
    upright: bool


def without_frame(scene: Scene, ink: Mask, outline: Points, cut: Mask) -> Mask:
    """Takes a frame out, as thick as its line is; marks it in `cut` (in place).

    Where ink of another colour stands in it it is a line's; where it has the frame's colour, what stands on both sides is.
    """
    sides = _sides(ink, outline, scene.glyph)
    if sides is None:
        return _without_band(scene, ink, outline, cut)
    result = ink.copy()
    gone = np.zeros_like(ink)
    kept = np.zeros_like(ink)
    for side in sides:
        # The same for upright sides, seen lying.
        across, lying, drawn = (m.T if side.upright else m for m in (ink, gone, kept))
        lying[side.first : side.last + 1, side.begin : side.end + 1] = 1
        _draw_through(across, drawn, side)
    cut |= gone
    x, y, w, h = _window(outline, scene)
    part = np.s_[y : y + h, x : x + w]
    kept[part] |= _of_other_colour(scene, np.asarray(scene.picture[part]), ink[part], gone[part])
    result[(gone > 0) & (kept == 0)] = 0
    return _without_corners(result, sides, scene.glyph)


def _window(outline: Points, scene: Scene) -> tuple[int, int, int, int]:
    """The outline's box with some room, within the picture: left, top, width, height."""
    x, y, w, h = cv2.boundingRect(np.round(outline).astype(np.int32))
    pad = _OFF_SIDE + _MOST_ROWS + 2
    left, top = max(x - pad, 0), max(y - pad, 0)
    height, width = scene.ink.shape
    return left, top, min(x + w + pad, width) - left, min(y + h + pad, height) - top


def _sides(ink: Mask, outline: Points, glyph: float) -> tuple[_Side, ...] | None:
    """The four sides' lines; `None` if the outline is no frame of straight lines."""
    x, y, w, h = cv2.boundingRect(np.round(outline).astype(np.int32))
    if min(w, h) < 4 * _CORNER_GLYPHS * glyph:
        return None
    margin = round(_CORNER_GLYPHS * glyph)
    found = []
    for upright, at, begin, length in ((False, y, x, w), (False, y + h - 1, x, w), (True, x, y, h), (True, x + w - 1, y, h)):
        rows = _rows(ink.T if upright else ink, at, begin + margin, begin + length - margin)
        if rows is None:
            return None
        found.append((*rows, upright))
    top, bottom, left, right = found
    return (
        _Side(top[0], top[1], left[0], right[1], upright=False), _Side(bottom[0], bottom[1], left[0], right[1], upright=False),
        _Side(left[0], left[1], top[0], bottom[1], upright=True), _Side(right[0], right[1], top[0], bottom[1], upright=True),
    )  # fmt: skip


def _rows(ink: Mask, at: int, begin: int, end: int) -> tuple[int, int] | None:
    """First and last row of the line that runs from the one column to the other about the row `at`."""
    top = max(at - _OFF_SIDE, 0)
    strip = ink[top : at + _OFF_SIDE + 1, begin:end]
    if strip.size == 0:
        return None
    shares = strip.mean(axis=1)
    # Of two lines as full as each other (a node's border inside close by) the nearer one is the side.
    off = np.abs(np.arange(len(shares)) + top - at)
    full = int(np.argmax(shares - 0.01 * off))
    if shares[full] < _LEAST_SIDE:
        return None
    first = last = full
    while first > 0 and shares[first - 1] >= _LEAST_ROW * shares[full]:
        first -= 1
    while last + 1 < len(shares) and shares[last + 1] >= _LEAST_ROW * shares[full]:
        last += 1
    return (first + top, last + top) if last - first < _MOST_ROWS else None


def _draw_through(ink: Mask, kept: Mask, side: _Side) -> None:
    """Marks the ink of lines that come to the side and leave it on the other, across or nearly (in place)."""
    thick = side.last - side.first + 1
    height = ink.shape[0]
    if side.first < 1 or side.last + 1 >= height:
        return
    above, below = (_stretches(ink[row, side.begin : side.end + 1]) for row in (side.first - 1, side.last + 1))
    reach = _MOST_SLANT * (thick + 1) + 1
    for a_first, a_last in above:
        for b_first, b_last in below:
            narrow = min(a_last - a_first, b_last - b_first) <= _LONGEST_CROSSING
            apart = max(b_first - a_last, a_first - b_last, 0)
            if not narrow or apart > reach:
                continue
            ends = _nearest((a_first, a_last), (b_first, b_last))
            corners = np.array(
                [[ends[0][0], side.first], [ends[0][1], side.first], [ends[1][1], side.last], [ends[1][0], side.last]]
            )
            patch = np.zeros((thick, side.end - side.begin + 1), np.uint8)
            cv2.fillConvexPoly(patch, corners - np.array([0, side.first]), (1,))
            kept[side.first : side.last + 1, side.begin : side.end + 1] |= patch


def _nearest(above: tuple[int, int], below: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The parts of both stretches through which a line would pass: as long as the shorter, where they come nearest."""
    size = min(above[1] - above[0], below[1] - below[0])
    result = []
    for own, other in ((above, below), (below, above)):
        middle = min(max((other[0] + other[1]) / 2, own[0] + size / 2), own[1] - size / 2)
        result.append((round(middle - size / 2), round(middle + size / 2)))
    return result[0], result[1]


def _stretches(row: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """First and last column of each run of ink."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _without_corners(ink: Mask, sides: tuple[_Side, ...], glyph: float) -> Mask:
    """Takes out what is left of rounded corners: small pieces of ink that lie in them."""
    reach = round(1.6 * glyph)
    result = ink.copy()
    top, bottom, left, right = sides
    for row, column in ((top, left), (top, right), (bottom, left), (bottom, right)):
        upper = row is top
        lefthand = column is left
        y0 = row.first - 2 if upper else row.last + 3 - reach
        x0 = column.first - 2 if lefthand else column.last + 3 - reach
        y0, x0 = max(y0, 0), max(x0, 0)
        window = result[y0 : y0 + reach, x0 : x0 + reach]
        _, labels, stats = pieces(window)
        high, wide = window.shape
        held = (stats[:, 0] > 0) & (stats[:, 1] > 0) & (stats[:, 0] + stats[:, 2] < wide) & (stats[:, 1] + stats[:, 3] < high)
        held[0] = False
        window[held[labels]] = 0
    return result


def _without_band(scene: Scene, ink: Mask, outline: Points, cut: Mask) -> Mask:
    """Takes the band along any outline out, as thick as its line is; marks it in `cut` (in place)."""
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
    """Drops long runs a pixel or two thick: the darker of the two rows over which a frame's own line is spread.

    They run on into each other at the frame's corners, so they are told run by run.
    """
    long, thick = _LONGEST_CROSSING + 1, 3
    own = np.zeros_like(found)
    for run, across in (((1, long), (thick, 1)), ((long, 1), (1, thick))):
        along = np.asarray(cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones(run, np.uint8)), np.uint8)
        broad = np.asarray(cv2.morphologyEx(found, cv2.MORPH_OPEN, np.ones(across, np.uint8)), np.uint8)
        own |= along & (1 - broad)
    return found & (1 - own)


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
