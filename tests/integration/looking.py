"""Stages with eyes and hands for the tests of both, on the pages of `fixtures/pages/sight`."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from configs.settings import Recording, Settings
from tests.conftest import FIXTURES
from tools.browser.actions import Action
from tools.browser.hands import Hands, Performed
from tools.browser.marks import Mark, Observation
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.processes import ProcessList

PAGES = FIXTURES / "pages" / "sight"
Way = Literal["xtest", "cdp"]


@dataclass
class Scene:
    """A headed stage on a served folder, and hands of either kind for it."""

    stage: Stage
    base: str
    _hands: dict[tuple[Way, float], Hands] = field(default_factory=dict)

    async def open(self, page: str) -> None:
        """Load a page of the folder. These pages are done when they have loaded, so nothing else is waited for."""
        self.stage.guard.acted()  # or so many documents in a row would be taken for endless navigation
        await self.stage.page.goto(self.base + page, timeout=20_000)
        await self.stage.tab.painted()

    def hands(self, way: Way, *, rhythm: float = 0.0) -> Hands:
        """The hands that go one way, by default without waiting; the same ones each time, as in a session."""
        settings = Settings(hands=way, rhythm=rhythm)
        found = self._hands.get((way, rhythm))
        return found or self._hands.setdefault(
            (way, rhythm), Hands(self.stage.tab, self.stage.clock, settings, self.stage.display)
        )

    def close(self) -> None:
        """Give back what the hands hold."""
        for hands in self._hands.values():
            hands.close()

    async def act(self, way: Way, action: Action, *, rhythm: float = 0.0) -> Performed:
        """Carry out one act."""
        return await self.hands(way, rhythm=rhythm).perform(action)

    async def script(self, expression: str) -> Any:
        """What the page itself says."""
        return await self.stage.page.evaluate(expression)


@asynccontextmanager
async def scene(base: str, run_dir: Path, settings: Settings | None = None) -> AsyncIterator[Scene]:
    """A stage with a window, not recorded, on the site at `base`."""
    settings = (settings or Settings()).model_copy(update={"recording": Recording(capture="x11", sound=False)})
    with contextlib.closing(Ledger.create(run_dir)) as ledger, ProcessList(run_dir) as processes:
        stage = await Stage.open(ledger=ledger, settings=settings, site=base, run_dir=run_dir, processes=processes, record=False)
        # Pages are opened here without the stage's own `goto`, which would do this.
        await stage.clock.release()
        made = Scene(stage, base)
        try:
            yield made
        finally:
            made.close()
            await stage.close()


def named(observation: Observation, name: str) -> Mark:
    """The one mark of that name."""
    found = [mark for mark in observation.marks if mark.name == name]
    assert len(found) == 1, f"{len(found)} marks are called {name!r}: {[mark.name for mark in observation.marks]}"
    return found[0]
