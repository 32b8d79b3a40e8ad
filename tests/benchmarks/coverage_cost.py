"""What watching an app's own code costs an act: reading it, and the whole step with and without.

`python -m tests.benchmarks.coverage_cost [--acts 15] [--json FILE]`: evaluates five unlike apps twice each, first without, with
hands without rhythm and full recording. The waits that an act asks for are in a step's time both times.
`read` is the wall time of one reading, `cpu` the processor time that Assay, Playwright's driver and the browser spent meanwhile:
about what the wall time is on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import psutil

from agent.run.evaluation import evaluate
from configs.settings import Budget, Settings
from evaluator.record.code_run import code_run
from evaluator.record.sealed import Reading as Run
from tests.conftest import FIXTURES
from tools.browser.coverage.watch import CodeWatch, Reading
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone

APPS = ("todo", "snake", "wizard", "sample", "calculator")
READ = CodeWatch.read
LIMIT_MS = 20.0
"""Wanted: 4–20 ms an act on one-file pages."""


@dataclass(frozen=True)
class Costs:
    """One evaluation of one app; times in ms of wall time, one an act."""

    app: str
    reads_ms: list[float]
    cpu_ms: list[float]
    steps_ms: list[float]
    acts: list[str]
    code: str


async def measure(app: str, steps: int, folder: Path, *, watched: bool) -> Costs:
    """Evaluate one app."""
    source = FIXTURES / "apps" / app
    subject = source / ("good.html" if (source / "good.html").is_file() else "index.html")
    budget = Budget(max_acts=steps, explore_app_s=240, prove=False)
    settings = Settings(rhythm=0.0, runs_dir=folder, budget=budget, coverage=watched)
    reads: list[tuple[float, float]] = []
    nodes: list[tuple[str, float]] = []

    def listen(event: dict[str, Any]) -> None:
        if event.get("event") != "node":
            return
        nodes.append((str(event["node"]), time.perf_counter()))

    async def timed(self: CodeWatch, step: int) -> Reading:
        busy_ms, began = _busy_ms(), time.perf_counter()
        found = await READ(self, step)
        wall_ms = (time.perf_counter() - began) * 1000
        reads.append((wall_ms, _busy_ms() - busy_ms))
        return found

    CodeWatch.read = timed
    brief = (source / "brief.txt").read_text(encoding="utf-8")
    result = await evaluate(str(subject), brief, settings, run_dir=folder / f"{app}-{watched}", listener=listen)
    record = Record.read(result.run_dir)
    code = code_run(Run(record))
    told = code.note if code.share is None else f"{code.share:.0%}, {code.functions_run} of {code.functions} functions"
    acts = [body.words for _, body in record.of(ActDone)]
    later = reads[1:]  # the first reading is of the page's coming up
    return Costs(app, [wall for wall, _ in later], [cpu for _, cpu in later], _rounds(nodes), acts, told)


def _busy_ms() -> float:
    """Processor time of this process, of Playwright's driver and of the browser so far, in ms."""
    total_ns = 0
    for process in (psutil.Process(), *psutil.Process().children(recursive=True)):
        try:
            if process.pid == os.getpid() or process.name().startswith(("node", "chrom")):
                threads = Path(f"/proc/{process.pid}/task").iterdir()
                total_ns += sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)
        except (psutil.Error, OSError):
            continue  # it ended meanwhile
    return total_ns / 1e6


def _rounds(nodes: list[tuple[str, float]]) -> list[float]:
    """Of each visit to the exploration: one trial with its assertions."""
    ends = [at for name, at in nodes if name == "explore"]
    return [(later - earlier) * 1000 for earlier, later in pairwise(ends)]


def quantile(values: list[float], share: float) -> float:
    """By nearest rank; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def line(without: Costs, watched: Costs) -> str:
    """One app's row of the table."""
    figures = (
        statistics.median(watched.reads_ms),
        quantile(watched.reads_ms, 0.95),
        statistics.median(watched.cpu_ms),
        quantile(watched.cpu_ms, 0.95),
        statistics.median(without.steps_ms),
        quantile(without.steps_ms, 0.95),
        statistics.median(watched.steps_ms),
        quantile(watched.steps_ms, 0.95),
    )
    same = "same acts" if without.acts == watched.acts else "other acts"
    return (
        f"{watched.app:12}{len(watched.reads_ms):>5}"
        + "".join(f"{figure:>10.1f}" for figure in figures)
        + f"  {same}; {watched.code}"
    )


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--acts", type=int, default=15, help="acts in each app")
    parser.add_argument("--apps", nargs="*", default=list(APPS))
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    columns = ("read p50", "p95", "cpu p50", "p95", "step p50", "p95", "watched", "p95")
    print(f"{'app':12}{'acts':>5}{''.join(f'{column:>10}' for column in columns)}  (ms of wall time)")  # noqa: T201
    found: list[tuple[Costs, Costs]] = []
    with tempfile.TemporaryDirectory(prefix="assay-coverage-") as folder:
        for app in given.apps:
            pair = [asyncio.run(measure(app, given.acts, Path(folder), watched=watched)) for watched in (False, True)]
            found.append((pair[0], pair[1]))
            print(line(*found[-1]), flush=True)  # noqa: T201
    reads = [ms for _, watched in found for ms in watched.reads_ms]
    cpu = [ms for _, watched in found for ms in watched.cpu_ms]
    figures = f"reading p50 {statistics.median(reads):.1f} ms, p95 {quantile(reads, 0.95):.1f} ms; "
    figures += f"processor p50 {statistics.median(cpu):.1f} ms, p95 {quantile(cpu, 0.95):.1f} ms"
    print(f"all: {figures}; load {os.getloadavg()[0]:.1f}")  # noqa: T201
    if given.json:
        given.json.write_text(json.dumps([[vars(column) for column in pair] for pair in found], indent=1), encoding="utf-8")
    if statistics.median(cpu) > LIMIT_MS:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
