"""Waiting in app time, so that the hands keep human rhythm as the page feels it, at whatever pace the clock runs."""

from __future__ import annotations

import asyncio
import time

from tools.browser.clock.protocol import Clock


class Pace:
    """Waits by the app's clock. `rhythm` stretches every human pause; 0 takes none."""

    def __init__(self, clock: Clock, rhythm: float) -> None:
        self._clock = clock
        self._rate = 1.0
        self.rhythm = rhythm

    def now_ms(self) -> float:
        """App time."""
        return self._clock.now_ms()

    async def rest(self, ms: float) -> None:
        """A human pause of `ms`, stretched by the rhythm."""
        await self.until(self.now_ms() + ms * self.rhythm)

    async def until(self, at_ms: float) -> None:
        """Return when app time has come to `at_ms`; at once if it has passed or time stands still."""
        while (left_ms := at_ms - self.now_ms()) > 0.5:
            app_ms, wall_s = self.now_ms(), time.monotonic()
            await asyncio.sleep(left_ms / 1000 / self._rate)
            passed_ms, wall_ms = self.now_ms() - app_ms, (time.monotonic() - wall_s) * 1000
            if passed_ms <= 0:
                return
            # What was really waited tells the clock's pace; a single late wake-up must not make it look slow.
            self._rate = min(max(passed_ms / max(wall_ms, 0.1), 0.05), 20.0)
