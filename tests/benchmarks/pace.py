"""Pace: does everything in the page keep step with app time, is every frame recorded, and is a seeded session the same again?

`python -m tests.benchmarks.pace [--app-s 60] [--session-s 180] [--rates 0.5 1 2 4 8 auto] [--plays 5] [--json FILE]`.
Three parts: the error of each source against app time at each pace; sessions with human hands and full recording, on a page that
changes forty times a second and on one that moves in every frame (60 a second); a game of chance played again and again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from configs.settings import Settings
from tests.benchmarks.freeze import make_site, start_server
from tools.browser.actions import Action, Click, Drag, Hover, Scroll, Target, Type, Wait
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Recorded
from tools.processes import ProcessList

FRAME_MS = 1000 / 60


@contextlib.asynccontextmanager
async def stage_on(folder: Path, page: str, settings: Settings, *, record: bool = True) -> AsyncIterator[tuple[Stage, Path]]:
    """A stage on one of the pages, and its run's folder."""
    run_dir = Path(tempfile.mkdtemp(prefix="assay-pace-")) / "run"
    with contextlib.closing(Ledger.create(run_dir)) as ledger, ProcessList(run_dir) as processes:
        site = run_dir / "site"
        shutil.copytree(folder, site)
        base = f"http://127.0.0.1:{start_server(processes, site)}/"
        stage = await Stage.open(ledger=ledger, settings=settings, site=base, run_dir=run_dir, processes=processes, record=record)
        try:
            if not await stage.goto(base + page):
                raise RuntimeError("the page did not load")
            yield stage, run_dir
        finally:
            await stage.close()


async def keep_step(folder: Path, rate: str, app_s: float) -> dict[str, Any]:
    """How far each source is from app time after `app_s` of it, in ms of app time."""
    settings = Settings(pace="auto" if rate == "auto" else float(rate))
    async with stage_on(folder, "pace.html", settings) as (stage, _):
        await stage.page.wait_for_function("ticks.length > 0 && audio.currentTime > 0.3")
        first, from_ms, wall_s = await _sample(stage)
        with stage.clock.hurrying():
            await stage.tab.waits.pause(app_s)
        last, to_ms, end_s = await _sample(stage)
    passed = to_ms - from_ms
    errors = {name: last[name] - first[name] - passed for name in ("performance", "css", "audio")}
    for name, every in (("ticks", 1000), ("worker", 100), ("polls", 10000)):
        at = last[name]
        errors[name] = at[-1] - at[0] - (len(at) - 1) * every if len(at) > 1 else 0.0
    off = {name: round(abs(error), 1) for name, error in errors.items()}
    within = {name: error <= max(FRAME_MS, 0.02 * passed) for name, error in off.items()}
    return {
        "rate": rate,
        "got": round(passed / 1000 / (end_s - wall_s), 2),
        "errors": off,
        "painted": round((last["frames"] - first["frames"]) / passed, 3),
        "late": {name: round(_lateness(last[name], every), 1) for name, every in (("ticks", 1000), ("worker", 100))},
        "ok": all(within.values()),
        "load": round(os.getloadavg()[0], 1),
    }


def _lateness(at: list[float], every: float) -> float:
    """The most a tick was late against its own row, ms."""
    return max((moment - at[0] - number * every for number, moment in enumerate(at)), default=0.0)


async def _sample(stage: Stage) -> tuple[dict[str, Any], float, float]:
    async with stage.still():
        return await stage.page.evaluate("sample()"), stage.clock.now_ms(), time.monotonic()


def session_acts() -> list[Action]:
    """What a person does for a quarter of a minute."""

    def of(selector: str) -> Target:
        return Target(selector=selector)

    return [
        Type(target=of("#name"), text="Ada Lovelace, 1815"),
        Click(target=of("#add")),
        Wait(ms=2500),
        Hover(target=of("#box")),
        Type(target=of("#name"), text="a second entry"),
        Click(target=of("#add")),
        Scroll(dy=500),
        Wait(ms=3000),
        Scroll(dy=-500),
        Drag(target=of("#box"), by=(90, 40)),
        Click(target=of("#clear")),
        Wait(ms=2500),
    ]


