"""The page that is evaluated: scripts in a world the page cannot touch, CDP with a bound on every command, frames and places."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Frame, Page
from playwright.async_api import Error as PlaywrightError

from configs.settings import Size, Timeouts
from tools.browser.channel import Channel, Fate, State
from tools.browser.clock.waiting import Waits
from tools.browser.faults import CommandRefused, FrameGone, ScriptError, TabBusy, TabCrashed, TabHung
from tools.browser.frames import FrameView, Located, Place, pair, view_of

_TWO_FRAMES = """() => new Promise((done) => {
  if (document.hidden) return done();
  requestAnimationFrame(() => requestAnimationFrame(() => done()));
})"""

__all__ = ["CommandRefused", "FrameGone", "FrameView", "ScriptError", "Tab", "TabBusy", "TabCrashed", "TabHung"]


class Tab:
    """One page of the browser. Make it with `await Tab.attach(page, timeouts)`."""

    def __init__(self, page: Page, main: Channel, fate: Fate, timeouts: Timeouts) -> None:
        self.page = page
        self.context: BrowserContext = page.context
        self.main = main
        self.fate = fate
        self.timeouts = timeouts
        self._main_id = ""
        self._remote: dict[Frame, Channel] = {}
        self._newcomers: list[Callable[[Channel], Awaitable[None]]] = []
        self._tasks: set[asyncio.Task[Any]] = set()
        self.passing: Callable[[], AbstractAsyncContextManager[None]] = contextlib.nullcontext
        """Entered around whatever needs frames: a clock that stands lets time go on meanwhile."""
        self.waits = Waits()
        """Measures and spends the app's time."""
        self.viewport: Size | None = None
        """The size that is emulated; None while the page has the window's own size."""
        self.choosing_files = False
        """The hands answer the file chooser that opens now; else it is cancelled."""
        main.session.on("Page.frameNavigated", self._navigated)
        page.on("crash", lambda _: fate.seal("crashed", "the renderer crashed"))
        page.on("close", lambda _: fate.close("the page was closed"))
        page.on("framenavigated", self._look_for_process)

    @classmethod
    async def attach(cls, page: Page, timeouts: Timeouts, *, world_script: str = "") -> Tab:
        """Connect to a page that Playwright opened. `world_script` runs in Assay's world at the birth of every document."""
        fate = Fate()
        session = await page.context.new_cdp_session(page)
        main = Channel(session, fate, timeouts.command_s, main=True, world_script=world_script)
        await main.open()
        tab = cls(page, main, fate, timeouts)
        await tab._locate(None, None)
        return tab

    @property
    def cdp(self) -> CDPSession:
        """The main frame's raw session, for listening; commands go through `send`, which bounds them."""
        return self.main.session

    @property
    def state(self) -> State:
        """`live`, `crashed`, `hung` or `closed`."""
        return self.fate.state

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout_s: float | None = None) -> dict[str, Any]:
        """A CDP command to the main frame's process.

        Bounded by `timeout_s`, by default `timeouts.command_s`. Raises `TabBusy` when a shorter bound of the caller's own passes
        (or the page answers other commands meanwhile), `TabHung` when the page does not answer at all, `TabCrashed` when it is
        gone, `CommandRefused` when the browser answers with an error.
        """
        return await self.main.send(method, params, timeout_s=timeout_s)

    async def evaluate(
        self,
        function: str,
        arg: object = None,
        *,
        frame: Frame | FrameView | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        """Run JavaScript in Assay's isolated world of a frame (default: the main one) and return its JSON value.

        `function` is the source of a function `(arg) => value`, which may be async; `arg` is any JSON value. Raises what `send`
        raises, `ScriptError` for an exception in the script, `FrameGone` if the frame is not there any more.
        """
        if isinstance(frame, FrameView):
            channel, frame_id = frame.channel, frame.frame_id
        else:
            located = await self._locate(frame, timeout_s)
            channel, frame_id = located.channel, located.frame_id
        return await channel.call(frame_id, function, [{"value": arg}], timeout_s)

    async def frames(self) -> list[FrameView]:
        """All frames that have a document, parents before their children, with path and place."""
        root, *rest = await self._tree()
        top = FrameView(root.frame, root.frame_id, self.main, "", Place(), cross_site=False, shown=True)
        views: dict[Frame, FrameView] = {root.frame: top}
        roots: dict[Channel, Place] = {self.main: Place()}
        while rest:
            # One generation after another; the frames of one are asked at the same time.
            known = [located for located in rest if located.parent is not None and located.parent.frame in views]
            parents = [views[located.parent.frame] for located in known if located.parent is not None]
            asked = (view_of(child, parent, roots[parent.channel]) for child, parent in zip(known, parents, strict=True))
            for view in await asyncio.gather(*asked):
                if view is not None:
                    views[view.frame] = view
                    roots.setdefault(view.channel, view.place)
            left = [located for located in rest if located not in known]
            rest = [located for located in left if located.parent is not None and located.parent.frame in views]
        return list(views.values())

    @property
    def channels(self) -> list[Channel]:
        """A channel for every process known to have a part in the page, the main frame's first."""
        return [self.main, *self._remote.values()]

    async def each_channel(self, newcomer: Callable[[Channel], Awaitable[None]]) -> None:
        """Call `newcomer` with every channel there is, and later with every new one (a cross-site iframe's)."""
        self._newcomers.append(newcomer)
        for channel in self.channels:
            await newcomer(channel)

    async def resize(self, size: Size | None) -> None:
        """Give the page a viewport of that size at one device pixel a CSS pixel; None gives it the window's own back.

        Up to 500 px wide it is laid out as on a phone (viewport meta tag, overlay scroll bars), without touch events.
        """
        if size is None:
            await self.send("Emulation.clearDeviceMetricsOverride")
        else:
            await self.send(
                "Emulation.setDeviceMetricsOverride",
                {"width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": size.width <= 500},
            )
        self.viewport = size
        # Two frames: one that lays out with the new size and one that shows it.
        await self.painted()

    async def painted(self) -> None:
        """Return when what the document is now has been handed to the screen (two frames; at once in a hidden page)."""
        async with self.passing():
            await self.evaluate(_TWO_FRAMES)

    async def frame_at(self, path: str) -> FrameView | None:
        """The frame with that path (see `FrameView.path`), if it is there."""
        return next((view for view in await self.frames() if view.path == path), None)

    def _look_for_process(self, frame: Frame) -> None:
        """A child frame that navigated may live in a process of its own from now on; connect before it does much."""
        if frame.parent_frame is not None and frame not in self._remote:
            task = asyncio.ensure_future(self._remote_channel(frame))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # The frame may go away at any time; whoever needs it next will find out.
            task.exception()

    def _navigated(self, event: dict[str, Any]) -> None:
        if "parentId" not in event["frame"]:
            self._main_id = event["frame"]["id"]

    @property
    def main_frame_id(self) -> str:
        """CDP's id of the main frame."""
        return self._main_id

    async def _locate(self, frame: Frame | None, timeout_s: float | None) -> Located:
        if frame is None or frame is self.page.main_frame:
            if not self._main_id:
                tree = await self.main.send("Page.getFrameTree", timeout_s=timeout_s)
                self._main_id = tree["frameTree"]["frame"]["id"]
            return Located(self.page.main_frame, self._main_id, self.main, None)
        found = next((located for located in await self._tree(timeout_s) if located.frame is frame), None)
        if found is None:
            raise FrameGone("evaluate", f"there is no frame at {frame.url[:200]} any more")
        return found

    async def _tree(self, timeout_s: float | None = None) -> list[Located]:
        """Every frame with its CDP id and channel, parents first."""
        tree = (await self.main.send("Page.getFrameTree", timeout_s=timeout_s))["frameTree"]
        root = Located(self.page.main_frame, tree["frame"]["id"], self.main, None)
        found, queue = [root], [(root, tree)]
        while queue:
            parent, node = queue.pop(0)
            for frame, child in pair(parent.frame.child_frames, node.get("childFrames", [])):
                if child is not None:
                    located, below = Located(frame, child["frame"]["id"], parent.channel, parent), child
                else:
                    remote = await self._remote_channel(frame)
                    if remote is None:
                        continue
                    try:
                        below = (await remote.send("Page.getFrameTree"))["frameTree"]
                    except FrameGone:
                        self._remote.pop(frame, None)
                        continue
                    located = Located(frame, below["frame"]["id"], remote, parent)
                found.append(located)
                queue.append((located, below))
        return found

    async def _remote_channel(self, frame: Frame) -> Channel | None:
        """The channel to a frame in a process of its own; None if it is gone, or not (any more) such a frame."""
        known = self._remote.get(frame)
        if known is not None:
            return known
        try:
            session = await self.main.bounded(self.context.new_cdp_session(frame), "attaching to a frame")
        except PlaywrightError:
            return None
        channel = Channel(session, self.fate, self.timeouts.command_s, main=False, world_script=self.main.world_script)
        try:
            await channel.open()
        except FrameGone:
            return None
        session.on("close", lambda _: self._remote.pop(frame, None))
        if frame in self._remote:
            return self._remote[frame]
        self._remote[frame] = channel
        for newcomer in self._newcomers:
            await newcomer(channel)
        return channel
