"""Waiting in app time, so that the hands keep human rhythm as the page feels it, at whatever pace the clock runs."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tools.browser.clock.protocol import Clock
from tools.browser.clock.waiting import until

_WORTH_HURRYING_MS = 40.0
"""Shorter waits are over before the clock has got faster."""


class Pace:
    """Waits by the app's clock. `rhythm` stretches every human pause; 0 takes none."""

    def __init__(self, clock: Clock, rhythm: float) -> None:
        self._clock = clock
        self.rhythm = rhythm

    def now_ms(self) -> float:
        """App time."""
        return self._clock.now_ms()

    async def rest(self, ms: float) -> None:
        """A human pause of `ms`, stretched by the rhythm."""
        await self.until(self.now_ms() + ms * self.rhythm)

    async def until(self, at_ms: float) -> None:
        """Return when app time has come to `at_ms`; at once if it has passed or time stands still."""
        if at_ms - self.now_ms() < _WORTH_HURRYING_MS:
            await until(self._clock, at_ms)
        else:
            with self.hurrying():
                await until(self._clock, at_ms)

    def hurrying(self, *, asking: bool = False) -> AbstractContextManager[None]:
        """Inside the block app time may run as fast as everything keeps up; with `asking` as fast as answers do."""
        return self._clock.hurrying(asking=asking)

    def unhurried(self) -> AbstractContextManager[None]:
        """Inside the block app time runs no faster than the wall: what takes real time must not seem long to the page."""
        return self._clock.at_most(1.0)
