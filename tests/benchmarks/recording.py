"""What the recording is worth: length, frames, sound against picture; alone, three at once, and Playwright's own video.

`python -m tests.benchmarks.recording [--seconds 20] [--holds 20] [--at-once 3] [--json FILE]`: a page flashes and beeps every
second and shows another picture in every frame, with its time in it. It is held at random moments for random times and recorded
by the stage, then by three stages at once, then by Playwright (which has neither holds nor sound); all the films are read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import async_playwright

from configs.settings import Settings
from tests.benchmarks.clicks import served
from tests.conftest import CHROMIUM, FIXTURES
from tools.browser.stage import Stage
from tools.evidence.film_rows import SoundOffset
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Recorded
from tools.media.sound_track import measure_sound
from tools.media.video import grey_frames, packets, probe
from tools.processes import ProcessList

PAGE = FIXTURES / "recorder"
CELLS = 24
"""The strip at the bottom: one cell of 48 px a bit, lowest first."""


@dataclass(frozen=True)
class Figures:
    """Of one film."""

    what: str
    load: float
    """The machine's load average when it ended."""
    opened_s: float
    app_s: float
    excess_frames: float
    """Length of the film minus app time, in frames."""
    fps: float
    distinct_fps: float
    """Different pictures a second of app time."""
    flashes: str
    """Seen of shown."""
    beeps: str
    offset_taken_out: str
    late_ms: float
    """Sound after picture in the finished film: mean."""
    late_sd_ms: float
    burst: int
    """Frames less than a quarter of their time after the one before: what a hold would leave if it left anything."""
    app_per_wall: float


async def staged(site: str, folder: Path, *, what: str, seconds: float, holds: int, chance: random.Random) -> Figures:
    """Record the page on a stage of our own and read the film."""
    folder.mkdir()
    ledger = Ledger.create(folder / "run")
    settings = Settings(clock="held", network="none")
    with ProcessList(ledger.run_dir) as processes:
        began = time.monotonic()
        stage = await Stage.open(ledger=ledger, settings=settings, site=site, run_dir=ledger.run_dir, processes=processes)
        opened_s = time.monotonic() - began
        try:
            await stage.goto(site + "flash.html")
            began, began_ms = time.monotonic(), stage.clock.now_ms()
            for _ in range(max(holds, 1)):
                until = stage.clock.now_ms() + seconds * 1000 / max(holds, 1)
                while stage.clock.now_ms() < until:  # noqa: ASYNC110 - app time tells nobody that it passes
                    await asyncio.sleep(0.01)
                if holds:
                    await stage.clock.hold()
                    await asyncio.sleep(chance.uniform(0.02, 0.6))
                    await stage.clock.release()
            ended_ms = stage.clock.now_ms()
            wall_s = time.monotonic() - began
            shown = [float(word) for word in str(await stage.evaluate("() => document.body.dataset.flashes")).split()]
            since = await stage.evaluate("() => performance.now()") - stage.clock.now_ms()
        finally:
            await stage.close()
        # Time went on while the page was asked.
        closed_ms = stage.clock.now_ms()
    ledger.close()
    _, film = next(Record.read(ledger.run_dir).of(Recorded))
    path = ledger.run_dir / film.file
    begins_s = film.timeline[0][1]
    at_s, light, codes = pictures(path)
    inside = at_s > begins_s + began_ms / 1000
    app_s = (film.timeline[-1][0] - began_ms) / 1000
    lit = light > 128
    seen = at_s[1:][lit[1:] & ~lit[:-1]]
    heard = np.array([onset.at_s for onset in measure_sound(path).onsets])
    due = [moment for moment in shown if moment - since < closed_ms - 250]
    late = np.array([heard[np.argmin(np.abs(heard - at))] - at for at in seen]) * 1000 if len(heard) else np.zeros(0)
    late = late[np.abs(late) < 250]
    return Figures(
        what=what,
        load=round(os.getloadavg()[0], 1),
        opened_s=round(opened_s, 2),
        app_s=round(ended_ms / 1000, 2),
        excess_frames=round((film.duration_s - begins_s - closed_ms / 1000) * 30, 2),
        fps=round(float(np.count_nonzero(inside)) / app_s, 2),
        distinct_fps=round(len(set(codes[inside].tolist())) / app_s, 2),
        flashes=f"{len(seen)} of {len(due)}",
        beeps=f"{len(late)} of {len(due)}",
        offset_taken_out=said(film.sound_offset),
        late_ms=round(float(late.mean()), 1) if len(late) else float("nan"),
        late_sd_ms=round(float(late.std()), 1) if len(late) else float("nan"),
        burst=int(np.count_nonzero(np.diff(at_s[inside]) < 1 / 120)),
        app_per_wall=round(seconds / wall_s, 2),
    )


def said(offset: SoundOffset | None) -> str:
    """The offset that was found at set-up."""
    if offset is None or not offset.measured:
        return "not measured"
    return f"{offset.offset_ms:+.1f} ± {offset.sd_ms:.1f} (n={offset.n})"


