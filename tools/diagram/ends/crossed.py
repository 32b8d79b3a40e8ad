"""A line that crosses another right before its end, at a slant: for a while the ink is broad, as in a head."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.surfaces import pieces

_ASIDE_GLYPHS = (0.3, 0.5)
"""How far beside the line it is measured how thick the ink is that goes on there: a head is thick."""
_MOST_THICK = 1.8
"""Thickness of a line that crosses at a slant, in that of the other."""


def is_crossed(sampled: NDArray[np.uint8], first: int, last: int, base: float, glyph: float) -> bool:
    """All that is beside the line in those rows are strokes as thin as it, which lead out of sight on both sides.

    `sampled`: the ink across the line, two samples a pixel, from the tip backwards; `base`: the line's width in pixels.
    """
    middle = sampled.shape[1] // 2
    own = round(base) + 1
    near = slice(round(2 * _ASIDE_GLYPHS[0] * glyph), round(2 * _ASIDE_GLYPHS[1] * glyph) + 1)
    for side in (sampled[:, middle::-1], sampled[:, middle:]):
        beside = np.ascontiguousarray(side[:, own:])
        _, labels, _ = pieces(beside)
        touching = np.unique(labels[first:last, 0])
        touching = touching[touching > 0]
        if not len(touching) or not np.isin(touching, labels[:, -1]).any():
            return False
        thick = np.isin(labels, touching).sum(axis=0)[max(near.start - own, 0) : max(near.stop - own, 1)] * 0.5
        if float(np.median(thick)) > _MOST_THICK * base + 1.0:
            return False
    return True
