"""What each clock stops while it is held: a table source × clock.

`python -m tests.benchmarks.freeze [--hold 60] [--clocks held page playwright] [--json FILE]`: one headed browser a clock, on a
page with every source of time there is. A cell is how far the source moved, in ms of its own, between a look at the beginning
of the hold and
one at its end. Below: what was seen after the release. Under the held clock the processes and the app's server are stopped
during the hold, as in a deliberation.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.async_api import Page, async_playwright

from configs.settings import Size, Timeouts
from tests.conftest import FIXTURES
from tools.browser.clock.governor import Governor, choose_clock
from tools.browser.display import Display, open_display
from tools.browser.intercept import Intercept
from tools.browser.launch import launch
from tools.browser.network import Policy
from tools.browser.tab import Tab
from tools.processes import ProcessList

SIZE = Size(width=1280, height=800)
GIF_FRAMES, GIF_MS = 97, 70
DRIFT_MS, JUMP_MS = 17.0, 34.0
_ARRIVES_S = 0.3


@dataclass(frozen=True)
class Frozen:
    """What one clock did."""

    clock: str
    held_s: float
    drift: dict[str, float]
    loops: float
    """Iterations of a message loop during the hold, as ms of its running pace."""
    same_picture: bool
    longest_frame_ms: float
    """Longest gap between two animation frames from the hold on, by the page's own time."""
    jump: dict[str, float]
    """How much further each clock was right after the release than app time."""
    bursts: int
    """Ticks and messages that came much too soon after the one before, within 2 s of the release."""
    bursts_before: int
    """The same in the 4 s before the hold: what the machine's load makes of them."""
    asleep: list[str]
    """Sources that did not go on afterwards."""
    load: float


@dataclass
class Scene:
    """A browser with the page, and the two handles of a hold."""

    page: Page
    display: Display
    hold: Callable[[], Awaitable[object]]
    release: Callable[[], Awaitable[object]]
    stopped: Callable[..., contextlib.AbstractContextManager[None]]


def make_site(folder: Path, film_s: int) -> None:
    """The page with a film, its sound, and an animated picture each of whose frames has a grey of its own."""
    shutil.copytree(FIXTURES / "freeze", folder, dirs_exist_ok=True)
    frames = [Image.new("L", (8, 8), 2 * number + 20) for number in range(GIF_FRAMES)]
    frames[0].save(folder / "steps.gif", save_all=True, append_images=frames[1:], duration=GIF_MS, loop=0)
    sources = ["-f", "lavfi", "-i", "testsrc=size=96x64:rate=30", "-f", "lavfi", "-i", "sine=frequency=440"]
    options = ["-t", str(film_s), "-pix_fmt", "yuv420p", "-preset", "ultrafast", "-movflags", "+faststart"]
    subprocess.run(["ffmpeg", "-v", "error", "-y", *sources, *options, str(folder / "film.mp4")], check=True, timeout=120)


def start_server(processes: ProcessList, folder: Path) -> int:
    """The app's own server, as a process of its own; its port."""
    server = processes.spawn("site", [sys.executable, str(folder / "server.py"), str(folder)], log=folder / "server.log")
    limit = time.monotonic() + 10
    while not (said := (folder / "server.log").read_text(encoding="ascii").strip()):
        if server.poll() is not None or time.monotonic() > limit:
            raise RuntimeError("the server did not start")
        time.sleep(0.02)
    return int(said.splitlines()[0])


@contextlib.asynccontextmanager
async def scene(name: str, folder: Path, port: int, processes: ProcessList) -> AsyncIterator[Scene]:
    """Open the page under one clock."""
    scratch = Path(tempfile.mkdtemp(prefix="assay-freeze-"))
    clock: Governor | None = None if name == "playwright" else choose_clock("held" if name == "held" else "page")[0]
    env = {
        **os.environ,
        **(clock.env if clock else {}),
        "PULSE_SERVER": f"unix:{scratch}/none",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }
    async with async_playwright() as playwright, contextlib.AsyncExitStack() as stack:
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        display = await open_display(
            processes, width=SIZE.width, height=SIZE.height, folder=scratch, log=scratch / "xvfb.log", env=env
        )
        stack.push_async_callback(processes.end, display.pid)
        sink = await _sound(processes, scratch, env)
        stack.push_async_callback(processes.end, sink[1])
        launched = await launch(
            playwright,
            profile=scratch / "profile",
            viewport=SIZE,
            headed=True,
            env={**env, "DISPLAY": display.name, "PULSE_SERVER": sink[0]},
            flags=(),
            locale="en-US",
            timeout_s=60,
        )
        processes.adopt("chromium", launched.pid)
        stack.push_async_callback(processes.end, launched.pid)
        page = launched.context.pages[0]
        if clock is None:
            await page.clock.install()
            # Its clock knows no "now": it is stopped a moment ahead.
            yield Scene(page, display, lambda: _pause(page), page.clock.resume, _nothing)
            return
        if clock.script:
            await launched.context.add_init_script(script=clock.script)
        tab = await Tab.attach(page, Timeouts())
        intercept = Intercept(tab, Policy(f"http://127.0.0.1:{port}/"))
        await clock.approach()
        await clock.attach(tab, intercept)
        await intercept.open()
        await clock.begin()
        await clock.release()
        stopped = (lambda *keep: processes.suspended(keep=("Xvfb", *keep))) if clock.env else _nothing
        yield Scene(page, display, clock.hold, clock.release, stopped)
        await clock.detach()
        clock.close()


