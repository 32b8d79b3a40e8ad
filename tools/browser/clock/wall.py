"""The clock that governs nothing: app time is wall time. For runs that must not touch the page at all."""

from __future__ import annotations

import asyncio

from tools.browser.clock.counted import Counted
from tools.browser.intercept import Intercept
from tools.browser.tab import Tab


class WallClock(Counted):
    """Never holds: `hold` is asked for and not given, and `held` stays False, so that nobody believes otherwise."""

    name = "wall"
    cannot_stop: tuple[str, ...] = ("everything: app time is wall time",)
    script = ""
    continuous = True

    @property
    def rate(self) -> float:
        """Always 1."""
        return 1.0

    @property
    def held(self) -> bool:
        """Always False."""
        return False

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
