"""Watches one page's code: starts Chromium's precise coverage, reads it after each act, keeps the account of what ran.

One isolate, the page's own: frames of the same process are in it, frames elsewhere and workers are not, which the notes say. A
document that is left takes its last counts along; the account of what ran before stays. Commands are bounded; what cannot be
read is a row that says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from tools.browser.coverage.maps import LARGEST_MAP, BadMap, SourceMap, inline_map, read_map
from tools.browser.coverage.origin import label_of, own_by_address, published
from tools.browser.coverage.sources import Sources
from tools.browser.coverage.unit import Head, How, Unit
from tools.browser.network import Policy
from tools.browser.tab import Tab
from tools.errors import StageFault
from tools.evidence.code_rows import FUNCTIONS_AT_MOST, SCRIPTS_AT_MOST, CodeRan, CodeSeen, OwnScript, RanFunction

READ_S = 5.0
MAP_S = 3.0
"""Longest waits for one reading, and for one source map."""
UNITS_AT_MOST = 1500
"""Own scripts that are kept account of: an app that makes code without end is not followed for ever."""
LARGEST_SCRIPT = 20_000_000
"""Characters of a script that is taken in."""
LISTED_AT_MOST = 5000
_GONE_CACHE_BYTES = 8_000_000
_MINIFIED = 400
"""Mean length of a line from which a script without a map counts as minified."""


@dataclass(frozen=True)
class _Script:
    """What the browser said when it compiled a script."""

    url: str
    line: int
    column: int
    size: int
    map_url: str
    hash: str
    evaluated: bool
    """Made by other code: it has a caller."""
    frame: str


@dataclass(frozen=True)
class Reading:
    """One reading of what ran. `seen` is there when new own code was met, with the list of all own functions as JSON."""

    ran: CodeRan
    seen: CodeSeen | None = None
    listing: bytes = b""
    functions: tuple[RanFunction, ...] = ()
    """All own functions that ran, also those that the row has no room for."""


class CodeWatch:
    """`await start()` before the first document; then `await read(step)` whenever app time stands."""

    def __init__(self, tab: Tab, policy: Policy) -> None:
        self._tab = tab
        self._policy = policy
        self._scripts: dict[str, _Script] = {}
        self._units: dict[tuple[str, ...], Unit] = {}
        self._by_id: dict[str, Unit | None] = {}
        """What became of each script of the present documents; None: set aside."""
        self._libraries: set[str] = set()
        self._notes: dict[str, None] = {}
        self._told = 0
        self._workers = 0
        self._navigations = 0
        self._read_navigations = 0
        self.trouble = "it was not begun"
        """Why nothing is measured; empty while something is."""

    async def start(self) -> None:
        """Begin to count. Without a debugger's pauses: a `debugger` statement is passed over. Never raises for a refusal."""
        channel = self._tab.main
        channel.on("Debugger.scriptParsed", self._parsed)
        channel.session.on("Page.frameNavigated", self._navigated)
        self._tab.page.on("worker", lambda _: self._count_worker())
        try:
            await channel.send("Debugger.enable", {"maxScriptsCacheSize": _GONE_CACHE_BYTES})
            await channel.send("Debugger.setSkipAllPauses", {"skip": True})
            await channel.send("Profiler.enable")
            await channel.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
        except StageFault as fault:
            self.trouble = fault.message
        else:
            self.trouble = ""

    async def read(self, step: int) -> Reading:
        """What ran since the last reading. App time should stand meanwhile. A page that cannot be read gives a row that says so."""
        if self.trouble:
            return Reading(CodeRan(step=step, measured=False, reason=self.trouble))
        try:
            answer = await self._tab.send("Profiler.takePreciseCoverage", timeout_s=READ_S)
        except StageFault as fault:
            return Reading(CodeRan(step=step, measured=False, reason=fault.message))
        told = [one for one in answer["result"] if self._wanted(one)]
        await self._take_up([str(one["scriptId"]) for one in told])
        ran: list[RanFunction] = []
        for one in told:
            unit = self._by_id.get(str(one["scriptId"]))
            if unit is not None:
                ran += unit.add(one["functions"])
        return self._reading(step, _merged(ran))

    # ---- the account ----------------------------------------------------------------------------------------------------

    def _reading(self, step: int, ran: tuple[RanFunction, ...]) -> Reading:
        left, self._read_navigations = self._navigations != self._read_navigations, self._navigations
        listed = [
            (unit, function, size) for unit in self._units.values() for function, size in unit.own_functions()
        ]
        size = sum(unit.size for unit in self._units.values())
        row = CodeRan(
            step=step,
            measured=bool(self._units),
            reason="" if self._units else "no code of the app's own was met",
            functions=ran[:FUNCTIONS_AT_MOST],
            ran=len(ran),
            first=sum(1 for one in ran if one.first),
            left=left and step > 0,
            known=len(listed),
            known_run=sum(1 for _, function, _ in listed if function.ran),
            size=size,
            size_run=sum(unit.size_run for unit in self._units.values()),
        )
        told = len(listed) + len(self._units)
        if told == self._told:
            return Reading(row, functions=ran)
        self._told = told
        values = [
            [function.name, function.source, function.line, function.column, own_size]
            for _, function, own_size in sorted(listed, key=lambda one: -one[2])[:LISTED_AT_MOST]
        ]
        listing = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        return Reading(row, self._seen(len(listed), size), listing, ran)

    def _seen(self, functions: int, size: int) -> CodeSeen:
        scripts = sorted((script for unit in self._units.values() for script in _scripts_of(unit)), key=lambda one: -one.size)
        notes = [*self._notes]
        if self._workers:
            notes.append(f"what ran in workers ({self._workers}) was not seen")
        if len(self._tab.channels) > 1:
            notes.append("what ran in frames with a process of their own was not seen")
        return CodeSeen(
            scripts=tuple(scripts[:SCRIPTS_AT_MOST]),
            functions=functions,
            size=size,
            libraries=len(self._libraries),
            notes=tuple(notes),
        )

    # ---- scripts --------------------------------------------------------------------------------------------------------

    def _parsed(self, event: dict[str, Any]) -> None:
        context = event.get("executionContextAuxData") or {}
        url = str(event.get("url", ""))
        frames = (event.get("stackTrace") or {}).get("callFrames") or []
        caller = str(frames[0].get("url", "")) if frames else ""
        # Assay's own scripts have neither an address nor a caller with one, or live in a world of their own.
        if not context.get("isDefault") or not (url or caller):
            return
        self._scripts[str(event["scriptId"])] = _Script(
            url=url or caller,
            line=int(event["startLine"]),
            column=int(event["startColumn"]),
            size=int(event.get("length", 0)),
            map_url=str(event.get("sourceMapURL") or ""),
            hash=str(event.get("hash", "")),
            evaluated=not url or url.startswith(("blob:", "data:")),
            frame=str(context.get("frameId", "")),
        )

    def _navigated(self, event: dict[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self._navigations += 1

    def _count_worker(self) -> None:
        self._workers += 1

    def _wanted(self, told: Mapping[str, Any]) -> bool:
        script = self._scripts.get(str(told["scriptId"]))
        # Numbers may come again in another process; then the address differs.
        return script is not None and (script.url == told["url"] or not told["url"])

    async def _take_up(self, ids: list[str]) -> None:
        """Get to know scripts that are new, all at once."""
        fresh = [one for one in ids if one not in self._by_id or self._changed(one)]
        await asyncio.gather(*(self._take_up_one(one, self._scripts[one]) for one in fresh))

    def _changed(self, script_id: str) -> bool:
        """Whether a number stands for another script now than when it was taken up."""
        unit = self._by_id[script_id]
        return unit is not None and self._units.get(self._key(self._scripts[script_id])) is not unit

    def _key(self, script: _Script) -> tuple[str, ...]:
        """The same for the same text at the same place, however often it is loaded."""
        return (label_of(script.url, self._policy), str(script.line), str(script.column), script.hash)

    async def _take_up_one(self, script_id: str, script: _Script) -> None:
        key = self._key(script)
        self._by_id[script_id] = None
        if key in self._units:
            self._by_id[script_id] = self._units[key]
            return
        if not own_by_address(script.url, self._policy):
            self._libraries.add(key[0])
            return
        if len(self._units) >= UNITS_AT_MOST or script.size > LARGEST_SCRIPT:
            self._notes["some of its scripts were too many or too large to be followed"] = None
            return
        try:
            answer = await self._tab.send("Debugger.getScriptSource", {"scriptId": script_id}, timeout_s=READ_S)
        except StageFault:
            self._notes["the text of some of its scripts could not be had"] = None
            return
        text = str(answer["scriptSource"])
        found = await self._map_of(script)
        if found is None and not script.evaluated and script.line == 0 and published(text):
            self._libraries.add(key[0])
            return
        unit = await asyncio.to_thread(_unit, script, key[0], text, found)
        if unit.sources is not None and not any(unit.sources.own):
            self._libraries.add(key[0])
            return
        if unit.sources is None and len(text) > 20_000 and len(text) / (text.count("\n") + 1) > _MINIFIED:
            self._notes[f"{key[0]} is minified and has no source map: all of it counts as the app's own"] = None
        self._by_id[script_id] = self._units.setdefault(key, unit)

    async def _map_of(self, script: _Script) -> SourceMap | None:
        """The script's source map; None if it has none, or none that can be read."""
        if not script.map_url:
            return None
        address = urljoin(script.url, script.map_url) if urlsplit(script.url).scheme in {"http", "https"} else script.map_url
        try:
            if address.startswith("data:"):
                text = inline_map(address)
            elif self._policy.own(address):
                text = await self._fetch(address, script.frame)
            else:
                return None
            return await asyncio.to_thread(read_map, text)
        except (BadMap, StageFault) as trouble:
            name = label_of(script.url, self._policy)
            self._notes[f"the source map of {name} could not be read, so all of {name} counts as the app's own"] = None
            del trouble
            return None

    async def _fetch(self, address: str, frame: str) -> str:
        """A file of the site, through the browser and its policy, without the page's knowledge. Raises `BadMap`, `StageFault`."""
        options = {"disableCache": False, "includeCredentials": True}
        asked = {"frameId": frame or self._tab.main_frame_id, "url": address, "options": options}
        answer = (await self._tab.send("Network.loadNetworkResource", asked, timeout_s=MAP_S))["resource"]
        handle = answer.get("stream")
        if not answer.get("success") or handle is None:
            raise BadMap(f"{address} was not delivered")
        parts: list[str] = []
        size = 0
        try:
            while size <= LARGEST_MAP:
                part = await self._tab.send("IO.read", {"handle": handle, "size": 1_000_000}, timeout_s=MAP_S)
                parts.append(str(part["data"]))
                size += len(parts[-1])
                if part["eof"]:
                    break
        finally:
            with contextlib.suppress(StageFault):
                await self._tab.send("IO.close", {"handle": handle}, timeout_s=MAP_S)
        return "".join(parts)


def _unit(script: _Script, label: str, text: str, found: SourceMap | None) -> Unit:
    how: How = "mapped" if found is not None else "evaluated" if script.evaluated else "file"
    if how == "file" and (script.line or script.column):
        how = "inline"
    head = Head(label, how, script.line, script.column)
    return Unit(head, text, Sources(found, label) if found is not None else None)


def _scripts_of(unit: Unit) -> list[OwnScript]:
    """The script, or the source files of a bundle that has own code in it."""
    functions = unit.own_functions()
    if unit.sources is None:
        return [OwnScript(source=unit.head.label, how=unit.head.how, size=unit.size, functions=len(functions))]
    sizes: dict[str, list[int]] = {label: [] for label, own in zip(unit.sources.labels, unit.sources.own, strict=True) if own}
    for function, size in functions:
        sizes.setdefault(function.source, []).append(size)
    return [OwnScript(source=label, how="mapped", size=sum(one), functions=len(one)) for label, one in sizes.items()]


def _merged(ran: list[RanFunction]) -> tuple[RanFunction, ...]:
    """One entry for each function (the same script may be there twice), those that ran for the first time first."""
    found: dict[tuple[str, int, int], RanFunction] = {}
    for one in ran:
        key = (one.source, one.line, one.column)
        other = found.get(key)
        if other is not None:
            both = {"first": one.first or other.first, "calls": one.calls + other.calls, "blocks": one.blocks + other.blocks}
            one = one.model_copy(update=both)
        found[key] = one
    return tuple(sorted(found.values(), key=lambda one: (not one.first, not one.blocks, one.source, one.line, one.column)))


def digest(text: str) -> str:
    """A short name for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
