"""The recorder on a real stage under the held clock: holds, the offset, its own death; and what the tracks say of it."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import FIXTURES
from tests.integration.stage.conftest import Opened, Opener, opener
from tools.evidence.record import Record
from tools.evidence.rows import Recorded
from tools.evidence.timeline import app_ms
from tools.media.sound_track import measure_sound
from tools.media.video import grey_frames, packets

pytestmark = pytest.mark.quiet

PAGES = FIXTURES / "recorder"
FRAME_S = 1 / 30


@pytest.fixture
async def open_stage(tmp_path: Path) -> AsyncIterator[Opener]:
    """Opens a stage on a site; closed after the test."""
    async with AsyncExitStack() as stack:
        yield opener(stack, tmp_path)


async def passed(opened: Opened, ms: float) -> None:
    """Wait for so much app time; bounded by the test's own limit."""
    until = opened.stage.clock.now_ms() + ms
    while opened.stage.clock.now_ms() < until:  # noqa: ASYNC110 - app time tells nobody that it passes
        await asyncio.sleep(0.02)


def flashes(path: Path) -> np.ndarray:
    """Positions at which the page's field turns white."""
    at_s = packets(path, "v").at_s
    lit = np.array([frame[12, 20] > 128 for frame in grey_frames(path, (40, 25))])
    return at_s[1:][lit[1:] & ~lit[:-1]]


async def test_twenty_holds_leave_no_trace(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """The film lasts as long as app time ± 2 frames, nothing is repeated at holds, every flash and beep is in it and in step."""
    chance = random.Random(5)
    site = serve(PAGES)
    opened = await open_stage(site, record=True, clock="held")
    assert await opened.stage.goto(site + "flash.html")
    for _ in range(20):
        await passed(opened, 275)
        await opened.stage.clock.hold()
        await asyncio.sleep(chance.uniform(0.01, 0.2))
        await opened.stage.clock.release()
    moments = await opened.stage.evaluate("() => document.body.dataset.flashes.split(' ').map(Number)")
    await opened.stage.close()
    ended_ms = opened.stage.clock.now_ms()

    (row,) = opened.rows("recording")
    path = opened.run_dir / row.file
    begins_s = row.timeline[0][1]
    assert row.duration_s - begins_s == pytest.approx(ended_ms / 1000, abs=2 * FRAME_S)
    assert [gap for gap in opened.rows("gap") if gap.what == "recording"] == []
    at_s = packets(path, "v").at_s
    during = at_s[at_s > begins_s + 0.1]
    # On a busy machine frames come in bursts; their number shows that none was made while time stood.
    assert len(during) <= (during[-1] - during[0]) / FRAME_S + 3, "frames repeat where time stood"
    seen = flashes(path)
    expected = [moment for moment in moments if moment < ended_ms - 300]
    assert len(expected) >= 4
    # The page's own clock began when it was loaded: one shift fits all.
    shift = seen[0] - expected[0] / 1000
    assert seen[: len(expected)] - shift == pytest.approx(np.array(expected) / 1000, abs=0.06)
    offset = row.sound_offset
    assert offset is not None
    assert offset.measured, offset.reason
    heard = np.array([onset.at_s for onset in measure_sound(path).onsets])
    late = np.array([heard[np.argmin(np.abs(heard - at))] - at for at in seen])
    assert abs(float(np.median(late))) < 0.035, f"sound is {np.median(late) * 1000:.0f} ms after the picture"
    (sound,), (motion,) = opened.rows("sound_track"), opened.rows("motion_track")
    assert abs(sound.onsets - len(heard)) <= 1
    assert motion.distinct > 0.8 * motion.frames * 0.9
    assert motion.longest_freeze_s < 2.0


async def test_a_recorder_that_is_killed_is_started_again(open_stage: Opener, serve: Callable[[Path], str]) -> None:
    """The hole is a gap with its span of app time; moments before and after it have their positions, those in it have none."""
    site = serve(PAGES)
    opened = await open_stage(site, record=True, clock="held")
    assert await opened.stage.goto(site + "flash.html")
    await passed(opened, 1500)
    first = next(pid for pid, name in opened.processes.running().items() if name == "ffmpeg")
    killed_ms = opened.stage.clock.now_ms()
    os.kill(first, signal.SIGKILL)
    async with asyncio.timeout(20):
        while first in opened.processes.running() or "ffmpeg" not in opened.processes.running().values():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    await passed(opened, 2500)
    await opened.stage.close()
    ended_ms = opened.stage.clock.now_ms()

    (row,) = opened.rows("recording")
    (gap,) = [gap for gap in opened.rows("gap") if gap.what == "recording"]
    assert gap.from_ms is not None
    assert gap.to_ms is not None
    assert killed_ms - 1200 < gap.from_ms < killed_ms + 100
    assert killed_ms < gap.to_ms < ended_ms
    assert row.duration_s - row.timeline[0][1] == pytest.approx(ended_ms / 1000, abs=0.1)
    record = Record.read(opened.run_dir)
    film, body = next(record.of(Recorded))
    assert record.video_s((gap.from_ms + gap.to_ms) / 2, film) is None
    # Flashes come once a second of the page's clock, before the hole and after it.
    seen = [app_ms(body.timeline, at) for at in flashes(opened.run_dir / row.file)]
    phases = np.array([moment % 1000 for moment in seen if moment is not None])
    assert len(phases) >= 2
    assert np.abs((phases - phases[0] + 500) % 1000 - 500).max() < 60
    assert not list(opened.run_dir.glob("*.raw*"))
