"""What a person who watches asks of a run: pause, one step, go on, advice, stop. Nodes read it where the run can stand.

The graph stands by LangGraph's interrupt at the beginning of `decide` (nothing has been done in the node yet, so that entering it
again repeats nothing), and `evaluation` holds app time until the person lets it go on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Wish = Literal["pause", "step", "go_on", "hint", "stop"]

LONGEST_PAUSE_S = 8 * 3600.0
"""After so long without a word the run goes on by itself."""
HINT_LIMIT = 500
"""Characters of one piece of advice."""


@dataclass(frozen=True)
class Instant:
    """Where a run stands in time. Its stage may be closed: then the figures are the last known, or None."""

    app_ms: float | None = None
    rate: float | None = None
    """App seconds per wall second; 0 while held; None without a stage."""
    held_s: float = 0.0
    """Wall seconds in which app time stood, since the stage opened."""
    seconds_left: float | None = None
    """Of the exploration's budget; None before and after the exploration."""


@dataclass
class Steering:
    """The wishes of whoever watches, as far as the run has not met them yet. Lives in the run's event loop."""

    pausing: bool = False
    """Stand before each further decision."""
    stopping: bool = False
    """End the exploration; what there is gets sealed and judged."""
    ended_by: str = ""
    """What from outside ended the exploration: the name of a signal."""
    wishes: list[tuple[Wish, str]] = field(default_factory=list)
    """Not yet written into the ledger; the text is advice, or empty."""
    standing: bool = False
    """The run has come to stand and waits."""
    instant: Callable[[], Instant] = Instant
    """Reads the run's clocks; the run sets it when it begins."""
    _go: asyncio.Event = field(default_factory=asyncio.Event)

    def pause(self) -> None:
        """Stand before the next decision."""
        self.pausing = True
        self._wish("pause")

    def step(self) -> None:
        """One decision with its act, then stand again; for a run that goes on: stand before the next decision."""
        self.pausing = True
        self._wish("step")
        if self.standing:
            self.wake()

    def go_on(self) -> None:
        """Stand no more."""
        self.pausing = False
        self._wish("go_on")
        if self.standing:
            self.wake()

    def hint(self, text: str) -> None:
        """Advice for the decider, heard before its next decision. Blank advice is none."""
        words = " ".join(text.split())[:HINT_LIMIT]
        if words:
            self._wish("hint", words)

    def stop(self) -> None:
        """End the exploration before the next decision."""
        self.stopping, self.pausing = True, False
        self._wish("stop")
        if self.standing:
            self.wake()

    def end(self, cause: str) -> None:
        """End the exploration before the next decision, as something from outside wants it; `cause` is a signal's name."""
        self.stopping, self.pausing, self.ended_by = True, False, cause

    def wake(self) -> None:
        """Let a run that stands look again whether it may go on."""
        self._go.set()

    async def go(self) -> None:
        """Until the person, or an interruption, lets the run go on; bounded by `LONGEST_PAUSE_S`."""
        try:
            async with asyncio.timeout(LONGEST_PAUSE_S):
                await self._go.wait()
        except TimeoutError:
            self.pausing = False
        self._go.clear()

    def _wish(self, wish: Wish, text: str = "") -> None:
        self.wishes.append((wish, text))
