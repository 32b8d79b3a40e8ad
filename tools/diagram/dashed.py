"""Small boxes drawn with dashes: nodes that are optional or planned.

Nothing is enclosed by dashes, so no surface tells of them, and the dashes begin anywhere: the four strokes that they make do not
end at the corners. That all four sides are dashed and end about where the others stand tells such a box from anything else.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.surfaces import Mask

Stroke = tuple[int, int, int]
"""Row, first and last column of a horizontal stroke (column, first and last row of a vertical one)."""
Box = tuple[int, int, int, int]
_GLYPHS = (2.0, 16.0)
"""Shortest and longest side in heights of letters."""
_OFF_CORNER_GLYPHS = 1.8
"""How far from a corner a side's first dash may begin, or a line that leaves from there make it seem to end."""
_LEAST_ALONG = 0.6
"""Share of a side's length that its stroke covers."""
_INKED = (0.25, 0.85)
"""Share of a dashed side that is ink."""
_LEAST_GAP = 3
"""Pixels of a gap between dashes at the least."""


def dashed_boxes(ink: Mask, flat: list[Stroke], tall: list[Stroke], glyph: float) -> list[Box]:
    """Left, top, right and bottom of the boxes whose four sides are dashed. `flat`, `tall`: strokes, dashed ones closed."""
    least, most = (share * glyph for share in _GLYPHS)
    off = _OFF_CORNER_GLYPHS * glyph
    sides = [stroke for stroke in tall if stroke[2] - stroke[1] <= most + 2 * off and _is_dashed(ink.T, stroke)]
    levels = [stroke for stroke in flat if _is_dashed(ink, stroke)] if len(sides) > 1 else []
    found = []
    for left, first, last in sides:
        for right, other_first, other_last in sides:
            if not least <= right - left <= most or abs(first - other_first) > off or abs(last - other_last) > off:
                continue
            tops = [s for s in levels if min(abs(s[0] - first), abs(s[0] - other_first)) <= off and _spans(s, left, right)]
            ends = [s for s in levels if min(abs(s[0] - last), abs(s[0] - other_last)) <= off and _spans(s, left, right)]
            pairs = [(a[0], b[0]) for a in tops for b in ends if least <= b[0] - a[0] <= most]
            if pairs:
                top, bottom = min(pairs, key=lambda pair: abs(pair[0] - first) + abs(pair[1] - last))
                found.append((left, top, right, bottom))
    return found


def _spans(stroke: Stroke, left: int, right: int) -> bool:
    """It runs along most of the way between the two columns and not far beyond."""
    shared = min(stroke[2], right) - max(stroke[1], left)
    return shared >= _LEAST_ALONG * (right - left) and stroke[2] - stroke[1] <= (2 - _LEAST_ALONG) * (right - left)


def _is_dashed(ink: Mask, stroke: Stroke) -> bool:
    """There are gaps in it, and more than one dash."""
    at, first, last = stroke
    row = np.asarray(ink[max(at - 1, 0) : at + 2, first : last + 1].any(axis=0), np.bool_)
    gaps = _lengths(~row)
    return bool(len(row)) and _INKED[0] <= float(row.mean()) <= _INKED[1] and int((gaps >= _LEAST_GAP).sum()) >= 1


def _lengths(mask: NDArray[np.bool_]) -> NDArray[np.int_]:
    """Lengths of the runs of true values."""
    edges = np.flatnonzero(np.diff(np.pad(mask, 1).astype(np.int8)))
    return edges[1::2] - edges[::2]
