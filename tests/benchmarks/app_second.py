"""What a second of app time costs in processor seconds, by program: the figure that decides how fast auto-pace can be.

`python -m tests.benchmarks.app_second [--pace 2] [--seconds 10] [--pages pace.html pace.html?calm] [--json FILE]`: each page is
lived with and without the recorder at a fixed pace. Processor time, unlike pace, hardly depends on what else the machine does; it
does on frames that were left out: how many the page painted is told beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil

from configs.settings import Settings
from tests.benchmarks.freeze import make_site
from tests.benchmarks.pace import stage_on


async def measure(folder: Path, page: str, pace: float, seconds: float, *, record: bool) -> dict[str, Any]:
    """Live a page for that much app time; processor seconds of each program for each second of it."""
    async with stage_on(folder, page, Settings(pace=pace, clock="held"), record=record) as (stage, run_dir):
        await stage.clock.release()
        await stage.tab.waits.pause(1)
        programs = [psutil.Process(), *psutil.Process().children(recursive=True)]
        before, from_ms, painted = _used(programs), stage.clock.now_ms(), int(await stage.page.evaluate("frames"))
        await stage.tab.waits.pause(seconds)
        after, app_s = _used(programs), (stage.clock.now_ms() - from_ms) / 1000
        painted = int(await stage.page.evaluate("frames")) - painted
    shutil.rmtree(run_dir.parent, ignore_errors=True)
    cost: dict[str, float] = {}
    for program in programs:
        if program.pid in before and program.pid in after:
            name, used = after[program.pid]
            cost[name] = cost.get(name, 0.0) + (used - before[program.pid][1]) / app_s
    return {
        "page": page,
        "recorded": record,
        "pace": pace,
        "painted_per_app_s": round(painted / app_s, 1),
        "total": round(sum(cost.values()), 3),
        "programs": {name: round(used, 3) for name, used in sorted(cost.items(), key=lambda item: -item[1]) if used >= 0.001},
    }


def _used(programs: list[psutil.Process]) -> dict[int, tuple[str, float]]:
    """Name, and processor seconds used so far (to the nanosecond, by the scheduler), by process."""
    found: dict[int, tuple[str, float]] = {}
    for program in programs:
        with contextlib.suppress(psutil.Error, OSError, ValueError):
            kind = next((word[7:] for word in program.cmdline() if word.startswith("--type=")), "")
            threads = Path(f"/proc/{program.pid}/task").iterdir()
            used = sum(int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads)
            found[program.pid] = f"{program.name()} {kind}".strip(), used / 1e9
    return found


async def run(pages: list[str], pace: float, seconds: float) -> list[dict[str, Any]]:
    """All pages, with the recorder and without."""
    folder = Path(tempfile.mkdtemp(prefix="assay-app-second-"))
    try:
        make_site(folder, 5)
        return [await measure(folder, page, pace, seconds, record=record) for page in pages for record in (True, False)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Print the table; `--json` also writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pace", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--pages", nargs="*", default=["pace.html", "pace.html?calm"])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    found = asyncio.run(run(chosen.pages, chosen.pace, chosen.seconds))
    for item in found:
        parts = "  ".join(f"{name} {used}" for name, used in item["programs"].items())
        what = "recorded" if item["recorded"] else "not recorded"
        sys.stdout.write(f"{item['page']:16} {what:12} {item['total']:.3f}  painted {item['painted_per_app_s']}/s  {parts}\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
