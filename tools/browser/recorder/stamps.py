"""When the samples of a take were heard.

The sound server's clock is even to about 0.1 per mille, but ffmpeg's estimate of it is not: the first stamps of a take lie up to
45 ms before the truth and come to it within about a second (measured, 2026-11). A line through the later stamps gives the moment
of every sample within 3 ms; where sound is missing the stamps leave that line, and then they are believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.media.video import RATE_HZ, sound_stamps

_SETTLED_S = 1.5
_LONG_S = 20.0
"""Only over this long the rate is told from the noise of the stamps."""
_MOST_PPM = 200.0
_APART_S = 0.03
"""Stamps this far off the line, for longer than a moment, mean that sound is missing."""


@dataclass(frozen=True)
class Heard:
    """Where the samples of a take lie."""

    first_s: float
    """Position of sample 0."""
    rate_hz: float
    """Samples a second by the recorder's clock."""
    even: bool
    """False: sound is missing in between, and only the stamps tell where."""


def heard(path: Path) -> Heard | None:
    """Read the stamps of a take; None if it has no sound. Raises `UnreadableFilm`."""
    at_s, counts = sound_stamps(path)
    return fit(at_s, counts) if len(at_s) else None


def fit(at_s: NDArray[np.float64], counts: NDArray[np.int64]) -> Heard:
    """The line through stamps: `at_s` of blocks of `counts` samples each."""
    before = np.concatenate([[0], np.cumsum(counts)[:-1]]) / RATE_HZ
    late = at_s - before
    settled = before >= min(_SETTLED_S, before[-1] / 2)
    slope = 0.0
    if before[-1] >= _LONG_S:
        slope = float(np.clip(np.polyfit(before[settled], late[settled], 1)[0], -_MOST_PPM * 1e-6, _MOST_PPM * 1e-6))
    first_s = float(np.median(late[settled] - slope * before[settled]))
    off = np.abs(late - (first_s + slope * before))[settled]
    # A single stamp may be late on a busy machine; what is missing stays missing.
    even = bool(np.count_nonzero(off > _APART_S) <= max(3, 0.02 * len(off)))
    return Heard(first_s, RATE_HZ / (1 + slope), even)
