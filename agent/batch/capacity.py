"""How many evaluations run at once: what processors, memory, disk and the models' limits bear, never more than asked for."""

from __future__ import annotations

import os
import shutil
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import psutil

FIRST_GUESS_MB = 1000.0
"""Memory of an evaluation before one has been weighed (browser, sound server, recorder, OCR)."""
SPARE_MB = 500.0
"""Memory that is left to the rest of the machine."""
DISK_A_JOB_MB = 150.0
"""Room that is kept for each evaluation: 5 to 50 MB are its run, the rest the browser's while it runs."""
DISK_SPARE_MB = 300.0
"""Free room below which nothing is started; below a quarter of it what runs is broken off before its evidence is torn."""
PAUSE_S = 15.0
"""Shortest time between two increases, so that the last one shows before the next."""
BUSY = 0.95
"""Share of the processors in use above which no evaluation is added."""
STARVED = 40.0
"""Percent of the time in which somebody waited for a processor (pressure stall, 10 s) above which one is taken away."""


@dataclass(frozen=True)
class MachineLoad:
    """What the machine shows at a moment."""

    busy: float
    """Share of the processors in use, 0–1."""
    starved: float | None
    """Percent of the last 10 s in which some task waited for a processor; None: the kernel does not tell."""
    free_mb: float
    """Memory that can still be taken, the container's limit included."""
    disk_mb: float


class Capacity:
    """Follows the machine: one more after a quiet while, one fewer at once when it is starved or a model throttles."""

    def __init__(self, home: Path, most: int, *, adaptive: bool = True, spare_disk_mb: float = DISK_SPARE_MB) -> None:
        self.most = most
        self._spare_disk_mb = spare_disk_mb
        self._home = home
        self._adaptive = adaptive
        self._target = most if not adaptive else min(most, max(1, (os.cpu_count() or 2) // 2))
        self._changed = time.monotonic()
        self._peaks: deque[float] = deque(maxlen=20)
        self._throttled_until = 0.0
        psutil.cpu_percent(None)

    def weighed(self, peak_mb: float | None) -> None:
        """A finished evaluation took that much memory."""
        if peak_mb:
            self._peaks.append(peak_mb)

    def throttled(self, retry_after_s: float) -> None:
        """A model's service asked for fewer requests: one evaluation fewer, and none more for that long."""
        now = time.monotonic()
        if now >= self._throttled_until:
            self._target, self._changed = max(1, self._target - 1), now
        self._throttled_until = max(self._throttled_until, now + retry_after_s)

    @property
    def a_job_mb(self) -> float:
        """Memory to reckon with for one more evaluation."""
        return max(self._peaks) if self._peaks else FIRST_GUESS_MB

    def look(self) -> MachineLoad:
        """What the machine shows now."""
        return MachineLoad(psutil.cpu_percent(None) / 100, _starved(), free_memory_mb(), shutil.disk_usage(self._home).free / 1e6)

    def room(self, running: int, load: MachineLoad) -> int:
        """How many may be started now, with so many running. At least one always runs if memory and disk bear it at all."""
        now = time.monotonic()
        if self._adaptive and now - self._changed > PAUSE_S:
            self._adapt(running, load, now)
        by_memory = int((load.free_mb - SPARE_MB) // self.a_job_mb)
        if running == 0 and load.free_mb > SPARE_MB:
            by_memory = max(by_memory, 1)
        return max(0, min(self._target - running, by_memory if self._adaptive else self._target))

    def _adapt(self, running: int, load: MachineLoad, now: float) -> None:
        if running > 1 and load.starved is not None and load.starved > STARVED * 2:
            self._target, self._changed = max(1, min(self._target, running) - 1), now
        elif running >= self._target < self.most and now >= self._throttled_until and self._idle(load):
            self._target, self._changed = self._target + 1, now

    @staticmethod
    def _idle(load: MachineLoad) -> bool:
        return load.busy < BUSY and (load.starved is None or load.starved < STARVED)

    def disk_is_full(self, running: int, load: MachineLoad) -> bool:
        """Whether there is no room for one more run beside those that are being written."""
        return load.disk_mb < self._spare_disk_mb + DISK_A_JOB_MB * running

    def disk_is_at_its_end(self, load: MachineLoad) -> bool:
        """Whether what is being written now may not find room any more."""
        return load.disk_mb < self._spare_disk_mb / 4


def _starved() -> float | None:
    """The kernel's account of waiting for processors (`/proc/pressure/cpu`, some avg10)."""
    try:
        first = Path("/proc/pressure/cpu").read_text(encoding="ascii").splitlines()[0]
        return float(dict(pair.split("=") for pair in first.split()[1:])["avg10"])
    except (OSError, ValueError, KeyError, IndexError):
        return None


def free_memory_mb() -> float:
    """Memory that can be taken without swapping: the machine's, or the container's if that is less (cgroup 2 and 1)."""
    free = psutil.virtual_memory().available / 1e6
    for limit, used in _CGROUPS:
        try:
            most, now = (Path(path).read_text(encoding="ascii").strip() for path in (limit, used))
            if most != "max" and int(most) < 1 << 60:
                free = min(free, (int(most) - int(now) + _reclaimable(Path(used).parent)) / 1e6)
        except (OSError, ValueError):
            continue
    return free


_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def _reclaimable(folder: Path) -> int:
    """Bytes of the container's use that are only the files' cache."""
    try:
        stat = dict(line.split() for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines())
        return int(stat.get("inactive_file", stat.get("total_inactive_file", 0)))
    except (OSError, ValueError):
        return 0


def default_most() -> int:
    """Evaluations at once where nothing else is asked for: one a processor."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
