"""How sure a share is that was counted."""

from __future__ import annotations

import math

_Z = 1.959964
"""Two-sided 95 %."""


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Wilson's score interval of a share (Wilson 1927), 95 %."""
    share, square = hits / of, _Z * _Z
    centre = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, centre - half), min(1.0, centre + half)
