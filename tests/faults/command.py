"""Runs the real command line in a process of its own, and finds out what it left behind."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "fixtures" / "hostile"
MARK = "TESTED_RUN"


@dataclass(frozen=True)
class Ended:
    """How a command ended. `left` are the processes that carry the run's mark and still live."""

    code: int
    out: str
    err: str
    run_dir: Path
    left: tuple[str, ...]

    @property
    def verdict(self) -> dict[str, Any]:
        """The verdict it printed as JSON."""
        return json.loads(self.out)["verdict"]


def command(*arguments: str) -> list[str]:
    """The command line as this checkout has it."""
    return [sys.executable, "-c", "from agent.cli.entry import main; main()", *arguments]


def environment(mark: str) -> dict[str, str]:
    """The environment of a marked run: every process it starts inherits the mark."""
    return {**os.environ, MARK: mark, "PYTHONPATH": str(ROOT)}


@contextlib.contextmanager
def announced(
    line: list[str], mark: str, *, cwd: Path | None = None, up_s: float = 60.0
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that serves, and the first line that it printed; ended as Ctrl+C does, unless the test ended it."""
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(mark), cwd=cwd)
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        ready, _, _ = select.select([process.stdout], [], [], up_s)
        told = process.stdout.readline() if ready else ""
        assert told, process.stderr.read()
        yield process, told
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
        process.stdout.close()
        process.stderr.close()


def evaluate(subject: Path | str, run_dir: Path, *arguments: str, timeout_s: float = 150) -> Ended:
    """`assay eval SUBJECT --json` with small budgets; waits for its end."""
    mark = run_dir.name + os.urandom(4).hex()
    done = subprocess.run(
        command("eval", str(subject), "--out", str(run_dir), "--json", *arguments),
        capture_output=True,
        text=True,
        timeout=timeout_s,
        env=environment(mark),
        cwd=run_dir.parent,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr, run_dir, tuple(survivors(mark)))


def survivors(mark: str) -> list[str]:
    """Command lines of living processes that carry the mark in their environment."""
    found: list[str] = []
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                state = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
                if state not in "ZX":
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found
