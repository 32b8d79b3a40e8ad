"""The held clock: app time governed from outside the browser, for every process the library is preloaded into (Linux).

Nothing in the page can tell or escape it: timers, animation frames, CSS, media, sound and workers all read the same clock. See
`native/heldclock.c` for how; `cannot_stop` names what is not a clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import math
import mmap
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

from tools import reaper
from tools.browser.clock.protocol import Span
from tools.browser.intercept import Intercept
from tools.browser.preloaded import HELD_CLOCK
from tools.browser.tab import Tab

EPOCH_S = 1_767_225_600.0
"""2026-01-01T00:00:00Z: when app time begins, so that every replay meets the same date."""
SLOWEST, FASTEST = 0.05, 16.0
RAMP_NS = 16_000_000
"""Real time in which the rate may rise by 1: longer than waiters sleep between two looks at the clock."""
RUN_UP_S = 5.0
"""App time before the epoch in which the page is wired, the recorder starts, and its sound is compared with its picture."""

_PAGE_BYTES = 4096
_BILLION = 1_000_000_000
_ONE = 1 << 32
_NEVER = (1 << 63) - 1
_NUDGE_S = 0.03
_LEAD_S = 300.0
"""Date at which the browser starts, before the epoch."""
_CREEP = 0.2
_RUN_UP_RATE = 4.0
_SLACK_S = 0.0005
_PREFIX = "assay-clock-"


class _ControlPage(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_int64)
        for name in (
            "from_rate",
            "rate",
            "ramp_ns",
            "ramp_app_ns",
            "base_real_ns",
            "base_app_ns",
            "limit_app_ns",
            "realtime_offset_ns",
        )
    ]


class HeldClock:
    """Implements `Governor` over a control page in shared memory. `env` is what governed processes are started with."""

    name = "held"
    cannot_stop: tuple[str, ...] = (
        "messages between tasks that wait for no clock",
        "network messages",
        "computation already running",
    )
    """Of these the first and the last stand still while somebody deliberates, since the processes are stopped then."""
    script = ""
    continuous = True

    def __init__(self, *, epoch_s: float = EPOCH_S) -> None:
        self._folder = _make_folder()
        self.control = self._folder / "control"
        source = HELD_CLOCK.library()
        # A copy of its own: the user's cache may be closed to the account that the browser runs as.
        self.library = Path(shutil.copy(source, self._folder / source.name))
        self.library.chmod(0o755)
        self._write_page: Any = ctypes.CDLL(str(source)).assay_clock_write
        self._write_page.argtypes = [ctypes.c_void_p, ctypes.POINTER(_ControlPage)]
        self._write_page.restype = None
        self.control.write_bytes(bytes(_PAGE_BYTES))
        self.control.chmod(0o644)
        with self.control.open("r+b") as stream:
            self._memory = mmap.mmap(stream.fileno(), _PAGE_BYTES)
        self._view = (ctypes.c_char * _PAGE_BYTES).from_buffer(self._memory)
        now = _real_ns()
        self._epoch_ns = round(epoch_s * _BILLION)
        self._now = _ControlPage(
            from_rate=_ONE,
            rate=_ONE,
            base_real_ns=now,
            base_app_ns=now,
            limit_app_ns=_NEVER,
            realtime_offset_ns=self._epoch_ns - round(_LEAD_S * _BILLION) - now,
        )
        self._zero_app = now + round(_LEAD_S * _BILLION)
        self._target = 1.0
        self._waiting_rate = 0.0
        self._hurried = {"waiting": 0, "asking": 0}
        self._caps: list[float] = []
        self._held = False
        self._passing = 0
        self._stepping = False
        self._spans: list[Span] = []
        self._braking: asyncio.Task[None] | None = None
        self._closed = False
        self._write()

    # ---- what the stage asks of it --------------------------------------------------------------------------------------

    @property
    def env(self) -> Mapping[str, str]:
        """Environment that puts a process under this clock."""
        return {"LD_PRELOAD": str(self.library), "ASSAY_CLOCK": str(self.control)}

    @property
    def spans(self) -> list[Span]:
        """The rates since app time began, one entry a change."""
        return self._spans

    @property
    def knots(self) -> list[tuple[float, float]]:
        """(app time in ms, wall time in s since the epoch) at each change of the rate."""
        return [(span.app_ms, span.wall_s) for span in self._spans]

    @property
    def epoch_s(self) -> float:
        """The date at which app time begins, s since 1970."""
        return self._epoch_ns / _BILLION

    def film_knots(self) -> list[tuple[float, float]]:
        """As `knots`, by the clock of the recorder, which is this one: app time runs evenly there."""
        now_ms = self.now_ms()
        return [(0.0, self.epoch_s), (now_ms, self.epoch_s + now_ms / 1000)]

    def film_now_s(self) -> float:
        """What the recorder's clock shows, s since 1970."""
        return (self._app_ns() + self._now.realtime_offset_ns) / _BILLION

    def governs(self, pid: int) -> bool:
        """Whether that process lives in this clock's time."""
        with contextlib.suppress(OSError):
            return str(self.control) in Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        return False

    async def approach(self) -> None:
        """The browser runs: come near the epoch, and slow down before it, so that it is not passed until `begin`."""
        self._now.base_app_ns = max(self._app_ns(), self._zero_app - round(RUN_UP_S * _BILLION))
        self._now.base_real_ns = _real_ns()
        self._write()
        self._braking = asyncio.ensure_future(self._brake())

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Let looks at the tab that need frames have them while time stands."""
        del intercept
        tab.passing = self.passing
        tab.fate.nudge = self._nudge

    async def _nudge(self) -> None:
        """A few frames' time, where time stands; a command that waits for a page's own deadline gets through then."""
        if self.held and not self._passing:
            async with self.passing():
                await asyncio.sleep(_NUDGE_S)

    async def begin(self) -> None:
        """App time zero: time stands at the epoch. If the stage came up too slowly for that, at the next full second."""
        if self._braking is not None:
            self._braking.cancel()
            self._braking = None
        late_s = (self._app_ns() - self._zero_app) / _BILLION
        if late_s > 0:
            self._zero_app += math.ceil(late_s) * _BILLION
            self._epoch_ns += math.ceil(late_s) * _BILLION
        await self._run_until(self._zero_app, _RUN_UP_RATE)
        self._held = True
        self._note()

    async def detach(self) -> None:
        """App time stands from here on. Processes that still run keep the page of the clock, so they go on at the wall's pace."""
        if not self._closed:
            self._note()
            self._closed = True
            self._caps.clear()
            self._set(1.0)
            if self._braking is not None:
                self._braking.cancel()

    def close(self) -> None:
        """Remove the control page. Processes that still run keep their mapping."""
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---- the clock ------------------------------------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """Whether app time stands still."""
        return self._held

    @property
    def rate(self) -> float:
        """App seconds per wall second; 0 while it stands."""
        return self._now.rate / _ONE

    async def hold(self) -> None:
        """App time stands still from here on."""
        if not self._held and not self._closed:
            self._held = True
            self._apply()

    async def release(self) -> None:
        """App time goes on at the pace it had, without a jump."""
        if self._held and not self._closed:
            self._held = False
            self._apply()

    async def step(self, ms: float) -> None:
        """While held: let app time run on by exactly `ms` at the pace it had, then stand. Raises `RuntimeError` unless held."""
        if not self._held:
            raise RuntimeError("the clock can only be stepped while it is held")
        await self._run_until(self._app_ns() + round(ms * 1e6), self._effective_rate())
        self._note()
        self._apply()

    async def pace(self, rate: float) -> None:
        """App seconds per wall second from here on, or from the release on while held. Raises `ValueError` out of bounds."""
        if not SLOWEST <= rate <= FASTEST:
            raise ValueError(f"a pace of {rate:g} is outside {SLOWEST:g} to {FASTEST:g}")
        self._target = rate
        self._apply()

    def may_hurry(self, rate: float, *, acting: float = 1.0) -> None:
        """Let time run at `rate` where nothing is done but waiting, and elsewhere at `acting`, but not above `rate`."""
        self._waiting_rate = min(rate, FASTEST)
        self._target = min(acting, self._waiting_rate)
        self._apply()

    @contextlib.contextmanager
    def hurrying(self, *, asking: bool = False) -> Iterator[None]:
        """Inside the block nothing is done but waiting, and time runs as fast as `may_hurry` allows.

        With `asking` only where it does not run slower for acts: an answer that is late would find the page further on.
        """
        blocks = "asking" if asking else "waiting"
        self._hurried[blocks] += 1
        self._apply()
        try:
            yield
        finally:
            self._hurried[blocks] -= 1
            self._apply()

    @contextlib.contextmanager
    def at_most(self, rate: float) -> Iterator[None]:
        """Inside the block the pace is not above `rate`."""
        self._caps.append(rate)
        self._apply()
        try:
            yield
        finally:
            self._caps.remove(rate)
            self._apply()

    @contextlib.asynccontextmanager
    async def passing(self, rate: float = 1.0) -> AsyncIterator[None]:
        """Inside the block time goes on even while held, at `rate` at most; afterwards it stands again."""
        self._passing += 1
        self._caps.append(rate)
        self._apply()
        try:
            yield
        finally:
            self._passing -= 1
            self._caps.remove(rate)
            self._apply()

    def now_ms(self) -> float:
        """App time in ms; negative before it began, standing since `detach`."""
        if self._closed and self._spans:
            return self._spans[-1].app_ms
        return (self._app_ns() - self._zero_app) / 1e6

    # ---- the control page -----------------------------------------------------------------------------------------------

    def _effective_rate(self) -> float:
        hurried = self._hurried["waiting"] or (self._hurried["asking"] and self._target >= 1.0)
        rate = self._waiting_rate if hurried and self._waiting_rate else self._target
        return min(rate, *self._caps) if self._caps else rate

    def _apply(self) -> None:
        """Bring the page in line with what is wished, if it is not."""
        if self._closed or self._stepping:
            return
        rate = 0.0 if self._held and not self._passing else self._effective_rate()
        if rate != self.rate:
            self._set(rate)
            self._note()

    def _note(self) -> None:
        self._spans.append(Span(self.now_ms(), time.time(), self.rate))

    def _app_ns(self) -> int:
        """The same arithmetic as `app_after` in the library, to the nanosecond."""
        now = self._now
        if now.rate == 0:
            return int(now.base_app_ns)
        elapsed = max(0, _real_ns() - now.base_real_ns)
        if elapsed < now.ramp_ns:
            rise = (now.rate - now.from_rate) * elapsed * elapsed // (2 * now.ramp_ns)
            app = now.base_app_ns + ((now.from_rate * elapsed + rise) >> 32)
        else:
            app = now.base_app_ns + now.ramp_app_ns + ((now.rate * (elapsed - now.ramp_ns)) >> 32)
        return int(min(app, now.limit_app_ns))

    def _set(self, rate: float, *, limit_app_ns: int = _NEVER) -> None:
        now, was = self._now, self._momentary()
        now.base_app_ns, now.base_real_ns = self._app_ns(), _real_ns()
        now.rate = round(rate * _ONE)
        now.from_rate = min(was, now.rate)
        now.ramp_ns = (now.rate - now.from_rate) * RAMP_NS >> 32
        now.ramp_app_ns = ((now.from_rate + now.rate) * now.ramp_ns // 2) >> 32
        now.limit_app_ns = limit_app_ns
        self._write()

    def _momentary(self) -> int:
        """The rate at this moment, which on a ramp is less than where that leads."""
        now = self._now
        elapsed = max(0, _real_ns() - now.base_real_ns)
        if elapsed >= now.ramp_ns:
            return int(now.rate)
        return int(now.from_rate + (now.rate - now.from_rate) * elapsed // now.ramp_ns)

    async def _run_until(self, app_ns: int, rate: float) -> None:
        """Let time run to a moment, to the nanosecond, and stand there."""
        self._stepping = True
        self._set(rate, limit_app_ns=app_ns)
        try:
            while (left_ns := app_ns - self._app_ns()) > 0:  # noqa: ASYNC110 - it is time that is waited for
                await asyncio.sleep(left_ns / _BILLION / rate + _SLACK_S)
        finally:
            self._stepping = False
            self._set(0.0)

    async def _brake(self) -> None:
        """Run ever slower towards the epoch."""
        while True:
            left_s = (self._zero_app - self._app_ns()) / _BILLION
            if left_s < 1:
                # Not slower: the recorder needs time of its own to begin.
                self._set(min(1.0, max(_CREEP, left_s)))
            await asyncio.sleep(0.1)

    def _write(self) -> None:
        self._write_page(ctypes.addressof(self._view), ctypes.byref(self._now))


def _real_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def _make_folder() -> Path:
    """A folder in shared memory, so that writing the clock never waits for a disk. Sweeps those of dead processes first."""
    shared = Path("/dev/shm")  # noqa: S108 - shared memory, not a temporary file
    base = shared if shared.is_dir() and os.access(shared, os.W_OK) and _runs_programs(shared) else Path(tempfile.gettempdir())
    for folder in base.glob(f"{_PREFIX}*-*-*"):
        pid, _, rest = folder.name.removeprefix(_PREFIX).partition("-")
        if pid.isdigit() and not reaper.alive(int(pid), rest.partition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)
    owner = os.getpid()
    made = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{owner}-{reaper.start_time(owner)}-", dir=base))
    # Readable for the governed processes, which may run as another user; only this one can write.
    made.chmod(0o755)
    return made


def _runs_programs(folder: Path) -> bool:
    """Whether code may be loaded from there."""
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC
