"""How much memory and disk the browser takes: measured all the time, and past the run's limit the page is ended.

Memory is the proportional share (PSS) of the browser's processes: what is shared is counted once. Reading it costs milliseconds
a process, so the cheaper resident size, which is never smaller, is read first. Linux only; elsewhere nothing is measured.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY_EVERY_S = 0.4
DISK_EVERY = 5
"""The disk is looked at once in so many looks at the memory."""
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """Megabytes that one run's browser may take."""

    memory_mb: int
    disk_mb: int


class ResourceWatch:
    """Watches one browser. `open` starts it, `close` ends it."""

    def __init__(self, browser_pid: int, folder: Path, limits: Limits, exceeded: Callable[[str], None]) -> None:
        self._pid = browser_pid
        self._folder = folder
        self._limits = limits
        self._exceeded = exceeded
        self._task: asyncio.Task[None] | None = None
        self.most_memory_mb = 0.0
        """The largest size seen so far (resident, an upper bound, unless it came near the limit)."""

    def open(self) -> None:
        """Begin to watch, where there is something to measure by."""
        if Path(f"/proc/{self._pid}/statm").exists():
            self._task = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _watch(self) -> None:
        count = 0
        while True:
            await asyncio.sleep(MEMORY_EVERY_S)
            count += 1
            taken = await asyncio.to_thread(memory_mb, self._pid, self._limits.memory_mb)
            self.most_memory_mb = max(self.most_memory_mb, taken)
            if taken > self._limits.memory_mb:
                self._exceeded(
                    f"the page took {taken:,.0f} MB of memory, more than the {self._limits.memory_mb:,} MB a run may take"
                )
                return
            if count % DISK_EVERY == 0:
                stored = await asyncio.to_thread(folder_mb, self._folder)
                if stored > self._limits.disk_mb:
                    self._exceeded(f"the page stored {stored:,.0f} MB, more than the {self._limits.disk_mb:,} MB a run may store")
                    return


def memory_mb(pid: int, exact_above_mb: float) -> float:
    """Memory of a process and all below it: resident, or, where that is above the bound, proportional."""
    pids = family(pid)
    resident = sum(_resident_mb(number) for number in pids)
    return resident if resident <= exact_above_mb else sum(_proportional_mb(number) for number in pids)


def family(pid: int) -> list[int]:
    """A process and everything that descends from it, as far as it still runs."""
    found, queue = [], [pid]
    while queue:
        number = queue.pop()
        found.append(number)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{number}/task"):  # noqa: PTH208 - several times a second
                with contextlib.suppress(OSError), open(f"/proc/{number}/task/{task}/children", encoding="ascii") as stream:  # noqa: PTH123
                    queue += map(int, stream.read().split())
    return found


def _resident_mb(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as stream:  # noqa: PTH123 - several times a second
            return int(stream.read().split()[1]) * _PAGE / MEGABYTE
    except (OSError, IndexError, ValueError):
        return 0.0


def _proportional_mb(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as stream:  # noqa: PTH123
            line = next(line for line in stream if line.startswith("Pss:"))
            return int(line.split()[1]) * 1024 / MEGABYTE
    except (OSError, StopIteration, ValueError):
        return _resident_mb(pid)


def folder_mb(folder: Path) -> float:
    """What lies in a folder, as the disk counts it (a file with holes takes only what is in it)."""
    blocks, queue = 0, [str(folder)]
    while queue:
        with contextlib.suppress(OSError), os.scandir(queue.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        queue.append(entry.path)
                    else:
                        blocks += entry.stat(follow_symlinks=False).st_blocks
    return blocks * 512 / MEGABYTE
