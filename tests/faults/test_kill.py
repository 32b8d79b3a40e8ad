"""`kill -9` in the middle: the ledger reads to its last full row, nothing survives, and the run goes on or says why not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.faults.command import HOSTILE, command, environment, survivors
from tools.evidence.record import Record, verify

SMALL = HOSTILE.parent / "apps" / "todo" / "good.html"
FAULTY = HOSTILE.parent / "apps" / "sample" / "index.html"
"""With something to prove."""
MOMENTS = {
    "launch": lambda rows, _: any('"kind":"site"' in row for row in rows),
    "perceive": lambda rows, _: any('"kind":"audit"' in row for row in rows),
    "explore": lambda rows, _: sum('"kind":"act"' in row for row in rows) >= 3,
    "prove": lambda _, run: (run / "verdict.json").exists(),
}
"""When to strike: as soon as the ledger shows that the run is in that node."""


def start(run_dir: Path, mark: str, page: Path = SMALL, *options: str) -> subprocess.Popen[bytes]:
    """Begin an evaluation with a small budget."""
    brief = "Things can be added, and what was added can be deleted."
    return subprocess.Popen(
        command("eval", str(page), "--brief", brief, "--out", str(run_dir), "--max-acts", "6", *options),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(mark),
        cwd=run_dir.parent,
    )


def lines(run_dir: Path) -> list[str]:
    """Rows of the ledger as text; none while there is no ledger."""
    path = run_dir / "ledger.jsonl"
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []


USUAL = ("explore",)
"""Struck in every test run; the other nodes on demand, since each takes two evaluations."""


@pytest.mark.parametrize(
    "moment", [item if item in USUAL else pytest.param(item, marks=pytest.mark.long) for item in sorted(MOMENTS)]
)
def test_a_killed_run_goes_on(moment: str, tmp_path: Path) -> None:
    """Kill, read, resume: one sealed run with one verdict, and no process left from either half."""
    run_dir, mark = tmp_path / "run", f"kill-{moment}-{os.urandom(4).hex()}"
    process = start(run_dir, mark, FAULTY) if moment == "prove" else start(run_dir, mark, SMALL, "--no-prove")
    limit = time.monotonic() + 90
    while not MOMENTS[moment](lines(run_dir), run_dir):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < limit
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = Record.read(run_dir)
    assert before.rows

    limit = time.monotonic() + 10
    while survivors(mark) and time.monotonic() < limit:
        time.sleep(0.1)
    assert survivors(mark) == []

    resumed = subprocess.run(
        command("eval", "--resume", str(run_dir), "--json"),
        capture_output=True,
        text=True,
        timeout=150,
        env=environment(mark),
        cwd=tmp_path,
        check=False,
    )
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["verdict"]["status"] in {"complete", "not_enough_seen", "incomplete"}
    after = Record.read(run_dir)
    assert [row.hash for row in after.rows[: len(before.rows)]] == [row.hash for row in before.rows]
    assert verify(run_dir) == []
    assert survivors(mark) == []


@pytest.mark.long
def test_an_interrupt_leaves_a_run_that_can_go_on(tmp_path: Path) -> None:
    """SIGINT ends with 130, leaves nothing behind, and --resume finishes the run."""
    run_dir, mark = tmp_path / "run", f"int-{os.urandom(4).hex()}"
    process = start(run_dir, mark)
    limit = time.monotonic() + 90
    while not MOMENTS["explore"](lines(run_dir), run_dir):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert survivors(mark) == []
    done = subprocess.run(
        command("eval", "--resume", str(run_dir), "--json"),
        capture_output=True,
        timeout=150,
        env=environment(mark),
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert verify(run_dir) == []


@pytest.mark.long
def test_a_killed_browser_is_held_against_nobody(tmp_path: Path) -> None:
    """The browser is ended from outside in the middle of the exploration: sealed, incomplete, no failure, and a word why."""
    run_dir, mark = tmp_path / "run", f"browser-{os.urandom(4).hex()}"
    process = start(run_dir, mark)
    limit = time.monotonic() + 90
    while not any('"kind":"act"' in row for row in lines(run_dir)):
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.02)
    browsers = [
        child.pid
        for child in psutil.Process(process.pid).children(recursive=True)
        if "--remote-debugging-pipe" in (line := child.cmdline()) and not any(word.startswith("--type=") for word in line)
    ]
    assert browsers
    for pid in browsers:
        os.kill(pid, signal.SIGKILL)
    assert process.wait(timeout=90) == 3
    verdict = json.loads((run_dir / "verdict.json").read_text(encoding="utf-8"))
    assert (verdict["status"], [item["category"] for item in verdict["failures"] if item["category"] == "crash_or_hang"]) == (
        "incomplete",
        [],
    )
    assert verify(run_dir) == []
    assert survivors(mark) == []
