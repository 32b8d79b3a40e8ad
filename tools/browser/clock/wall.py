"""The clock that governs nothing: app time is wall time. For runs that must not touch the page at all."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager

from tools.browser.clock.apptime import AppTime
from tools.browser.clock.protocol import Span
from tools.browser.intercept import Intercept
from tools.browser.tab import Tab


class WallClock:
    """Never holds: `hold` is asked for and not given, and `held` stays False, so that nobody believes otherwise."""

    name = "wall"
    cannot_stop: tuple[str, ...] = ("everything: app time is wall time",)
    env: Mapping[str, str] = {}
    script = ""
    continuous = True

    def __init__(self) -> None:
        self._time = AppTime()

    @property
    def knots(self) -> list[tuple[float, float]]:
        """(app time in ms, wall time in s since the epoch); here there are only start and end."""
        return self._time.knots

    @property
    def spans(self) -> list[Span]:
        """The same with the rate that holds from each on."""
        return self._time.spans()

    @property
    def epoch_s(self) -> None:
        """The page sees the machine's date."""
        return

    def film_knots(self) -> list[tuple[float, float]]:
        """The recorder lives in wall time."""
        return self._time.knots

    def film_now_s(self) -> float:
        """The recorder lives in wall time."""
        return time.time()

    @property
    def rate(self) -> float:
        """Always 1."""
        return 1.0

    def hurrying(self) -> AbstractContextManager[None]:
        """It never runs faster than the wall."""
        return contextlib.nullcontext()

    def governs(self, pid: int) -> bool:
        """It governs no process, and needs none."""
        del pid
        return True

    def at_most(self, rate: float) -> AbstractContextManager[None]:
        """It never runs faster than the wall."""
        del rate
        return contextlib.nullcontext()

    async def approach(self) -> None:
        """Nothing to do."""

    async def begin(self) -> None:
        """App time starts now."""
        self._time.start()

    def close(self) -> None:
        """Nothing is left behind."""

    @property
    def held(self) -> bool:
        """Always False."""
        return False

    def now_ms(self) -> float:
        """App time in ms since the stage opened."""
        return self._time.now_ms()

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Nothing to do."""
        del tab, intercept

    async def detach(self) -> None:
        """Stop counting."""
        self._time.stop()

    async def hold(self) -> None:
        """Does nothing; see `cannot_stop`."""

    async def release(self) -> None:
        """Does nothing."""

    async def step(self, ms: float) -> None:
        """Let that much wall time pass, which is app time here."""
        await asyncio.sleep(ms / 1000)

    async def pace(self, rate: float) -> None:
        """Only real time. Raises `ValueError` for any other rate."""
        if rate != 1:
            raise ValueError(f"the wall clock runs at rate 1 only, not {rate:g}")
