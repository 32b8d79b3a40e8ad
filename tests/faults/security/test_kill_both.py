"""`kill -9` of a run and of its reaper at once: five seconds later nothing of it is left, wherever its folder lies.

While both runs stand it is looked at, too, which network what they started is in: starting a run is what takes the time here.
"""

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

from tests.faults.command import HOSTILE, command, environment, survivors
from tests.faults.security.conftest import alive
from tools.confinement.launcher import lacking
from tools.confinement.unprivileged import cut_off

SAMPLE = HOSTILE.parent / "apps" / "sample" / "index.html"
GONE_S = 5.0


@dataclass
class Started:
    """A run, its folder, the mark of what it starts, and what it had started when it was looked at."""

    run: subprocess.Popen[bytes]
    mark: str
    run_dir: Path
    family: list[psutil.Process] = field(default_factory=list)

    def stands(self) -> bool:
        """Whether it has looked at its page: by then all that a run starts has been started."""
        ledger = self.run_dir / "ledger.jsonl"
        return ledger.exists() and '"kind":"screenshot"' in ledger.read_text(encoding="utf-8", errors="replace")

    def look(self) -> None:
        """Write down what it has started."""
        self.family = psutil.Process(self.run.pid).children(recursive=True)

    def named(self, *names: str) -> dict[str, int]:
        """Of what it has started, a process of each of these names."""
        return {child.name(): child.pid for child in self.family if child.name() in names}

    def left(self) -> list[str]:
        """Command lines of what still lives: by the mark in the environment or in the command line, or by number and age."""
        found = [*survivors(self.mark), *alive(self.mark)]
        for item in self.family:
            with contextlib.suppress(psutil.Error):
                if item.is_running() and item.status() != psutil.STATUS_ZOMBIE:
                    found.append(" ".join(item.cmdline()))
        return found

    def gone(self) -> bool:
        """Whether, within five seconds, nothing of it is left."""
        limit = time.monotonic() + GONE_S
        while self.left() and time.monotonic() < limit:
            threading.Event().wait(0.05)
        return not self.left()


@contextlib.contextmanager
def started(tmp_path: Path, subject: Path, mark: str) -> Iterator[Started]:
    """A run that has been started. Killed at the end, if it lives; then nothing of it may be left."""
    run_dir = tmp_path / f"elsewhere-{mark}" / "run"
    run_dir.parent.mkdir()
    brief = "@" + str(SAMPLE.with_name("brief.txt"))
    run = subprocess.Popen(
        command("eval", str(subject), "--brief", brief, "--out", str(run_dir), "--max-acts", "20", "--capture", "auto"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(mark),
        cwd=tmp_path,
    )
    found = Started(run, mark, run_dir)
    try:
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


def written(folder: Path, mark: str) -> Path:
    """A project whose server has daemons of its own, without environment and in sessions of their own."""
    folder.mkdir()
    about = {"name": "p", "private": True, "scripts": {"dev": f"node server.js {mark}"}}
    (folder / "package.json").write_text(json.dumps(about), encoding="utf-8")
    (folder / "server.js").write_text(DAEMON.replace("MARK", mark), encoding="utf-8")
    return folder


def test_nothing_outlives_run_and_supervisor(tmp_path: Path) -> None:
    """Display, sound, recorder, browser, its network, servers and their daemons end with the run, by the kernel's hand.

    A page's run and a project's, at once; as root, what works for a page has networks of its own meanwhile.
    """
    marks = {kind: f"both-{kind}-{os.urandom(4).hex()}" for kind in ("page", "project") if kind == "page" or not lacking()}
    with contextlib.ExitStack() as stack:
        runs = {
            kind: stack.enter_context(started(tmp_path, SAMPLE if kind == "page" else written(tmp_path / "project", mark), mark))
            for kind, mark in marks.items()
        }
        limit = time.monotonic() + 120
        while not all(found.stands() for found in runs.values()):
            assert [kind for kind, found in runs.items() if found.run.poll() is not None] == []
            assert time.monotonic() < limit
            threading.Event().wait(0.05)
        for kind, found in runs.items():
            found.look()
            reapers = [child.pid for child in found.family if any(word.endswith("reaper.py") for word in child.cmdline())]
            assert reapers
            assert set(found.named("Xvfb", "ffmpeg", "chromium")) == {"Xvfb", "ffmpeg", "chromium"}
            assert kind == "page" or any("sleep" in line for line in alive(found.mark))
            if os.geteuid() == 0 and cut_off():
                helpers = found.named("Xvfb", "pulseaudio", "ffmpeg", "chromium")
                own = network(found.run.pid)
                assert {name for name, pid in helpers.items() if network(pid) in {"", own}} == set()
            for pid in (*reapers, found.run.pid):
                os.kill(pid, signal.SIGKILL)
        for found in runs.values():
            found.run.wait(timeout=10)
            assert found.gone(), found.left()


def network(pid: int) -> str:
    """Name of the network that a process is in."""
    return str(Path(f"/proc/{pid}/ns/net").readlink())
