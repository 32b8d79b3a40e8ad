"""The recording: complete, in step with app time, with sound, playable; and what is said when it is not."""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.async_api import Browser

from tests.integration.stage.conftest import Opened, Opener
from tools.evidence.rows import Recorded
from tools.media.video import UnreadableFilm, packets, probe

pytestmark = pytest.mark.quiet

RATE = 8000


def frames(path: Path) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Positions in s as a player counts them, and the frames as 40 × 25 grey pictures."""
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", str(path)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    at = np.array([float(line.strip(",")) for line in probe.stdout.split()])
    raw = subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-i", str(path), "-fps_mode", "passthrough", "-vf", "scale=40:25:flags=area"),
            *("-f", "rawvideo", "-pix_fmt", "gray", "-"),
        ],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    return at, np.frombuffer(raw, np.uint8).reshape(-1, 25, 40)


def sound(path: Path) -> NDArray[np.float64]:
    """Samples at 8 kHz, −1 to 1, with silence where the file has none at its beginning."""
    command = ["ffmpeg", "-v", "error", "-i", str(path), "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", str(RATE)]
    raw = subprocess.run([*command, "-f", "s16le", "-"], capture_output=True, check=True, timeout=60).stdout
    return np.frombuffer(raw, np.int16) / 32768


def barcode(picture: NDArray[np.uint8]) -> int:
    """The page's clock in ms, from the top row's 20 cells (two columns each)."""
    cells = picture[0].reshape(20, 2).mean(axis=1) > 128
    return int(sum(1 << bit for bit in range(20) if cells[bit]))


def app_time(row: Recorded, position_s: float) -> float:
    """App time in ms at a position, by the row's timeline."""
    app, at = np.array(row.timeline).T
    return float(np.interp(position_s, at, app))


async def offset_ms(opened: Opened) -> float:
    """Stage's app time minus the page's clock: the best of several looks."""
    looks: list[tuple[float, float]] = []
    for _ in range(8):
        before = opened.stage.clock.now_ms()
        inside = await opened.stage.page.evaluate("performance.now()")
        after = opened.stage.clock.now_ms()
        looks.append((after - before, (before + after) / 2 - inside))
    return min(looks)[1]


async def test_the_film_is_complete_and_in_step(
    open_stage: Opener, serve: Callable[[Path], str], pages: Path, browser: Browser
) -> None:
    """Every flash is in it, each frame's time is right within 50 ms before and after a hold, beeps sound, and it plays."""
    site = serve(pages)
    # Under this clock the film goes on while time stands, so that its timeline has something to tell.
    opened = await open_stage(site, record=True, clock="page")
    stage = opened.stage
    assert await stage.goto(site + "flash.html")
    offset = await offset_ms(opened)
    await asyncio.sleep(1.5)
    await stage.clock.hold()
    await asyncio.sleep(0.6)
    await stage.clock.release()
    await asyncio.sleep(1.5)
    moments = await stage.page.evaluate("flashes")
    ended_ms = stage.clock.now_ms()
    await stage.close()

    row = next(row for row in opened.rows("recording"))
    path = opened.run_dir / row.file
    assert row.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (row.width, row.height, row.sound) == (1280, 800, True)
    assert not opened.rows("gap")
    at, pictures = frames(path)
    assert len(at) == len(pictures) == row.frames
    assert -2 * 1000 / 30 < app_time(row, row.duration_s) - ended_ms < 500, "the film ends with the session"

    shown = np.array([barcode(picture) for picture in pictures])
    # From the first painted frame on; those before show the empty window.
    begun = int(np.argmax((shown > 0) & (shown < 1 << 19)))
    errors = np.array(
        [app_time(row, position) - (code + offset) for position, code in zip(at[begun:], shown[begun:], strict=True)]
    )
    hold_at = row.timeline[1][1]
    for part, inside in (("before", at[begun:] < hold_at), ("after", at[begun:] >= hold_at)):
        median = float(np.median(errors[inside]))
        assert abs(median) < 50, f"{median:.0f} ms {part} the hold"
    # On a busy machine single frames reach the screen late; what is told of them is still the truth.
    assert np.mean(np.abs(errors) < 50) > 0.6, f"{np.percentile(np.abs(errors), 60):.0f} ms at the 60th percentile"

    lit = pictures[:, 12, 20] > 128
    onsets = at[1:][lit[1:] & ~lit[:-1]]
    expected = [moment for moment in moments if moment + offset < ended_ms - 200]
    seen = np.array([app_time(row, onset) - offset for onset in onsets])
    missing = [moment for moment in expected if np.abs(seen - moment).min() > 100]
    assert len(expected) >= 4
    assert not missing, f"flashes that are not in the film: {missing}"
    _beeps_in_step(path, onsets)
    await _plays(browser, path, serve, row)


