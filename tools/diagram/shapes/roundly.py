"""Frames with round corners, told by their four straight sides, the arcs between them, and nothing else: lines may cross them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tools.diagram.picture.surfaces import Mask

_Stroke = tuple[int, int, int]
"""Row (column) of a straight stroke, and from where to where it runs."""
_Box = tuple[int, int, int, int]
_LEAST_GLYPHS = 5.0
"""Shortest side of such a frame in heights of letters: it holds a node."""
_LEAST_ROUND_GLYPHS, _MOST_ROUND_GLYPHS = 0.45, 2.6
"""Radius of the corners in heights of letters."""
_OFF, _OFF_RADII = 4.0, 0.35
"""Pixels, and radii, by which a side may begin or end beside where its corner does: an arc runs into it smoothly."""
_LEAST_ARC = 0.85
"""Share of a corner's arc that is ink, a pixel beside it allowed."""


def rounded_boxes(ink: Mask, flat: list[_Stroke], tall: list[_Stroke], glyph: float) -> Iterator[_Box]:
    """Left, top, right and bottom of each. `flat`: level strokes from top to bottom; `tall`: upright ones."""
    for index, (top, left, right) in enumerate(flat):
        if right - left < (_LEAST_GLYPHS - 2 * _LEAST_ROUND_GLYPHS) * glyph:
            continue
        for bottom, other_left, other_right in flat[index + 1 :]:
            if bottom - top < _LEAST_GLYPHS * glyph or max(abs(left - other_left), abs(right - other_right)) > _OFF:
                continue
            found = _between(ink, (left, top, right, bottom), tall, glyph)
            if found is not None:
                yield found
                break


def _between(ink: Mask, inner: _Box, tall: list[_Stroke], glyph: float) -> _Box | None:
    """The box with sides off the ends of the level strokes by the radius of its corners; `None` if there is none."""
    left, top, right, bottom = inner
    for x, first, last in tall:
        radius = left - x
        if not _LEAST_ROUND_GLYPHS * glyph <= radius <= _MOST_ROUND_GLYPHS * glyph or not _fits(first, last, inner, radius):
            continue
        for other, begin, end in tall:
            if (
                abs(other - right - radius) <= _OFF
                and _fits(begin, end, inner, radius)
                and _rounded(ink, (x, top, other, bottom), radius)
            ):
                return x, top, other, bottom
    return None


def _fits(first: int, last: int, inner: _Box, radius: int) -> bool:
    slack = _OFF + _OFF_RADII * radius
    return abs(first - inner[1] - radius) <= slack and abs(last - inner[3] + radius) <= slack


def _rounded(ink: Mask, box: _Box, radius: int) -> bool:
    """There is ink along the arc of every corner."""
    left, top, right, bottom = box
    turn = np.linspace(0.1, np.pi / 2 - 0.1, max(radius, 6))
    for x, y, way_x, way_y in ((left, top, 1, 1), (right, top, -1, 1), (left, bottom, 1, -1), (right, bottom, -1, -1)):
        columns = np.round(x + way_x * radius * (1 - np.cos(turn))).astype(int)
        rows = np.round(y + way_y * radius * (1 - np.sin(turn))).astype(int)
        near = [
            ink[np.clip(rows + b, 0, ink.shape[0] - 1), np.clip(columns + a, 0, ink.shape[1] - 1)]
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
        ]
        if np.max(near, axis=0).mean() < _LEAST_ARC:
            return False
    return True
