"""What evaluations leave behind: many in a row, some killed on purpose (`kill -9` of Assay, the browser or the recorder).

`python -m tests.benchmarks.leaks [--count 100] [--crashes 10] [--together 10] [--json FILE]`. Each evaluation is a process of its
own and carries a mark that everything it starts inherits, also what leaves its group; `--together` evaluates so many more in one
process, for what a process may pile up. Temporary files and caches go to a folder of the benchmark's own, so that what is counted
is Assay's and nobody else's; what lands elsewhere all the same (/dev/shm, X locks) is known by the ids of its processes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.conftest import FIXTURES
from tests.faults.command import MARK, command, survivors
from tools.confinement.unprivileged import RANGES

TINY = FIXTURES / "attacks" / "tiny.html"
BRIEF = "A counter with a button that adds one."
ONE_S = 180.0
GONE_S = 15.0
"""How long after the end of Assay's process whatever it had started may still be there."""
VICTIMS = ("assay", "chromium", "ffmpeg")


@dataclass(frozen=True)
class One:
    """One evaluation and what there was after it."""

    number: int
    killed: str
    """Which process was killed; empty for a run that was left alone."""
    code: int | None
    took_s: float
    survivors: int
    gone_after_s: float
    temporary: int
    """Files and folders in the temporary folder."""
    shared: int
    """What Assay's dead processes left in /dev/shm."""
    cache_mb: float
    locks: int
    """X locks and sockets whose server is dead."""


