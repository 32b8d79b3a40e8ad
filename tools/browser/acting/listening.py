"""What input really reached the page: the hands' proof of delivery.

Assay's world in every frame notes trusted input from the document's start, before any handler of the page. So a press that landed
on something else, or a key that nobody received, is the hands' failure and known as such.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from tools.browser.faults import CommandRefused, FrameGone, TabBusy, TabCrashed, TabHung
from tools.browser.frames import FrameView
from tools.browser.marking.world import ask
from tools.browser.tab import Tab

_AGAIN_S = 0.008


@dataclass(frozen=True)
class Heard:
    """Events of the kinds asked for. `replaced`: the document is not the one the listening began in, so nothing can be told."""

    count: int = 0
    hit: str = ""
    """Selector of what the last of them hit."""
    on_target: bool = False
    replaced: bool = False


class Listener:
    """Listens in some frames from the moment it is made by `listen`."""

    def __init__(self, marks: list[tuple[FrameView, dict[str, Any]]]) -> None:
        self._marks = marks

    @classmethod
    async def listen(cls, views: list[FrameView]) -> Listener:
        """Begin in these frames; those that are gone are left out."""
        marks = []
        for view in views:
            try:
                marks.append((view, await ask(view, "inputMark")))
            except CommandRefused:
                continue
        return cls(marks)

    async def heard(self, *types: str) -> Heard:
        """What arrived so far, in all frames together."""
        total, hit, on_target, replaced = 0, "", False, False
        for view, since in self._marks:
            try:
                answer = await ask(view, "arrived", {"since": since, "types": list(types)})
            except FrameGone:
                replaced = True
                continue
            if answer["document"] != since["document"]:
                replaced = True
            elif answer["events"]:
                total += int(answer["count"])
                hit, on_target = answer["events"][-1]["hit"], answer["events"][-1]["onTarget"]
        return Heard(total, hit, on_target, replaced)

    async def wait_for(self, count: int, *types: str, timeout_s: float) -> Heard:
        """Return when `count` such events have arrived, the document was replaced, or the time is up.

        A page too busy to say (a dialog is open, a handler computes) is left alone: the bound is on the whole wait. Raises
        `TabHung` and `TabCrashed`.
        """
        give_up = asyncio.get_running_loop().time() + timeout_s
        heard = Heard()
        while True:
            try:
                heard = await self.heard(*types)
            except (TabHung, TabCrashed):
                raise
            except (TabBusy, CommandRefused):
                heard = Heard(replaced=True)
            if heard.count >= count or heard.replaced or asyncio.get_running_loop().time() > give_up:
                return heard
            await asyncio.sleep(_AGAIN_S)


async def all_frames(tab: Tab) -> list[FrameView]:
    """The frames that are shown."""
    return [view for view in await tab.frames() if view.shown]