async def session(folder: Path, page: str, app_s: float) -> dict[str, Any]:
    """Human hands and full recording for that much app time."""
    async with stage_on(folder, page, Settings()) as (stage, run_dir):
        began_s, from_ms, acts, missed = time.monotonic(), stage.clock.now_ms(), 0, 0
        for act in itertools.cycle(session_acts()):
            if stage.clock.now_ms() - from_ms >= app_s * 1000:
                break
            performed = await stage.perform(act)
            acts, missed = acts + 1, missed + (not performed.delivered)
        app_passed, wall_s = (stage.clock.now_ms() - from_ms) / 1000, time.monotonic() - began_s
        spans = list(stage.clock.spans)
    film = next(body for _, body in Record.read(run_dir).of(Recorded))
    distinct = await asyncio.to_thread(_distinct, run_dir / film.file)
    app_whole = film.timeline[-1][0] / 1000
    shutil.rmtree(run_dir.parent, ignore_errors=True)
    return {
        "page": page,
        "app_s": round(app_passed, 1),
        "wall_s": round(wall_s, 1),
        "acts": acts,
        "missed": missed,
        "pace": round(app_passed / wall_s, 2),
        "fastest": round(max(span.rate for span in spans), 2),
        "frames": film.frames,
        "frames_per_app_s": round(film.frames / film.duration_s, 2),
        "distinct_per_app_s": round(distinct / film.duration_s, 2),
        "film_s": film.duration_s,
        "app_at_its_end_s": round(app_whole, 2),
        "load": round(os.getloadavg()[0], 1),
    }


def _distinct(path: Path) -> int:
    """Frames that differ from the one before. The page counts its own frames in black and white, so the top is enough."""
    command = [
        "ffmpeg",
        "-v",
        "error",
        "-i",
        str(path),
        "-an",
        "-vf",
        "crop=iw:20:0:2,scale=64:1:flags=neighbor,format=gray",
        "-f",
        "rawvideo",
        "-fps_mode",
        "passthrough",
        "-",
    ]
    rows = subprocess.run(command, capture_output=True, check=True, timeout=600).stdout
    seen = [bytes(byte > 127 for byte in rows[at : at + 64]) for at in range(0, len(rows), 64)]
    return 1 + sum(1 for before, after in itertools.pairwise(seen) if before != after)


async def play(folder: Path, seed: int) -> dict[str, Any]:
    """Ten rounds of a game of chance: what each act gave, and the pictures."""
    results: list[str] = []
    pictures: list[str] = []
    async with stage_on(folder, "game.html", Settings(seed=seed), record=False) as (stage, _):
        for number in range(10):
            performed = await stage.perform(Click(target=Target(selector=f"#b{number % 3}")))
            await stage.settle(1.5)
            look = await stage.look(f"round-{number}")
            results.append(f"{performed.delivered} {performed.hit} {look.observation.text} {look.observation.title}")
            pictures.append(hashlib.sha256(look.picture.tobytes()).hexdigest()[:16])
    return {"results": results, "pictures": pictures}


async def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """All three parts."""
    folder = Path(tempfile.mkdtemp(prefix="assay-pace-site-"))
    try:
        make_site(folder, 5)
        steps = [await keep_step(folder, rate, chosen.app_s) for rate in chosen.rates]
        lived = [await session(folder, page, chosen.session_s) for page in chosen.pages if chosen.session_s]
        plays = [await play(folder, 11) for _ in range(chosen.plays)]
        other = await play(folder, 12) if chosen.plays else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {
        "steps": steps,
        "sessions": lived,
        "plays": len(plays),
        "results_identical": all(item["results"] == plays[0]["results"] for item in plays),
        "pictures_identical": all(item["pictures"] == plays[0]["pictures"] for item in plays),
        "another_seed_differs": other is not None and other["results"] != plays[0]["results"],
        "first_play": plays[0] if plays else None,
    }


def table(found: dict[str, Any]) -> str:
    """The report."""
    names = list(found["steps"][0]["errors"]) if found["steps"] else []
    lines = [
        "error in ms of app time; painted: share of 60 animation frames an app second",
        "| pace | got | " + " | ".join(names) + " | late ticks, worker | within 1 frame or 2 % | painted | load |",
    ]
    lines.append("|---" * (len(names) + 6) + "|")
    for item in found["steps"]:
        cells = " | ".join(f"{item['errors'][name]:g}" for name in names)
        late = f"{item['late']['ticks']:g}, {item['late']['worker']:g} | {'yes' if item['ok'] else 'no'} | {item['painted']}"
        lines.append(f"| {item['rate']} | {item['got']} | {cells} | {late} | {item['load']} |")
    for lived in found["sessions"]:
        lines += ["", "session: " + ", ".join(f"{name} {value}" for name, value in lived.items())]
    lines.append(
        f"\ngame of chance played {found['plays']} times: results identical {found['results_identical']}, "
        f"pictures identical {found['pictures_identical']}, another seed differs {found['another_seed_differs']}"
    )
    return "\n".join(lines)


def main() -> None:
    """Print the report; `--json` also writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--app-s", type=float, default=60.0)
    parser.add_argument("--session-s", type=float, default=180.0)
    parser.add_argument("--pages", nargs="*", default=["pace.html?calm", "pace.html"], help="pages to live sessions on")
    parser.add_argument("--rates", nargs="*", default=["0.5", "1", "2", "4", "8", "auto"])
    parser.add_argument("--plays", type=int, default=5)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = asyncio.run(run(chosen))
    print(table(found))  # noqa: T201
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
