"""Auto-pace: time runs faster only where nothing is done but waiting, and never while a server is at work for the page."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.benchmarks.determinism import busy
from tests.conftest import FIXTURES
from tests.integration.stage.conftest import Opened, Opener
from tools.browser.clock import autopace
from tools.browser.traffic import Traffic
from tools.errors import UserError

pytestmark = pytest.mark.quiet


async def _quiet(traffic: Traffic) -> None:
    """The page's own loading is over; while it goes on time keeps to the wall's pace."""
    for _ in range(100):
        if not traffic.live:
            return
        await asyncio.sleep(0.05)


async def test_waiting_is_hurried_and_work_is_not(held: Opened) -> None:
    """Three seconds of app time take less of the wall's where they are only waited for; a page's own count keeps step."""
    stage, auto = held.stage, held.stage._parts.auto_pace
    assert auto is not None
    await stage.clock.release()
    assert await stage.goto(held.site + "still.html")
    auto.stop()  # what this machine could keep up now is not the question
    await _quiet(stage.traffic)
    auto.pace, auto.acting = 4.0, 1.0
    auto.heed()
    await stage.page.evaluate("window.n = 0; setInterval(() => n++, 100)")
    first = await stage.page.evaluate("[n, performance.now()]")
    began, wall_s = stage.clock.now_ms(), time.monotonic()
    assert stage.clock.rate == 1
    with stage.clock.hurrying():
        assert stage.clock.rate == 4
        await stage.tab.waits.pause(3.0)
    assert stage.clock.rate == 1
    app_ms, wall_ms = stage.clock.now_ms() - began, (time.monotonic() - wall_s) * 1000
    assert app_ms >= 3000
    assert wall_ms < app_ms * 0.6
    last = await stage.page.evaluate("[n, performance.now()]")
    assert (last[0] - first[0]) * 100 == pytest.approx(last[1] - first[1], rel=0.05, abs=120)


async def test_on_a_crowded_machine_asking_is_slowed_as_acts_are(held: Opened) -> None:
    """What is only waited for goes on at the wall's pace; what is asked of the page again and again would find it further on."""
    stage, auto = held.stage, held.stage._parts.auto_pace
    assert auto is not None
    await stage.clock.release()
    assert await stage.goto(held.site + "still.html")
    auto.stop()
    await _quiet(stage.traffic)
    for pace, acting, asked in ((1.0, 0.25, 0.25), (4.0, 1.0, 4.0)):
        auto.pace, auto.acting = pace, acting
        auto.heed()
        assert stage.clock.rate == acting
        with stage.clock.hurrying(asking=True):
            assert stage.clock.rate == asked
            with stage.clock.hurrying():
                assert stage.clock.rate == pace
            assert stage.clock.rate == asked
        assert stage.clock.rate == acting


async def test_a_server_at_work_keeps_time_at_the_walls(held: Opened, session_serve: Callable[[Path], str]) -> None:
    """From a request's start to its answer the pace is at most 1, however much of a hurry anybody is in."""
    stage, auto = held.stage, held.stage._parts.auto_pace
    assert auto is not None
    await stage.clock.release()
    assert await stage.goto(held.site + "still.html")
    auto.stop()
    await _quiet(stage.traffic)
    auto.pace, auto.acting = 4.0, 1.0
    auto.heed()
    with stage.clock.hurrying():
        assert stage.clock.rate == 4
        stage.traffic._sent({"requestId": "7.1", "type": "Fetch", "request": {"url": held.site + "slow", "method": "GET"}})
        assert stage.clock.rate == 1
        stage.traffic._finished({"requestId": "7.1"})
        assert stage.clock.rate == 4
        stage.traffic._talk({})
        assert stage.clock.rate == 1


async def test_it_measures_what_an_app_second_costs(held: Opened) -> None:
    """On a still page the cost is known after a moment, and the pace rises above the wall's unless the machine is full."""
    stage, auto = held.stage, held.stage._parts.auto_pace
    assert auto is not None
    await stage.clock.release()
    assert await stage.goto(held.site + "still.html")
    auto.stop()
    auto.start()
    with stage.clock.hurrying():
        await asyncio.sleep(1.5)
    assert auto._cost is not None
    assert 0 < auto._cost.total < 20
    assert 0 < auto._cost.busiest < 20
    assert 0.25 <= auto.pace <= 6.0


async def test_other_programs_make_time_slower_not_the_page(held: Opened) -> None:
    """Where others take the processors, app time gives way: a page that draws all the time is not seen slower than it is."""
    stage, auto = held.stage, held.stage._parts.auto_pace
    assert auto is not None
    await stage.clock.release()
    assert await stage.goto(held.site + "still.html")
    await _quiet(stage.traffic)
    draws = "const c = document.body.appendChild(document.createElement('canvas')); c.width = 900; c.height = 600;"
    draws += "const x = c.getContext('2d'); let n = 0; (function draw() { for (let k = 0; k < 4e6; k++) n += Math.sqrt(k) > 1e9;"
    draws += "x.fillStyle = `hsl(${n++}, 60%, 50%)`; x.fillRect(0, 0, 900, 600); requestAnimationFrame(draw); })()"
    auto.stop()  # others of this stage's tests may have, and left it so
    auto.start()
    await stage.page.evaluate(draws)
    with busy(4 * (os.cpu_count() or 1)):
        paces = [auto.acting for _ in range(60) if await asyncio.sleep(0.1) is None]
    # How deep depends on the machine: four programs a processor leave it a fifth, and browser and recorder wait for each other.
    assert autopace.SLOWEST_ACTING <= min(paces) < 0.7, (paces[::6], auto._cost)


async def test_only_the_held_clock_has_a_pace(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """Asked for another pace than the wall's, the page clock says so before anything is evaluated."""
    with pytest.raises(UserError, match=r"Pace 4.*rate 1 only"):
        await open_stage(serve(FIXTURES / "pages" / "stage"), clock="page", pace=4.0)
