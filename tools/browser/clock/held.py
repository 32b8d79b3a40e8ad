"""The held clock: app time governed from outside the browser, for every process the library is preloaded into (Linux).

Nothing in the page can tell or escape it: timers, animation frames, CSS, media, sound and workers all read the same clock. See
`native/heldclock.c` for how; `cannot_stop` names what is not a clock.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from pathlib import Path
from typing import Any

from tools.browser.clock.native import library

PAGE_BYTES = 4096
BILLION = 1_000_000_000
EPOCH_S = 1_767_225_600.0
"""2026-01-01T00:00:00Z: when app time begins, so that every replay meets the same date."""
FASTEST = 16.0


class HeldClock:
    """Implements `Clock` over a control page in shared memory. `env` is what governed processes are started with."""

    name = "held"
    cannot_stop: tuple[str, ...] = (
        "messages between tasks that wait for no clock",
        "network messages",
        "computation already running",
    )

    def __init__(self, control: Path, *, epoch_s: float = EPOCH_S) -> None:
        self.control = control
        self._library = ctypes.CDLL(str(library()))
        self._write_page: Any = self._library.assay_clock_write
        self._write_page.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64]
        self._write_page.restype = None
        control.write_bytes(bytes(PAGE_BYTES))
        # Readable for the governed processes, which may run as another user; only this process can write.
        control.chmod(0o644)
        with control.open("r+b") as stream:
            self._memory = mmap.mmap(stream.fileno(), PAGE_BYTES)
        self._view = (ctypes.c_char * PAGE_BYTES).from_buffer(self._memory)
        now = _real_ns()
        self._rate = 1.0
        self._resume_rate = 1.0
        self._base_real = now
        self._base_app = now
        self._began_app = now
        self._offset = round(epoch_s * BILLION) - now
        self._write()

    @property
    def env(self) -> dict[str, str]:
        """Environment that puts a process under this clock."""
        return {"LD_PRELOAD": str(library()), "ASSAY_CLOCK": str(self.control)}

    @property
    def held(self) -> bool:
        """Whether app time stands still."""
        return self._rate == 0.0

    @property
    def rate(self) -> float:
        """App seconds per wall second; 0 while held."""
        return self._rate

    async def hold(self) -> None:
        """App time stands still from here on."""
        if not self.held:
            self._resume_rate = self._rate
            self._set(0.0)

    async def release(self) -> None:
        """App time goes on at the pace it had, without a jump."""
        if self.held:
            self._set(self._resume_rate)

    async def step(self, ms: float) -> None:
        """While held: app time is `ms` later at once; waiters find out within a slice of 20 ms."""
        if not self.held:
            raise RuntimeError("the clock can only be stepped while it is held")
        self._base_app += round(ms * 1e6)
        self._write()

    async def pace(self, rate: float) -> None:
        """App seconds per wall second from here on, or from the release on while held."""
        if not 0.05 <= rate <= FASTEST:
            raise ValueError(f"a pace of {rate} is outside 0.05 to {FASTEST:g}")
        if self.held:
            self._resume_rate = rate
        else:
            self._set(rate)

    def now_ms(self) -> float:
        """App time in ms since the clock was made."""
        return (self._app_ns(_real_ns()) - self._began_app) / 1e6

    def close(self) -> None:
        """Let go of the control page. Processes that still run keep their mapping."""
        del self._view
        self._memory.close()
        self.control.unlink(missing_ok=True)

    def _app_ns(self, real_ns: int) -> int:
        return self._base_app + round((real_ns - self._base_real) * self._rate)

    def _set(self, rate: float) -> None:
        now = _real_ns()
        self._base_app = self._app_ns(now)
        self._base_real = now
        self._rate = rate
        self._write()

    def _write(self) -> None:
        self._write_page(ctypes.addressof(self._view), round(self._rate * BILLION), self._base_real, self._base_app, self._offset)


def _real_ns() -> int:
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def control_file(name: str) -> Path:
    """Where the control page of a stage lies: shared memory, so that writing it never touches a disk."""
    folder = Path("/dev/shm")  # noqa: S108 - shared memory, not a temporary file
    return (folder if folder.is_dir() and os.access(folder, os.W_OK) else Path("/tmp")) / f"assay-clock-{name}"  # noqa: S108
