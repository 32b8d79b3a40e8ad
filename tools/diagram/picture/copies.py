"""Whether a picture is seen through scaling or packing: copies are told from drawn pictures by what their ground and edges do.

A drawn picture's ground is exactly flat but for soft shadows. Scaling leaves ripples right beside its edges, JPEG shakes whole
blocks about them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.media.image import Picture

_MOST_RIPPLE = 6
_LEAST_EDGE = 30
_LEAST_RIPPLE = 0.2
"""Drawn pictures have below 0.1, those with soft shadows up to 1.1 but no noise; scaled or packed ones have 0.36 and more."""
_LEAST_BLUR = 0.015
"""Noise in levels below which soft shadows are all that ripples."""
_LEAST_RIPPLE_OF_SPARSE, _LEAST_SHAKEN = 0.33, 0.008
"""Ripples of a copy with too little in it to tell by its noise, and those ripples of any copy that are no slope.

Drawn pictures with as many ripples, soft shadows, have nearly all below 0.002 of these, scaled ones 0.009 and more.
"""
_LEAST_RINGING_OFF = 0.01
"""Such ripples off all edges of a packed picture, for each pixel at an edge."""
_LEAST_MOVING = 0.04
"""Share of the ground that trembles in a picture from which noise can be told."""
_LEAST_NOISE = 0.32
"""Levels by which the quiet ground of a packed picture trembles at the least; of drawn and scaled ones it does by up to 0.26."""
_COLOURED_GLYPHS = 0.3
"""Half the side of the square that a packed picture's colours are medians of, in heights of letters: wider than a stroke."""
_LEAST_STRONG = 16
"""Levels off grey from which on a ground's colour is strong; on paper thin lines keep their own."""
_LEAST_RINGING = 0.5
"""Noise in levels from which on it is ringing, not scaling."""


@dataclass(frozen=True)
class Look:
    """How a picture differs from a drawn one: levels by which its ground trembles and by which all does; ripples at its edges."""

    noise: float
    stir: float
    ripple: float
    shaken: float
    """Share of the ripples that are no slope, for each pixel at an edge: a soft shadow has none."""

    @property
    def scaled(self) -> bool:
        """A copy at another scale: its lines have soft rims, but no ringing beside them."""
        least = _LEAST_RIPPLE if self.stir > _LEAST_BLUR else _LEAST_RIPPLE_OF_SPARSE
        return self.ripple >= least and self.shaken >= _LEAST_SHAKEN and self.noise <= _LEAST_RINGING

    @property
    def rings(self) -> bool:
        """Packed as JPEG does it."""
        return self.ripple >= _LEAST_RIPPLE and self.noise > _LEAST_RINGING

    @property
    def is_copy(self) -> bool:
        """Scaled or packed."""
        return self.scaled or self.rings


def look_of(picture: Picture) -> Look:
    """What the picture, RGB of shape (height, width, 3), looks like."""
    (ripple, shaken, off), tremble = _rippling(picture), _tremble(picture)
    if not tremble[1] and ripple >= _LEAST_RIPPLE_OF_SPARSE and off >= _LEAST_RINGING_OFF:
        tremble = _tremble(picture, least=0.0)
    return Look(*tremble, ripple, shaken)


def evenly_coloured(picture: Picture, letters: float) -> Picture:
    """A packed picture with the colours, not the brightness, of its larger parts; `letters`: their height in pixels.

    JPEG keeps colours at half the size and worse than brightness: beside black letters a strong ground's colour is washed out.
    """
    side = 2 * max(round(_COLOURED_GLYPHS * letters), 1) + 1
    channels = cv2.cvtColor(picture, cv2.COLOR_RGB2YCrCb)
    even = np.dstack([cv2.medianBlur(np.ascontiguousarray(channels[:, :, channel]), side) for channel in (1, 2)])
    strong = np.abs(even.astype(np.int16) - 128).max(axis=2) >= _LEAST_STRONG
    channels[strong, 1:] = even[strong]
    return np.asarray(cv2.cvtColor(channels, cv2.COLOR_YCrCb2RGB), dtype=np.uint8)


def _rippling(picture: Picture) -> tuple[float, float, float]:
    """Pixels where the ground hardly trembles, for each at an edge; those that are off the median about them; of these far ones.

    Few in a picture as it was drawn, many in a copy of one; a soft shadow's are no more than a slope. Scaling shakes what is
    right at edges, packing what lies in one block with them.
    """
    spread, grey = spread_within(picture, 3), cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    edge = (spread > _LEAST_EDGE).astype(np.uint8)
    slight = (spread >= 1) & (spread <= _MOST_RIPPLE)
    shaken = slight & (grey != cv2.medianBlur(grey, 3))
    off = shaken & (cv2.dilate(edge, np.ones((9, 9), np.uint8)) == 0)
    edges = max(float(edge.sum()), 1.0)
    return float(slight.sum()) / edges, float(shaken.sum()) / edges, float(off.sum()) / edges


def _tremble(picture: Picture, least: float = _LEAST_MOVING) -> tuple[float, float]:
    """Levels by which flat ground trembles, and by which all does that is neither exactly flat nor near a steep step.

    Pale lines are no steep steps: where the ground beside them is quiet they are all that trembles, and are no noise.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    change = spread_within(picture, 5)
    rest = np.abs(grey.astype(np.int16) - cv2.medianBlur(grey, 5).astype(np.int16))
    stir, quiet = (_trembling(rest, change, most, least) for most in (48, 24))
    mostly = int((change < 24).sum()) >= 0.5 * int((change < 48).sum())
    return (quiet if mostly and quiet < _LEAST_NOISE else stir), stir


def _trembling(rest: NDArray[np.int16], change: NDArray[np.uint8], most: int, least: float) -> float:
    """Mean deviation from the local median over pixels around which colours change by less than `most` levels, but change.

    0 where these are no more than the share `least` of the ground.
    """
    calm = change < most
    moving = calm & (change > 0)
    if moving.sum() < max(least * int(calm.sum()), 1):
        return 0.0
    return min(float(rest[moving].mean()) * 1.25, 8.0)


def spread_within(picture: Picture, side: int) -> NDArray[np.uint8]:
    """Largest spread of a channel within the square of that side."""
    kernel = np.ones((side, side), np.uint8)
    return np.asarray(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, kernel).max(axis=2), dtype=np.uint8)
