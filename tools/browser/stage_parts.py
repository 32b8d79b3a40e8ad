"""What a stage is made of, and taking it down."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Playwright

from tools.browser.clock.autopace import AutoPace
from tools.browser.clock.governor import Governor
from tools.browser.concurrent_tasks import within
from tools.browser.display import Display
from tools.browser.enclosed import WaysOut
from tools.browser.guard import Guard
from tools.browser.hearing import Ear
from tools.browser.launch import Launched
from tools.browser.logs import Logs
from tools.browser.network import Answerer, Policy
from tools.browser.recorder.screencast import ScreencastRecorder
from tools.browser.recorder.x11 import X11Recorder
from tools.browser.resource_limits import ResourceWatch
from tools.browser.run_user import RunUser
from tools.browser.scratch import remove_scratch
from tools.browser.sound import Sink
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic
from tools.errors import AssayError
from tools.evidence.rows import Gap, Recorded
from tools.processes import ProcessList

CLOSE_S = 3.0
"""Bound of ending one part (s)."""

Recorder = X11Recorder | ScreencastRecorder


@dataclass
class StageParts:
    """Everything a stage is made of."""

    processes: ProcessList
    scratch: Path
    playwright: Playwright
    launched: Launched
    tab: Tab
    clock: Governor
    logs: Logs
    traffic: Traffic
    guard: Guard
    policy: Policy
    display: Display | None
    sink: Sink | None
    ear: Ear | None
    ways: WaysOut
    recorder: Recorder | None
    capture: str
    run_user: RunUser
    resources: ResourceWatch
    auto_pace: AutoPace | None = None
    answerers: tuple[Answerer, ...] = ()
    """What gives libraries in place of the network."""
    clock_note: str = ""
    """Why there is no better clock."""
    gaps: list[tuple[str, str]] = field(default_factory=list)
    """(what, reason) of what should be there and is not."""

    @property
    def headed(self) -> bool:
        """The browser has a window on a display of its own."""
        return self.display is not None

    async def close(self) -> list[Recorded | Gap]:
        """End everything, the recording first; returns its rows. Bounded; never raises for what is gone already."""
        self.guard.close()
        if self.auto_pace is not None:
            self.auto_pace.stop()
        await self.resources.close()
        with contextlib.suppress(AssayError):
            await self.clock.detach()
        # The film must end before the window does; its encoding may go on while the browser is ended.
        stopping = asyncio.ensure_future(self.recorder.stop(self.clock.film_knots()) if self.recorder else _nothing())
        if self.recorder is not None:
            await within(CLOSE_S * 2, self.recorder.stopped.wait)
        await within(CLOSE_S, self.launched.context.close)
        await within(CLOSE_S, self.playwright.stop)
        rows = await stopping
        pids = [self.launched.pid, *(part.pid for part in (self.display, self.sink, self.ways.enclosed) if part is not None)]
        await asyncio.gather(*(self.processes.end(pid) for pid in pids))
        await self.ways.egress.close()
        self.logs.close()
        self.clock.close()
        await asyncio.to_thread(remove_scratch, self.scratch)
        self.run_user.close()
        return rows


async def _nothing() -> list[Recorded | Gap]:
    return []
