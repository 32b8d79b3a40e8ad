"""What the live console costs while a run goes on, and how often it paints.

`python -m tests.benchmarks.console [--seconds 10] [--json FILE]`: writes a ledger as a lively run does (one step a second, each
with a new picture of 1280 × 800, a trial, its acts, assertions and console messages), without the console and with it on a
pseudo-terminal, at two sizes and with two kinds of colours. Prints size → share of one core, pictures and bytes a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from agent.console.live import Console
from agent.run.steering import Instant, Steering
from tests.integration.console.terminals import Pty
from tools.evidence import rows
from tools.evidence.ledger import Ledger
from tools.evidence.page_rows import ConsoleMessage
from tools.evidence.trial_rows import ActDone, AssertionJudged, TrialBegun, TrialEnded

LIMIT_SHARE = 0.05
LIMIT_PAINTS = 4.0
CASES = ((80, 24, ""), (140, 40, ""), (140, 40, "truecolor"))


@dataclass(frozen=True)
class Cost:
    """One case, per wall second."""

    columns: int
    rows: int
    colours: str
    share: float
    """Of one core, what writing the ledger costs taken off."""
    paints: float
    bytes: float


def pictures(folder: Path, count: int) -> list[bytes]:
    """Pictures like pages: flat areas, gradients, some noise; each different."""
    found: list[bytes] = []
    chance = np.random.default_rng(1)
    for index in range(count):
        values = np.full((800, 1280, 3), 245, np.uint8)
        values[:80] = (20 + index * 15 % 200, 60, 120)
        values[120:700, 40:600] = np.linspace(0, 255, 560, dtype=np.uint8)[None, :, None]
        values[120:700, 640:1240] = chance.integers(0, 255, (580, 600, 3), dtype=np.uint8)
        path = folder / "picture.png"
        Image.fromarray(np.roll(values, index * 40, axis=1)).save(path)
        found.append(path.read_bytes())
    return found


def write_step(ledger: Ledger, number: int, picture: bytes) -> None:
    """One step's rows."""
    shot = ledger.append(
        rows.Screenshot(label=f"step-{number:03d}", width=1280, height=800),
        producer="eyes",
        blob=ledger.put(picture, "image/png"),
    )
    seen = ledger.append(
        rows.Observed(
            url="http://127.0.0.1/",
            title=f"Page {number}",
            screenshot=shot.id,
            fingerprint="",
            marks=0,
            text_sha256="",
            dom_sha256="",
        ),
        producer="eyes",
        app_ms=number * 500.0,
    )
    trial = {"why": "the brief names it " * 3, "by": "added_item_appears"}
    begun = ledger.append(TrialBegun(trial=trial, words='press the button "Add" → the list grows'), producer="added_item_appears")
    act = ActDone(
        during="acts",
        act={"kind": "press"},
        words='press the button "Add"',
        delivered=True,
        problem="",
        before=seen.id,
        after="",
        witness={"picture": [{"x": 1.0, "y": 2.0, "width": 30.0, "height": 20.0}]},
        started_ms=number * 500.0,
        ended_ms=number * 500.0 + 300,
        screenshot=shot.id,
    )
    ledger.append(act, producer="hands", parent=begun.id)
    judged = AssertionJudged(
        assertion={"kind": "count by"}, words="the list grows", result="violated", seen="it did not", models=()
    )
    ledger.append(judged, producer="assertion", parent=begun.id)
    ledger.append(TrialEnded(result="violated"), producer="trial", parent=begun.id)
    for index in range(3):
        ledger.append(ConsoleMessage(level="warning", text=f"message {number}.{index}"), producer="page")
    ledger.sync()


async def lively(run_dir: Path, seconds: float, *, watched: bool) -> dict[str, float]:
    """A run of that many steps, one a second; what this process used meanwhile."""
    made = pictures(run_dir.parent, max(2, int(seconds)))
    ledger = Ledger.create(run_dir)
    ledger.append(
        rows.RunStarted(
            brief="b", brief_language="en", subject="/apps/tally.html", settings={"budget": {"max_acts": 99}}, versions={}
        ),
        producer="assay",
    )
    ledger.sync()
    steering, began = Steering(), time.monotonic()
    steering.instant = lambda: Instant(app_ms=(time.monotonic() - began) * 500, rate=1.0, held_s=1.0, seconds_left=30.0)
    console = Console(steering) if watched else None
    if console is not None:
        await console.__aenter__()
        console.listen({"event": "opened", "run": str(run_dir), "at_s": 0.0})
    used = _used_s()
    try:
        for number, picture in enumerate(made, 1):
            write_step(ledger, number, picture)
            await asyncio.sleep(max(0.0, began + number - time.monotonic()))
    finally:
        used, wall_s = _used_s() - used, time.monotonic() - began
        if console is not None:
            await console.__aexit__()
        ledger.close()
    return {"used_s": used, "wall_s": wall_s, "paints": float(console.pictures if console is not None else 0)}


def _used_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def measure(columns: int, lines: int, colours: str, seconds: float) -> Cost:
    """One case: without the console here, with it in a pseudo-terminal whose bytes are counted."""
    with tempfile.TemporaryDirectory(prefix="assay-console-") as folder:
        bare = asyncio.run(lively(Path(folder) / "bare", seconds, watched=False))
        out = Path(folder) / "told.json"
        program = "import sys; from tests.benchmarks.console import inside; inside(*sys.argv[1:])"
        pty = Pty(program, str(Path(folder) / "watched"), str(seconds), str(out), size=(columns, lines), COLORTERM=colours)
        stop = threading.Event()
        reader = threading.Thread(target=_drain, args=(pty, stop))
        reader.start()
        try:
            code = pty.process.wait(timeout=seconds + 60)
        except subprocess.TimeoutExpired:
            code = None
        stop.set()
        reader.join()
        sent = len(pty.out)
        pty.close()
        if code != 0:
            raise SystemExit(f"the console failed: {pty.out[-2000:]!r}")
        told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    wall_s = told["wall_s"]
    return Cost(
        columns, lines, colours or "256", (told["used_s"] - bare["used_s"]) / wall_s, told["paints"] / wall_s, sent / wall_s
    )


def _drain(pty: Pty, stop: threading.Event) -> None:
    while not stop.wait(0.02):
        pty.read()


def inside(run_dir: str, seconds: str, out: str) -> None:
    """What runs in the pseudo-terminal."""
    Path(out).write_text(json.dumps(asyncio.run(lively(Path(run_dir), float(seconds), watched=True))), encoding="utf-8")


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    costs = [measure(columns, lines, colours, given.seconds) for columns, lines, colours in CASES]
    sys.stdout.write(f"{'size':>10}{'colours':>12}{'core':>8}{'pictures/s':>12}{'kB/s':>8}\n")
    for cost in costs:
        size = f"{cost.columns}×{cost.rows}"
        sys.stdout.write(f"{size:>10}{cost.colours:>12}{cost.share:>8.1%}{cost.paints:>12.2f}{cost.bytes / 1000:>8.1f}\n")
    sys.stdout.write(f"limits: {LIMIT_SHARE:.0%} of one core, {LIMIT_PAINTS:g} pictures/s; load {os.getloadavg()[0]:.1f}\n")
    if given.json:
        given.json.write_text(json.dumps([vars(cost) for cost in costs], indent=1), encoding="utf-8")
    if any(cost.share > LIMIT_SHARE or cost.paints > LIMIT_PAINTS for cost in costs):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
