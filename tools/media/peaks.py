"""Peaks of a series and its running median.

`scipy.signal.find_peaks` and `scipy.ndimage.median_filter` give the same (a test holds them side by side); loading them costs
1.5 s of processor time, which every evaluation, every proof and every worker of a batch would pay for these few lines.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_Series = NDArray[Any]


def running_median(values: _Series, width: int) -> _Series:
    """Median of the `width` (odd) values around each; beyond the ends the outermost value goes on. Shape as given, not empty."""
    padded = np.pad(values, width // 2, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, width), axis=1).astype(values.dtype)


def find_peaks(values: _Series, *, apart: int) -> NDArray[np.intp]:
    """Positions of local maxima (of a flat one the middle), at least `apart` from each other: of two too near, the higher stays.

    The first and the last value are never peaks.
    """
    steps = np.flatnonzero(np.diff(values)) + 1
    first, last = np.concatenate([[0], steps]), np.concatenate([steps - 1, [len(values) - 1]])
    level = values[first]
    tops = np.flatnonzero((level[1:-1] > level[:-2]) & (level[1:-1] > level[2:])) + 1
    found = (first[tops] + last[tops]) // 2
    stays = np.ones(len(found), dtype=bool)
    for index in np.argsort(values[found], kind="stable")[::-1]:
        if stays[index]:
            stays &= np.abs(found - found[index]) >= apart
            stays[index] = True
    return found[stays].astype(np.intp)
