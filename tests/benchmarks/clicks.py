"""Whether clicks land where they are meant: every kind of place a target can lie in, by both ways of the hands.

`python -m tests.benchmarks.clicks [--clicks 500] [--way xtest|cdp] [--json FILE]`: looks at `aims.html`, presses everything it
finds there as often as needed, in an order drawn from a seed, and compares what the page felt with what was meant.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from configs.settings import Settings
from tests.integration.aims import AIMED, Press, aims, press
from tests.integration.looking import PAGES, Scene, Way, scene


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on loopback; its base URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@dataclass(frozen=True)
class Outcome:
    """All the presses of one way."""

    way: Way
    presses: list[Press]
    took_s: float

    @property
    def missed(self) -> list[Press]:
        """Presses that hit something else, nothing, or were not delivered."""
        return [press for press in self.presses if not press.good]


async def measure(opened: Scene, way: Way, clicks: int, seed: int, only: str) -> Outcome:
    """So many presses, each target as often as every other."""
    rng = np.random.default_rng(seed)
    presses: list[Press] = []
    began = time.perf_counter()
    while len(presses) < clicks:
        for page in AIMED:
            found = [aim for aim in await aims(opened, page) if only in aim.kind or only in aim.name]
            for index in rng.permutation(len(found))[: clicks - len(presses)]:
                presses.append(await press(opened, way, found[index]))
                if not presses[-1].good:
                    print(f"  missed {presses[-1]}", flush=True)  # noqa: T201
    return Outcome(way, presses, time.perf_counter() - began)


def table(outcomes: list[Outcome]) -> str:
    """Kind of place → clicks and misses of each way."""
    lines = [f"{'where the target lies':34}" + "".join(f"{outcome.way:>10}{'missed':>8}" for outcome in outcomes)]
    for kind in dict.fromkeys(item.aim.kind for outcome in outcomes for item in outcome.presses):
        cells = []
        for outcome in outcomes:
            count = Counter(press.aim.kind for press in outcome.presses)[kind]
            missed = Counter(press.aim.kind for press in outcome.missed)[kind]
            cells.append(f"{count:>10}{missed:>8}")
        lines.append(f"{kind:34}" + "".join(cells))
    lines.append(f"{'all':34}" + "".join(f"{len(outcome.presses):>10}{len(outcome.missed):>8}" for outcome in outcomes))
    lines += [f"{outcome.way}: {outcome.took_s / len(outcome.presses) * 1000:.0f} ms a click" for outcome in outcomes]
    return "\n".join(lines)


async def _run(given: argparse.Namespace) -> list[Outcome]:
    ways: list[Way] = [given.way] if given.way else ["xtest", "cdp"]
    with tempfile.TemporaryDirectory(prefix="assay-clicks-") as folder, served(PAGES) as base:
        async with scene(base, Path(folder) / "run", Settings(clock=given.clock)) as opened:
            return [await measure(opened, way, given.clicks, given.seed, given.only) for way in ways]


def main() -> None:
    """Measure, print, write; status 1 if anything was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=500, help="presses of each way")
    parser.add_argument("--way", choices=["xtest", "cdp"])
    parser.add_argument("--clock", default="auto", help="as in the settings")
    parser.add_argument("--only", default="", help="part of a kind's or a target's name")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    outcomes = asyncio.run(_run(given))
    print(table(outcomes))  # noqa: T201
    if given.json:
        values = [
            {"way": item.way, "clicks": len(item.presses), "took_s": item.took_s, "missed": [str(miss) for miss in item.missed]}
            for item in outcomes
        ]
        given.json.write_text(json.dumps(values, indent=1))
    if any(outcome.missed for outcome in outcomes):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
