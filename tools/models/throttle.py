"""How many requests an endpoint gets at once: one more after each that went well, half as many when it is crowded (AIMD)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Throttle:
    """Adaptive concurrency of one endpoint, within `least` 1 and `most`."""

    def __init__(self, *, start: int = 4, most: int = 16) -> None:
        self.limit = float(min(start, most))
        self._most = most
        self._running = 0
        self._freed = asyncio.Condition()
        self._epoch = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[int]:
        """Wait for a place; gives the epoch that `crowded` wants back."""
        async with self._freed:
            await self._freed.wait_for(lambda: self._running < max(1, int(self.limit)))
            self._running += 1
        try:
            yield self._epoch
        finally:
            async with self._freed:
                self._running -= 1
                self._freed.notify_all()

    def went_well(self) -> None:
        """A request succeeded: a whole round of successes admits one more at once."""
        self.limit = min(float(self._most), self.limit + 1 / max(1.0, self.limit))

    def crowded(self, epoch: int) -> None:
        """The endpoint had too much to do. Requests that were sent together halve the limit once, not once each."""
        if epoch == self._epoch:
            self.limit = max(1.0, self.limit / 2)
            self._epoch += 1
