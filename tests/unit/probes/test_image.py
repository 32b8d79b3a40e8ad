"""Pictures as arrays: measures with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.evidence.rows import Box
from tools.media.image import (
    Picture,
    changed_share,
    count_colours,
    crop,
    decode,
    encode,
    grey_stats,
    hamming,
    main_colour,
    phash,
)


def plain(colour: tuple[int, int, int], height: int = 40, width: int = 60) -> Picture:
    """A picture of one colour."""
    return np.full((height, width, 3), colour, dtype=np.uint8)


def noise(seed: int = 0, height: int = 40, width: int = 60) -> Picture:
    """A picture of random pixels."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def scene() -> Picture:
    """A picture with structure: a disc on a gradient."""
    rows, columns = np.mgrid[0:90, 0:120]
    disc = (rows - 45) ** 2 + (columns - 60) ** 2 < 900
    grey = np.where(disc, 230, columns).astype(np.uint8)
    return np.stack([grey, grey, np.full_like(grey, 80)], axis=2)


def test_grey_stats_of_known_pictures() -> None:
    """One colour has no variance; half black and half white has the largest."""
    assert grey_stats(plain((255, 255, 255))).variance == pytest.approx(0, abs=1e-6)
    assert grey_stats(plain((255, 0, 0))).mean == pytest.approx(76.245, abs=0.01)
    halves = plain((0, 0, 0))
    halves[:, 30:] = 255
    stats = grey_stats(halves)
    assert stats.mean == pytest.approx(127.5, abs=0.01)
    assert stats.variance == pytest.approx(127.5**2, rel=1e-4)


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_colours_are_counted_and_ranked(pixels: list[tuple[int, int, int]]) -> None:
    """Number of colours and the most frequent one agree with counting by hand."""
    picture = np.array([pixels], dtype=np.uint8)
    assert count_colours(picture) == len(set(pixels))
    colour, share = main_colour(picture)
    assert share == pytest.approx(max(map(pixels.count, pixels)) / len(pixels))
    assert pixels.count(colour) == max(map(pixels.count, pixels))


def test_a_crop_stays_inside_the_picture() -> None:
    """Boxes are rounded outwards, cut at the edges, and empty outside."""
    picture = noise()
    assert crop(picture, Box(x=1.5, y=2.2, width=3.0, height=1.0)).shape == (2, 4, 3)
    assert crop(picture, Box(x=-5, y=-5, width=8, height=8)).shape == (3, 3, 3)
    assert crop(picture, Box(x=58, y=38, width=50, height=50)).shape == (2, 2, 3)
    assert crop(picture, Box(x=500, y=0, width=9, height=9)).size == 0
    assert crop(picture, Box(x=-50, y=0, width=9, height=9)).size == 0


def test_png_round_trip_and_transparency() -> None:
    """Encoding loses nothing; transparency is laid on white; other bytes are refused."""
    picture = noise(3)
    assert np.array_equal(decode(encode(picture)), picture)
    with pytest.raises(ValueError, match="not a picture"):
        decode(b"<html>")


def test_hashes_follow_the_eye() -> None:
    """A lighter copy hashes alike, its mirror image does not."""
    picture = scene()
    lighter = np.clip(picture.astype(np.int16) + 12, 0, 255).astype(np.uint8)
    assert 0 <= phash(picture) < 1 << 64
    assert hamming(phash(picture), phash(picture)) == 0
    assert hamming(phash(picture), phash(lighter)) <= 4
    assert hamming(phash(picture), phash(np.ascontiguousarray(picture[:, ::-1]))) > 10


def test_changed_share_counts_pixels_beyond_the_tolerance() -> None:
    """Ten of a hundred pixels that differ clearly are a tenth; what stays within the tolerance is none."""
    item, other = plain((100, 100, 100), 10, 10), plain((100, 100, 100), 10, 10)
    other[0] = (100, 100, 180)
    other[1] = (110, 110, 110)
    assert changed_share(item, other) == pytest.approx(0.1)
    assert changed_share(item, other, tolerance=5) == pytest.approx(0.2)
    assert changed_share(item, other, tolerance=200) == 0


@pytest.mark.parametrize("wrong", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)])
def test_other_arrays_are_refused(wrong: np.ndarray) -> None:
    """Anything but RGB uint8 is an error, not a wrong figure."""
    with pytest.raises(ValueError, match="expected RGB uint8"):
        count_colours(wrong)
