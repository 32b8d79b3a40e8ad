"""What a page may not do to the stage, and what happens instead. Everything it tries becomes a row.

Dialogs are answered at once; a storm of them, or an endless loop, ends the tab. Popups of the site are looked at and closed,
downloads read where the page made them and refused, file choosers cancelled, navigations away from the site stopped before they
begin, programs outside the browser never started. A page whose main thread is stuck is ended by its processes' ids.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import psutil
from playwright.async_api import Dialog, Download, Page
from playwright.async_api import Error as PlaywrightError

from tools.browser.channel import WORLD, Channel, State
from tools.browser.downloads import read_file
from tools.browser.faults import BROWSER_GONE, CommandRefused, TabBusy, TabCrashed
from tools.browser.handed_over import MOST_WORDS
from tools.browser.logs import Logs, clean
from tools.browser.marks import Downloaded
from tools.browser.network import Policy
from tools.browser.tab import Tab
from tools.evidence.page_rows import DOWNLOAD_LIMIT
from tools.evidence.rows import DialogShown, PageEvent

STORM_COUNT, STORM_S = 20, 5.0
"""More dialogs than this within this time are a storm."""
STORM_LIMIT_S = 3.0
"""A storm that goes on for longer ends the tab."""
PROMPT_ANSWER = "Assay"
POPUP_LOOK_S = 2.0
POPUP_LOOKS = 5
"""Popups that are looked at; later ones are closed at once."""
_ANSWER_S = 2.0
_EXITING = 0x4
"""`PF_EXITING` among the flags of /proc/PID/stat (Linux, include/linux/sched.h)."""
_SAFE_SCHEMES = frozenset({"http", "https", "about", "blob", "data", "javascript", ""})

# Chromium would ask the person whether to start a program for these (`mailto:`, `steam:`): the navigation is stopped instead.
# It runs in Assay's own world, where the page can neither see nor undo it.
#
# It also tells of full screen and a captured pointer, which a person would notice and leave again.
STOP_FOREIGN_SCHEMES = """if (window.navigation) navigation.addEventListener('navigate', (event) => {
  const scheme = new URL(event.destination.url).protocol;
  const safe = ['http:', 'https:', 'about:', 'blob:', 'data:', 'javascript:'].includes(scheme);
  if (safe || !event.cancelable) return;
  event.preventDefault();
  window.assayStopped(event.destination.url);
});
addEventListener('fullscreenchange', () => document.fullscreenElement && window.assayStopped('event:full_screen'), true);
addEventListener('pointerlockchange', () => document.pointerLockElement && window.assayStopped('event:pointer_lock'), true);"""
_STOPPED = "assayStopped"
_TAKEN: dict[str, Literal["full_screen", "pointer_lock"]] = {
    "event:full_screen": "full_screen",
    "event:pointer_lock": "pointer_lock",
}
_HANDED = "event:handed_over:"
_LEAVE = "() => { document.exitPointerLock(); if (document.fullscreenElement) return document.exitFullscreen().catch(() => 0); }"
TAKEN_S = 5.0
"""For so long a page may have the whole screen, or the pointer for itself."""
MOST_FILES = 8
"""Files given to be downloaded between two looks that are handed on; all are written down."""
STRAY_S = 1.0
"""A window that was asked for and that Playwright has not told of by then is looked for among the browser's targets."""
STORM_POPUPS = 40
"""More popups than this within `STORM_S` are a storm; it ends the tab."""
STORM_DOCUMENTS, DOCUMENTS_S = 20, 20.0
"""More documents in the main frame than this within this time, nobody having done anything, are an endless loop."""


