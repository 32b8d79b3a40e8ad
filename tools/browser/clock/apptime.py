"""App time as Assay's own process counts it: wall time minus the time it was held."""

from __future__ import annotations

import time

from tools.browser.clock.protocol import Span


class AppTime:
    """A stopwatch with a memory: `knots` are the moments at which it started, stopped or went on."""

    def __init__(self) -> None:
        self._passed_ms = 0.0
        self._since_s: float | None = None
        # Monotonic, so that a corrected system clock cannot bend app time; knots are told in wall time all the same.
        self._zero_s = time.time() - time.monotonic()
        self._last_s = time.monotonic()
        self.knots: list[tuple[float, float]] = []
        """(app time in ms, wall time in s since the epoch), ascending; between two knots app time is linear in wall time."""

    @property
    def held(self) -> bool:
        """Whether it stands still."""
        return self._since_s is None

    def now_ms(self) -> float:
        """App time in ms since `start`."""
        if self._since_s is None:
            return self._passed_ms
        return self._passed_ms + (time.monotonic() - self._since_s) * 1000

    def start(self, wall_s: float | None = None) -> None:
        """Go on from where it stands; the first call is moment zero. `wall_s`: since when, if it began before this call."""
        if self._since_s is None:
            self._since_s = self._moment(wall_s)
            self.knots.append((self._passed_ms, self._since_s + self._zero_s))

    def stop(self, wall_s: float | None = None) -> None:
        """Stand still. `wall_s`: since when, if it stood before this call."""
        if self._since_s is not None:
            moment = self._moment(wall_s)
            self._passed_ms += (moment - self._since_s) * 1000
            self._since_s = None
            self.knots.append((self._passed_ms, moment + self._zero_s))

    def spans(self) -> list[Span]:
        """The knots with the rate that holds from each on."""
        running = False
        found: list[Span] = []
        for app_ms, wall_s in self.knots:
            running = not running
            found.append(Span(app_ms, wall_s, 1.0 if running else 0.0))
        return found

    def removed_ms(self) -> float:
        """Wall time since the first start during which it stood."""
        if not self.knots:
            return 0.0
        return max(0.0, (time.monotonic() + self._zero_s - self.knots[0][1]) * 1000 - self.now_ms())

    def _moment(self, wall_s: float | None) -> float:
        """A wall time as a moment between the last knot and now."""
        now = time.monotonic()
        moment = now if wall_s is None else min(now, max(self._last_s, wall_s - self._zero_s))
        self._last_s = moment
        return moment
