"""How long the results of a large batch take, and how much memory: `python -m tests.benchmarks.results [--rows N] [--json]`."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from evaluator.results.leaderboard import leaderboard
from evaluator.results.table import read_table
from evaluator.results.writing import write_results
from tests.unit.results.table_of import drawn


def measure(rows_wanted: int, models: int, out: Path) -> dict[str, float | int | str]:
    """Seconds and MiB for a table of about so many rows."""
    rows = drawn(rows_wanted // models, models, seed=1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    begin, begin_cpu = time.perf_counter(), time.process_time()
    board = leaderboard(rows)
    middle = time.perf_counter()
    written = write_results(rows, out, title=f"{len(rows):,} synthetic verdicts")
    end, end_cpu = time.perf_counter(), time.process_time()
    again = read_table(out)
    return {
        "rows": len(rows),
        "models": models,
        "leaderboard_s": round(middle - begin, 2),
        "all_files_s": round(end - middle, 2),
        "cpu_s": round(end_cpu - begin_cpu, 2),
        "read_back_s": round(time.perf_counter() - end, 2),
        "read_back_equal": int(again == tuple(rows)),
        "memory_before_mib": round(before),
        "memory_peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "page_mb": round(written.page.stat().st_size / 1e6, 2),
        "parquet_mb": round(written.parquet.stat().st_size / 1e6, 2),
        "standings": len(board.standings),
        "page": str(written.page),
    }


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.rows, given.models, given.out or Path(tempfile.mkdtemp(prefix="assay-results-")))
    if given.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{name.replace('_', ' '):20} {value}\n" for name, value in found.items()))


if __name__ == "__main__":
    main()
