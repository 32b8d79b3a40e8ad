"""What pages try: refused or without effect, written down where it leaves a trace; the page goes on unless it is past help."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest

from configs.settings import Budget
from tests.integration.guard.arena import Arena, arena
from tests.integration.guard.tricks import TRICKS, Trick, play
from tests.integration.stage.conftest import Opened, Opener, opener

pytestmark = pytest.mark.long  # several minutes of storms, hangs and bombs on a busy machine

LAST = ("full screen", "pointer lock")
"""They keep the screen or the pointer for a while, so each has its own look below."""
USUAL_FATAL = ("endless navigation", "memory bomb")


@dataclass
class Ground:
    """The attackers' site, a way to open stages on it, and the stage that most tests share."""

    place: Arena
    open_stage: Opener
    shared: Opened | None = None

    async def stage(self) -> Opened:
        """The shared stage; a new one if a test has ended the last."""
        if self.shared is None or self.shared.stage.state != "live":
            if self.shared is not None:
                await self.shared.stage.close()
            self.shared = await self.open_stage(self.place.site, command_s=15.0)
        return self.shared


@pytest.fixture(scope="module")
async def ground(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ground]:
    """See `Ground`."""
    async with AsyncExitStack() as stack:
        place = stack.enter_context(arena())
        yield Ground(place, opener(stack, tmp_path_factory.mktemp("tricks")))


@pytest.mark.parametrize(
    "trick", [item for item in TRICKS if not item.fatal and item.name not in LAST], ids=lambda item: item.name
)
async def test_a_trick_comes_to_nothing(ground: Ground, trick: Trick) -> None:
    """The tab lives, the page was told what it must be told, and there is a row where something was refused."""
    place, opened = ground.place, await ground.stage()
    if trick.name in ("alert burst", "beforeunload", "confirm", "prompt", "alert", "away from the site"):
        await opened.stage.goto(place.site + "tricks.html")
    outcome = await play(opened, trick, place.site)
    assert outcome.wrong == ""


@pytest.mark.parametrize("name", LAST)
async def test_screen_and_pointer_are_given_back(ground: Ground, name: str) -> None:
    """A page may have them, as a game wants, but not keep them from the rest of the session."""
    place, opened = ground.place, await ground.stage()
    outcome = await play(opened, next(item for item in TRICKS if item.name == name), place.site)
    assert outcome.wrong == ""
    await opened.stage.page.wait_for_function("!document.fullscreenElement && !document.pointerLockElement", timeout=15_000)


@pytest.mark.parametrize(
    "trick",
    [item if item.name in USUAL_FATAL else pytest.param(item, marks=pytest.mark.long) for item in TRICKS if item.fatal],
    ids=lambda item: item.name,
)
async def test_a_page_past_help_is_ended(ground: Ground, trick: Trick) -> None:
    """Within seconds; a row says why, the picture can still be taken, and the stage closes."""
    place = ground.place
    opened = await ground.open_stage(place.site, command_s=5.0, budget=Budget(memory_mb=1200, disk_mb=200))
    assert await opened.stage.goto(place.site + "tricks.html")
    outcome = await play(opened, trick, place.site)
    assert outcome.wrong == ""
    assert (await opened.stage.picture()).shape == (800, 1280, 3)
    await opened.stage.close()
    assert opened.processes.running() == {}
