"""One bounded CDP connection to one process of the page, with the isolated worlds of the frames in it.

Scripts run in a world of their own: the same DOM, other JavaScript objects. A page that replaced `Array.prototype.map` or
`document.querySelector` therefore cannot lie to them. Worlds are named by Chromium's *unique* context ids: the plain ids are
counted from 1 in every process, so after a navigation to another process an old one may mean the page's own world.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import math
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from tools.browser.faults import BROWSER_GONE, CommandRefused, FrameGone, ScriptError, TabBusy, TabCrashed, TabHung
from tools.secrets import SECRETS

WORLD = "assay"
_PROBE_AT = 0.75
"""Share of a command's time after which the page is asked whether it answers at all."""
_NUDGE_S = 0.8
"""A command that a live page has not answered by then may wait for time that stands."""

_READS = ("Runtime.", "DOM.", "DOMSnapshot.", "Accessibility.")
"""Domains whose answers say what the page is: secrets in them are told by their names. Where they are asked, names stand for
secrets: a selector may hold one. Sources and what is on its way are left as they are, their places and lengths count."""
_KEPT_FUNCTIONS = 200
"""Of one world, called more than once."""
_APPLY = "function (...given) { return this(...given); }"
_NO_OBJECT = "Could not find object"
_TOLD_ONCE = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown")
_KEPT = 500

State = Literal["live", "crashed", "hung", "closed"]


class Fate:
    """What became of a tab, shared by all its channels; a wait on a tab that is gone ends at once."""

    def __init__(self) -> None:
        self.state: State = "live"
        self.how = ""
        self.gone = asyncio.Event()
        self.running = asyncio.Event()
        """Unset while the browser's processes are stopped, so that nobody takes a stopped page for a hung one."""
        self.running.set()
        self.stops = 0
        self.on_change: Callable[[State, str], None] | None = None
        """Called once, when the tab is no longer live, with the state and how it came about."""
        self.nudge: Callable[[], Awaitable[None]] | None = None
        """Lets held app time run for a moment: some of a page's work waits for a deadline, and a command behind it with it."""
        self.browser_alive: Callable[[], bool] | None = None
        """Whether the browser's process still runs, where that can be known."""

    def seal(self, state: State, how: str) -> None:
        """The tab is gone for good; the first reason stands."""
        if self.state != "live":
            return
        self.state, self.how = state, how
        self.gone.set()
        if self.on_change is not None:
            self.on_change(state, how)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Inside the block the browser's processes are stopped."""
        self.stops += 1
        self.running.clear()
        try:
            yield
        finally:
            self.running.set()

    def close(self, how: str) -> None:
        """The page is not there any more: closed, if its browser still is, else crashed."""
        if self.browser_alive is None or self.browser_alive():
            self.seal("closed", how)
        else:
            self.seal("crashed", BROWSER_GONE)

    def error(self, tried: str) -> TabHung | TabCrashed:
        """The error for whoever wants something from a tab that is gone."""
        return TabHung(tried, 0.0) if self.state == "hung" else TabCrashed(tried, self.how)


@dataclass(frozen=True)
class World:
    """Assay's world in one document: `unique` never repeats, `number` is what a few CDP methods still ask for."""

    unique: str
    number: int


