"""Waiting in app time. Whatever waits here looks at the clock again and again, so that a change of its pace takes at once."""

from __future__ import annotations

import asyncio
import time

from tools.browser.clock.protocol import Clock

LOOK_S = 0.05
"""Wall time between two looks at the clock."""
WATCHDOG_S = 240.0
"""Wall seconds after which a bound in app time has passed, however little app time has. More than the graph's nodes may take, so
that whoever waits in one ends as incomplete, not as if it had waited long enough."""
_NEAR_MS = 0.5


class Waits:
    """Measures and spends app time; without a clock, wall time."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock

    def now_s(self) -> float:
        """Seconds on that clock, from wherever it counts."""
        return self._clock.now_ms() / 1000 if self._clock is not None else time.monotonic()

    @property
    def standing(self) -> bool:
        """Whether that clock is held."""
        return self._clock is not None and self._clock.held

    def deadline(self, after_s: float) -> Deadline:
        """The moment `after_s` from now."""
        return Deadline(self, after_s)

    async def pause(self, s: float) -> None:
        """Let `s` pass, at whatever pace; while time stands, that much wall time."""
        if self._clock is None or self._clock.held:
            await asyncio.sleep(s)
        else:
            await until(self._clock, self._clock.now_ms() + s * 1000)


class Deadline:
    """A bound in app time; while that stands, wall time counts in its place, as in `Waits.pause`."""

    def __init__(self, waits: Waits, after_s: float) -> None:
        self._waits = waits
        self._left_s = after_s
        self._counted = waits.now_s(), time.monotonic()
        self._wall_s = time.monotonic() + WATCHDOG_S + after_s

    @property
    def left_s(self) -> float:
        """Seconds left; 0 when it has passed."""
        (app_s, wall_s), now = self._counted, (self._waits.now_s(), time.monotonic())
        self._counted = now
        self._left_s -= now[1] - wall_s if self._waits.standing else max(0.0, now[0] - app_s)
        return 0.0 if now[1] >= self._wall_s else max(0.0, self._left_s)

    @property
    def passed(self) -> bool:
        """Whether it has come."""
        return self.left_s <= 0


async def until(clock: Clock, at_ms: float) -> None:
    """Return when app time has come to `at_ms`; at once if it has passed or time stands still."""
    while (left_ms := at_ms - clock.now_ms()) > _NEAR_MS:
        rate = clock.rate
        if rate <= 0:
            return
        await asyncio.sleep(min(left_ms / 1000 / rate, LOOK_S))
