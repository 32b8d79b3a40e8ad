"""The page clock: what it claims to stop stands still while held, goes on without a jump, and pages do not notice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.integration.stage.conftest import Go, Opened, Opener, opener

STOPS = (
    *("interval", "chain", "string", "frames", "idle", "task", "aborted", "worker", "module", "blob", "workerFrames"),
    *("now", "date", "newDate", "dateString", "temporal", "event", "timeline", "css", "transition", "waapi", "smil"),
    *("video", "audio", "detached", "webaudio", "frameInterval", "frameNow", "frameCss"),
)

pytestmark = pytest.mark.quiet


@pytest.fixture(scope="module")
async def opened(
    tmp_path_factory: pytest.TempPathFactory, session_serve: Callable[[Path], str], pages: Path
) -> AsyncIterator[Opened]:
    """One stage under the page clock, whatever the settings would choose here."""
    async with AsyncExitStack() as stack:
        yield await opener(stack, tmp_path_factory.mktemp("stage"))(session_serve(pages), clock="page")


RUNS = tuple(name for name in STOPS if name != "dateString")
"""`Date()` tells whole seconds, which shorter looks may miss."""
DRIFT_MS = 17.0


async def test_every_claimed_source_stands_still_and_goes_on(opened: Opened, go: Go) -> None:
    """Held for 1.2 s no source moves by more than a frame; released, all run on from where they stood, with no event."""
    stage = opened.stage
    await go("clock.html")
    await asyncio.sleep(0.6)
    page = stage.page
    away = next(view for view in await stage.tab.frames() if view.cross_site)
    before_app, before_wall = stage.clock.now_ms(), time.monotonic()
    running = await page.evaluate("sample()")
    await asyncio.sleep(0.5)
    later = await page.evaluate("sample()")
    asleep = [name for name in RUNS if not later[name] - running[name] > 200]
    assert not asleep, f"sources that do not run before they are held: {asleep}"

    await stage.clock.hold()
    await asyncio.sleep(0.1)  # what was under way (a worker's message, a frame) arrives
    first, far = await page.evaluate("sample()"), await away.frame.evaluate("sample()")
    held_app, held_wall = stage.clock.now_ms(), time.monotonic()
    await asyncio.sleep(1.0)
    last, far_last = await page.evaluate("sample()"), await away.frame.evaluate("sample()")
    drift = {name: last[name] - first[name] for name in STOPS} | {f"away.{name}": far_last[name] - far[name] for name in far}
    assert {name: value for name, value in drift.items() if abs(value) > DRIFT_MS} == {}
    assert stage.clock.now_ms() == held_app
    noticed = await page.evaluate("events.length")

    stood_ms = (time.monotonic() - held_wall) * 1000
    await stage.clock.release()
    after = await page.evaluate("sample()")
    jump = {name: after[name] - last[name] for name in RUNS}
    assert {name: value for name, value in jump.items() if abs(value) > 300} == {}, "time jumped at the release"
    await asyncio.sleep(0.6)
    goes_on = await page.evaluate("sample()")
    asleep = [name for name in RUNS if not 200 < goes_on[name] - after[name] < 1500]
    assert not asleep, {name: goes_on[name] - after[name] for name in asleep}
    assert await page.evaluate("(from) => events.slice(from)", noticed) == []
    assert await page.evaluate("longestFrame") < 950, "a frame saw the hold"
    lived_ms, wall_ms = stage.clock.now_ms() - before_app, (time.monotonic() - before_wall) * 1000
    assert lived_ms < wall_ms - stood_ms, "app time counts only what was not held"
    assert lived_ms > 1000


async def test_pages_cannot_tell(opened: Opened, go: Go) -> None:
    """What the clock replaced looks and behaves like Chromium's own; the page's checks list what does not."""
    stage = opened.stage
    await go("native.html")
    assert await stage.page.evaluate("check()") == []
    await stage.page.evaluate("finished")
    assert await stage.page.evaluate("afterwards") == []


async def test_timers_keep_order_phase_and_arguments(opened: Opened, go: Go) -> None:
    """Timers set before and during a hold fire after it in the order they are due; cancelled ones never; intervals keep phase."""
    stage = opened.stage
    await go("still.html")
    page = stage.page
    await page.evaluate(
        """() => {
          window.fired = []; window.at = [];
          const begun = performance.now();
          setInterval(() => at.push(performance.now() - begun), 300);
          setTimeout((...values) => fired.push('late ' + values), 900, 1, 'two');
          setTimeout(() => fired.push('early'), 700);
          window.never = setTimeout(() => fired.push('never'), 800);
          window.stopped = setInterval(() => fired.push('stopped'), 650);
        }"""
    )
    await stage.clock.hold()
    await asyncio.sleep(1.0)
    assert await page.evaluate("fired") == []
    await page.evaluate("clearTimeout(never); clearInterval(stopped); setTimeout(() => fired.push('set while held'), 10)")
    await stage.clock.release()
    await page.wait_for_function("fired.length >= 3 && at.length >= 4", timeout=20_000)
    assert await page.evaluate("fired") == ["set while held", "early", "late 1,two"]
    for number, moment in enumerate((await page.evaluate("at"))[:4], 1):
        assert -5 < moment - number * 300 < 200, "the interval's phase is lost"


async def test_a_page_born_while_time_stands_stands_too(opened: Opened, go: Go) -> None:
    """A navigation that ends during a hold gives a document that stands from birth, with dates that follow the old one's."""
    stage = opened.stage
    await go("still.html")
    await stage.clock.hold()
    date = await stage.page.evaluate("Date.now()")
    await asyncio.sleep(0.8)
    await stage.page.goto(opened.site + "clock-frame.html")
    first = await stage.page.evaluate("sample()")
    await asyncio.sleep(0.4)
    assert await stage.page.evaluate("sample()") == first
    assert abs(first["date"] - date) < 60, "the new document's date does not follow the old one's"
    await stage.clock.release()
    await stage.page.wait_for_function("window.ticks > 100")
    await stage.page.goto(opened.site + "still.html")
    gone = await stage.page.evaluate("Date.now()") - date
    assert 0 < gone < 5000


async def test_a_rewritten_document_still_obeys(opened: Opened, go: Go) -> None:
    """`document.write` after loading takes every listener off the window, the clock's own must come back."""
    stage = opened.stage
    await go("still.html")
    await stage.page.evaluate("document.write('<p>new</p>'); document.close(); window.n = 0; setInterval(() => n++, 10)")
    await stage.page.wait_for_function("n > 3")
    await stage.clock.hold()
    held = await stage.page.evaluate("n")
    await asyncio.sleep(0.3)
    assert await stage.page.evaluate("n") == held
    await stage.clock.step(100)
    assert held < await stage.page.evaluate("n") < held + 40
    assert stage.clock.held


async def test_the_wall_clock_says_that_it_holds_nothing(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """Asked to hold, it does not, and does not claim to; no script is put into pages."""
    site = serve(pages)
    stage = (await open_stage(site, clock="wall")).stage
    assert await stage.goto(site + "clock-frame.html")
    await stage.clock.hold()
    assert not stage.clock.held
    before = await stage.page.evaluate("sample().ticks")
    await stage.page.wait_for_function("(least) => window.ticks > least", arg=before + 40)
    assert stage.clock.script == ""
    assert stage.clock.cannot_stop
    with pytest.raises(ValueError, match="rate 1"):
        await stage.clock.pace(2)
