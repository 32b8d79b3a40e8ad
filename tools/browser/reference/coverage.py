"""Which places of the served scripts ran, by Chromium's precise block coverage (V8), in the terms in which mutants are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.async_api import CDPSession

from tools.mutation.mutant import Mutant

Key = tuple[str, int, int]
"""Path of the file; line and column, from 0, at which the script begins in it."""


class RanPlaces:
    """Collects over reloads. A place ran if it did in any of the documents."""

    def __init__(self, cdp: CDPSession) -> None:
        self._cdp = cdp
        self._scripts: dict[str, Key] = {}
        self._ran: dict[Key, list[list[tuple[int, int, bool]]]] = {}
        cdp.on("Debugger.scriptParsed", self._parsed)

    async def start(self) -> None:
        """Begin to count; call it before the page is opened."""
        await self._cdp.send("Profiler.enable")
        await self._cdp.send("Debugger.enable")
        await self._cdp.send("Debugger.setSkipAllPauses", {"skip": True})
        await self._cdp.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})

    def _parsed(self, told: Mapping[str, Any]) -> None:
        if told.get("url"):
            path = unquote(urlsplit(told["url"]).path)
            self._scripts[told["scriptId"]] = (path, told["startLine"], told["startColumn"])

    async def take(self) -> None:
        """Add what ran since the last call."""
        answer = await self._cdp.send("Profiler.takePreciseCoverage")
        for script in answer["result"]:
            key = self._scripts.get(script["scriptId"])
            if key is not None:
                ranges = [
                    (part["startOffset"], part["endOffset"], part["count"] > 0)
                    for function in script["functions"]
                    for part in function["ranges"]
                ]
                self._ran.setdefault(key, []).append(ranges)

    def ran(self, mutant: Mutant) -> bool | None:
        """Whether a mutant's place ran; None where it can't be told: a style sheet, a script that was never loaded as one."""
        if mutant.kind == "style":
            return None
        taken = self._ran.get((mutant.file, *mutant.region))
        if taken is None:
            return None
        return any(_inner(ranges, mutant.offset) for ranges in taken)


def _inner(ranges: list[tuple[int, int, bool]], at: int) -> bool:
    """Whether the innermost range around an offset was run. What no range holds is not told, so it may have been."""
    around = [(end - start, ran) for start, end, ran in ranges if start <= at < end]
    return min(around)[1] if around else False
