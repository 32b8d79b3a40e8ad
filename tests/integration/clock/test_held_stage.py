"""A stage under the held clock: nothing on the page moves while it is held or somebody deliberates, and looking still works."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import psutil
import pytest

from tests.conftest import FIXTURES
from tests.integration.stage.conftest import Opened
from tests.integration.stage.test_clock import STOPS
from tools.browser.clock.held import EPOCH_S
from tools.evidence.record import Record
from tools.evidence.rows import ClockKept

pytestmark = pytest.mark.quiet
DRIFT_MS = 17.0


async def _go(held: Opened, name: str) -> None:
    await held.stage.clock.release()
    assert await held.stage.goto(held.site + name)


async def test_every_source_stands_while_somebody_deliberates(held: Opened) -> None:
    """Held for 1 s with all processes stopped no source moves by more than a frame, the screen by no pixel; then all go on."""
    stage = held.stage
    await _go(held, "clock.html")
    await stage.page.wait_for_function("performance.now() > 1500")
    async with stage.still():
        await asyncio.sleep(0.1)  # what is under way between the page's own threads arrives
        first, picture, at_ms = await stage.page.evaluate("sample()"), await stage.picture(), stage.clock.now_ms()
        async with stage.deliberating():
            await asyncio.sleep(1.0)
            assert _stopped(stage.browser_pid)
        last = await stage.page.evaluate("sample()")
        assert {name: last[name] - first[name] for name in STOPS if abs(last[name] - first[name]) > DRIFT_MS} == {}
        assert np.array_equal(picture, await stage.picture())
        assert stage.clock.now_ms() == at_ms
    assert not _stopped(stage.browser_pid)
    await stage.page.wait_for_function("(than) => sample().interval > than + 300", arg=last["interval"])
    later = await stage.page.evaluate("sample()")
    asleep = [name for name in STOPS if name != "dateString" and not later[name] - last[name] > 100]
    assert not asleep


def _stopped(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_STOPPED


async def test_looking_works_while_time_stands(held: Opened) -> None:
    """Scripts, DOM, accessibility and pictures from the browser itself (which need frames) answer; only frames move time."""
    stage = held.stage
    await _go(held, "clock.html")
    async with stage.still():
        before = stage.clock.now_ms()
        assert (await stage.dom()).body.kind == "dom"
        assert (await stage.accessibility()).body.kind == "accessibility"
        assert stage.clock.now_ms() == before
        shot = await stage.screenshot("full", full_page=True)
        assert shot.body.kind == "screenshot"
        assert stage.clock.held
        assert stage.clock.now_ms() - before < 3000
        await stage.clock.step(250)
    assert not stage.clock.held


async def test_a_page_in_a_step_moves_by_it(held: Opened) -> None:
    """Stepped by 400 ms, timers have fired eight times and the page's clock is later by exactly that."""
    stage = held.stage
    await _go(held, "still.html")
    await stage.page.evaluate("window.n = 0; setInterval(() => n++, 50)")
    await stage.clock.hold()
    before = await stage.page.evaluate("[performance.now(), n]")
    await stage.clock.step(400)
    async with asyncio.timeout(10):
        # A wait within the page would stand as its time does.
        while await stage.page.evaluate("n") < before[1] + 7:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    after = await stage.page.evaluate("[performance.now(), n]")
    assert abs(after[0] - before[0] - 400) <= 0.2
    assert 7 <= after[1] - before[1] <= 9
    await stage.clock.release()


async def test_app_time_begins_at_the_epoch_and_its_spans_are_kept(
    open_stage: Callable[..., object], serve: Callable[[Path], str], pages: Path
) -> None:
    """The first document is a few moments old at the fixed date, in the fixed time zone; the ledger knows epoch and spans."""
    site = serve(pages)
    opened = await open_stage(site, clock="held", pace=2.0)  # type: ignore[misc]
    assert isinstance(opened, Opened)
    stage = opened.stage
    assert stage.clock.held
    assert stage.clock.now_ms() == 0
    assert await stage.goto(site + "still.html")
    date, zone = await stage.page.evaluate("[performance.timeOrigin, Intl.DateTimeFormat().resolvedOptions().timeZone]")
    assert 0 <= date / 1000 - EPOCH_S < 5
    assert zone == "UTC"
    began, wall_s = stage.clock.now_ms(), time.monotonic()
    await asyncio.sleep(0.3)
    assert (stage.clock.now_ms() - began) / 1000 / (time.monotonic() - wall_s) == pytest.approx(2.0, rel=0.05)
    await stage.close()
    [row] = opened.rows("stage_opened")
    assert (row.clock, row.epoch_s, row.clock_note) == ("held", EPOCH_S, "")
    [kept] = opened.rows("clock_kept")
    assert isinstance(kept, ClockKept)
    assert {0.0, 2.0} <= {span[2] for span in kept.spans}
    assert kept.spans[-1][0] == pytest.approx(stage.clock.now_ms())
    assert not Path(stage.clock.env["ASSAY_CLOCK"]).exists()


def test_killed_while_it_deliberates_it_leaves_nothing(tmp_path: Path) -> None:
    """`kill -9` with every process stopped: nothing of it is alive, or stopped, a few seconds later."""
    program = FIXTURES.parent / "integration" / "clock" / "deliberates.py"
    killed = subprocess.Popen(
        [sys.executable, str(program), str(FIXTURES / "pages" / "stage"), str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert killed.stdout is not None
    pids = [int(word) for word in killed.stdout.readline().split()]
    assert len(pids) >= 4, "browser, sound server, recorder and display"
    processes = [psutil.Process(pid) for pid in pids]
    processes += [child for process in processes for child in process.children(recursive=True)]
    stopped = sum(process.status() == psutil.STATUS_STOPPED for process in processes)
    assert stopped >= len(processes) - 2
    killed.kill()
    killed.communicate(timeout=10)
    gone, alive = psutil.wait_procs(processes, timeout=15)
    assert not alive
    assert len(gone) == len(processes)
    assert not list(Record.read(tmp_path / "run").of(ClockKept))
