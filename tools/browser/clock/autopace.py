"""Auto-pace: app time runs as fast as everything still keeps up, where nothing is done but waiting.

Three things are measured ten times a second. The *cost* of an app second: how long the busiest thread of browser and recorder
wanted a processor for it, waiting for one included, and how much all of them used together. It says which pace can be kept,
before it
is tried. And the *deficit* of the recorder: frames that app time should have given and that are not in the film yet; it says when
the pace was too high after all, and takes it below the wall's. And the *contention*: how long everything that works for the run,
this program too, waits for a processor because other programs have it. While something is done, app time runs slower by that
much: hands that are late are late in the wall's time, not in the app's, and a page has as much processor for an app second as on
an idle machine. A page that is slow by itself is to be seen as slow as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.browser.clock.held import HeldClock

SLOWEST_AUTO, FASTEST_AUTO = 0.25, 5.0
"""Within the hard bounds of `HeldClock` (`clock/held.py`)."""
SLOWEST_ACTING = 0.06
"""While something is done: a machine with fifteen programs that want each of its processors."""
TICK_S = 0.1
_BUSIEST = 0.9
"""Share of a processor that the busiest thread may want."""
_ALL = 1.0
"""Share of the processors left by other programs that all threads together may use. Steady at 5 loses fewer frames than now 6
and now 3 with more left over: 29.5 distinct ones an app second at 4.0 on average against 28.9 at 3.9 (measured, 2026-11)."""
_OTHERS, _FREE = 0.15, 0.15
"""Shares of the processors: what other programs take from which on app time gives way to them (less is an idle machine's noise),
unless more than that is free all the same: whoever wants one then has it at once."""
_OWN_WAITS = 1.25
"""Contention on an idle machine with two processors, where browser and recorder wait for each other."""
_BEHIND_FRAMES = 7.0
"""A deficit above the usual one by this much means that the recorder does not keep up."""
_RECOVER = 1.05
_USUAL_S = 4.0
_BELIEVE, _FORGET = 0.5, 0.3
_LEAST_APP_S = 0.03
_LIST_EVERY_S = 1.0
_NICE, _IDLE, _WAITING = 1, 3, 4
"""Places in the first line of /proc/stat, see proc(5)."""


@dataclass(frozen=True)
class Cost:
    """What a second of app time took, in processor seconds."""

    busiest: float
    """Of the thread that wanted most, waiting for a processor included."""
    total: float
    contention: float
    """How many times as long as they ran all threads ran or waited together, this program's included; 1 where nothing waits."""


class AutoPace:
    """Governs where `clock` may hurry.

    `frames` counts what is encoded (None: nothing is recorded); `live` says whether something
    is going on that runs in real time (requests, messages), so that app time must not run faster than the wall.
    """

    def __init__(
        self,
        clock: HeldClock,
        *,
        groups: Callable[[], Iterable[int]],
        live: Callable[[], bool],
        frames: Callable[[], int] | None = None,
        fps: int = 30,
    ) -> None:
        self._clock = clock
        self._threads = _Threads(groups)
        self._live = [live]
        self._frames = frames
        self._fps = fps
        self._task: asyncio.Task[None] | None = None
        self._cost: Cost | None = None
        self._deficits: deque[tuple[float, float]] = deque()
        self._ceiling = FASTEST_AUTO
        self.pace = 1.0
        """The pace that is thought to be kept now."""
        self.acting = 1.0
        """The most while something is done."""

    @contextlib.contextmanager
    def also(self, live: Callable[[], bool]) -> Iterator[None]:
        """Inside the block another page is there, too, whose servers may be at work."""
        self._live.append(live)
        try:
            yield
        finally:
            self._live.remove(live)

    def start(self) -> None:
        """Begin to measure."""
        self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        """No further changes."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._threads.close()

    def heed(self) -> None:
        """Look at once whether something runs in real time now."""
        pace = min(self.pace, 1.0) if any(live() for live in self._live) else self.pace
        self._clock.may_hurry(pace, acting=self.acting)

    async def _run(self) -> None:
        before, changes = (self._threads.read(), time.monotonic(), self._clock.now_ms() / 1000, _busy_s()), len(self._clock.spans)
        while True:
            await asyncio.sleep(TICK_S)
            now = self._threads.read(), time.monotonic(), self._clock.now_ms() / 1000, _busy_s()
            wall_s, app_s = now[1] - before[1], now[2] - before[2]
            stood = any(span.rate == 0 for span in self._clock.spans[max(0, changes - 1) :])
            changes = len(self._clock.spans)
            if app_s >= _LEAST_APP_S:
                self._learn(before[0], now[0], app_s, stood=stood)
                busy_s = now[3] - before[3]
                self._choose(wall_s, busy_s, others_s=max(0.0, busy_s - _total(before[0], now[0])))
            before = now
            self.heed()

    def _learn(self, before: dict[int, tuple[int, int]], after: dict[int, tuple[int, int]], app_s: float, *, stood: bool) -> None:
        spent = [(ran - before[tid][0], waited - before[tid][1]) for tid, (ran, waited) in after.items() if tid in before]
        wanted = max((ran + waited for ran, waited in spent), default=0) / 1e9
        ran, waited = (max(1, sum(part)) for part in zip(*spent, strict=True)) if spent else (1, 0)
        new = Cost(wanted / app_s, _total(before, after) / app_s, (ran + waited) / ran)
        old = self._cost or new
        if stood:
            # The page was read meanwhile: what that took is no app second's cost, which is at most what was measured.
            new = Cost(min(old.busiest, new.busiest), min(old.total, new.total), new.contention)
        self._cost = Cost(
            _towards(old.busiest, new.busiest), _towards(old.total, new.total), _towards(old.contention, new.contention)
        )

    def _choose(self, wall_s: float, busy_s: float, others_s: float) -> None:
        cost = self._cost
        if cost is None:
            return
        every = os.cpu_count() or 1
        processors = max(0.5, every - others_s / wall_s)
        kept = min(_BUSIEST / max(cost.busiest, 0.01), _ALL * processors / max(cost.total, 0.01))
        crowded = others_s / wall_s >= _OTHERS * every and busy_s / wall_s > (1 - _FREE) * every
        self.acting = max(SLOWEST_ACTING, min(1.0, _OWN_WAITS / cost.contention)) if crowded else 1.0
        behind = self._behind()
        if behind > 0:
            self._ceiling = max(SLOWEST_AUTO, min(self._ceiling, self._clock.rate or 1.0) * 0.8)
        else:
            self._ceiling = min(FASTEST_AUTO, self._ceiling * _RECOVER)
        self.pace = min(max(kept, 1.0), self._ceiling, max(self.pace, 0.5) * 1.6)
        if crowded:
            # Whoever waits also learns late that it is over.
            self.pace = min(self.pace, 1.0)
        self._deficits.append((time.monotonic(), self._deficit()))

    def _deficit(self) -> float:
        """Frames that are not encoded yet; its zero is arbitrary."""
        return self._clock.now_ms() / 1000 * self._fps - self._frames() if self._frames is not None else 0.0

    def _behind(self) -> float:
        """By how many frames the recorder is further back than it was lately at its best, less what is usual."""
        if self._frames is None:
            return 0.0
        since = time.monotonic() - _USUAL_S
        while self._deficits and self._deficits[0][0] < since:
            self._deficits.popleft()
        best = min((deficit for _, deficit in self._deficits), default=self._deficit())
        return self._deficit() - best - _BEHIND_FRAMES


def _towards(old: float, new: float) -> float:
    """A dear second is believed sooner than a cheap one."""
    return old + (new - old) * (_BELIEVE if new > old else _FORGET)


def _total(before: dict[int, tuple[int, int]], after: dict[int, tuple[int, int]]) -> float:
    return sum(max(0, ran - before[tid][0]) for tid, (ran, _) in after.items() if tid in before) / 1e9


def _busy_s() -> float:
    """Processor time used so far by all programs of the machine that do not give way to this one, s."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = [int(field) for field in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
        yielding = fields[_NICE] if os.getpriority(os.PRIO_PROCESS, 0) <= 0 else 0
        return (sum(fields) - yielding - fields[_IDLE] - fields[_WAITING]) / os.sysconf("SC_CLK_TCK")
    return 0.0


class _Threads:
    """The threads of some process groups: how long each ran, and how long it waited for a processor, in ns.

    Their files stay open: opening some hundred of them ten times a second took a tenth of a processor.
    """

    def __init__(self, groups: Callable[[], Iterable[int]]) -> None:
        self._groups = groups
        self._files: dict[int, int] = {}
        self._listed_s = 0.0

    def read(self) -> dict[int, tuple[int, int]]:
        """By thread. Threads that came within the last second may be missing."""
        if time.monotonic() - self._listed_s > _LIST_EVERY_S:
            self._listed_s = time.monotonic()
            self._list()
        found: dict[int, tuple[int, int]] = {}
        for tid, file in self._files.items():
            with contextlib.suppress(OSError, ValueError):
                ran, waited, _ = os.pread(file, 80, 0).split()
                found[tid] = int(ran), int(waited)
        return found

    def close(self) -> None:
        """Idempotent."""
        for file in self._files.values():
            os.close(file)
        self._files = {}

    def _list(self) -> None:
        """Open what is new, close what is gone. A number that was given anew leads to a file that can't be read any more."""
        paths = dict(_threads(set(self._groups())))
        for tid in [tid for tid, file in self._files.items() if tid not in paths or not _readable(file)]:
            os.close(self._files.pop(tid))
        for tid, path in paths.items():
            if tid not in self._files:
                with contextlib.suppress(OSError):
                    self._files[tid] = os.open(path, os.O_RDONLY)


def _readable(file: int) -> bool:
    try:
        return bool(os.pread(file, 1, 0))
    except OSError:
        return False


def _threads(groups: set[int]) -> Iterator[tuple[int, str]]:
    """Those of the groups, and of this program."""
    for name in os.listdir("/proc"):  # noqa: PTH208 - names only, often
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError):
            if int(name) == os.getpid() or os.getpgid(int(name)) in groups:
                for tid in os.listdir(f"/proc/{name}/task"):  # noqa: PTH208
                    yield int(tid), f"/proc/{name}/task/{tid}/schedstat"
