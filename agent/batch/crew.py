"""Carrying out orders on this machine: a process group each, watched from outside, ended when it hangs."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import psutil

from agent.batch.jobs import BEAT_FILE, ENDED_OUTSIDE, EVENTS_FILE, LOG_FILE, Ending, Order
from agent.batch.worker import read_ending, write_order
from evaluator.verdict.taxonomy import Blame
from tools import keys
from tools.processes import ProcessList, reap

WATCH_S = 0.25
"""Time between two looks at a process."""
WEIGH_S = 4.0
"""Time between two weighings of a job's processes; each costs some 20 ms."""
_PROGRAM = "import sys; from tools import keys; keys.hide(); from agent.batch.worker import main; sys.exit(main(sys.argv[1:]))"
_ROOT = Path(__file__).parents[2]

OnProgress = Callable[[str, dict[str, Any]], None]
"""Is told a run folder's name and an event of its evaluation."""


class Crew(Protocol):
    """Whoever carries out orders, here or elsewhere."""

    async def carry_out(self, order: Order) -> Ending:
        """One try at a job. When cancelled, ends what it started before it raises."""
        ...

    async def close(self) -> None:
        """End everything."""
        ...


class LocalCrew:
    """Process groups on this machine. `home` is where its list of processes lies, by which a later one cleans up after it."""

    def __init__(self, home: Path, told: OnProgress | None = None) -> None:
        home.mkdir(parents=True, exist_ok=True)
        reap(home)
        self._processes = ProcessList(home)
        self._told = told

    async def carry_out(self, order: Order) -> Ending:
        """See `Crew`. Every try ends by its deadline, and nothing of it is left running."""
        reap(Path(order.run_dir))
        folder = await asyncio.to_thread(write_order, order)
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        began = time.monotonic()
        with keys.handed_on() as (more, descriptors):
            process = self._processes.spawn(
                "evaluation",
                [sys.executable, "-c", _PROGRAM, str(folder)],
                log=folder / LOG_FILE,
                env={**keys.without(os.environ), "PYTHONPATH": path, **more},
                pass_fds=descriptors,
            )
        watch = _Watch(process.pid, folder, order, self._told)
        try:
            cause = await watch.until_end(process)
        finally:
            await self._processes.end(process.pid)
        reap(Path(order.run_dir))
        wall_s = round(time.monotonic() - began, 2)
        said = None if cause is not None else read_ending(folder)
        ending = cause or said or _died(process.returncode)
        return Ending(ending.how, ending.reason, ending.blame, ending.retryable, wall_s, watch.peak_mb, _stored(order, ending))

    async def close(self) -> None:
        """End everything that still runs."""
        await asyncio.to_thread(self._processes.end_all)


class _Watch:
    """Looks at one try from outside."""

    def __init__(self, pid: int, folder: Path, order: Order, told: OnProgress | None) -> None:
        self._pid, self._folder, self._order, self._told = pid, folder, order, told
        self._began = self._weighed = time.monotonic()
        self._read = 0
        self.peak_mb: float | None = None

    async def until_end(self, process: subprocess.Popen[bytes]) -> Ending | None:
        """Wait for the process; the ending when it has to be ended from outside."""
        while process.poll() is None:
            cause = self._trouble()
            if cause is not None:
                return cause
            self._tell()
            if time.monotonic() - self._weighed > WEIGH_S:
                weight = await asyncio.to_thread(weigh, self._pid)
                self.peak_mb = max(self.peak_mb or 0.0, weight) or None
                self._weighed = time.monotonic()
            await asyncio.sleep(WATCH_S)
        self._tell()
        return None

    def _trouble(self) -> Ending | None:
        now = time.monotonic()
        if now - self._began > self._order.deadline_s:
            return Ending("hung", f"it was not done after {self._order.deadline_s:.0f} s", Blame.evaluator, retryable=True)
        try:
            silent_s = time.time() - (self._folder / BEAT_FILE).stat().st_mtime
        except OSError:
            silent_s = now - self._began
        if silent_s > self._order.hang_s:
            return Ending("hung", f"the evaluation gave no sign of life for {silent_s:.0f} s", Blame.evaluator, retryable=True)
        return None

    def _tell(self) -> None:
        """Hand on the events that came since the last look."""
        if self._told is None:
            return
        try:
            with (self._folder / EVENTS_FILE).open("rb") as stream:
                stream.seek(self._read)
                whole, _, _ = stream.read().rpartition(b"\n")
        except OSError:
            return
        self._read += len(whole) + bool(whole)
        for line in whole.splitlines():
            self._told(Path(self._order.run_dir).name, json.loads(line))


def _died(code: int | None) -> Ending:
    """What a process that could not say how it ended is taken to have died of."""
    if code is not None and code < 0:
        return Ending("crashed", f"{ENDED_OUTSIDE} (signal {-code})", Blame.environment, retryable=True)
    return Ending(
        "crashed", f"the evaluation ended without a word (code {code}); see its output.log", Blame.evaluator, retryable=True
    )


def weigh(pid: int) -> float:
    """Memory of a process and all it started, in MB: the proportional share (PSS), so that what is shared counts once."""
    try:
        leader = psutil.Process(pid)
        family = [leader, *leader.children(recursive=True)]
    except psutil.Error:
        return 0.0
    return sum(_share_kb(process.pid) for process in family) / 1024


def _share_kb(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except (OSError, ValueError):
        pass
    return 0


def _stored(order: Order, ending: Ending) -> str:
    """Copy a judged run to where the order wants it; the address, empty where it is not wanted."""
    if not order.store or ending.how != "judged":
        return ""
    from agent.batch.storing import store  # noqa: PLC0415 - fsspec is only needed here

    return store(Path(order.run_dir), order.store)
