"""Peaks and running medians are those that SciPy finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage, signal

from tools.media.peaks import find_peaks, running_median

SERIES = st.lists(st.integers(0, 6), min_size=3, max_size=60)


@given(SERIES)
def test_maxima_flat_ones_too(values: list[int]) -> None:
    """Whatever the series, the maxima are the same."""
    series = np.array(values, dtype=np.float32)
    assert find_peaks(series, apart=1).tolist() == signal.find_peaks(series, distance=1)[0].tolist()


@given(st.permutations(range(40)), st.integers(1, 12))
def test_of_two_too_near_the_higher_stays(values: list[int], apart: int) -> None:
    """Heights that differ leave no choice."""
    series = np.array(values, dtype=np.float32)
    assert find_peaks(series, apart=apart).tolist() == signal.find_peaks(series, distance=apart)[0].tolist()


@pytest.mark.parametrize("width", [3, 51])
@given(SERIES)
def test_the_running_median(width: int, values: list[int]) -> None:
    """Ends included."""
    series = np.array(values, dtype=np.float32)
    assert running_median(series, width).tolist() == ndimage.median_filter(series, width, mode="nearest").tolist()
