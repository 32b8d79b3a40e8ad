"""What the stage asks of a clock beyond the `Clock` protocol, and the choice among clocks.

A clock may govern *processes* (the held clock preloads a library into the browser, the sound server and the recorder: its
`env`) or *pages* (the page clock talks to the tab it is attached to), or nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from tools.browser.clock.page import PageClock
from tools.browser.clock.protocol import Clock
from tools.browser.clock.wall import WallClock
from tools.browser.intercept import Intercept
from tools.browser.tab import Tab


class Governor(Clock, Protocol):
    """A clock that the stage can set up."""

    env: Mapping[str, str]
    """Variables for every process that must live in this clock's time; read before they start."""
    continuous: bool
    """The recorder lives in this clock's time too, so holds leave no trace in the file."""

    @property
    def script(self) -> str:
        """JavaScript to run in every document before its own; empty for a clock that needs none."""
        ...

    @property
    def knots(self) -> list[tuple[float, float]]:
        """(app time in ms, wall time in s since the epoch) at each start, hold and release."""
        ...

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Take charge of the page; app time starts now."""
        ...

    async def detach(self) -> None:
        """Let go of it: app time stands from here on."""
        ...


def choose_clock(wish: Literal["auto", "page", "wall"]) -> Governor:
    """The clock the settings ask for; `auto` is the one that can stop most here."""
    return WallClock() if wish == "wall" else PageClock()
