"""What looks and acts for a stage: Assay's own eyes and hands, unless it is given others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from configs.settings import Settings
from tools.browser.actions import Action
from tools.browser.clock.governor import Governor
from tools.browser.marks import Observation
from tools.browser.tab import Tab

if TYPE_CHECKING:
    from tools.browser.stage import Stage


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

    observe: Callable[[Stage, str], Awaitable[Observation]]
    hands: Callable[[Tab, Governor, Settings, str | None], Performing]