def pictures(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """For each frame: its position, the light of the field, and the time in the strip."""
    at_s = packets(path, "v").at_s
    light: list[float] = []
    codes: list[int] = []
    # Six pixels a cell; its middle two are clear of the neighbours.
    for frame in grey_frames(path, (160, 100)):
        light.append(float(frame[50, 80]))
        strip = frame[95:98, : CELLS * 6].mean(axis=0).reshape(CELLS, 6)[:, 2:4].mean(axis=1) > 128
        codes.append(int(sum(1 << bit for bit in range(CELLS) if strip[bit])))
    count = min(len(at_s), len(light))
    return at_s[:count], np.array(light[:count]), np.array(codes[:count], dtype=np.int64)


async def playwrights(site: str, folder: Path, seconds: float) -> Figures:
    """Playwright's own video of the same page for as long, without holds."""
    for number in range(1009, 1031):
        # Playwright looks for its own build of ffmpeg under a number that changes with its version.
        browsers = folder / "browsers" / f"ffmpeg-{number}"
        browsers.mkdir(parents=True)
        (browsers / "ffmpeg-linux").symlink_to(shutil.which("ffmpeg") or "/usr/bin/ffmpeg")
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(folder / "browsers")
    try:
        async with async_playwright() as playwright:
            began = time.monotonic()
            flags = ["--no-sandbox", "--disable-gpu", "--autoplay-policy=no-user-gesture-required"]
            browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=flags)
            size: Any = {"width": 1280, "height": 800}
            context = await browser.new_context(viewport=size, record_video_dir=folder, record_video_size=size)
            page = await context.new_page()
            opened_s = time.monotonic() - began
            await page.goto(site + "flash.html")
            began_ms = await page.evaluate("performance.now()")
            await asyncio.sleep(seconds)
            ended_ms = await page.evaluate("performance.now()")
            shown = len(str(await page.evaluate("document.body.dataset.flashes")).split())
            video = page.video
            await context.close()
            path = Path(await video.path()) if video is not None else folder
            await browser.close()
    finally:
        del os.environ["PLAYWRIGHT_BROWSERS_PATH"]
    at_s, light, codes = pictures(path)
    lit = light > 128
    seen = at_s[1:][lit[1:] & ~lit[:-1]]
    app_s = (ended_ms - began_ms) / 1000
    inside = (codes >= began_ms) & (codes <= ended_ms)
    return Figures(
        what="Playwright's own video",
        load=round(os.getloadavg()[0], 1),
        opened_s=round(opened_s, 2),
        app_s=round(app_s, 2),
        excess_frames=round((probe(path).duration_s - app_s) * 30, 2),
        fps=round(float(np.count_nonzero(inside)) / app_s, 2),
        distinct_fps=round(len(set(codes[inside].tolist())) / app_s, 2),
        flashes=f"{len(seen)} of {shown}",
        beeps="no sound",
        offset_taken_out="–",
        late_ms=float("nan"),
        late_sd_ms=float("nan"),
        burst=int(np.count_nonzero(np.diff(at_s) < 1 / 120)),
        app_per_wall=1.0,
    )


async def run(seconds: float, holds: int, at_once: int) -> list[Figures]:
    """All of it, one after another."""
    found: list[Figures] = []
    with served(PAGE) as site, tempfile.TemporaryDirectory(prefix="assay-recording-") as name:
        folder = Path(name)
        alone = f"alone, {holds} holds"
        found.append(await staged(site, folder / "a", what=alone, seconds=seconds, holds=holds, chance=random.Random(1)))
        many = [
            staged(
                site, folder / f"m{number}", what=f"{number + 1} of {at_once}", seconds=seconds, holds=holds,
                chance=random.Random(number),
            )
            for number in range(at_once)
        ]  # fmt: skip
        found += await asyncio.gather(*many)
        (folder / "p").mkdir()
        found.append(await playwrights(site, folder / "p", seconds))
    return found


def table(found: list[Figures]) -> str:
    """For people: one line a film."""
    heads = (
        ("film", "what"), ("load", "load"), ("open s", "opened_s"), ("app s", "app_s"), ("length, frames off", "excess_frames"),
        ("fps", "fps"), ("distinct fps", "distinct_fps"), ("flashes", "flashes"), ("beeps", "beeps"),
        ("offset found, ms", "offset_taken_out"), ("left, ms", "late_ms"), ("sd, ms", "late_sd_ms"), ("bursts", "burst"),
        ("app s / wall s", "app_per_wall"),
    )  # fmt: skip
    rows = [[head for head, _ in heads], *([str(asdict(item)[key]) for _, key in heads] for item in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--holds", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = asyncio.run(run(chosen.seconds, chosen.holds, chosen.at_once))
    sys.stdout.write(table(found) + "\n")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps([asdict(item) for item in found], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
