"""One evaluation in a process of its own, into a folder: whatever becomes of it, nothing of it is left running."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evaluator.verdict.model import Verdict
from tools import keys
from tools.processes import ProcessList

LIMIT_S = 2400.0
"""An evaluation that is not done by then is ended: it has a watchdog of its own and proves within a bound, and several at once on
a busy machine take several times as long. Ended earlier it would stand there as one that could not prove what it found."""
RUN = "run"


async def evaluate_into(
    folder: Path, given: str, brief: str, options: Sequence[str], processes: ProcessList, *, limit_s: float = LIMIT_S
) -> None:
    """`assay eval` of a subject; the run lies in `folder/run`, what it says in `folder/assay.log`."""
    folder.mkdir(parents=True, exist_ok=True)
    run_dir = folder / RUN
    shutil.rmtree(run_dir, ignore_errors=True)
    line = [sys.executable, "-c", "from agent.cli.entry import main; main()", "eval", given, "--brief", brief]
    line += ["--out", str(run_dir), "--json", *options]
    with keys.handed_on() as (more, descriptors):
        env = {**keys.without(os.environ), **more}
        process = processes.spawn("assay eval", line, log=folder / "assay.log", env=env, pass_fds=descriptors)
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            await asyncio.to_thread(process.wait, limit_s)
    finally:
        await processes.end(process.pid)
    if not (run_dir / "verdict.json").is_file() or (process.returncode or 0) < 0:
        # What was killed says nothing itself, and its verdict, if there is one, lacks its proofs.
        with (folder / "assay.log").open("a", encoding="utf-8") as log:
            log.write(f"not to its end: the evaluation ended with status {process.returncode}\n")


def verdict_in(folder: Path) -> Verdict | None:
    """The verdict of the evaluation in a folder; None where it did not end in one."""
    path = folder / RUN / "verdict.json"
    if not path.is_file():
        return None
    return Verdict.model_validate_json(path.read_text(encoding="utf-8"))
