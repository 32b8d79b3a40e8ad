"""What the clocks have in common that live beside the browser: Assay counts app time, and nothing runs faster than the wall."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager

from tools.browser.clock.apptime import AppTime
from tools.browser.clock.protocol import Span


class Counted:
    """Base of the page clock and the wall clock; see `Governor` for what is asked of it."""

    env: Mapping[str, str] = {}

    def __init__(self) -> None:
        self._time = AppTime()

    @property
    def knots(self) -> list[tuple[float, float]]:
        """(app time in ms, wall time in s since the epoch) at the start, each hold and each release."""
        return self._time.knots

    @property
    def spans(self) -> list[Span]:
        """The same with the rate that holds from each on."""
        return self._time.spans()

    @property
    def epoch_s(self) -> None:
        """The page sees the machine's date."""
        return

    def now_ms(self) -> float:
        """App time in ms since the stage opened."""
        return self._time.now_ms()

    def film_knots(self) -> list[tuple[float, float]]:
        """The recorder lives in wall time."""
        return self._time.knots

    def film_now_s(self) -> float:
        """The recorder lives in wall time."""
        return time.time()

    def hurrying(self, *, asking: bool = False) -> AbstractContextManager[None]:
        """It never runs faster than the wall."""
        del asking
        return contextlib.nullcontext()

    def at_most(self, rate: float) -> AbstractContextManager[None]:
        """It never runs faster than the wall."""
        del rate
        return contextlib.nullcontext()

    def governs(self, pid: int) -> bool:
        """It governs no process, and needs none."""
        del pid
        return True

    async def approach(self) -> None:
        """Nothing to do."""

    async def begin(self) -> None:
        """App time starts now."""
        self._time.start()

    def close(self) -> None:
        """Nothing is left behind."""
