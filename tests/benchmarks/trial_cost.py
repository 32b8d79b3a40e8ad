"""What an act of a trial costs: time for the hands, for becoming quiet and for observing, and bytes in the ledger and its blobs.

    .venv/bin/python -m tests.benchmarks.trial_cost [--rounds 6] [--rhythm 0]

Carries the hand-written trials of `tests/fixtures/trials` out again and again; prints one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from agent.trials import settled
from agent.trials.acting import Actor
from agent.trials.carrying import carry_out
from agent.trials.watching import Watch
from agent.trials.writing import TrialWriter
from agent.trials.written import read_trials
from agent.tryouts.session import opened
from configs.settings import Settings
from tests.benchmarks.stopwatch import Stopwatch
from tests.conftest import FIXTURES
from tools.browser.stage import Stage
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone

GARDEN = FIXTURES / "trials"
STAGES = (
    (Actor, "carry_out", "act"),
    (Stage, "settle", "settle"),
    (settled, "read_page", "page model"),
    (Watch, "begin", "watch: begin"),
    (Watch, "end", "watch: end"),
    (TrialWriter, "act", "writing it down"),
)


async def main(rounds: int, rhythm: float) -> None:
    """Measure and print. A step is a trial's wall time, without opening the page, by its number of acts."""
    trials, watch = read_trials(GARDEN / "garden.toml"), Stopwatch()
    for owner, name, label in STAGES:
        watch.wrap(owner, name, label)
    steps, count = list[float](), 0
    with tempfile.TemporaryDirectory() as folder:
        run_dir = Path(folder) / "run"
        async with opened(str(GARDEN / "index.html"), Settings(rhythm=rhythm), run_dir) as session, session.stage() as stage:
            writer = TrialWriter(stage.ledger)
            for _ in range(rounds):
                for trial in trials:
                    await stage.clock.release()
                    await stage.goto(session.entry)
                    watch.take() if not count else None
                    began_s = time.perf_counter()
                    record = await carry_out(trial, stage, writer=writer)
                    steps += [(time.perf_counter() - began_s) * 1000 / len(record.acts)]
                    count += len(record.acts)
            spent = watch.take()
            stage.ledger.sync()
            size = (run_dir / "ledger.jsonl").stat().st_size
            blobs = sum(path.stat().st_size for path in (run_dir / "blobs").rglob("*") if path.is_file())
            acts = [body for _, body in Record.read(run_dir).of(ActDone)]
    row = {
        "acts": count, "step_ms": {"p50": round(statistics.median(steps)), "p95": round(statistics.quantiles(steps, n=20)[18])},
        "app_ms_p50": round(statistics.median(act.ended_ms - act.started_ms for act in acts)),
        "ledger_bytes_per_act": round(size / count), "blob_bytes_per_act": round(blobs / count),
        "ms_per_act": {label: round(ms / count, 1) for label, ms in sorted(spent.items(), key=lambda act: -act[1])},
    }  # fmt: skip
    sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--rhythm", type=float, default=0.0)
    options = parser.parse_args()
    asyncio.run(main(options.rounds, options.rhythm))
