"""The supervisor: takes jobs, has them carried out, keeps their leases, and gives each its one terminal state.

It runs in a process of its own, outside those that evaluate. Whatever kills it, its processes end with it (the reaper), and the
same command again frees what it held, takes over what was finished, and does the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import psutil

from agent.batch.capacity import Capacity, MachineLoad
from agent.batch.crew import Crew
from agent.batch.jobs import TERMINAL, Ending, Lease, from_outside, order_for
from agent.batch.outcome import Finished, read_finished, row_of, row_without, state_of
from agent.batch.table import DiskFull, Table
from agent.batch.worker import ending_of
from tools import reaper
from tools.errors import AssayError
from tools.processes import reap

TICK_S = 0.5
"""Longest time between two looks at what ended and what may be started."""
LONGEST_PAUSE_S = 60.0
ENOUGH = 3
"""Attempts at a job that something broke off which may well do so again."""
FREE_SOME = "Free some space, then give the same command again: it goes on where it stopped."


@dataclass(frozen=True)
class Policy:
    """How stubborn a batch is. Times are wall-clock seconds."""

    most_attempts: int = 6
    """For a job whose process or browser was killed; for what may be its own doing `ENOUGH` is enough."""
    lease_s: float = 60.0
    """Who says nothing for this long has lost its jobs."""
    hang_s: float = 120.0
    """An evaluation that gives no sign of life for this long is ended."""
    pause_s: float = 2.0
    """Before the second attempt of what crashed or hung; twice as long before the third, and so on."""
    store: str = ""


@dataclass(frozen=True)
class Closing:
    """Why the supervisor stopped."""

    why: Literal["done", "drained", "stopped", "disk_full"]
    message: str = ""
    hint: str = ""


@dataclass(frozen=True)
class _Tried:
    """What came of one try."""

    ending: Ending
    found: Finished | None
    """The run, if it was finished."""


Happened = Callable[[dict[str, Any]], None]
"""Is told what happens: `event` (started, again, released, ended, draining, load) and small values."""


def machine() -> str:
    """This machine (or container) and this boot of it, as owners of leases write it."""
    with contextlib.suppress(OSError):
        return f"{platform.node()}:{Path('/proc/sys/kernel/random/boot_id').read_text(encoding='ascii').strip()[:8]}"
    return platform.node()


def owner_name(pid: int) -> str:
    """How a process on this machine signs its leases."""
    return f"{machine()}/{pid}.{reaper.start_time(pid)}"


class Supervisor:
    """Runs the jobs of one table. One at a time in a process; several machines may share a table."""

    def __init__(
        self, table: Table, crew: Crew, capacity: Capacity, home: Path, policy: Policy | None = None, told: Happened | None = None
    ) -> None:
        self.table = table
        self.crew = crew
        self.capacity = capacity
        self.home = home
        self.policy = policy or Policy()
        self._told = told or (lambda _: None)
        self._owner = owner_name(os.getpid())
        self._running: dict[str, tuple[Lease, asyncio.Task[_Tried]]] = {}
        self._beaten = time.monotonic()
        self._woken = asyncio.Event()
        self._draining = False
        self._stopping = False
        self._full = ""

    # ---- from outside ---------------------------------------------------------------------------------------------------------

    def interrupt(self) -> None:
        """The first time: finish what runs and take nothing more. The second: end at once."""
        if self._draining:
            self._stopping = True
        else:
            self._draining = True
            self._told({"event": "draining", "running": len(self._running)})
        self.wake()

    def stop(self) -> None:
        """End at once; what runs goes back to the table."""
        self._draining = self._stopping = True
        self.wake()

    def wake(self) -> None:
        """There may be something new in the table."""
        self._woken.set()

    @property
    def running(self) -> tuple[Lease, ...]:
        """What is being worked on now."""
        return tuple(lease for lease, _ in self._running.values())

    # ---- the loop -------------------------------------------------------------------------------------------------------------

    async def run(self, keys: Sequence[str] | None = None, *, forever: bool = False) -> Closing:
        """Work until all jobs (or those with these keys) are in a terminal state; `forever`: until interrupted."""
        alive = frozenset(owner_name(pid) for pid in psutil.pids())
        self.table.free_dead(alive - {self._owner}, machine())
        await asyncio.to_thread(reap, self.home / "runs")
        try:
            return await self._loop(keys, forever=forever)
        except DiskFull as fault:
            self._full = fault.message
            return self._closing(keys)
        finally:
            await self._let_go()

    async def _loop(self, keys: Sequence[str] | None, *, forever: bool) -> Closing:
        while not self._stopping:
            load = self.capacity.look()
            self._told({"event": "load", "load": load, "running": len(self._running)})
            self._beat()
            self._collect(load)
            self._mind_the_disk(load)
            if self._stopping or (self._draining and not self._running):
                break
            started = 0 if self._draining or self._full else self._start(load, keys)
            if not self._running and not started:
                if self._full:
                    break
                if not forever and not self._open(keys):
                    return Closing("done")
            await self._rest()
        return self._closing(keys)

    def _closing(self, keys: Sequence[str] | None) -> Closing:
        if self._full:
            return Closing("disk_full", self._full, FREE_SOME)
        if not self._running and not self._open(keys):
            return Closing("done")
        return Closing("stopped" if self._stopping else "drained")

    def _open(self, keys: Sequence[str] | None) -> int:
        counts = self.table.counts(keys)
        return sum(count for state, count in counts.items() if state not in TERMINAL)

    def _start(self, load: MachineLoad, keys: Sequence[str] | None) -> int:
        if self.capacity.disk_is_full(len(self._running), load):
            if not self._running:
                self._full = f"The disk that holds {self.home} is full ({load.disk_mb:.0f} MB are left)."
            return 0
        started = 0
        for _ in range(self.capacity.room(len(self._running), load)):
            lease = self.table.claim(self._owner, self.policy.lease_s, keys)
            if lease is None:
                break
            self._running[lease.token] = (lease, asyncio.create_task(self._attempt(lease)))
            self._told({"event": "started", "key": lease.job.key, "model": lease.job.answer.model, "attempt": lease.attempt})
            started += 1
        return started

    def _mind_the_disk(self, load: MachineLoad) -> None:
        """Break off before evidence is torn."""
        if self._running and self.capacity.disk_is_at_its_end(load):
            self._full = f"The disk that holds {self.home} is full ({load.disk_mb:.0f} MB are left)."
            self._stopping = True

    async def _rest(self) -> None:
        """Until something ended, something new came, or a tick has gone by."""
        waking = asyncio.create_task(self._woken.wait())
        tasks = [task for _, task in self._running.values()]
        await asyncio.wait({waking, *tasks}, timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED)
        waking.cancel()
        self._woken.clear()

    def _beat(self) -> None:
        """Keep the leases; what is not ours any more is broken off. Before anything is taken, lest we take it from ourselves."""
        now = time.monotonic()
        if not self._running or now - self._beaten < self.policy.lease_s / 6:
            return
        self._beaten = now
        for token in self.table.beat(self.running, self.policy.lease_s):
            self._running[token][1].cancel()

    def mind(self, key: str) -> None:
        """Break off a job that was cancelled in the table."""
        for lease, task in self._running.values():
            if lease.job.key == key:
                task.cancel()

    async def _let_go(self) -> None:
        """End what still runs and give it back."""
        for _, task in self._running.values():
            task.cancel()
        await asyncio.gather(*(task for _, task in self._running.values()), return_exceptions=True)
        for lease, _ in self._running.values():
            with contextlib.suppress(AssayError):
                self.table.release(lease)
        self._running.clear()

    # ---- one job --------------------------------------------------------------------------------------------------------------

    async def _attempt(self, lease: Lease) -> _Tried:
        """One try; a run that was finished before, by whomever, is taken over instead."""
        run_dir = self.home / "runs" / lease.job.folder
        found = await asyncio.to_thread(read_finished, run_dir, lease.job)
        if found is not None and self._stands(lease, found):
            return _Tried(Ending("judged", wall_s=found.wall_s), found)
        if found is not None:
            reap(run_dir)
            await asyncio.to_thread(shutil.rmtree, run_dir, ignore_errors=True)
        try:
            ending = await self.crew.carry_out(order_for(lease, self.home, hang_s=self.policy.hang_s, store=self.policy.store))
        except (AssayError, OSError) as error:
            return _Tried(ending_of(error), None)
        self.capacity.weighed(ending.peak_mb)
        judged = ending.how == "judged"
        return _Tried(ending, await asyncio.to_thread(read_finished, run_dir, lease.job) if judged else None)

    def _stands(self, lease: Lease, found: Finished) -> bool:
        """Whether another attempt would tell nothing new: nothing disturbed it, or the same thing did so before."""
        why = _why(found)
        return found.whole or not self._may_try_again(lease, why) or (why in lease.notes and not from_outside(why))

    def _may_try_again(self, lease: Lease, why: str) -> bool:
        """Whether there is an attempt left for a job that was broken off so."""
        most = self.policy.most_attempts
        return lease.attempt < (most if from_outside(why) else min(most, ENOUGH + sum(map(from_outside, lease.notes))))

    def _collect(self, load: MachineLoad) -> None:
        for token, (lease, task) in list(self._running.items()):
            if not task.done():
                continue
            del self._running[token]
            if task.cancelled():
                self.table.release(lease)
                continue
            try:
                self._settle(lease, task.result(), load)
            except BaseException:
                self.table.release(lease)
                raise

    def _settle(self, lease: Lease, tried: _Tried, load: MachineLoad) -> None:
        """Give a job its state after a try."""
        ending, found = tried.ending, tried.found
        why = _why(found) if found is not None else ending.reason
        if ending.how in {"stopped", "disk_full"} or self._was_full(found, load):
            self.table.release(lease)
            self._told({"event": "released", "key": lease.job.key, "why": ending.reason or "the disk was full"})
            if ending.how != "stopped":
                self._full = f"The disk that holds {self.home} is full ({load.disk_mb:.0f} MB are left)."
        elif found is not None and self._stands(lease, found):
            self._finish(lease, found, ending)
        elif (found is not None or ending.retryable) and self._may_try_again(lease, why):
            pause_s = 0.0 if found is not None else min(LONGEST_PAUSE_S, self.policy.pause_s * 2 ** (lease.attempt - 1))
            self.table.again(lease, why, after_s=pause_s)
            self._told({"event": "again", "key": lease.job.key, "why": why})
        else:
            self._finish(lease, found, ending)

    def _was_full(self, found: Finished | None, load: MachineLoad) -> bool:
        """Whether a try that did not come out whole may owe that to the disk."""
        return (found is None or not found.whole) and self.capacity.disk_is_at_its_end(load)

    def _finish(self, lease: Lease, found: Finished | None, ending: Ending) -> None:
        job, home = lease.job, self.home
        run_dir = home / "runs" / job.folder
        run = ending.stored or (str(run_dir.relative_to(home)) if run_dir.is_dir() else "")
        if found is None and ending.how == "judged":
            ending = Ending("crashed", "the run's verdict can't be read", wall_s=ending.wall_s)
        row = (
            row_of(job, found, run=run, wall_s=ending.wall_s, attempts=lease.attempt)
            if found is not None
            else row_without(job, ending, run=run, attempts=lease.attempt)
        )
        state = state_of(row)
        mine = self.table.finish(
            lease,
            state,
            result=row.model_dump_json(),
            reason=row.reason,
            blame=row.blame,
            wall_s=ending.wall_s,
            peak_mb=ending.peak_mb,
        )
        if mine:
            value = row.functionality.value if row.functionality else None
            self._told(
                {
                    "event": "ended",
                    "key": job.key,
                    "model": job.answer.model,
                    "state": str(state),
                    "functionality": value,
                    "reason": row.reason,
                    "wall_s": ending.wall_s,
                    "cost_usd": row.cost_usd,
                    "at": time.time(),
                }
            )


def _why(found: Finished) -> str:
    return found.disturbed or found.verdict.reason or "the evaluation was incomplete"
