"""What every clock can do. Part of the seam: the held clock (Linux, from outside the browser) and the page clock share it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol


class Span(NamedTuple):
    """From this moment until the next one app time ran at `rate`."""

    app_ms: float
    wall_s: float
    """Seconds since 1970."""
    rate: float
    """App seconds per wall second; 0: it stood."""


class Clock(Protocol):
    """Governs the app's time. Every method is idempotent and safe to call from one task at a time."""

    name: str
    """`held`, `page` or `wall`: goes into the manifest."""
    cannot_stop: tuple[str, ...]
    """Time sources that run on while this clock is held."""

    async def hold(self) -> None:
        """App time stands still from here on."""
        ...

    async def release(self) -> None:
        """App time goes on, without a jump."""
        ...

    async def step(self, ms: float) -> None:
        """While held: let app time advance by `ms`, then stand still again.

        A clock that can hold raises `RuntimeError` where it is not held.
        """
        ...

    async def pace(self, rate: float) -> None:
        """App seconds per wall second; 1 is real time. Raises `ValueError` for a rate this clock cannot keep."""
        ...

    def now_ms(self) -> float:
        """App time in ms since the clock was attached; negative before it began, standing after it was let go of."""
        ...

    @property
    def rate(self) -> float:
        """App seconds per wall second at this moment; 0 while held."""
        ...

    def hurrying(self, *, asking: bool = False) -> AbstractContextManager[None]:
        """Inside the block nothing is done but waiting: a clock whose pace is left to it may run as fast as all keeps up.

        With `asking` the page is asked again and again: on a crowded machine, where answers are late, that is slowed as acts are.
        """
        ...

    def at_most(self, rate: float) -> AbstractContextManager[None]:
        """Inside the block the pace is not above `rate`, whoever is in a hurry."""
        ...

    @property
    def held(self) -> bool:
        """Whether app time stands still."""
        ...
