"""The offset between sound and picture, from moments that are made up here."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tools.browser.recorder.calibration import FRAMES_APART, compare
from tools.browser.recorder.stamps import fit

SHOWN: NDArray[np.float64] = np.cumsum(np.array(FRAMES_APART, np.float64)) / 60 + 0.4


@given(shift_s=st.floats(-0.12, 0.12), seed=st.integers(0, 10_000))
def test_any_offset_is_found(shift_s: float, seed: int) -> None:
    """Frames of 1/30 s, jitter of the sound, two beeps swallowed, one false: the offset is found within 8 ms."""
    noise = np.random.default_rng(seed)
    phase = noise.uniform(0, 1 / 60)
    seen = (np.ceil((SHOWN - phase) * 30) / 30 + phase).astype(np.float64)
    heard = np.delete(SHOWN + shift_s + noise.uniform(-0.005, 0.005, len(SHOWN)), noise.choice(len(SHOWN), 2, replace=False))
    heard: NDArray[np.float64] = np.sort(np.append(heard, noise.uniform(0, 2))).astype(np.float64)
    # The mean frame that shows a change comes half a frame of the page and the phase after it.
    truth = shift_s - float(np.mean(seen - SHOWN))
    found = compare(np.array(seen, np.float64), np.array(heard, np.float64))
    assert found.measured, found.reason
    assert found.offset_ms == pytest.approx(truth * 1000, abs=8)
    assert found.n >= 8


def test_what_does_not_match_is_not_measured() -> None:
    """No beeps, too few, or beeps that have nothing to do with the flashes: no offset, and a reason."""
    for heard in (np.zeros(0), SHOWN[:4], np.array([0.1, 5.0])):
        found = compare(SHOWN, heard)
        assert not found.measured
        assert found.offset_ms == 0
        assert "flashes" in found.reason
    even = np.array(range(12), np.float64)
    uneven = compare(even, even + np.array([-0.025, 0.025] * 6, np.float64))
    assert not uneven.measured


def test_flashes_meet_both_kinds_of_frames() -> None:
    """Stretches are odd numbers of the page's frames, so that changes alternate between the film's frames and those between."""
    assert all(count % 2 for count in FRAMES_APART)
    assert min(FRAMES_APART) / 60 > 0.08


BLOCK = 1024


def stamps(seconds: float, first_s: float, ppm: float = 0.0) -> np.ndarray:
    """Moments of the blocks of an even sound."""
    return first_s + np.arange(round(seconds * 48_000 / BLOCK)) * BLOCK / 48_000 * (1 + ppm * 1e-6)


def counts(at_s: np.ndarray) -> np.ndarray:
    """Samples of each block."""
    return np.full(len(at_s), BLOCK)


@given(first_s=st.floats(0, 3), early_s=st.floats(0, 0.05), ppm=st.floats(-150, 50), seed=st.integers(0, 1000))
def test_the_first_stamps_are_not_believed(first_s: float, early_s: float, ppm: float, seed: int) -> None:
    """They lie too early and come to the truth within a second: samples are placed within 3 ms all the same."""
    at_s = stamps(60, first_s, ppm)
    noisy = at_s - early_s * np.exp(-np.arange(len(at_s)) / 10) + np.random.default_rng(seed).normal(0, 0.001, len(at_s))
    found = fit(noisy, counts(at_s))
    assert found.even
    placed = found.first_s + np.arange(len(at_s)) * BLOCK / found.rate_hz
    assert np.abs(placed - at_s).max() < 0.003


def test_short_sound_and_missing_sound() -> None:
    """Half a second is enough to place it; where 0.2 s are missing in the middle, the stamps are believed."""
    short = stamps(0.5, 1.0)
    assert fit(short, counts(short)).first_s == pytest.approx(1.0, abs=1e-6)
    torn = stamps(20, 0.0)
    torn[400:] += 0.2
    assert not fit(torn, counts(torn)).even
    late = stamps(20, 0.0)
    late[300:303] += 0.1
    assert fit(late, counts(late)).even
