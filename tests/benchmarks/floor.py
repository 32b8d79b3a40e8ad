"""The floor by itself: axe-core, console errors and 15 s of gremlins.js on every variant of the suite.

    python -m tests.benchmarks.floor [--only APP] [--kind fault] [--out FOLDER] [--json]

`assay calibrate --floor` runs the same beside Assay and shows both; what was run once is kept in FOLDER and not run again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from agent.calibration.floor_runs import floor_of, ready_floor
from agent.calibration.suite_runs import choose
from evaluator.calibration.floor import FloorPage, floor_figures
from evaluator.calibration.suite import load, shipped


async def _run(options: argparse.Namespace) -> list[FloorPage]:
    source = await ready_floor()
    gate = asyncio.Semaphore(options.jobs)
    chosen = choose(tuple(load(shipped()).variants()), options.only, options.kind, options.limit)

    async def one(variant) -> FloorPage:
        async with gate:
            page = await floor_of(options.out / variant.key, variant, source)
        if not options.json:
            sys.stdout.write(f"{variant.key:44} {len(page.findings):3} findings  {page.seconds:5.1f} s\n")
            sys.stdout.flush()
        return page

    return list(await asyncio.gather(*(one(variant) for variant in chosen)))


def main() -> None:
    """Print the floor's figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("recordings/floor"))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    told = floor_figures(asyncio.run(_run(options))).model_dump(mode="json")
    lines = [f"{name:16} {'–' if value is None else f'{value:.3g}'}" for name, value in told.items()]
    sys.stdout.write(json.dumps(told, indent=2) + "\n" if options.json else "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
