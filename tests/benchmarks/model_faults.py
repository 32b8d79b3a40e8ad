"""What each fault of a model's endpoint does to a whole evaluation.

`python -m tests.benchmarks.model_faults [--vendor openai|anthropic] [--only WORD] [--acts 12] [--json FILE]`: an evaluation for
each fault, which strikes from the second question of the decider on; a table: fault → how the calls ended, requests, turns
without an answer, trials of the model's and of others, cost, whether the run was sealed and what the exit code was.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.benchmarks.model_run import run
from tests.conftest import FIXTURES
from tests.standins.clever import Clever
from tests.standins.faults import FAULTS, Fault, spoiled
from tools.evidence.record import Record
from tools.evidence.rows import Gap
from tools.evidence.trial_rows import TrialBegun

PATIENCE = {
    "ASSAY_MODELS__FIRST_S": "2",
    "ASSAY_MODELS__GAP_S": "1.5",
    "ASSAY_MODELS__BACKOFF_S": "0.05",
    "ASSAY_MODELS__TRIES": "3",
}


def measure(fault: Fault, vendor: str, acts: int, folder: Path) -> dict[str, Any]:
    """One evaluation under one fault."""
    begun_s = time.monotonic()
    subject = FIXTURES / "apps" / "todo" / "good.html"
    options = ("--brief", "A to-do list: add, tick off and delete tasks.", "--decider", "chat", "--judge", "rubric")
    script = spoiled(fault, Clever(), from_request=2)
    done = run(subject, folder / "run", script, *options, "--max-acts", str(acts), "--no-prove", vendor=vendor)
    record = Record.read(folder / "run")
    troubled = [body.reason for _, body in record.of(Gap) if body.what == "decider"]
    makers = [body.trial.get("by") for _, body in record.of(TrialBegun)]
    costs = [call.cost_usd for call in done.calls]
    return {
        "fault": fault.name,
        "calls": dict(Counter(call.outcome for call in done.calls)),
        "requests": sum(call.requests for call in done.calls),
        "arrived": len(done.standin.asked),
        "retries": sum(max(0, call.requests - 1) for call in done.calls),
        "troubled": len(troubled),
        "why": next(iter(troubled), ""),
        "own": makers.count("model"),
        "others": len(makers) - makers.count("model"),
        "cost_usd": None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
        "sealed": record.sealed,
        "exit": done.ended.code,
        "seconds": round(time.monotonic() - begun_s, 1),
        "said": done.ended.err.strip()[:200],
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vendor", choices=["openai", "anthropic"], default="openai")
    parser.add_argument("--only", default="")
    parser.add_argument("--acts", type=int, default=12)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    import os  # noqa: PLC0415

    os.environ.update(PATIENCE)
    rows = []
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as folder:
        for number, fault in enumerate(FAULTS):
            if given.only in fault.name and given.vendor in fault.vendors:
                rows.append(measure(fault, given.vendor, given.acts, Path(folder) / str(number)))
                print(json.dumps(rows[-1]), file=sys.stderr)  # noqa: T201
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    table = Table(title=f"Faults of a model's endpoint ({given.vendor}), {given.acts} acts, decider chat, judge rubric")
    for name in ("fault", "calls", "requests", "retries", "troubled", "own trials", "others", "US$", "sealed", "exit", "s"):
        table.add_column(name)
    for row in rows:
        calls = ", ".join(f"{count} {name}" for name, count in row["calls"].items())
        cost = "–" if row["cost_usd"] is None else f"{row['cost_usd']:.4f}"
        counts = [str(row[name]) for name in ("requests", "retries", "troubled", "own", "others")]
        figures = (*counts, cost, "yes" if row["sealed"] else "NO", str(row["exit"]))
        table.add_row(row["fault"], calls, *figures, f"{row['seconds']:.0f}")
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
