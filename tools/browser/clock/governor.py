"""What the stage asks of a clock beyond the `Clock` protocol, and the choice among clocks.

A clock may govern *processes* (the held clock preloads a library into the browser, the sound server and the recorder: its
`env`) or *pages* (the page clock talks to the tab it is attached to), or nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

from tools.browser.clock.held import EPOCH_S, HeldClock
from tools.browser.clock.page import PageClock
from tools.browser.clock.protocol import Clock, Span
from tools.browser.clock.wall import WallClock
from tools.browser.intercept import Intercept
from tools.browser.preloaded import HELD_CLOCK
from tools.browser.tab import Tab
from tools.errors import MissingProgram

Wish = Literal["auto", "held", "page", "wall"]


class Governor(Clock, Protocol):
    """A clock that the stage can set up. In order: `approach`, `attach`, `begin`; at the end `detach`, then `close`."""

    @property
    def env(self) -> Mapping[str, str]:
        """Variables for every process that must live in this clock's time; read before they start."""
        ...

    continuous: bool
    """The recorder lives in this clock's time too, so holds leave no trace in the file."""

    @property
    def script(self) -> str:
        """JavaScript to run in every document before its own; empty for a clock that needs none."""
        ...

    @property
    def epoch_s(self) -> float | None:
        """The date that the page sees when app time begins, s since 1970; None: the machine's."""
        ...

    @property
    def knots(self) -> list[tuple[float, float]]:
        """(app time in ms, wall time in s since the epoch) at each start, hold and release."""
        ...

    @property
    def spans(self) -> Sequence[Span]:
        """The rates, span by span, since app time began."""
        ...

    def film_knots(self) -> list[tuple[float, float]]:
        """(app time in ms, the recorder's clock in s since 1970), ascending; between two of them app time is linear."""
        ...

    def film_now_s(self) -> float:
        """What the clock of the recorder shows now, s since 1970."""
        ...

    def governs(self, pid: int) -> bool:
        """Whether a process lives in this clock's time, for a clock that has an `env`."""
        ...

    async def approach(self) -> None:
        """The browser runs; next the page is wired and the recorder starts."""
        ...

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Take charge of the page."""
        ...

    async def begin(self) -> None:
        """Everything is ready: app time zero. Some clocks stand from here until they are released."""
        ...

    async def detach(self) -> None:
        """Let go of the page: app time stands from here on."""
        ...

    def close(self) -> None:
        """Remove what is left on the machine, after the last governed process has ended."""
        ...


def choose_clock(wish: Wish, *, headed: bool = True, epoch_s: float = EPOCH_S) -> tuple[Governor, str]:
    """The clock the settings ask for, and why it is not the best one; `auto` is the one that can stop most here.

    `headed`: the browser gets a window on a display of its own. Raises `MissingProgram` when the held clock is asked for and
    cannot be had.
    """
    if wish == "wall":
        return WallClock(), ""
    if wish == "page":
        return PageClock(), ""
    why = "" if wish == "held" else _unfit(headed=headed)
    return (PageClock(), why) if why else (HeldClock(epoch_s=epoch_s), "")


def _unfit(*, headed: bool) -> str:
    """Why the held clock cannot be had here; empty if it can."""
    if not sys.platform.startswith("linux"):
        return "the held clock needs Linux"
    if not headed:
        return "without a display of its own the browser makes no pictures while the held clock stands"
    try:
        HELD_CLOCK.library()
    except MissingProgram as lack:
        return lack.message
    return ""
