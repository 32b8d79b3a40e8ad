"""What looks and acts for a stage: Assay's own eyes and hands, unless it is given others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from configs.settings import Settings
from tools.browser.actions import Action
from tools.browser.clock.governor import Governor
from tools.browser.guard import Guard
from tools.browser.logs import Logs
from tools.browser.marks import Observation
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic
from tools.evidence.ledger import Ledger


class Watched(Protocol):
    """What the eyes need of the stage."""

    tab: Tab
    clock: Governor
    ledger: Ledger
    logs: Logs
    traffic: Traffic
    guard: Guard

    @property
    def pending_requests(self) -> int:
        """Requests of the site's own that are on their way."""
        ...

    async def picture(self) -> NDArray[np.uint8]:
        """What a person sees now: RGB, (height, width, 3)."""
        ...

    def still(self) -> AbstractAsyncContextManager[None]:
        """App time stands inside the block."""
        ...


class Performing(Protocol):
    """What the stage needs of the hands."""

    async def perform(self, action: Action) -> Any:
        """Carry out one act; returns `hands.Performed`."""
        ...

    def close(self) -> None:
        """Give back what was held for the acts. Idempotent."""
        ...


@dataclass(frozen=True)
class EyesAndHands:
    """The parts that look and act. `Stage.open` takes Assay's own unless it is given others."""

    observe: Callable[[Watched, str], Awaitable[Observation]]
    hands: Callable[[Tab, Governor, Settings, str | None], Performing]
