"""The processes of a run: started in groups of their own, written down, ended by id, and never outliving the run.

Three nets, each for what the one before misses: `end_all` at the end of a run; the reaper, a tiny process that ends them
when the run's process dies in whatever way; and `reap`, called before a run starts or resumes, for when both were killed.
Daemons that leave their group are known by a mark in their environment.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from tools import reaper
from tools.confinement.unprivileged import Account, cut_off
from tools.errors import MissingProgram

MARKER_FILE = "processes.json"


class ProcessList:
    """Processes that belong to one run. Also a context manager: leaving it ends them all."""

    def __init__(self, run_dir: Path) -> None:
        self._marker = run_dir / MARKER_FILE
        self._processes: dict[int, tuple[str, str]] = {}
        self._popen: dict[int, subprocess.Popen[bytes]] = {}
        self._mark = secrets.token_hex(8)
        self._marks: dict[int, str] = {}
        # Not by how many there are: a long run is given a process number twice, and what has its neighbour's mark dies with it.
        self._numbers = itertools.count(1)
        self._suspended: set[int] = set()
        self._at_end: list[Callable[[], None]] = []
        self._marking = threading.Lock()
        self._over = False
        self._supervisor = subprocess.Popen(
            [sys.executable, "-I", "-S", reaper.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            # Without the mark of a run around this one, which would end the reaper before it could do its work.
            env={name: value for name, value in os.environ.items() if name != reaper.MARK},
        )
        self._tell(f"mark {self._mark}")
        self._write_marker()

    def __enter__(self) -> ProcessList:
        return self

    def __exit__(self, *_: object) -> None:
        self.end_all()

    def spawn(
        self,
        name: str,
        command: Sequence[str],
        *,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        log: Path | None = None,
        stdin: int = subprocess.DEVNULL,
        pass_fds: Sequence[int] = (),
        account: Account | None = None,
        leashed: bool = True,
    ) -> subprocess.Popen[bytes]:
        """Start a program in a session and process group of its own; its output goes to `log` (appended).

        `leashed`: the kernel kills it when the thread that calls this ends, in whatever way: not for threads that end before it
        does. With an `account` it runs as that user instead of Assay's own, without network, with a home that `env` names. Raises
        `MissingProgram` if there is no such program.
        """
        mark = f"{self._mark}.{next(self._numbers)}"
        sink = log.open("ab") if log is not None else None
        variables = {**(os.environ if env is None else env), reaper.MARK: mark}
        try:
            process = subprocess.Popen(
                _line(command, variables, account, leashed=leashed),
                cwd=cwd,
                env=variables,
                stdin=stdin,
                stdout=sink if sink is not None else subprocess.DEVNULL,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=tuple(pass_fds),
            )
        except FileNotFoundError as error:
            if cwd is not None and not cwd.is_dir():
                raise
            raise MissingProgram(f"{command[0]} is not installed.", hint="Run: assay doctor") from error
        finally:
            if sink is not None:
                sink.close()
        self._popen[process.pid] = process
        self._marks[process.pid] = mark
        self.adopt(name, process.pid)
        return process

    def adopt(self, name: str, pid: int) -> None:
        """Take charge of a process somebody else started for this run (the browser, by Playwright)."""
        started = reaper.start_time(pid)
        if not started:
            return
        self._processes[pid] = (name, started)
        self._tell(f"add {pid} {started}")
        self._write_marker()

    @property
    def supervisor_pid(self) -> int:
        """The process that ends the others when this one is gone."""
        return self._supervisor.pid

    def at_end(self, act: Callable[[], None]) -> None:
        """Call this once when all processes have been ended: what they used is to be put away."""
        self._at_end.append(act)

    async def end(self, pid: int, *, grace_s: float = 2.0) -> None:
        """End one process with its group and forget it. Does not block the event loop."""
        entry = self._processes.pop(pid, None)
        if entry is None:
            return
        await asyncio.to_thread(reaper.end, {pid: entry[1]}, grace_s)
        await asyncio.to_thread(self._collect, pid)
        if mark := self._marks.pop(pid, None):
            await asyncio.to_thread(reaper.end_marked, mark)
        self._tell(f"drop {pid}")
        self._write_marker()

    def end_all(self, *, grace_s: float = 2.0) -> None:
        """End everything and the reaper. Idempotent."""
        reaper.end({pid: started for pid, (_, started) in self._processes.items()}, grace_s)
        for pid in list(self._processes):
            self._collect(pid)
        reaper.end_marked(self._mark)
        self._processes.clear()
        if self._supervisor.stdin is not None and not self._supervisor.stdin.closed:
            for pid in list(self._popen):
                self._tell(f"drop {pid}")
            self._supervisor.stdin.close()
        self._supervisor.wait(timeout=10)
        while self._at_end:
            self._at_end.pop()()
        with self._marking:
            self._over = True
            self._marker.unlink(missing_ok=True)

    @contextlib.contextmanager
    def suspended(self, *, keep: Collection[str] = ()) -> Iterator[None]:
        """Inside the block the run's processes stand still with their groups, apart from those with a name in `keep`.

        They go on whatever happens: should this process die inside, the reaper or the next `reap` continues and ends them.
        A block within a block leaves those standing that the outer one stopped.
        """
        chosen = [
            (pid, started) for pid, (name, started) in self._processes.items() if name not in keep and pid not in self._suspended
        ]
        self._suspended |= {pid for pid, _ in chosen}
        try:
            for pid, started in chosen:
                if reaper.alive(pid, started):
                    reaper.signal_group(pid, signal.SIGSTOP)
            yield
        finally:
            self._suspended -= {pid for pid, _ in chosen}
            for pid, started in chosen:
                if reaper.alive(pid, started):
                    reaper.signal_group(pid, signal.SIGCONT)

    def running(self) -> dict[int, str]:
        """Names of the processes on the list that are alive, by id."""
        return {pid: name for pid, (name, started) in self._processes.items() if reaper.alive(pid, started)}

    def _collect(self, pid: int) -> None:
        process = self._popen.pop(pid, None)
        if process is not None:
            if process.stdin is not None and not process.stdin.closed:
                process.stdin.close()
            process.wait(timeout=10)

    def _tell(self, line: str) -> None:
        if self._supervisor.stdin is not None and not self._supervisor.stdin.closed:
            try:
                self._supervisor.stdin.write(line.encode() + b"\n")
                self._supervisor.stdin.flush()
            except BrokenPipeError:
                # The reaper was killed; the marker file still serves `reap`. Closing flushes, and so breaks once more.
                with contextlib.suppress(BrokenPipeError):
                    self._supervisor.stdin.close()

    def _write_marker(self) -> None:
        owner = os.getpid()
        state = {
            "machine": _machine(),
            "mark": self._mark,
            "owner": [owner, reaper.start_time(owner)],
            "processes": [[pid, started, name] for pid, (name, started) in self._processes.items()],
        }
        with self._marking:  # some are ended from threads
            if self._over:
                return
            partial = self._marker.with_suffix(".partial")
            partial.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(state), encoding="utf-8")
            partial.rename(self._marker)


def reap(runs_dir: Path) -> list[str]:
    """End what runs under `runs_dir` left behind whose own process is dead; returns what was ended, for the log.

    Looks at `runs_dir` itself and its folders, so a single run's folder may be given too. Numbers of processes mean nothing
    after a reboot or in another container: markers from there end nothing, and those of other containers are left in place.
    """
    ended: list[str] = []
    for marker in [runs_dir / MARKER_FILE, *runs_dir.glob(f"*/{MARKER_FILE}")]:
        try:
            state = json.loads(marker.read_text(encoding="utf-8"))
            owner, owner_started = state["owner"]
            left = {int(pid): (str(started), str(name)) for pid, started, name in state["processes"]}
            boot, namespace = state["machine"]
            mark = str(state["mark"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        same_boot, same_namespace = boot == _machine()[0], namespace == _machine()[1]
        if same_boot and (not same_namespace or reaper.alive(int(owner), str(owner_started))):
            continue
        survivors = {pid: started for pid, (started, _) in left.items() if same_boot and reaper.group_lives(pid, started)}
        reaper.end(survivors)
        if same_boot:
            # What was killed with its group a moment ago may not be gone yet; only those who left the group escaped.
            escaped = [pid for pid in reaper.marked(mark) if _group_of(pid) not in survivors]
            reaper.end_marked(mark)
            ended += [f"process {pid} (run {marker.parent.name})" for pid in escaped]
        ended += [f"{left[pid][1]} (process {pid}, run {marker.parent.name})" for pid in survivors]
        marker.unlink(missing_ok=True)
    return ended


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def owner_of(run_dir: Path) -> int | None:
    """The living process that works on a run, if there is one (one on another machine or in another container can't be seen)."""
    try:
        state = json.loads((run_dir / MARKER_FILE).read_text(encoding="utf-8"))
        owner, started = state["owner"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return int(owner) if reaper.alive(int(owner), str(started)) else None


def _line(command: Sequence[str], env: Mapping[str, str], account: Account | None, *, leashed: bool) -> list[str]:
    """The command line: as another user, and dying with us where util-linux's `setpriv` is there to see to that."""
    if account is not None:
        return [*cut_off(), *account.command(_found(command, env), leashed=leashed)]
    if not leashed or sys.platform != "linux" or (setpriv := shutil.which("setpriv")) is None:
        return list(command)
    return [setpriv, "--pdeathsig", "KILL", "--", *_found(command, env)]


def _found(command: Sequence[str], env: Mapping[str, str]) -> list[str]:
    """The command with its program's full path. Raises `FileNotFoundError`."""
    program = shutil.which(command[0], path=env.get("PATH"))
    if program is None:
        raise FileNotFoundError(command[0])
    return [program, *command[1:]]


def _machine() -> tuple[str, str]:
    """What makes a process number mean something: this boot of the machine, and this container of it."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return boot, str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return "", ""