class Guard:
    """Watches one tab and the pages it opens."""

    def __init__(self, tab: Tab, logs: Logs, policy: Policy, browser_pid: int, *, quota_mb: int = 100) -> None:
        self._tab = tab
        self._logs = logs
        self.policy = policy
        self._browser_pid = browser_pid
        self._quota_bytes = quota_mb * 1_000_000
        self.look: Callable[[Page, str], Awaitable[None]] | None = None
        """Takes a picture of a popup for the ledger; set by the stage."""
        self.ends_renderers = True
        """A page that hangs or takes too much has its processes ended. False: whoever set it ends the page otherwise."""
        self._dialogs: deque[float] = deque()
        self._documents: deque[float] = deque()
        self._windows: deque[float] = deque()
        self._storm_since_s: float | None = None
        self._in_storm = 0
        self._popups = 0
        self._strays = 0
        """Empty windows that were closed and told of, and that Playwright has yet to tell of."""
        self._asked_for = ""
        self._closing = False
        self._open_popups: set[asyncio.Task[None]] = set()
        self._downloading: set[asyncio.Task[None]] = set()
        self._downloads: list[Downloaded] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self.home = policy.site
        """The last address of the site that the page was at."""

    async def open(self) -> None:
        """Begin to watch."""
        page, cdp = self._tab.page, self._tab.cdp
        self._tab.fate.on_change = self._fate
        self._tab.fate.browser_alive = self._browser_alive
        self._tab.context.on("dialog", lambda dialog: self._spawn(self._dialog(dialog)))
        self._tab.context.on("page", self._popped_up)
        self._tab.context.on("close", lambda _: self._tab.fate.close("the browser's context was closed"))
        page.on("download", self._downloads_something)
        page.on("framenavigated", lambda frame: self._navigated(frame.url) if frame is page.main_frame else None)
        cdp.on("Page.fileChooserOpened", self._chooser_opened)
        cdp.on("Page.frameRequestedNavigation", self._requested)
        cdp.on("Page.windowOpen", self._window_asked_for)
        cdp.on("Page.frameNavigated", self._arrived)
        await self._tab.each_channel(self._hear_stops)
        # Cancelling tells the page so, as when a person presses Escape in the chooser.
        await self._tab.send("Page.setInterceptFileChooserDialog", {"enabled": True, "cancel": True})
        # Chromium would offer a site more than half of the disk.
        quota = {"origin": self.policy.origin, "quotaSize": self._quota_bytes}
        await self._tab.send("Storage.overrideQuotaForOrigin", quota)

    @property
    def busy(self) -> bool:
        """A popup is being dealt with; it may lie over the page."""
        return bool(self._open_popups)

    async def rest(self, timeout_s: float) -> None:
        """Wait until it is not, at most that long."""
        if self._open_popups:
            await asyncio.wait(set(self._open_popups), timeout=timeout_s)

    def close(self) -> None:
        """The stage ends: what goes away from now on goes away on purpose."""
        self._closing = True

    def refuse_document(self, url: str, main_frame: bool) -> bool:
        """Whether a document must not be loaded (see `Intercept`)."""
        if self.policy.own(url) or not main_frame:
            return not self.policy.allows(url)
        self._note("navigation", f"away from the site to {clean(url, 500)}: refused, the page stays")
        return True

    def _note(self, event: Any, detail: str, content: str = "") -> None:
        if not self._closing:
            self._logs.write(PageEvent(event=event, detail=clean(detail), content=content), producer="guard")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _chooser_opened(self, event: dict[str, Any]) -> None:
        self._note("file_chooser", f"{'answered' if self._tab.choosing_files else 'cancelled'} ({event.get('mode', '')})")

    def _popped_up(self, popup: Page) -> None:
        self._lies_over(self._popup(popup))

    def _lies_over(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._spawn(work)
        self._open_popups.add(task)
        task.add_done_callback(self._open_popups.discard)

    def acted(self) -> None:
        """Somebody did something: documents that come now may be what was asked for."""
        self._documents.clear()

    @staticmethod
    def _stormy(times: deque[float], count: int, within_s: float = STORM_S) -> bool:
        """Note one more; whether there have been more than `count` within that time."""
        now = time.monotonic()
        times.append(now)
        while now - times[0] > within_s:
            times.popleft()
        return len(times) > count

    def give_up(self, how: str) -> None:
        """The page took more than a run may take: it has crashed, and its processes are ended."""
        if not self._closing:
            self._tab.fate.seal("crashed", how)
            self._end_renderers()

    # ---- dialogs --------------------------------------------------------------------------------------------------------

    async def _dialog(self, dialog: Dialog) -> None:
        now = time.monotonic()
        self._dialogs.append(now)
        while self._dialogs and now - self._dialogs[0] > STORM_S:
            self._dialogs.popleft()
        storm = len(self._dialogs) > STORM_COUNT
        self._in_storm = self._in_storm + 1 if storm else 0
        if storm and self._storm_since_s is None:
            self._storm_since_s = now
            self._note("dialog_storm", f"{len(self._dialogs)} dialogs within {STORM_S:g} s; further ones are closed unseen")
        elif not storm:
            self._storm_since_s = None
        answer = self._answer_of(dialog)
        if not storm:
            shown = DialogShown(variety=dialog.type, message=clean(dialog.message), answer=answer or "ok")
            self._logs.write(shown, producer="guard")
        lasting = self._storm_since_s is not None and now - self._storm_since_s > STORM_LIMIT_S
        if lasting and self._in_storm > STORM_COUNT:
            self._tab.fate.seal("hung", f"an endless loop of {dialog.type} dialogs")
            return
        with contextlib.suppress(PlaywrightError, TimeoutError):
            # Gone already with its page, or the page does not take the answer: then the next command finds it hung.
            await asyncio.wait_for(dialog.accept(answer) if answer else dialog.accept(), _ANSWER_S)

    @staticmethod
    def _answer_of(dialog: Dialog) -> str:
        """What a prompt is answered with; the others are accepted: an alert read, a question confirmed, a page left."""
        return (dialog.default_value or PROMPT_ANSWER) if dialog.type == "prompt" else ""

    # ---- popups, downloads, navigation ----------------------------------------------------------------------------------

    def _window_asked_for(self, event: dict[str, Any]) -> None:
        self._asked_for = str(event.get("url", ""))
        self._lies_over(self._close_stray(self._asked_for, self._popups))
        if self._stormy(self._windows, STORM_POPUPS):
            self._tab.fate.seal("hung", f"an endless loop of new windows, {STORM_POPUPS} within {STORM_S:g} s")

    async def _popup(self, popup: Page) -> None:
        if popup is self._tab.page:
            return
        self._popups += 1
        with contextlib.suppress(PlaywrightError, TimeoutError):
            async with asyncio.timeout(POPUP_LOOK_S + 1.0):
                if self._popups <= POPUP_LOOKS:
                    await popup.wait_for_load_state("domcontentloaded", timeout=POPUP_LOOK_S * 1000)
        own = self.policy.own(popup.url) and not popup.url.startswith("chrome-error:")
        if self._strays and popup.is_closed():
            self._strays -= 1
            return
        url = popup.url if own else self._asked_for or popup.url
        self._note("popup", f"{clean(url, 500)}: {'opened, looked at and closed' if own else 'refused'}")
        with contextlib.suppress(PlaywrightError, TimeoutError, CommandRefused, TabBusy, TabCrashed):
            async with asyncio.timeout(POPUP_LOOK_S + 2.0):
                if own and self.look is not None and self._popups <= POPUP_LOOKS:
                    await self.look(popup, f"popup-{self._popups}")
                await popup.close()
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(self._tab.page.bring_to_front(), POPUP_LOOK_S)

    async def _close_stray(self, url: str, known: int) -> None:
        """Close a window that never gets a document: Chromium refuses `data:` addresses, and Playwright never tells of it."""
        for _ in range(5):
            await asyncio.sleep(STRAY_S / 5)
            if self._popups > known:
                return
        browser = self._tab.context.browser
        if browser is None:
            return
        closed = 0
        with contextlib.suppress(PlaywrightError, TimeoutError, CommandRefused, TabBusy, TabCrashed):
            opener = (await self._tab.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
            async with asyncio.timeout(_ANSWER_S):
                session = await browser.new_browser_cdp_session()
                for target in (await session.send("Target.getTargets"))["targetInfos"]:
                    if target["type"] == "page" and not target["url"] and target.get("openerId") == opener:
                        closed += 1
                        await session.send("Target.closeTarget", {"targetId": target["targetId"]})
                await session.detach()
                await self._tab.page.bring_to_front()
        if closed:
            self._strays += closed
            self._note("popup", f"{clean(url, 500)}: refused by the browser, an empty window stood there; closed")

    def _downloads_something(self, download: Download) -> None:
        task = self._spawn(self._download(download))
        self._downloading.add(task)
        task.add_done_callback(self._downloading.discard)

    async def downloads(self) -> tuple[Downloaded, ...]:
        """What was given to be downloaded since this was asked last, and could be read; what is being read is waited for."""
        if self._downloading:
            await asyncio.wait(set(self._downloading), timeout=_ANSWER_S)
        found, self._downloads = tuple(self._downloads), []
        return found

    async def _download(self, download: Download) -> None:
        name = clean(download.suggested_filename, 200)
        file = await read_file(self._tab, download.url, name)
        told = "refused" if file is None else f"read ({file.size} bytes) and refused"
        content = clean(file.text, DOWNLOAD_LIMIT) if file is not None else ""
        self._note("download", f"{name} from {clean(download.url, 300)}: {told}", content)
        if file is not None and len(self._downloads) < MOST_FILES:
            self._downloads.append(file)
        with contextlib.suppress(PlaywrightError, TimeoutError):
            await asyncio.wait_for(download.cancel(), _ANSWER_S)

    async def _hear_stops(self, channel: Channel) -> None:
        """The function that `STOP_FOREIGN_SCHEMES` calls; it exists in Assay's world only."""
        channel.session.on("Runtime.bindingCalled", self._stopped)
        await channel.send("Runtime.addBinding", {"name": _STOPPED, "executionContextName": WORLD})

    def _stopped(self, event: dict[str, Any]) -> None:
        if event.get("name") != _STOPPED:
            return
        told = str(event.get("payload", ""))
        if told.startswith(_HANDED):
            self._note("handed_over", told.removeprefix(_HANDED)[: 2 * MOST_WORDS])
        elif (taken := _TAKEN.get(told)) is not None:
            self._note(taken, f"left to the page for {TAKEN_S:g} s at most")
            self._spawn(self._take_back())
        else:
            self._foreign(told)

    async def _take_back(self) -> None:
        """Do what a person's Escape key does."""
        await asyncio.sleep(TAKEN_S)
        with contextlib.suppress(CommandRefused, TabBusy, TabCrashed):
            for frame in await self._tab.frames():
                with contextlib.suppress(CommandRefused):
                    await self._tab.evaluate(_LEAVE, frame=frame, timeout_s=_ANSWER_S)

    def _requested(self, event: dict[str, Any]) -> None:
        """A navigation that was not stopped in the page (an iframe's first one): Chromium starts nothing without a click."""
        url = str(event.get("url", ""))
        if urlsplit(url).scheme.lower() not in _SAFE_SCHEMES:
            self._foreign(url)

    def _foreign(self, url: str) -> None:
        self._note("navigation", f"to a program outside the browser, {clean(url, 300)}: refused")

    def _arrived(self, event: dict[str, Any]) -> None:
        """A new document in the main frame (CDP tells of other ones within the same document by another event)."""
        if "parentId" not in event["frame"] and self._stormy(self._documents, STORM_DOCUMENTS, DOCUMENTS_S):
            self._tab.fate.seal("hung", f"an endless loop of navigations, {STORM_DOCUMENTS} within {DOCUMENTS_S:g} s")

    def _navigated(self, url: str) -> None:
        if self.policy.own(url) and url.startswith("http"):
            self.home = url
        elif url.startswith("about:") and not self._closing:
            self._note("navigation", f"away from the site to {clean(url, 300)}: brought back")
            self._spawn(self._bring_back())

    async def _bring_back(self) -> None:
        with contextlib.suppress(PlaywrightError):
            await self._tab.page.goto(self.home, wait_until="commit", timeout=self._tab.timeouts.navigate_s * 1000)

    # ---- crash and hang -------------------------------------------------------------------------------------------------

    def _fate(self, state: State, how: str) -> None:
        if state == "hung":
            self._note("hang", f"{how}; its processes were ended")
            self._end_renderers()
        elif state == "crashed":
            self._note("browser_gone" if how == BROWSER_GONE else "crash", how)
        elif not self._closing:
            self._note("closed", how)

    def _browser_alive(self) -> bool:
        """Whether it runs; one that was killed and is still going down, as large ones do on a busy machine, does not."""
        try:
            told = Path(f"/proc/{self._browser_pid}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        fields = told.rpartition(")")[2].split()
        return fields[0] not in "ZX" and not int(fields[6]) & _EXITING

    def _end_renderers(self) -> None:
        """End the page's processes; the browser itself stays, so that the recording ends well."""
        if not self.ends_renderers:
            return
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(self._browser_pid).children(recursive=True):
                with contextlib.suppress(psutil.Error, ProcessLookupError):
                    if any(word == "--type=renderer" for word in child.cmdline()):
                        os.kill(child.pid, signal.SIGKILL)
