"""`kill -9` of a run and of its warden at once: five seconds later nothing of it is left, wherever its folder lies."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.faults.command import HOSTILE, command, environment, survivors
from tests.faults.security.conftest import alive
from tools.confinement.launcher import lacking

SAMPLE = HOSTILE.parent / "apps" / "sample" / "index.html"
GONE_S = 5.0


@dataclass
class Started:
    """A run that has got as far as acting, the mark of what it starts, and what it had started when it was looked at."""

    run: subprocess.Popen[bytes]
    mark: str
    family: list[psutil.Process] = field(default_factory=list)

    def left(self) -> list[str]:
        """Command lines of what still lives: by the mark in the environment or in the command line, or by number and age."""
        found = [*survivors(self.mark), *alive(self.mark)]
        for one in self.family:
            with contextlib.suppress(psutil.Error):
                if one.is_running() and one.status() != psutil.STATUS_ZOMBIE:
                    found.append(" ".join(one.cmdline()))
        return found

    def gone(self) -> bool:
        """Whether, within five seconds, nothing of it is left."""
        limit = time.monotonic() + GONE_S
        while self.left() and time.monotonic() < limit:
            threading.Event().wait(0.05)
        return not self.left()


@contextlib.contextmanager
def started(tmp_path: Path, subject: Path, mark: str) -> Iterator[Started]:
    """A run that has got as far as acting. Killed at the end, if it lives."""
    run_dir = tmp_path / "elsewhere" / "run"
    run_dir.parent.mkdir()
    brief = "@" + str(SAMPLE.with_name("brief.txt"))
    run = subprocess.Popen(
        command("eval", str(subject), "--brief", brief, "--out", str(run_dir), "--max-acts", "20"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(mark),
        cwd=tmp_path,
    )
    found = Started(run, mark)
    try:
        limit = time.monotonic() + 120
        while not acting(run_dir):
            assert run.poll() is None
            assert time.monotonic() < limit
            threading.Event().wait(0.05)
        yield found
    finally:
        run.kill()
        run.wait(timeout=10)
        assert found.gone(), found.left()


DAEMON = """
const { spawn } = require('child_process');
const again = () => spawn('/bin/sh', ['-c', 'sleep 600; : MARK'], { detached: true, stdio: 'ignore', env: {} }).unref();
again(); setTimeout(again, 500);
require('http').createServer((_, answer) => {
  answer.setHeader('content-type', 'text/html');
  answer.end('<title>List</title><h1>List</h1><form><input aria-label="Item"><button>Add</button></form><ul></ul>');
}).listen(process.env.PORT || 3000);
"""


@pytest.mark.parametrize("subject", ["page", "project"])
def test_nothing_outlives_run_and_warden(tmp_path: Path, subject: str) -> None:
    """Display, sound, recorder, browser, its network, servers and their daemons end with the run, by the kernel's hand."""
    mark, given = f"both-{os.urandom(4).hex()}", SAMPLE
    if subject == "project":
        if lacking():
            pytest.skip(f"no sandbox here: {lacking()}")
        about = {"name": "p", "private": True, "scripts": {"dev": f"node server.js {mark}"}}
        given = tmp_path / "project"
        given.mkdir()
        (given / "package.json").write_text(json.dumps(about), encoding="utf-8")
        (given / "server.js").write_text(DAEMON.replace("MARK", mark), encoding="utf-8")
    with started(tmp_path, given, mark) as found:
        found.family = psutil.Process(found.run.pid).children(recursive=True)
        wardens = [child for child in found.family if any(word.endswith("warden.py") for word in child.cmdline())]
        assert wardens
        assert len(found.family) > len(wardens) + 2
        assert subject == "page" or any("sleep" in line for line in alive(mark))
        for pid in (*(warden.pid for warden in wardens), found.run.pid):
            os.kill(pid, signal.SIGKILL)
        found.run.wait(timeout=10)
        assert found.gone(), found.left()


def acting(run_dir: Path) -> bool:
    """Whether the run has got as far as doing something."""
    ledger = run_dir / "ledger.jsonl"
    return ledger.exists() and '"kind":"act"' in ledger.read_text(encoding="utf-8", errors="replace")
