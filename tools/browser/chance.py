"""Chance from a seed: what pages draw by `Math.random` and `crypto` is the same in every run with that seed.

Documents, frames and workers that are fetched run `chance.js` first. In workers of other kinds (from blobs, shared, service) and
in worklets `Math.random` is seeded by the JavaScript engine itself (`flags`), and `crypto` is not.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from importlib.resources import files
from typing import Any

from tools.browser.clock.page import one_line
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.browser.intercept import Intercept
from tools.browser.tab import Tab

_SOURCE = one_line((files("tools.browser") / "chance.js").read_text(encoding="utf-8"))


class Chance:
    """Give `script` to every document before its own code, then `attach` it to the tab."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._secret = secrets.token_hex(12)
        self._load = 0
        self._workers = 0
        self._registered = ""
        self._counting: asyncio.Task[None] | None = None

    @property
    def engine_flags(self) -> tuple[str, ...]:
        """For the script engine. It takes 0 for no seed."""
        return (f"--random-seed={(self._seed * 2654435761 + 1) % (1 << 31) or 1}",)

    @property
    def script(self) -> str:
        """What documents run first."""
        return self._program(0)

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Count the pages of the tab, and put the script in front of workers. Call it before `intercept.open`."""
        before = intercept.worker_prefix

        def prefix() -> str:
            self._workers += 1
            return (before() if before is not None else "") + self._program(self._workers)

        intercept.worker_prefix = prefix
        await self._count(tab)
        tab.cdp.on("Page.frameNavigated", lambda event: self._arrived(tab, event))

    def _arrived(self, tab: Tab, event: dict[str, Any]) -> None:
        """A page is there: the next one will be another."""
        if "parentId" not in event["frame"]:
            self._counting = asyncio.ensure_future(self._count(tab))

    async def _count(self, tab: Tab) -> None:
        self._load += 1
        previous = self._registered
        with contextlib.suppress(CommandRefused, TabBusy, TabCrashed):
            answer = await tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": self._program(self._load)})
            self._registered = answer["identifier"]
            if previous:
                await tab.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": previous})

    def _program(self, load: int) -> str:
        start = {"seed": str(self._seed), "load": load}
        return f"({_SOURCE})({json.dumps(self._secret)},{json.dumps(start)});"
