"""Differences between pictures: noise, carets, what moves by itself; and how long it takes."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tools.browser.compare import changed_share, differing, tiles
from tools.browser.frames import Place
from tools.browser.marking.compose import bounds, inverse

Picture = np.ndarray


def page() -> Picture:
    """A picture with some structure, 1280 × 800."""
    rng = np.random.default_rng(0)
    return rng.integers(0, 256, (800, 1280, 3), dtype=np.uint8)


def painted(picture: Picture, x: int, y: int, width: int, height: int) -> Picture:
    """A copy with a rectangle shifted in brightness by half the range."""
    copy = picture.copy()
    copy[y : y + height, x : x + width] += 128
    return copy


def test_the_share_is_that_of_the_pixels_that_changed() -> None:
    """A tenth of the picture is a tenth."""
    before = np.full((800, 1280, 3), 255, np.uint8)
    after = before.copy()
    after[:80] = 0
    assert changed_share(before, after) == pytest.approx(0.1)
    assert changed_share(before, before) == 0


def test_noise_is_no_change() -> None:
    """Differences up to the threshold are rounding; one above it in one channel counts."""
    before = np.full((800, 1280, 3), 100, np.uint8)
    assert changed_share(before, before + 12) == 0
    after = before.copy()
    after[0, 0, 2] += 13
    assert changed_share(before, after) == pytest.approx(1 / (800 * 1280))


@pytest.mark.parametrize(
    ("width", "height", "counts"), [(1, 15, False), (2, 20, False), (3, 48, False), (4, 20, True), (2, 60, True), (20, 2, True)]
)
def test_a_text_cursor_is_no_change(width: int, height: int, counts: bool) -> None:
    """A thin upright bar of a line's height is a caret; anything wider, higher or flatter is something."""
    before = np.full((800, 1280, 3), 255, np.uint8)
    after = before.copy()
    after[100 : 100 + height, 200 : 200 + width] = 0
    assert bool(changed_share(before, after)) == counts


def test_a_row_of_thin_letters_is_a_change() -> None:
    """Three bars are text, not a caret that moved."""
    before = np.full((800, 1280, 3), 255, np.uint8)
    after = before.copy()
    for x in (100, 110, 120):
        after[100:115, x : x + 2] = 0
    assert changed_share(before, after) == pytest.approx(90 / (800 * 1280))


def test_what_moves_by_itself_is_left_out() -> None:
    """Inside the mask nothing counts; outside it does, as a share of the rest; a mask over everything leaves nothing to tell."""
    before = np.zeros((800, 1280, 3), np.uint8)
    after = before.copy()
    after[:400] = 255
    moving = np.zeros((800, 1280), np.bool_)
    moving[:400] = True
    assert changed_share(before, after, moving) == 0
    after[600:640] = 255
    assert changed_share(before, after, moving) == pytest.approx(0.1)
    assert changed_share(before, after, np.ones((800, 1280), np.bool_)) is None


def test_pictures_of_other_sizes_are_not_compared() -> None:
    """Not measured is None, not everything."""
    assert changed_share(np.zeros((800, 1280, 3), np.uint8), np.zeros((844, 390, 3), np.uint8)) is None
    assert changed_share(None, np.zeros((844, 390, 3), np.uint8)) is None


def test_the_mask_of_what_moves_is_generous() -> None:
    """A single pixel takes its tile and those around it, also at the edge."""
    mask = np.zeros((800, 1281), np.bool_)
    mask[100, 200] = mask[799, 1280] = True
    coarse = tiles(mask)
    assert coarse.shape == mask.shape
    assert coarse[80:128, 176:224].all()
    assert not coarse[:79].any()
    assert coarse[790, 1270]


def test_comparing_is_fast() -> None:
    """Two different pictures with a mask in less than 30 ms (the best of five; the machine may be busy)."""
    before, moving = page(), np.zeros((800, 1280), np.bool_)
    after = painted(before, 300, 300, 40, 40)
    moving[:100] = True
    times = []
    for _ in range(5):
        started = time.perf_counter()
        assert changed_share(before, after, moving)
        times.append(time.perf_counter() - started)
    assert min(times) < 0.03
    assert differing(before, after).sum() > 1000


def test_frames_places_can_be_turned_around() -> None:
    """There and back again, turned and scaled; the bounds of a turned box hold its corners."""
    place = Place(0.6, 0.2, -0.2, 0.6, 100, 50)
    x, y = inverse(place)(*place(12, 34))
    assert (x, y) == pytest.approx((12, 34))
    left, top, width, height = bounds(Place(0, 1, -1, 0, 100, 50), [10, 20, 30, 40])
    assert (left, top, width, height) == pytest.approx((40, 60, 40, 30))
    with pytest.raises(ZeroDivisionError):
        inverse(Place(0, 0, 0, 0, 1, 1))
