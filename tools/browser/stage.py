"""The stage: a browser with its instruments, opened on one site, recorded from the first moment to the last."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from configs.settings import Settings, Size
from tools.browser import eyes, snapshots
from tools.browser.actions import Action
from tools.browser.auth import Auth
from tools.browser.channel import State
from tools.browser.clock.governor import Governor
from tools.browser.coverage.watch import CodeWatch
from tools.browser.faults import BROWSER_GONE, CommandRefused, TabBusy, TabCrashed, TabHung
from tools.browser.frames import FrameView
from tools.browser.guard import POPUP_LOOK_S, Guard
from tools.browser.hands import Hands
from tools.browser.loading import load
from tools.browser.logs import Logs, clean
from tools.browser.marking.world import prepare
from tools.browser.marks import Observation
from tools.browser.masking import mask_secrets
from tools.browser.network import Answerer
from tools.browser.recorder.tracks import write_tracks
from tools.browser.settle import Settled, settle
from tools.browser.stage_parts import StageParts
from tools.browser.stage_setup import set_up_stage
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic
from tools.browser.wiring import EyesAndHands
from tools.errors import StageFault
from tools.evidence.ledger import Ledger
from tools.evidence.rows import ClockKept, Gap, PageEvent, Recorded, Row, Screenshot, StageOpened
from tools.processes import ProcessList

_TRIES = 3


_GOES_ON = frozenset({"Xvfb"})
"""What is not stopped while somebody deliberates: the display, which does nothing by itself and may be looked at."""

Sight = TypeVar("Sight")
Sign = tuple[str, str]
"""Of work under way: a part's selector and frame, or words and nothing."""