def evaluate_one(number: int, victim: str, folder: Path, chance: random.Random) -> One:
    """Run one evaluation, perhaps kill part of it, and count."""
    run, mark = folder / "runs" / f"run{number}", f"leaks-{os.getpid()}-{number}"
    process = subprocess.Popen(
        command("eval", str(TINY), "--brief", BRIEF, "--out", str(run), "--profile", "fast", "--max-acts", "2"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment(folder, mark),
        cwd=folder,
    )
    began = time.monotonic()
    killed = ""
    if victim:
        killed = _kill(process, victim, run, chance.uniform(0.0, 4.0))
    try:
        code: int | None = process.wait(timeout=ONE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    ended = time.monotonic()
    while survivors(mark) and time.monotonic() - ended < GONE_S:
        time.sleep(0.05)
    gone = time.monotonic()
    shutil.rmtree(run, ignore_errors=True)
    return One(
        number, killed, code, round(ended - began, 2), len(survivors(mark)), round(gone - ended, 2),
        sum(1 for _ in (folder / "tmp").rglob("*")), _shared(), round(_size_mb(folder / "cache"), 2), _locks(),
    )  # fmt: skip


def _environment(folder: Path, mark: str) -> dict[str, str]:
    places = {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}
    return {**os.environ, MARK: mark, "PYTHONPATH": str(Path(__file__).parents[2]), **places}


def _kill(process: subprocess.Popen[bytes], victim: str, run: Path, after_s: float) -> str:
    """`kill -9` so long after the stage has opened; empty if the run had ended by then."""
    limit = time.monotonic() + ONE_S
    ledger = run / "ledger.jsonl"
    while not (ledger.exists() and b'"stage_opened"' in ledger.read_bytes()):
        if process.poll() is not None or time.monotonic() > limit:
            return ""
        time.sleep(0.05)
    time.sleep(after_s)
    if process.poll() is not None:
        return ""
    if victim == "assay":
        process.kill()
        return victim
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            if child.name() == victim and not any(word.startswith("--type=") for word in child.cmdline()):
                os.kill(child.pid, signal.SIGKILL)
                return victim
        except (psutil.Error, ProcessLookupError):
            continue
    return ""


def _shared() -> int:
    """Assay's files and folders in /dev/shm whose process is dead, and what its throw-away users own there."""
    count = 0
    for path in Path("/dev/shm").iterdir():  # noqa: S108
        named = path.name.removeprefix("assay-clock-").partition("-")[0]
        try:
            foreign = any(path.lstat().st_uid in numbers for numbers in RANGES)
        except OSError:
            continue
        count += (named.isdigit() and not psutil.pid_exists(int(named))) or foreign
    return count


def _locks() -> int:
    """X displays of Assay's throw-away users whose server is dead: each has left a lock and a socket."""
    count = 0
    for lock in Path("/tmp").glob(".X*-lock"):  # noqa: S108
        try:
            dead = not psutil.pid_exists(int(lock.read_text(encoding="ascii").strip()))
            count += dead and any(lock.lstat().st_uid in numbers for numbers in RANGES)
        except (OSError, ValueError):
            continue
    return count


def _size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


# ---- in one process ------------------------------------------------------------------------------------------------


async def evaluate_together(count: int, folder: Path) -> list[dict[str, Any]]:
    """So many evaluations in this process; what it holds after each."""
    from agent.run.evaluation import evaluate  # noqa: PLC0415 - only this part needs it
    from configs.settings import load  # noqa: PLC0415

    settings = load("fast", {"budget": {"max_acts": 2, "prove": False}, "runs_dir": folder / "runs"})
    me, held = psutil.Process(), []
    for number in range(count):
        await evaluate(str(TINY), BRIEF, settings, run_dir=folder / "runs" / f"together{number}")
        gc.collect()
        held.append(
            {
                "number": number,
                "memory_mb": round(me.memory_info().rss / 1e6, 1),
                "files": me.num_fds(),
                "threads": threading.active_count(),
                "tasks": len(asyncio.all_tasks()) - 1,
                "children": len(me.children(recursive=True)),
            }
        )
    return held


# ---- the table -----------------------------------------------------------------------------------------------------


def main() -> None:
    """See the top of the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--crashes", type=int, default=10)
    parser.add_argument("--together", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    struck = {number: VICTIMS[turn % 3] for turn, number in enumerate(sorted(chance.sample(range(given.count), given.crashes)))}
    folder = Path(tempfile.mkdtemp(prefix="leaks-"))
    folder.chmod(0o755)
    for name in ("tmp", "cache", "runs"):
        (folder / name).mkdir()
    (folder / "tmp").chmod(0o1777)
    ones, together = [], []
    try:
        missed: list[str] = []
        for number in range(given.count):
            victim = struck.get(number) or (missed.pop() if missed else "")
            first = evaluate_one(number, victim, folder, chance)
            ones.append(first)
            if victim and not first.killed:  # it had ended by then: the next one is struck instead
                missed.append(victim)
            sys.stdout.write(f"{json.dumps(asdict(first))}\n")
            sys.stdout.flush()
            _save(given.json, ones, together)
        if given.together:
            os.environ |= {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}
            tempfile.tempdir = None
            together = asyncio.run(evaluate_together(given.together, folder))
            sys.stdout.writelines(f"{json.dumps(line)}\n" for line in together)
        _save(given.json, ones, together)
        sys.stdout.write(summary(ones, together))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _save(path: Path | None, ones: list[One], together: list[dict[str, Any]]) -> None:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        found = {"runs": [asdict(item) for item in ones], "together": together, "load": os.getloadavg()}
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def summary(ones: list[One], together: list[dict[str, Any]]) -> str:
    """What it comes to, in lines for people."""
    killed = [item for item in ones if item.killed]
    whom = ", ".join(sorted({item.killed for item in killed})) or "none"
    lines = [
        f"{len(ones)} evaluations, {len(killed)} killed on purpose ({whom})",
        f"processes left over: {sum(item.survivors for item in ones)}",
        f"longest until all were gone: {max((item.gone_after_s for item in ones), default=0):.2f} s",
        f"left alone: {sum(not run.killed and run.code == 0 for run in ones)} of {len(ones) - len(killed)} ended with a verdict",
        f"a run took {statistics.median(item.took_s for item in ones):.1f} s (median)" if ones else "",
        f"after the last: {_after(ones)}" if ones else "",
    ]
    if together:
        lines.append(_grown(together))
    return "\n".join(line for line in lines if line) + "\n"


WARM = 10
"""Evaluations in one process until all is loaded and each thread has its own memory."""


def _grown(together: list[dict[str, Any]]) -> str:
    """Medians of the first ten warm evaluations and of the last ten; of few evaluations the third and the last."""
    enough = len(together) >= 3 * WARM
    first, last = (together[WARM : 2 * WARM], together[-WARM:]) if enough else (together[2:3] or together[:1], together[-1:])
    names = ("memory_mb", "files", "threads", "tasks", "children")
    medians = [[statistics.median(median[name] for median in part) for name in names] for part in (first, last)]
    grown = ", ".join(f"{name} {median:g} → {other:g}" for name, median, other in zip(names, *medians, strict=True))
    which = f"numbers {WARM}–{2 * WARM - 1} and the last {WARM}, medians" if enough else "the third and the last"
    return f"{len(together)} in one process, {which}: {grown}"


def _after(ones: list[One]) -> str:
    last, early = ones[-1], ones[min(2, len(ones) - 1)]
    cache = f"cache {early.cache_mb} → {last.cache_mb} MB since the third"
    return f"{last.temporary} temporary files, {last.shared} in /dev/shm, {last.locks} X locks, {cache}"


if __name__ == "__main__":
    main()
