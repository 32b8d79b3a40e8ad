"""Watches one page's code: starts Chromium's precise coverage, reads it after each act, keeps the account of what ran.

One isolate, the page's own: frames of the same process are in it, frames elsewhere and workers are not, which the notes say. A
document that is left takes its last counts along; the account of what ran before stays. Commands are bounded; what cannot be
read is a row that says so.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from tools.browser.clock.protocol import Clock
from tools.browser.coverage.maps import LARGEST_MAP, BadMap, SourceMap, inline_map, read_map
from tools.browser.coverage.origin import label_of, own_by_address, published
from tools.browser.coverage.sources import Sources
from tools.browser.coverage.unit import Head, How, Unit
from tools.browser.faults import CommandRefused
from tools.browser.network import Policy
from tools.browser.tab import Tab
from tools.errors import StageFault
from tools.evidence.code_rows import FUNCTIONS_AT_MOST, SCRIPTS_AT_MOST, CodeRan, CodeSeen, OwnScript, RanFunction
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Row

ENGINE_FLAGS = ("--no-maglev", "--no-turbofan")
"""For the script engine: code that its optimisers compiled counts no calls (seen in Chromium 156: a function called 60 times a
second is told of for three seconds, then never again), so what ran would look as if it had not."""
READ_S = 5.0
MAP_S = 3.0
"""Longest waits for one reading, and for one source map."""
UNITS_AT_MOST = 1500
"""Own scripts that are kept account of: an app that makes code without end is not followed for ever."""
SCRIPTS_KEPT = 20_000
"""Scripts whose address is remembered until they are read."""
LARGEST_SCRIPT = 20_000_000
"""Characters of a script that is taken in."""
LISTED_AT_MOST = 5000
_GONE_CACHE_BYTES = 8_000_000
_MINIFIED, _SMALL = 400, 20_000
"""Mean length of a line from which a script without a map counts as minified, unless it has no more characters than that."""


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
    """`await start()` before the first document; then `await read(step)`, for which app time stands."""

    def __init__(self, tab: Tab, policy: Policy, clock: Clock) -> None:
        self._tab = tab
        self._policy = policy
        self._clock = clock
        self._scripts: dict[str, _Script] = {}
        self._units: dict[tuple[str, int, int], Unit] = {}
        self._by_id: dict[str, Unit | None] = {}
        """What became of each script of the present documents; None: set aside."""
        self._libraries: set[str] = set()
        self._notes: dict[str, None] = {}
        self._told: dict[tuple[str, str], int] = {}
        self._workers = 0
        self._missed = self._mixed = False
        self._navigations = 0
        self._read_navigations: int | None = None
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
        """What ran since the last reading; app time stands meanwhile. A page that cannot be read gives a row that says so."""
        if self.trouble:
            return Reading(CodeRan(step=step, measured=False, reason=self.trouble))
        was_held = self._clock.held
        await self._clock.hold()
        try:
            return await self._read(step)
        except StageFault as fault:
            return Reading(CodeRan(step=step, measured=False, reason=fault.message))
        finally:
            if not was_held:
                await self._clock.release()

    async def _read(self, step: int) -> Reading:
        answer = await self._tab.send("Profiler.takePreciseCoverage", timeout_s=READ_S)
        told = [entry for entry in answer["result"] if self._wanted(entry)]
        await self._take_up([str(entry["scriptId"]) for entry in told])
        ran: list[RanFunction] = []
        others = 0
        for item in told:
            unit = self._by_id.get(str(item["scriptId"]))
            if unit is None:
                others += sum(1 for function in item["functions"] if function["ranges"][0]["count"])
                continue
            own, foreign = unit.add(item["functions"])
            ran += own
            others += foreign
        return self._reading(step, _merged(ran), others)

    @property
    def blind(self) -> bool:
        """Whether there are places in which the app's code may run unseen: workers, frames elsewhere, scripts not followed."""
        return bool(self._workers or self._missed or len(self._tab.channels) > 1)

    def never_ran(self) -> tuple[str, ...]:
        """Names of own functions that are known and have not run, the largest first; nameless ones are left out."""
        left = [
            (size, function.name) for unit in self._units.values() for function, size in unit.own_functions() if not function.ran
        ]
        return tuple(dict.fromkeys(name for _, name in sorted(left, key=lambda entry: -entry[0]) if name != "anonymous"))

    # ---- the account ----------------------------------------------------------------------------------------------------

    def _reading(self, step: int, ran: tuple[RanFunction, ...], others: int) -> Reading:
        left = self._read_navigations not in {None, self._navigations}
        self._read_navigations = self._navigations
        listed = [(unit, function, size) for unit in self._units.values() for function, size in unit.own_functions()]
        size = sum(unit.size for unit in self._units.values())
        row = CodeRan(
            step=step,
            measured=bool(self._units),
            reason="" if self._units else "no code of the app's own was met",
            functions=ran[:FUNCTIONS_AT_MOST],
            ran=len(ran),
            first=sum(1 for ran_function in ran if ran_function.first),
            libraries_ran=others,
            left=left,
            known=len(listed),
            known_run=sum(1 for _, function, _ in listed if function.ran),
            size=size,
            size_run=sum(unit.size_run for unit in self._units.values()),
        )
        scripts = self._news()
        if not scripts:
            return Reading(row, functions=ran)
        values = [
            [function.name, function.source, function.line, function.column, own_size]
            for _, function, own_size in sorted(listed, key=lambda entry: -entry[2])[:LISTED_AT_MOST]
        ]
        listing = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        return Reading(row, self._seen(scripts, len(listed), size), listing, ran)

    def _news(self) -> list[OwnScript]:
        """Scripts that are new, or in which more functions are known, since this was last asked; the largest first."""
        found = sorted((script for unit in self._units.values() for script in _scripts_of(unit)), key=lambda item: -item.size)
        known = Counter[tuple[str, str]]()
        for each_script in found:
            known[each_script.source, each_script.how] += each_script.functions + 1
        news = [item for item in found if self._told.get((item.source, item.how)) != known[item.source, item.how]]
        self._told = dict(known)
        return news

    def _seen(self, scripts: list[OwnScript], functions: int, size: int) -> CodeSeen:
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
            mixed=self._mixed,
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
        while len(self._scripts) >= SCRIPTS_KEPT:
            del self._scripts[next(iter(self._scripts))]
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
            # Another process counts its scripts anew; those that are known are found again by what they are.
            self._by_id.clear()

    def _count_worker(self) -> None:
        self._workers += 1

    def _wanted(self, told: Mapping[str, Any]) -> bool:
        script = self._scripts.get(str(told["scriptId"]))
        # Numbers may come again in another process; then the address differs.
        return script is not None and (script.url == told["url"] or not told["url"])

    async def _take_up(self, ids: list[str]) -> None:
        """Get to know scripts that are new, all at once."""
        fresh = [text for text in ids if text not in self._by_id]
        await asyncio.gather(*(self._take_up_one(text, self._scripts[text]) for text in fresh))

    async def _take_up_one(self, script_id: str, script: _Script) -> None:
        label = label_of(script.url)
        self._by_id[script_id] = None
        # What is made of a text while the page runs (a template, an attribute's expression) is the app's, whoever makes it.
        if not script.evaluated and not own_by_address(script.url, self._policy):
            self._libraries.add(label)
            return
        # The same text at the same place is the same code, whichever address it is loaded at, however often.
        key = (script.hash, script.line, script.column)
        if key in self._units:
            self._by_id[script_id] = self._units[key]
            return
        if len(self._units) >= UNITS_AT_MOST or script.size > LARGEST_SCRIPT:
            self._missed = True
            self._notes["some of its scripts were too many or too large to be followed"] = None
            return
        try:
            answer = await self._tab.send("Debugger.getScriptSource", {"scriptId": script_id}, timeout_s=READ_S)
        except CommandRefused:
            self._missed = True
            self._notes["the text of some of its scripts could not be had"] = None
            return
        text = str(answer["scriptSource"])
        found = await self._map_of(script)
        unit = await asyncio.to_thread(_unit, script, label, text, found)
        alone = unit.sources is None and unit.head.how == "file"
        if (alone and published(text)) or (unit.sources is not None and not any(unit.sources.own)):
            self._libraries.add(label)
            return
        if alone and len(text) > _SMALL and len(text) / (text.count("\n") + 1) > _MINIFIED:
            self._mixed = True
            self._notes[f"{label} is minified and has no source map: all of it counts as the app's own"] = None
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
            name = label_of(script.url)
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
                data = str(part["data"])
                parts.append(base64.b64decode(data).decode("utf-8", "replace") if part.get("base64Encoded") else data)
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
    if how == "evaluated":
        label = f"code made by {label}"
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
    return [OwnScript(source=label, how="mapped", size=sum(entry), functions=len(entry)) for label, entry in sizes.items()]


def _merged(ran: list[RanFunction]) -> tuple[RanFunction, ...]:
    """One entry for each function (the same script may be there twice), those that ran for the first time first."""
    found: dict[str, RanFunction] = {}
    for ran_function in ran:
        other = found.get(ran_function.key)
        both = {} if other is None else {"first": ran_function.first or other.first, "calls": ran_function.calls + other.calls}
        found[ran_function.key] = ran_function.model_copy(update=both)
    return tuple(
        sorted(
            found.values(),
            key=lambda function: (not function.first, not function.blocks, function.source, function.line, function.column),
        )
    )


def write(ledger: Ledger, reading: Reading, parent: str | None = None) -> Row:
    """Write a reading's rows; returns the one about what ran. `parent`: id of the act's row."""
    if reading.seen is not None:
        ledger.append(reading.seen, producer="coverage", blob=ledger.put(reading.listing, "application/json"))
    return ledger.append(reading.ran, producer="coverage", parent=parent)