class Stage:
    """Open it with `await Stage.open(…)`; `close` it whatever happened in between."""

    def __init__(self, parts: StageParts, settings: Settings, ledger: Ledger, wire: EyesAndHands) -> None:
        self._parts = parts
        self._wire = wire
        self._closed = False
        self.settings = settings
        self.ledger = ledger
        self.tab: Tab = parts.tab
        self.clock: Governor = parts.clock
        self.logs: Logs = parts.logs
        self.traffic: Traffic = parts.traffic
        self.guard: Guard = parts.guard
        self.ear = parts.ear
        """Hears what sounds now; None where nobody listens."""
        self.endless: set[Sign] = set()
        """What was seen at work for longer than anybody waits: tickers, a pulse, "Waiting for players…"."""
        self.auth = Auth()
        """What the browser was let in with."""
        self.arrived: Callable[[], Awaitable[None]] | None = None
        """Called where the app was opened as for the first time: whoever logs in, and answers a banner about cookies."""
        self.joined: Callable[[Stage], Awaitable[None]] | None = None
        """The same for another person's page (`second.py`): nobody logs in there."""
        self.entry = ""
        """The address that was opened first."""
        self.code = CodeWatch(parts.tab, parts.policy, parts.clock)
        self.hands = wire.hands(parts.tab, parts.clock, settings, self.display)

    @classmethod
    async def open(  # noqa: PLR0913 - what a stage is opened with
        cls,
        *,
        ledger: Ledger,
        settings: Settings,
        site: str,
        run_dir: Path,
        processes: ProcessList,
        record: bool = True,
        listen: bool = False,
        wire: EyesAndHands | None = None,
        answerers: tuple[Answerer, ...] = (),
        locale: str = "en-US",
        auth: Auth | None = None,
    ) -> Stage:
        """Start display, sound, browser, clock, guard and recorder; the page is empty. `site` is the base URL it may reach.

        `listen`: `ear` hears what sounds, also where nothing is recorded. `auth`: what lets it in. Writes a `stage_opened` row.
        Raises `MissingProgram` or `StageFault`; nothing is left running then.
        """
        parts = await set_up_stage(
            ledger=ledger, settings=settings, site=site, run_dir=run_dir, processes=processes, record=record, answerers=answerers,
            locale=locale, listen=listen, auth=auth,
        )  # fmt: skip
        stage = cls(parts, settings, ledger, wire or EyesAndHands(observe=eyes.observe, hands=Hands))
        parts.guard.look = stage._look_at_popup
        stage.auth = auth or stage.auth
        # Before the first document, so that the eyes' memory begins with it and the first look finds its scripts in place.
        try:
            await prepare(stage.tab)
            await mask_secrets(stage.tab)
        except StageFault:
            await parts.close()
            raise
        ledger.app_clock = stage.clock.now_ms
        size = settings.viewport
        opened = StageOpened(
            browser=parts.launched.version, clock=stage.clock.name, cannot_stop=stage.clock.cannot_stop, capture=parts.capture,
            viewport=(size.width, size.height), sandboxed=parts.launched.sandboxed, clock_note=parts.clock_note,
            epoch_s=parts.clock.epoch_s, seed=settings.seed if settings.seeded else None,
        )  # fmt: skip
        ledger.append(opened, producer="stage")
        for what, reason in parts.gaps:
            ledger.append(Gap(what=what, reason=reason, blame="environment"), producer="stage")
        return stage

    @property
    def state(self) -> State:
        """`live`, or what became of the page: `crashed`, `hung`, `closed`."""
        return "closed" if self._closed else self.tab.state

    @property
    def blame(self) -> Literal["app", "environment"]:
        """Whose doing it is if the stage is no longer live: a page can end its own process, but not the whole browser."""
        return "environment" if self.tab.fate.how == BROWSER_GONE else "app"

    @property
    def page(self) -> Page:
        """Playwright's page, for tools that need one (axe); commands to it are not bounded by the stage."""
        return self.tab.page

    @property
    def parts(self) -> StageParts:
        """What it is made of."""
        return self._parts

    @property
    def browser_pid(self) -> int:
        """The browser's process id."""
        return self._parts.launched.pid

    @property
    def display(self) -> str | None:
        """The X display's name, `:N`; None without one."""
        return self._parts.display.name if self._parts.display is not None else None

    @property
    def scratch(self) -> Path:
        """The stage's throw-away folder (profile, sockets), gone after `close`."""
        return self._parts.scratch

    @property
    def pending_requests(self) -> int:
        """Requests of the site's own that are on their way and worth waiting for."""
        return self.traffic.pending

    # ---- going somewhere, coming to rest --------------------------------------------------------------------------------

    async def goto(self, url: str) -> bool:
        """Open an address, wait until it has loaded and settled. False, and rows that say why, if it did not load."""
        self.entry = self.entry or url
        try:
            with self.logs.opening():
                await self.clock.release()
                self.guard.acted()
                self.traffic.forget()
                status = await load(self.tab, self.traffic, self.settings.timeouts, url, self._note)
                await self.settle(self.settings.timeouts.settle_s)
        except (PlaywrightError, TabBusy, TabCrashed) as error:
            lines = str(error).strip().splitlines() or [""]
            self._note(f"{url} did not load: {lines[0]}")
            return False
        return status < 400

    def _note(self, detail: str) -> None:
        self.logs.write(PageEvent(event="navigation", detail=clean(detail)), producer="stage")

    async def settle(self, timeout_s: float) -> Settled:
        """Wait until the network is quiet and the picture stands still, at most `timeout_s`.

        Raises `TabHung` or `TabCrashed`.
        """
        began_s = self.tab.waits.now_s()
        picture = self.picture if self._on_screen else None
        found = await settle(self.tab, self.traffic, picture, timeout_s, self.clock)
        if not self.guard.busy:
            return found
        # A popup lies over the page until the guard has closed it; rest is what is there afterwards.
        await self.guard.rest(POPUP_LOOK_S * 2)
        left_s = max(0.3, timeout_s - (self.tab.waits.now_s() - began_s))
        again = await settle(self.tab, self.traffic, picture, left_s, self.clock)
        return replace(again, waited_s=self.tab.waits.now_s() - began_s)

    async def resize(self, size: Size) -> None:
        """Give the page a viewport of that size (CSS px, one device pixel each); the window's own size restores the desktop."""
        await self.tab.resize(None if size == self.settings.viewport and self._parts.headed else size)

    # ---- looking --------------------------------------------------------------------------------------------------------

    async def evaluate(
        self, function: str, arg: object = None, *, frame: Frame | FrameView | None = None, timeout_s: float | None = None
    ) -> Any:
        """See `Tab.evaluate`."""
        return await self.tab.evaluate(function, arg, frame=frame, timeout_s=timeout_s)

    @property
    def _on_screen(self) -> bool:
        """The X screen shows the viewport pixel by pixel."""
        return self._parts.display is not None and self.tab.viewport is None

    async def picture(self) -> NDArray[np.uint8]:
        """What a person sees now: RGB, (height, width, 3), one pixel a CSS pixel.

        From the screen where there is one, else from the browser. Raises `TabHung` or `TabCrashed` where only the browser could
        tell.
        """
        if self._parts.display is not None and (self.tab.viewport is None or self.tab.state != "live"):
            size = self.settings.viewport
            return self._parts.display.picture(size.width, size.height)
        return snapshots.decode_png(await snapshots.capture(self.tab))

    async def screenshot(self, label: str, *, full_page: bool = False) -> Row:
        """Take a picture into the ledger. A full page is cut at 8,000 px. Raises `TabHung` or `TabCrashed` as `picture` does."""

        async def take() -> Row:
            if full_page:
                data = await snapshots.capture_full(self.tab)
            elif self._on_screen or self.tab.state != "live":
                data = await asyncio.to_thread(snapshots.encode_png, await self.picture())
            else:
                data = await snapshots.capture(self.tab)
            return self._write_picture(data, label, full_page=full_page)

        return await self._insist(f"screenshot {label}", take)

    async def _insist(self, what: str, take: Callable[[], Awaitable[Row]]) -> Row:
        """Take evidence; a page that replaces its document meanwhile is asked again, and what cannot be had is a gap's row."""
        fault: StageFault | None = None
        for _ in range(_TRIES):
            try:
                return await take()
            except (CommandRefused, TabBusy) as refused:
                if self.tab.state != "live":
                    raise
                fault = refused
                await self.settle(self.settings.timeouts.settle_action_s)
        reason = fault.message if fault is not None else ""
        return self.ledger.append(Gap(what=what, reason=clean(reason), blame="ambiguous"), producer="stage")

    def _write_picture(self, data: bytes, label: str, *, full_page: bool = False) -> Row:
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        blob = self.ledger.put(data, "image/png")
        row = Screenshot(label=label, width=width, height=height, full_page=full_page)
        return self.ledger.append(row, producer="stage", blob=blob)

    async def _look_at_popup(self, popup: Page, label: str) -> None:
        self._write_picture(await popup.screenshot(timeout=2000), label)

    async def dom(self) -> Row:
        """The serialised DOM of all frames, into the ledger (a gap if it cannot be had)."""
        return await self._insist("DOM", lambda: snapshots.write_dom(self.tab, self.ledger))

    async def accessibility(self) -> Row:
        """The accessibility tree of all frames, into the ledger (a gap if it cannot be had)."""
        return await self._insist("accessibility tree", lambda: snapshots.write_accessibility(self.tab, self.ledger))

    async def sources(self) -> list[Row]:
        """The documents, scripts and style sheets that the site delivered, into the ledger."""
        return await snapshots.write_sources(self.tab, self.ledger, self._parts.policy)

    # ---- acting ---------------------------------------------------------------------------------------------------------

    async def observe(self, label: str) -> Observation:
        """What is seen at this instant of app time; time stands while it is looked at, and goes on as before afterwards.

        Raises `TabCrashed`, or `TabHung`, also for a page that replaces its document again and again.
        """
        return await self._steadily(lambda: self._wire.observe(self, label))

    async def look(self, label: str) -> eyes.Look:
        """As `observe`, with the picture and where it moves by itself."""
        return await self._steadily(lambda: eyes.look(self, label))

    async def _steadily(self, see: Callable[[], Awaitable[Sight]]) -> Sight:
        for _ in range(_TRIES):
            try:
                return await see()
            except (CommandRefused, TabBusy) as refused:
                if self.tab.state != "live":
                    raise
                self._note(f"looked again, as the page changed under the eyes: {refused.message}")
                await self.settle(self.settings.timeouts.settle_action_s)
        self.tab.fate.seal("hung", "the page could not be looked at, it kept replacing its document")
        raise TabHung("observe", 0.0)

    @contextlib.asynccontextmanager
    async def still(self) -> AsyncIterator[None]:
        """App time stands inside the block, and what the screen shows is what the document is."""
        was_held = self.clock.held
        await self.clock.hold()
        try:
            await self.tab.painted()
            yield
        finally:
            if not was_held:
                await self.clock.release()

    @contextlib.asynccontextmanager
    async def deliberating(self) -> AsyncIterator[None]:
        """While somebody thinks, app time stands.

        Under the held clock so do the browser, the sound server, the recorder and the app's own server, so that nothing at all
        happens meanwhile. Nobody may talk to the page inside the block.
        """
        was_held = self.clock.held
        await self.clock.hold()
        try:
            if self.clock.held and self.clock.env and self.tab.state == "live":
                with self._parts.processes.suspended(keep=_GOES_ON), self.tab.fate.stopped():
                    yield
            else:
                yield
        finally:
            if not was_held:
                await self.clock.release()

    async def perform(self, action: Action) -> Any:
        """Carry out one act; app time goes on. Returns `hands.Performed`; raises `TabHung` or `TabCrashed`."""
        await self.clock.release()
        self.guard.acted()
        return await self.hands.perform(action)

    # ---- the end --------------------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """End the recording, write its row (or a gap), end the browser and everything else.

        Idempotent, bounded, never raises because something is gone already.
        """
        if self._closed:
            return
        self._closed = True
        self.hands.close()
        rows = await self._parts.close()
        if self.clock.spans and not self.ledger.sealed:
            spans = tuple((span.app_ms, span.wall_s, span.rate) for span in self.clock.spans)
            self.ledger.append(ClockKept(clock=self.clock.name, spans=spans), producer="clock")
        for body in rows:
            if not self.ledger.sealed:
                at_ms = body.from_ms if isinstance(body, Gap) else None
                row = self.ledger.append(body, producer="recorder", app_ms=at_ms)
                if isinstance(body, Recorded):
                    await write_tracks(row, self.ledger)
        self.ledger.app_clock = lambda: None
