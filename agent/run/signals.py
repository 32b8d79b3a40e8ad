"""What signals of the system do to a run that is under way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from langgraph.runtime import RunControl

from agent.run.steering import Steering


class Signals:
    """What signals do to a run.

    The first SIGINT is a person's who may go on: the graph stops after the node it is in, and the run can be resumed. SIGTERM and
    SIGHUP (the machine or the terminal goes away) leave nobody who would: the exploration ends after the node it is in, and the
    run is sealed and judged as it stands. A second signal breaks off the node that is under way, a model's call for one, and what
    there is gets sealed and judged; one more, or one when that is done already, leaves the rest to `--resume`.
    """

    def __init__(self, steering: Steering) -> None:
        self.control, self.last = RunControl(), ""
        self._steering, self._asked, self._cut = steering, False, False
        self._task: asyncio.Task[Any] | None = None

    @asynccontextmanager
    async def heeded(self) -> AsyncIterator[None]:
        """While inside, they are."""
        loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        handled = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in handled:
            loop.add_signal_handler(number, self._heed, number)
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)

    def forgive(self) -> None:
        """Go on after a cancellation by a signal. Raises `CancelledError` again if it was another."""
        if not self._cut or self._task is None:
            raise asyncio.CancelledError
        self._cut = False
        self._task.uncancel()

    def _heed(self, number: signal.Signals) -> None:
        self.last = number.name
        if self._asked and self._task is not None:
            self._cut = True
            self._task.cancel()
        elif number is signal.SIGINT:
            self.control.request_drain("interrupted")
        else:
            self._steering.end(number.name)
        self._asked = True
        self._steering.wake()