async def _sound(processes: ProcessList, scratch: Path, env: dict[str, str]) -> tuple[str, int]:
    from tools.browser.sound import open_sink  # noqa: PLC0415 - its room is another's

    sink = await open_sink(processes, folder=scratch, log=scratch / "pulse.log", env=env)
    return sink.server, sink.pid


def _nothing(*_: str) -> contextlib.AbstractContextManager[None]:
    return contextlib.nullcontext()


async def _pause(page: Page) -> None:
    await page.clock.pause_at(await page.evaluate("Date.now() + 50"))


async def freeze(name: str, folder: Path, port: int, hold_s: float, processes: ProcessList) -> Frozen:
    """Hold that clock and look."""
    async with scene(name, folder, port, processes) as on:
        page = on.page
        await page.goto(f"http://127.0.0.1:{port}/index.html")
        await page.evaluate("void window.open('frame.html', '', 'popup,width=200,height=100,left=900,top=500')")
        await page.wait_for_function("Object.keys(heard).length === 3", timeout=20_000)
        # The popup lies over the page; both are painted all the same.
        await page.bring_to_front()
        await asyncio.sleep(2.0)
        early = await page.evaluate("sample()")
        await page.evaluate("gaps.bursts = {}")
        await asyncio.sleep(4.0)
        running = await page.evaluate("sample()")
        pace = (running["loops"] - early["loops"]) / max(running["found"]["performance"] - early["found"]["performance"], 1)
        before = await page.evaluate("const seen = gaps.bursts; gaps.bursts = {}; gaps.frame = 0; seen")
        await on.hold()
        with on.stopped("chromium", "pulseaudio"):
            # The app's server first and longest: what it says between two looks would be taken for the page's own.
            await asyncio.sleep(_ARRIVES_S)  # messages that are under way arrive
            picture, first = _picture(on.display), await page.evaluate("sample()")
            began = time.monotonic()
            with on.stopped():
                await asyncio.sleep(hold_s)
            held_s = time.monotonic() - began
            last, again = await page.evaluate("sample()"), _picture(on.display)
        await on.release()
        after = await page.evaluate("sample()")
        await asyncio.sleep(2.0)
        later = await page.evaluate("sample()")
    drift = {key: value - first["found"][key] for key, value in last["found"].items()}
    drift["GIF"] = ((_grey(again) - _grey(picture)) / 2 % GIF_FRAMES) * GIF_MS
    moved = {key: later["found"][key] - after["found"][key] for key in after["found"]}
    return Frozen(
        clock=name,
        held_s=round(held_s, 2),
        drift={key: round(value, 1) for key, value in drift.items()},
        loops=round((last["loops"] - first["loops"]) / max(pace, 1e-9), 1),
        same_picture=bool(np.array_equal(picture, again)),
        longest_frame_ms=round(later["gaps"]["frame"], 1),
        jump={key: round(after["found"][key] - last["found"][key], 1) for key in ("performance", "Date", "document.timeline")},
        bursts=sum(later["gaps"]["bursts"].values()),
        bursts_before=sum(before.values()),
        asleep=[key for key, value in moved.items() if not value > 200],
        load=round(os.getloadavg()[0], 1),
    )


def _picture(display: Display) -> NDArray[np.uint8]:
    return display.picture(SIZE.width, SIZE.height)


def _grey(picture: NDArray[np.uint8]) -> float:
    return round(float(picture[30, 620].mean()) - 20)


def table(results: list[Frozen]) -> str:
    """Rows are sources, columns clocks."""
    names = list(dict.fromkeys(key for result in results for key in result.drift))
    lines = ["| drift in ms | " + " | ".join(result.clock for result in results) + " |", "|---" * (len(results) + 1) + "|"]
    for name in names:
        cells = (result.drift.get(name, math.nan) for result in results)
        lines.append(f"| {name} | " + " | ".join("–" if math.isnan(cell) else f"{cell:g}" for cell in cells) + " |")
    facts: list[tuple[str, Callable[[Frozen], object]]] = [
        ("MessageChannel loop (as ms of its pace)", lambda result: result.loops),
        ("sources above 17 ms", lambda result: sum(1 for value in result.drift.values() if abs(value) > DRIFT_MS)),
        ("picture identical", lambda result: "yes" if result.same_picture else "no"),
        ("longest frame, ms", lambda result: result.longest_frame_ms),
        ("jump at release, ms", lambda result: max(result.jump.values())),
        ("bursts in 2 s after (4 s before)", lambda result: f"{result.bursts} ({result.bursts_before})"),
        ("did not go on", lambda result: ", ".join(result.asleep) or "none"),
        ("held, s", lambda result: result.held_s),
        ("load", lambda result: result.load),
    ]
    lines += [f"| **{name}** | " + " | ".join(str(told(result)) for result in results) + " |" for name, told in facts]
    return "\n".join(lines)


async def run(clocks: list[str], hold_s: float) -> list[Frozen]:
    """All clocks, one after another."""
    folder = Path(tempfile.mkdtemp(prefix="assay-freeze-site-"))
    results: list[Frozen] = []
    try:
        make_site(folder, round(hold_s) + 40)
        for name in clocks:
            with ProcessList(folder / name) as processes:
                port = start_server(processes, folder)
                results.append(await freeze(name, folder, port, hold_s, processes))
            (folder / "server.log").unlink()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return results


def main() -> None:
    """Print the table; `--json` also writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hold", type=float, default=60.0)
    parser.add_argument("--clocks", nargs="*", default=["held", "page", "playwright"])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    results = asyncio.run(run(chosen.clocks, chosen.hold))
    print(table(results))  # noqa: T201
    if chosen.json:
        found: list[dict[str, Any]] = [vars(result) for result in results]
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
