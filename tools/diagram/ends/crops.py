"""The last stretch of a line, straightened: what an end looks like wherever it lies, whichever way it points, however large."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.ends.heads import HEAD_WIDTHS, Ground, sample, walk
from tools.diagram.picture.skeleton import Points, path_length

ALONG, ACROSS = 24, 21
"""Cells of a crop from the tip backwards, and from side to side."""
_LONG_GLYPHS, _HALF_GLYPHS = 3.0, 1.5
"""How far back along the line it reaches, and how far to each side."""
_FINE = 3
"""Samples to a cell's side."""
_OWN_SHARE = 0.55
"""Share of a short line that is looked at from one of its ends: beyond it the other end's head begins."""


def crop(ground: Ground, points: Points, glyph: float, width: float) -> NDArray[np.float32] | None:
    """Ink, ink that is the inside of a head, and nodes in the cells along the line, shape (3, ALONG, ACROSS).

    `points`: from the tip backwards. What lies beyond the middle of a short line is left empty. `None` for a mere spot.
    """
    glyph = max(glyph, HEAD_WIDTHS * width)
    found = walk(points, ground, glyph)
    if found is None:
        return None
    places, across = found
    steps = np.arange(ALONG * _FINE) * (_LONG_GLYPHS * glyph / (ALONG * _FINE))
    own = max(_OWN_SHARE * path_length(points) + glyph * 0.3, glyph)
    at = np.round(steps / 0.5).astype(int)
    seen = (at < len(places)) & (steps <= own)
    at = np.minimum(at, len(places) - 1)
    offsets = (np.arange(ACROSS * _FINE) + 0.5) / (ACROSS * _FINE) * 2 - 1
    spots = places[at][:, None, :] + (offsets * _HALF_GLYPHS * glyph)[None, :, None] * across[at][:, None, :]
    planes = [np.where(seen[:, None], sample(mask, spots), 0) for mask in (ground.ink, ground.holes, ground.blocked)]
    cells = np.stack(planes).reshape(3, ALONG, _FINE, ACROSS, _FINE).mean(axis=(2, 4))
    return cells.astype(np.float32)