class Channel:
    """CDP to one process of the tab. `await open()` once; then `send` and `call`."""

    def __init__(self, session: CDPSession, fate: Fate, command_s: float, *, main: bool, world_script: str = "") -> None:
        self.session = session
        # What Playwright's own `send` calls. That one walks each answer in search of handles to wrap, of which CDP's have none:
        # 60 ms an act, two thirds of it for the list of the code that ran (measured, 2026-11).
        self._plainly = session._impl_obj.send  # noqa: SLF001
        self.fate = fate
        self.command_s = command_s
        self.main = main
        """It is the main frame's process: when its connection ends, the page is gone."""
        self.world_script = world_script
        self.on_world: Callable[[Channel, str], None] | None = None
        """Called with the frame's id when a new document got its world."""
        self._worlds: dict[str, World] = {}
        self._functions: dict[str, dict[str, str]] = {}
        """By world: functions that were called there, and their handles where they were called again."""
        session.on("Runtime.executionContextCreated", self._created)
        session.on("Runtime.executionContextDestroyed", self._destroyed)
        session.on("Runtime.executionContextsCleared", lambda _: self._forget(set(self._worlds)))
        # What a process said before anybody listened is told when it is connected to, once.
        self._early: dict[str, list[dict[str, Any]]] = {name: [] for name in _TOLD_ONCE}
        for name in _TOLD_ONCE:
            session.on(name, functools.partial(self._keep, name))
        session.on("Inspector.targetCrashed", lambda _: fate.seal("crashed", "the renderer crashed"))

    async def open(self) -> None:
        """Switch on the domains that the worlds need, and have one made in every new document."""
        await self.send("Page.enable")
        await self.send("Runtime.enable")
        await self.send("DOM.enable")
        # At once as well: a frame's process is only known when its first document is already there.
        every = {"source": self.world_script, "worldName": WORLD, "runImmediately": True}
        await self.send("Page.addScriptToEvaluateOnNewDocument", every)

    def on(self, event: str, handler: Callable[[dict[str, Any]], None]) -> None:
        """Listen; what was told before is handed over first."""
        self.session.on(event, handler)
        for early in self._early.pop(event, ()):
            handler(early)

    def _keep(self, name: str, event: dict[str, Any]) -> None:
        kept = self._early.get(name)
        if kept is not None and len(kept) < _KEPT:
            kept.append(event)

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout_s: float | None = None) -> dict[str, Any]:
        """One CDP command. Raises `TabBusy`, `TabHung`, `TabCrashed`, `FrameGone` or `CommandRefused`."""
        reads = bool(SECRETS) and method.startswith(_READS)
        given = SECRETS.revealed_in(params or {}) if reads else params or {}
        try:
            answer = await self.bounded(self._plainly(method, given, None), method, timeout_s)
        except PlaywrightError as error:
            raise self._explain(error, method) from error
        return SECRETS.hidden_in(answer) if reads else answer

    async def call(self, frame_id: str, function: str, arguments: list[dict[str, Any]], timeout_s: float | None = None) -> Any:
        """Run a JavaScript function in our world of a frame and return its value (JSON; `undefined` becomes None).

        `arguments` are CDP call arguments (`{"value": …}` or `{"objectId": …}`). One retry in a new world, as the document may
        just have been replaced.
        """
        for attempt in (1, 2):
            world = await self.world(frame_id, timeout_s)
            try:
                called = await self._callee(world, function, timeout_s)
                how = {"arguments": arguments, "returnByValue": True, "awaitPromise": True}
                answer = await self.send("Runtime.callFunctionOn", {**called, **how}, timeout_s=timeout_s)
            except FrameGone:
                if self._worlds.get(frame_id) == world:
                    self._forget({frame_id})
                if attempt == 2:
                    raise
                continue
            except CommandRefused as refused:
                if attempt == 2 or _NO_OBJECT not in refused.message or self._functions.pop(world.unique, None) is None:
                    raise
                continue
            return value_of(answer)
        raise AssertionError("unreachable")

    async def _callee(self, world: World, function: str, timeout_s: float | None) -> dict[str, Any]:
        """How a function is named to the browser: by its text the first time in a world, then by a handle.

        So it is compiled once a document, and the browser's compiler makes it fast; the list of all code that ran (`coverage`)
        has it once, too. Reading a page took twice as long by its text each time (measured, 2026-11).
        """
        known = self._functions.setdefault(world.unique, {})
        handle = known.get(function)
        if handle == "":
            answer = await self.send(
                "Runtime.evaluate", {"expression": f"({function}\n)", "uniqueContextId": world.unique}, timeout_s=timeout_s
            )
            handle = known[function] = answer["result"].get("objectId", "")
        if handle:
            return {"functionDeclaration": _APPLY, "objectId": handle}
        if len(known) < _KEPT_FUNCTIONS:
            known[function] = ""
        return {"functionDeclaration": function, "uniqueContextId": world.unique}

    def _forget(self, frames: set[str]) -> None:
        """The worlds of these frames are gone."""
        for frame in frames:
            world = self._worlds.pop(frame, None)
            if world is not None:
                self._functions.pop(world.unique, None)

    @property
    def frame_ids(self) -> list[str]:
        """The frames of this process that have a document with our world."""
        return list(self._worlds)

    async def world(self, frame_id: str, timeout_s: float | None = None) -> World:
        """Our world in the frame's present document, made if there is none yet."""
        known = self._worlds.get(frame_id)
        if known is None:
            # The new context is announced before the command is answered, so it is in the table afterwards.
            await self.send("Page.createIsolatedWorld", {"frameId": frame_id, "worldName": WORLD}, timeout_s=timeout_s)
            known = self._worlds.get(frame_id)
        if known is None:
            raise FrameGone("Page.createIsolatedWorld", "the document went away while its world was made")
        return known

    async def bounded(self, work: Awaitable[Any], tried: str, timeout_s: float | None = None, *, probe: bool = True) -> Any:
        """Await `work`, but no longer than `timeout_s` (default `command_s`), and not at all on a tab that is gone.

        With `probe` a page that answers nothing else either by then is hung; without, only this one thing took too long.
        """
        limit_s = self.command_s if timeout_s is None else timeout_s
        task = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self.fate.gone.wait())
        asked: asyncio.Future[Any] | None = None
        try:
            if self.fate.state == "live":
                await self._patiently(task, gone, limit_s * _PROBE_AT)
            if not task.done() and not gone.done() and self.fate.state == "live":
                asked = asyncio.ensure_future(self.session.send("Runtime.evaluate", {"expression": "0"}))
                await self._patiently(task, gone, limit_s * (1 - _PROBE_AT))
            if task.done():
                return task.result()
            if self.fate.state != "live":
                raise self.fate.error(tried)
            if not probe or limit_s < self.command_s or _answered(asked):
                raise TabBusy(tried, limit_s)
            hung = TabHung(tried, limit_s)
            self.fate.seal("hung", hung.message)
            raise hung
        finally:
            for pending in (task, gone, asked):
                let_go(pending)

    async def _patiently(self, task: asyncio.Future[Any], gone: asyncio.Future[Any], limit_s: float) -> None:
        """Wait for one of them, nudging held time along while nothing comes."""
        left_s = limit_s
        while left_s > 0 and not task.done() and not gone.done() and self.fate.state == "live":
            await self._either(task, gone, min(left_s, _NUDGE_S))
            left_s -= _NUDGE_S
            if not task.done() and not gone.done() and self.fate.nudge is not None:
                await self.fate.nudge()

    async def _either(self, task: asyncio.Future[Any], gone: asyncio.Future[Any], limit_s: float) -> None:
        """Wait for one of them for that long, not counting the time in which the browser is stopped."""
        while not task.done() and not gone.done():
            stops = self.fate.stops
            await asyncio.wait({task, gone}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if self.fate.running.is_set() and self.fate.stops == stops:
                return
            await self.fate.running.wait()

    def _explain(self, error: PlaywrightError, tried: str) -> CommandRefused | TabCrashed | TabHung:
        text = error.message.partition("Protocol error")[2].partition("): ")[2].strip() or error.message.strip()
        if self.fate.state != "live":
            return self.fate.error(tried)
        if "crashed" in text:
            self.fate.seal("crashed", text)
            return TabCrashed(tried, text)
        closed = any(word in text for word in ("has been closed", "ession closed", "Target closed"))
        if closed and self.main:
            self.fate.close("the connection to the page ended")
            return self.fate.error(tried)
        lost = ("Cannot find context", "No frame", "Frame with the given", "context was destroyed", "Promise was collected")
        if closed or any(word in text for word in (*lost, "uniqueContextId not found")):
            return FrameGone(tried, text)
        return CommandRefused(tried, text)

    def _created(self, event: dict[str, Any]) -> None:
        context = event["context"]
        frame_id = context.get("auxData", {}).get("frameId", "")
        if context.get("name") == WORLD and frame_id:
            self._forget({frame_id})
            self._worlds[frame_id] = World(context["uniqueId"], context["id"])
            if self.on_world is not None:
                self.on_world(self, frame_id)

    def _destroyed(self, event: dict[str, Any]) -> None:
        number = event.get("executionContextId")
        self._forget({frame for frame, world in self._worlds.items() if world.number == number})


def value_of(answer: dict[str, Any]) -> Any:
    """The Python value of a CDP evaluation's answer. Raises `ScriptError` if the script did."""
    details = answer.get("exceptionDetails")
    if details is not None:
        exception = details.get("exception", {})
        text = exception.get("description") or str(exception.get("value", details.get("text", "")))
        raise ScriptError("script", text[:2000])
    result = answer.get("result", {})
    special = result.get("unserializableValue")
    if special is None:
        return result.get("value")
    numbers = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}
    return numbers[special] if special in numbers else int(special.rstrip("n"))


def _answered(future: asyncio.Future[Any] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def let_go(future: asyncio.Future[Any] | None) -> None:
    """Cancel what nobody waits for any more; if it failed meanwhile, that is nobody's concern either."""
    if future is None:
        return
    if not future.done():
        future.cancel()
    elif not future.cancelled():
        future.exception()
