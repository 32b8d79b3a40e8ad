"""The rhythm's figures: Fitts' law, the shape of a movement, presses, typing, the wheel."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.browser.acting import rhythm

PLACES = st.tuples(st.floats(0, 1280), st.floats(0, 800))


@pytest.mark.parametrize(
    ("distance_px", "width_px", "dragging", "published_ms"),
    [
        (64, 64, False, 116),
        (448, 64, False, 562),
        (480, 32, False, 785),
        (64, 64, True, 384),
        (448, 64, True, 882),
    ],
)
def test_durations_are_those_of_the_published_regression(
    distance_px: float, width_px: float, dragging: bool, published_ms: float
) -> None:
    """1, 3 and 4 bits with a mouse: −107 + 223·ID pointing, 135 + 249·ID dragging (CHI 1991)."""
    assert rhythm.movement_ms(distance_px, width_px, dragging=dragging) == pytest.approx(published_ms, abs=0.5)


@given(start=PLACES, end=PLACES, width_px=st.floats(1, 400), seed=st.integers(0, 999), dragging=st.booleans())
def test_a_path_ends_exactly_there_in_the_time_of_fitts_law(
    start: tuple[float, float], end: tuple[float, float], width_px: float, seed: int, dragging: bool
) -> None:
    """At any distance: exact end, ascending times no more than a frame apart, total duration as predicted."""
    steps = rhythm.path(start, end, width_px, np.random.default_rng(seed), dragging=dragging)
    assert (steps[-1].x, steps[-1].y) == end
    distance = math.dist(start, end)
    if distance < 0.5:
        return
    wanted = rhythm.movement_ms(distance, width_px, dragging=dragging)
    assert steps[-1].at_ms == pytest.approx(wanted)
    times = [0.0, *(step.at_ms for step in steps)]
    assert all(0 < b - a <= rhythm.EVENT_MS + 0.01 for a, b in pairwise(times))


@given(end=PLACES, seed=st.integers(0, 999))
def test_speed_has_a_single_peak_in_the_middle(end: tuple[float, float], seed: int) -> None:
    """To a large target: slow, fast, slow; about 1.9 times the mean at its fastest; never far off the straight line."""
    start = (640.0, 400.0)
    distance = math.dist(start, end)
    if distance < 60:
        return
    steps = rhythm.path(start, end, 60, np.random.default_rng(seed))
    places = [start, *((step.x, step.y) for step in steps)]
    speeds = [math.dist(a, b) for a, b in pairwise(places)]
    peak = speeds.index(max(speeds))
    assert all(a <= b + 1e-6 for a, b in pairwise(speeds[: peak + 1]))
    assert all(a >= b - 1e-6 for a, b in pairwise(speeds[peak:]))
    assert 0.3 < (peak + 0.5) / len(speeds) < 0.7
    assert 1.5 < max(speeds) / (sum(speeds) / len(speeds)) < 2.1
    across, down = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    aside = [abs((y - start[1]) * across - (x - start[0]) * down) for x, y in places]
    assert max(aside) <= 0.07 * min(distance, 500) + 1e-6


def test_small_targets_far_away_take_a_second_movement_now_and_then() -> None:
    """About half of such movements come to rest before the end, more often short of it than past it; none to a large target."""

    def rests_at(width_px: float, seed: int) -> float | None:
        """Where the pointer first comes to rest on its way over 900 px; None if only at the end."""
        steps = rhythm.path((0, 400), (900, 400), width_px, np.random.default_rng(seed))
        speeds = [math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(steps)]
        slow = [index for index in range(1, len(speeds) - 1) if speeds[index - 1] > speeds[index] < speeds[index + 1]]
        return steps[slow[0]].x if slow else None

    rests = [rests_at(12, seed) for seed in range(200)]
    short, past = sum(at is not None and at < 900 for at in rests), sum(at is not None and at > 900 for at in rests)
    assert 70 < short + past < 130
    assert past > 20
    assert short > past
    assert all(rests_at(80, seed) is None for seed in range(50))


def test_the_same_seed_moves_the_same_way() -> None:
    """A replay repeats the hands' every move."""
    item, two, other = (rhythm.path((0, 0), (700, 500), 20, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert item == two
    assert item != other


def test_presses_last_as_long_as_a_persons() -> None:
    """60–120 ms, and not all the same; a double click comes within what a desktop takes for one."""
    rng = np.random.default_rng(0)
    presses = [rhythm.press_ms(rng) for _ in range(300)]
    assert all(60 <= press <= 120 for press in presses)
    assert np.std(presses) > 8
    assert all(rhythm.between_clicks_ms(rng) + 2 * 120 < 500 for _ in range(300))


def test_typing_depends_on_the_fingers() -> None:
    """The other hand is quicker than the same finger; intervals are skewed to the right, as log-normal ones are."""
    assert rhythm.bigram_factor("f", "j") < rhythm.bigram_factor("f", "d") < rhythm.bigram_factor("f", "r")
    assert rhythm.bigram_factor("l", "l") < rhythm.bigram_factor("f", "j")
    assert rhythm.bigram_factor("你", "好") == 1
    intervals = np.array(rhythm.key_intervals_ms("the quick brown fox jumps over the lazy dog", np.random.default_rng(3)))
    assert 115 < np.median(intervals) < 190
    assert intervals.mean() > np.median(intervals)
    assert sum(rhythm.key_intervals_ms("word " * 400, np.random.default_rng(3))) <= rhythm.LONGEST_TYPING_MS + 1
    assert rhythm.key_intervals_ms("", np.random.default_rng(3)) == []


@given(total_px=st.floats(-5000, 5000), seed=st.integers(0, 99))
def test_a_wheel_runs_out_and_turns_exactly_as_far(total_px: float, seed: int) -> None:
    """The turns add up; the first is the largest; none goes the other way."""
    turns = rhythm.wheel_turns(total_px, np.random.default_rng(seed))
    assert sum(px for _, px in turns) == pytest.approx(total_px)
    if abs(total_px) > 40:
        assert len(turns) >= 2
        sizes = [abs(px) for _, px in turns]
        assert max(sizes) <= sizes[0] + 1
        assert all(px * total_px >= 0 for _, px in turns)