def _beeps_in_step(path: Path, onsets: NDArray[np.float64]) -> None:
    samples = sound(path)
    window = RATE // 100
    loud = np.sqrt(np.mean(samples[: len(samples) // window * window].reshape(-1, window) ** 2, axis=1)) > 0.05
    starts = (np.flatnonzero(loud[1:] & ~loud[:-1]) + 1) / 100
    assert len(starts) >= len(onsets) - 1, f"{len(starts)} beeps for {len(onsets)} flashes"
    late = [float(starts[np.argmin(np.abs(starts - onset))] - onset) for onset in onsets]
    assert abs(float(np.median(late))) < 0.15, f"sound is {np.median(late) * 1000:.0f} ms after the picture"
    assert 0.005 < loud.mean() < 0.6, "beeps and silence"


async def _plays(browser: Browser, path: Path, serve: Callable[[Path], str], row: Recorded) -> None:
    """Chromium plays the file, seeks in it, and shows at a position what ffmpeg finds there."""
    context = await browser.new_context()
    page = await context.new_page()
    (path.parent / "player.html").write_text('<link rel="icon" href="data:,"><video muted></video>')
    await page.goto(serve(path.parent) + "player.html")
    facts = await page.evaluate(
        """async ([name, at]) => {
          const video = document.querySelector('video');
          // As a blob: the test's server knows no byte ranges, without which Chromium cannot seek.
          video.src = URL.createObjectURL(await (await fetch(name)).blob());
          await new Promise((done, wrong) => {
            video.onloadeddata = done; video.onerror = () => wrong(video.error);
            if (video.readyState >= 2) done();
          });
          await new Promise((done) => { video.onseeked = done; video.currentTime = at; });
          const canvas = document.createElement('canvas'); canvas.width = 40; canvas.height = 25;
          const board = canvas.getContext('2d'); board.drawImage(video, 0, 0, 40, 25);
          const pixels = [...board.getImageData(0, 0, 40, 1).data].filter((_, i) => i % 4 === 0);
          return { duration: video.duration, width: video.videoWidth, pixels };
        }""",
        [path.name, row.duration_s * 0.6],
    )
    await context.close()
    assert facts["width"] == 1280
    assert abs(facts["duration"] - row.duration_s) < 0.2
    at, pictures = frames(path)
    shown = barcode(np.array([facts["pixels"]], np.uint8))
    there = barcode(pictures[int(np.searchsorted(at, row.duration_s * 0.6, side="right")) - 1])
    assert abs(shown - there) <= 70, "a player's positions are not the film's"


async def test_the_browsers_own_frames_make_a_film_too(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """Where there is no display: a film without sound from the screencast, its time right within 100 ms."""
    site = serve(pages)
    opened = await open_stage(site, record=True, capture="screencast")
    assert await opened.stage.goto(site + "flash.html")
    offset = await offset_ms(opened)
    await asyncio.sleep(1.5)
    began = time.monotonic()
    await opened.stage.close()
    assert time.monotonic() - began < 20
    row = next(row for row in opened.rows("recording"))
    assert not row.sound
    at, pictures = frames(opened.run_dir / row.file)
    shown = np.array([barcode(picture) for picture in pictures])
    begun = int(np.argmax((shown > 0) & (shown < 1 << 19)))
    errors = np.array(
        [app_time(row, position) - (code + offset) for position, code in zip(at[begun:], shown[begun:], strict=True)]
    )
    assert np.median(np.abs(errors)) < 100
    assert opened.rows("stage_opened")[0].capture.startswith("screencast")


async def test_without_recording_nothing_is_filmed(open_stage: Opener, serve: Callable[[Path], str], pages: Path) -> None:
    """No recorder, no sound server, no row, no gap; pictures are there all the same."""
    site = serve(pages)
    opened = await open_stage(site, record=False)
    assert sorted(set(opened.processes.running().values()) - {"network"}) == ["Xvfb", "chromium"]
    assert await opened.stage.goto(site + "still.html")
    await opened.stage.close()
    assert opened.rows("recording") == opened.rows("gap") == []
    assert opened.rows("stage_opened")[0].capture == "none"


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_half_a_film_can_still_be_read(tmp_path: Path, share: float) -> None:
    """A file cut off anywhere after its first fragments gives back the whole fragments before the cut."""
    whole = tmp_path / "whole.mp4"
    subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30", "-t", "4", "-g", "15"),
            *("-movflags", "+frag_keyframe+delay_moov+default_base_moof", "-f", "mp4", str(whole)),
        ],
        check=True,
        timeout=60,
    )
    data = whole.read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(data[: int(len(data) * share)])
    if share == 0:
        with pytest.raises(UnreadableFilm):
            probe(cut)
    else:
        assert 1.0 < len(packets(cut, "v").at_s) / 30 < 3.0
