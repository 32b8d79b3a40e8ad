"""Whether the same page and seed give the same acts and verdict idle, beside busy loops, and with several runs at once.

    python -m tests.benchmarks.determinism [--max-acts N] [--keep FOLDER] PAGE.html…   (brief.txt beside it)

Prints one line per page and condition: `identical`, or the first thing that differs from the idle run. With `--keep` the
runs stay in FOLDER, so that what differs can be looked at.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tools.evidence.record import Record
from tools.evidence.rows import Covered
from tools.evidence.trial_rows import ActDone, AssertionJudged

LIMIT_S = 1500.0
LOOPS = 3
AT_ONCE = 3
BUSY = "import os; own = os.getppid()\nwhile os.getppid() == own: pass"
"""A loop that ends with whoever started it, however that ended."""
_TIMES = ("_ms", "_s", "_id", "_ids")


def evaluated(page: Path, run_dir: Path, max_acts: int) -> list[str]:
    """One evaluation as lines to compare: its acts, why it stopped, its verdict. Raises `RuntimeError` if it left no verdict."""
    brief = page.with_name("brief.txt")
    told = ["--brief", f"@{brief}"] if brief.is_file() else []
    options = ["--max-acts", str(max_acts), "--display", "none", "--json", "--out", str(run_dir), *told]
    program = [str(Path(sys.executable).with_name("assay")), "eval", str(page)]
    done = subprocess.run([*program, *options], capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if not (run_dir / "verdict.json").is_file():
        raise RuntimeError(f"{page}: no verdict, exit {done.returncode}: {done.stderr[-300:]}")
    return lines_of(run_dir)


def lines_of(run_dir: Path) -> list[str]:
    """A run apart from times, ids and paths."""
    record = Record.read(run_dir)
    lines = [f"act {body.words}" for _, body in record.of(ActDone)]
    lines += [f"assertion {body.words}: {body.result}" for _, body in record.of(AssertionJudged)]
    lines += [f"stop {body.stop_reason}" for _, body in record.of(Covered)]
    verdict = json.loads((run_dir / "verdict.json").read_bytes())
    lines.append(f"status {verdict['status']}")
    lines.append(f"functionality {json.dumps((verdict.get('functionality') or {}).get('value'))}")
    failures = [_failure(item) for item in verdict["failures"]]
    return lines + sorted(failures)


def _failure(failure: dict[str, Any]) -> str:
    kept = {key: failure.get(key) for key in ("category", "severity", "title", "blame")}
    return f"failure {json.dumps(kept, ensure_ascii=False)} {(failure.get('proof') or {}).get('status')}"


def first_difference(idle: list[str], other: list[str]) -> str:
    """`identical`, or the first line that differs, of both."""
    for place in range(max(len(idle), len(other))):
        item, two = (lines[place] if place < len(lines) else "(nothing)" for lines in (idle, other))
        if item != two:
            return f"line {place + 1} of {len(idle)}: {item[:200]}  ≠  {two[:200]}"
    return "identical"


@contextlib.contextmanager
def busy(loops: int = LOOPS) -> Iterator[None]:
    """So many loops that do nothing but take a processor."""
    running = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def conditions(page: Path, folder: Path, max_acts: int) -> Iterator[tuple[str, str]]:
    """`(condition, first difference from the idle run)`."""
    began = time.monotonic()
    idle = evaluated(page, folder / "idle", max_acts)
    yield "idle", f"{sum(line.startswith('act ') for line in idle)} acts, {time.monotonic() - began:.0f} s"
    yield "idle again", first_difference(idle, evaluated(page, folder / "again", max_acts))
    with busy():
        yield f"{LOOPS} busy loops", first_difference(idle, evaluated(page, folder / "busy", max_acts))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        together = list(pool.map(lambda number: evaluated(page, folder / f"at-once-{number}", max_acts), range(AT_ONCE)))
    told = [first_difference(idle, item) for item in together]
    yield f"{AT_ONCE} at once", next((item for item in told if item != "identical"), "identical")


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--max-acts", type=int, default=100)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    for number, page in enumerate(given.pages):
        with tempfile.TemporaryDirectory() as passing:
            folder = given.keep / f"{number:02}-{page.resolve().parent.name}" if given.keep else Path(passing)
            for condition, told in conditions(page.resolve(), folder, given.max_acts):
                sys.stdout.write(f"{page}  {condition}: {told}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
