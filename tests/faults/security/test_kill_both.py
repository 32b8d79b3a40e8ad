"""`kill -9` of a run and of its warden at once: five seconds later nothing of it is left, wherever its folder lies."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from tests.faults.command import HOSTILE, command, environment, survivors

SAMPLE = HOSTILE.parent / "apps" / "sample" / "index.html"
GONE_S = 5.0


@contextlib.contextmanager
def started(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A run of the sample app that has got as far as acting, and the mark of what it starts. Killed at the end, if it lives."""
    mark, run_dir = f"both-{os.urandom(4).hex()}", tmp_path / "elsewhere" / "run"
    run_dir.parent.mkdir()
    brief = "@" + str(SAMPLE.with_name("brief.txt"))
    run = subprocess.Popen(
        command("eval", str(SAMPLE), "--brief", brief, "--out", str(run_dir), "--max-steps", "20"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(mark),
        cwd=tmp_path,
    )
    try:
        limit = time.monotonic() + 90
        while not acting(run_dir):
            assert run.poll() is None
            assert time.monotonic() < limit
            threading.Event().wait(0.05)
        yield run, mark
    finally:
        run.kill()
        run.wait(timeout=10)
        assert gone(mark), survivors(mark)


def gone(mark: str) -> bool:
    """Whether, within five seconds, nothing of it is left."""
    limit = time.monotonic() + GONE_S
    while survivors(mark) and time.monotonic() < limit:
        threading.Event().wait(0.05)
    return not survivors(mark)


def test_nothing_outlives_run_and_warden(tmp_path: Path) -> None:
    """Display, sound server, recorder, browser and static server end with the run, by the kernel's hand."""
    with started(tmp_path) as (run, mark):
        family = psutil.Process(run.pid).children(recursive=True)
        wardens = [child for child in family if any(word.endswith("warden.py") for word in child.cmdline())]
        assert wardens
        assert len(family) > len(wardens) + 2
        for pid in (*(warden.pid for warden in wardens), run.pid):
            os.kill(pid, signal.SIGKILL)
        run.wait(timeout=10)
        assert gone(mark), survivors(mark)


def acting(run_dir: Path) -> bool:
    """Whether the run has got as far as doing something."""
    ledger = run_dir / "ledger.jsonl"
    return ledger.exists() and '"kind":"action"' in ledger.read_text(encoding="utf-8", errors="replace")
