"""The timeline between app time and positions in the recording."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.browser.clock.apptime import AppTime
from tools.browser.recorder import film


def test_a_hold_is_a_plateau() -> None:
    """App time stands between the two positions of a hold and runs with the film elsewhere."""
    knots = [(0.0, 100.0), (2000.0, 102.0), (2000.0, 105.0), (3000.0, 106.0)]
    assert film.timeline(knots, 99.5, 10.0) == ((0.0, 0.5), (2000.0, 2.5), (2000.0, 5.5), (3000.0, 6.5))


def test_what_lies_outside_the_film_is_cut() -> None:
    """Time before the first frame and after the last is cut in the middle of a span, not dropped with its knot."""
    knots = [(0.0, 100.0), (4000.0, 104.0)]
    assert film.timeline(knots, 101.0, 2.0) == ((1000.0, 0.0), (3000.0, 2.0))
    assert film.timeline(knots, 200.0, 2.0) == ()
    assert film.timeline([], 0.0, 2.0) == ()


@given(
    spans=st.lists(st.tuples(st.floats(0.01, 5), st.floats(0, 5)), min_size=1, max_size=20),
    zero=st.floats(-3, 3),
    duration=st.floats(0.5, 60),
)
def test_any_timeline_ascends_and_agrees_with_its_knots(spans: list[tuple[float, float]], zero: float, duration: float) -> None:
    """Both columns ascend, positions stay inside the film, and every knot inside is on the line."""
    knots, app, wall = [(0.0, 50.0)], 0.0, 50.0
    for run_s, hold_s in spans:
        app, wall = app + run_s * 1000, wall + run_s
        knots.append((app, wall))
        wall += hold_s
        knots.append((app, wall))
    line = film.timeline(knots, 50.0 + zero, duration)
    if not line:
        assert zero > wall - 50.0 - 1e-6 or -zero >= duration - 1e-6
        return
    apps, positions = np.array(line).T
    assert (np.diff(apps) >= 0).all()
    assert (np.diff(positions) >= 0).all()
    assert positions[0] >= 0
    assert positions[-1] <= duration + 1e-3
    for app_ms, wall_s in knots:
        position = wall_s - 50.0 - zero
        if positions[0] < position < positions[-1]:
            at = np.interp(position, positions, apps)
            assert abs(at - app_ms) < 1.0


def test_app_time_counts_what_was_not_held() -> None:
    """Starts and stops at given wall times; the same twice changes nothing; a moment before the last knot is moved to it."""
    clock = AppTime()
    assert clock.held
    clock.start()
    begun = clock.knots[0][1]
    clock.stop(begun)
    clock.stop(begun + 100)
    assert clock.now_ms() == pytest.approx(0.0, abs=0.01)
    clock.start(begun - 50)
    assert clock.knots[-1] == pytest.approx((0.0, begun), abs=0.01)
    assert not clock.held
    assert len(clock.knots) == 3
    assert clock.removed_ms() >= 0.0
