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

import agent.trials.acting
import agent.trials.carrying
import agent.trials.watching
from agent.trials.carrying import carry_out
from agent.trials.session import opened
from agent.trials.writing import TrialWriter
from agent.trials.written import read_trials
from configs.settings import Settings
from tests.benchmarks.stopwatch import Stopwatch
from tests.conftest import FIXTURES
from tools.browser.stage import Stage
from tools.evidence.record import Record
from tools.evidence.trial_rows import ActDone

GARDEN = FIXTURES / "trials"
STAGES = (
    (Stage, "perform", "hands"),
    (Stage, "settle", "settle"),
    (agent.trials.quiet, "read_page", "page model"),
    (agent.trials.watching.Watch, "begin", "watch: begin"),
    (agent.trials.watching.Watch, "end", "watch: end"),
    (TrialWriter, "act", "writing it down"),
    (agent.trials.carrying._Carrying, "_do", "acts, all"),
)


async def main(rounds: int, rhythm: float) -> None:
    """Measure and print."""
    trials = read_trials(GARDEN / "garden.toml")
    walls: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Stopwatch(STAGES) as watch:
        run_dir = Path(folder) / "run"
        async with opened(str(GARDEN / "index.html"), Settings(rhythm=rhythm), run_dir) as session, session.stage() as stage:
            writer, acts = TrialWriter(stage.ledger), 0
            for _ in range(rounds):
                for trial in trials:
                    record = await carry_out(trial, stage, fresh=session.entry, writer=writer)
                    acts += len(record.acts)
                    began_s = time.monotonic()
                    walls += [one.ended_ms - one.started_ms for one in record.acts]
                    del began_s
            ledger = run_dir / "ledger.jsonl"
            stage.ledger.sync()
            size = ledger.stat().st_size
            blobs = sum(path.stat().st_size for path in (run_dir / "blobs").rglob("*") if path.is_file())
            count = len(list(Record.read(run_dir).of(ActDone)))
    row = {
        "acts": count, "app_ms_p50": round(statistics.median(walls)), "ledger_bytes_per_act": round(size / count),
        "blob_bytes_per_act": round(blobs / count), "stages_ms": watch.table(),
    }  # fmt: skip
    sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--rhythm", type=float, default=0.0)
    options = parser.parse_args()
    asyncio.run(main(options.rounds, options.rhythm))
