"""Attempt → blocked? → recorded as what: every road, place and trick of `tests/fixtures/attacks`.

`python -m tests.benchmarks.guard [--json FILE] [--only NAME…]`. Roads are also gone in a browser without a guard, so that it
shows which attempts would have come to something.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.async_api import async_playwright

from configs.settings import Budget
from tests.conftest import CHROMIUM
from tests.integration.guard.arena import Arena, arena, places
from tests.integration.guard.tricks import TRICKS, play
from tests.integration.stage.conftest import Opened, Opener, opener

ROW_S = 1.3
"""So long after an attempt its row may take."""


@dataclass(frozen=True)
class Line:
    """One row of the table. `unguarded`: visits the neighbour had from a browser without a guard; None where not tried."""

    attempt: str
    blocked: bool
    recorded: str
    unguarded: int | None = None


async def roads_without_guard(ground: Arena) -> dict[str, int]:
    """Visits at the neighbour, road by road, from a plain Chromium."""
    found: dict[str, int] = {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = await browser.new_page()
        await page.goto(ground.site + "reach.html")
        for road in await page.evaluate("Object.keys(roads)"):
            if road != "keepalive on unload":
                before = ground.neighbour.visits
                await page.evaluate(
                    "([road, to]) => run(road, to)", [road, f"http://127.0.0.1:{ground.neighbour.port}/{len(found)}"]
                )
                await asyncio.sleep(0.3)
                found[road] = ground.neighbour.visits - before
        await browser.close()
    return found


async def reach(opened: Opened, ground: Arena, mode: str, unguarded: dict[str, int]) -> list[Line]:
    """Every road to the neighbour and every place by `fetch`."""
    await opened.stage.goto(ground.site + "reach.html")
    await opened.stage.clock.release()
    port, lines = ground.neighbour.port, []
    attempts = {road: (road, f"http://127.0.0.1:{port}/{number}") for number, road in enumerate(unguarded)}
    attempts |= {f"fetch {name}": ("fetch", url) for name, url in places(port).items()}
    for name, (road, url) in attempts.items():
        before, rows = ground.neighbour.visits, len(opened.rows("network"))
        answer = await opened.stage.page.evaluate("([road, to]) => run(road, to)", [road, url])
        await asyncio.sleep(ROW_S)
        told = [row for row in opened.rows("network")[rows:] if row.blocked]
        blocked = (
            ground.neighbour.visits == before and answer not in ("open", "200") and not (road == "fetch" and answer == "loaded")
        )
        recorded = f"network, blocked: {told[0].url[:60]}" if told else "no connection was tried"
        lines.append(Line(f"{name} ({mode})", blocked, recorded, unguarded.get(name)))
    return lines


async def tricks(open_stage: Opener, ground: Arena, only: list[str]) -> list[Line]:
    """Every trick; those that end the tab have a stage of their own."""
    lines: list[Line] = []
    shared: Opened | None = None
    for trick in TRICKS:
        if only and trick.name not in only:
            continue
        if trick.fatal or shared is None or shared.stage.state != "live":
            if shared is not None:
                await shared.stage.close()
            shared = await open_stage(ground.site, command_s=8.0, budget=Budget(memory_mb=1200, disk_mb=200))
        await shared.stage.goto(ground.site + "tricks.html")
        outcome = await play(shared, trick, ground.site)
        row = outcome.row or "answered as denied or without effect; no row"
        recorded = f"{row} ({outcome.state}, {outcome.took_s:.1f} s)" if not outcome.wrong else outcome.wrong
        lines.append(Line(trick.name, not outcome.wrong, recorded))
        sys.stdout.write(f"{trick.name:24} {'yes' if not outcome.wrong else 'NO':4} {recorded}\n")
        sys.stdout.flush()
        if trick.name in ("full screen", "pointer lock"):
            free = "!document.fullscreenElement && !document.pointerLockElement"
            await shared.stage.page.wait_for_function(free, timeout=20_000)
    if shared is not None:
        await shared.stage.close()
    return lines


async def measure(only: list[str]) -> list[Line]:
    """The whole table."""
    lines: list[Line] = []
    with arena() as ground, tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            open_stage = opener(stack, Path(folder))
            if not only:
                unguarded = await roads_without_guard(ground)
                for mode in ("cdn", "open"):
                    opened = await open_stage(ground.site, network=mode)
                    lines += await reach(opened, ground, mode, unguarded)
                    await opened.stage.close()
                for line in lines:
                    reached = "" if line.unguarded is None else f"unguarded: {line.unguarded} visits"
                    sys.stdout.write(f"{line.attempt:44} {'yes' if line.blocked else 'NO':4} {line.recorded:60} {reached}\n")
            lines += await tricks(open_stage, ground, only)
    return lines


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    lines = asyncio.run(measure(given.only))
    blocked = sum(line.blocked for line in lines)
    sys.stdout.write(f"{blocked} of {len(lines)} attempts came to nothing; load {os.getloadavg()[0]:.1f}\n")
    if given.json is not None:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        given.json.write_text(json.dumps({"lines": [asdict(line) for line in lines]}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
