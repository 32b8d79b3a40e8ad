"""The page clock: holds the app's time from inside its pages. Portable; what it cannot reach it lists.

Two hands hold at once: CDP's animation rate stops CSS transitions and animations, Web Animations and the document timeline in
every process of the page; `page_clock.js`, which runs before the page's code in every document and dedicated worker, stops
what JavaScript can ask for time: timers, frames, idle callbacks, dates, media, WebAudio, SVG animation.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Coroutine
from importlib.resources import files
from typing import Any

from tools.browser.channel import Channel
from tools.browser.clock.counted import Counted
from tools.browser.faults import CommandRefused, TabBusy, TabCrashed
from tools.browser.intercept import Intercept
from tools.browser.tab import Tab


def one_line(source: str) -> str:
    """A script on one line, so that what stands behind it keeps its line numbers. A space must follow the slashes of comments."""
    lines = (re.sub(r"^\s*//.*$|\s+// .*$", "", line).strip() for line in source.splitlines())
    return " ".join(line for line in lines if line)


_SOURCE = one_line((files("tools.browser.clock") / "page_clock.js").read_text(encoding="utf-8"))
_TELL = """({ secret, order }) => {
  let heard = null;
  const hear = (event) => { heard = event.detail; };
  window.addEventListener(secret + ':did', hear);
  window.dispatchEvent(new CustomEvent(secret + ':do', { detail: JSON.stringify(order) }));
  window.removeEventListener(secret + ':did', hear);
  return heard && JSON.parse(heard);
}"""


class PageClock(Counted):
    """See `Clock`. Give `script` to every document before its own code, then `attach` it to the tab."""

    name = "page"
    cannot_stop: tuple[str, ...] = (
        "message loops (MessageChannel, postMessage, promises)",
        "network: fetch, XMLHttpRequest, WebSocket and EventSource messages",
        "SharedWorker, ServiceWorker, and workers that a worker starts from an address",
        "animated images (GIF, APNG, WebP, AVIF, SVG in img)",
        "performance.mark, measure and entries, Intl.DateTimeFormat.format without a date",
        "smooth scrolling and the blinking text cursor",
    )
    continuous = False

    def __init__(self) -> None:
        super().__init__()
        self._secret = secrets.token_hex(12)
        self._tab: Tab | None = None
        self._registered = ""
        self._held = False
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def script(self) -> str:
        """What documents run first: time goes on in them unless they are told otherwise."""
        return self._program(held=False)

    @property
    def rate(self) -> float:
        """1, or 0 while held."""
        return 0.0 if self._held else 1.0

    @property
    def held(self) -> bool:
        """Whether app time stands still."""
        return self._held

    async def attach(self, tab: Tab, intercept: Intercept) -> None:
        """Take charge of a tab, of the processes its frames live in and of its workers."""
        self._tab = tab
        intercept.worker_prefix = lambda: self._program(held=self._held)
        await self._register()
        await tab.each_channel(self._govern)

    async def detach(self) -> None:
        """App time stands from here on; the page is not touched any more."""
        self._tab = None
        self._time.stop()

    async def hold(self) -> None:
        """App time stands still from here on."""
        if self._held or self._tab is None:
            return
        self._held = True
        since_s, _ = await asyncio.gather(self._command(), self._register())
        self._time.stop(since_s)

    async def release(self) -> None:
        """App time goes on, without a jump."""
        if not self._held or self._tab is None:
            return
        self._held = False
        since_s, _ = await asyncio.gather(self._command(), self._register())
        self._time.start(since_s)

    async def step(self, ms: float) -> None:
        """While held: let app time advance by `ms` (to within a few ms), then stand still again."""
        await self.release()
        await asyncio.sleep(ms / 1000)
        await self.hold()

    async def pace(self, rate: float) -> None:
        """Only real time. Raises `ValueError` for any other rate: media and rAF cannot be sped up from within a page."""
        if rate != 1:
            raise ValueError(f"the page clock runs at rate 1 only, not {rate:g}")

    def _removed_ms(self) -> float:
        """Wall time taken out of the app's time so far."""
        return self._time.removed_ms()

    def _program(self, *, held: bool) -> str:
        start = {"held": held, "removed": self._removed_ms()}
        return f"({_SOURCE})({json.dumps(self._secret)},{json.dumps(start)},{json.dumps(_SOURCE)});"

    async def _register(self) -> None:
        """Have documents of the main process begin in the present state; the stage's own copy of the script knows no state."""
        if self._tab is None:
            return
        order = {"held": self._held, "removed": self._removed_ms()}
        again = f"dispatchEvent(new CustomEvent({json.dumps(self._secret + ':do')},{{detail:{json.dumps(json.dumps(order))}}}));"
        source = self._program(held=self._held) + again
        previous = self._registered
        answer = await self._tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": source, "runImmediately": not previous})
        self._registered = answer["identifier"]
        if previous:
            await self._tab.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": previous})

    async def _govern(self, channel: Channel) -> None:
        """A process of the page: its animations and every document that is born in it."""
        await channel.send("Animation.enable")
        channel.on_world = self._document_born
        if self._held:
            await self._tell(channel)

    def _document_born(self, channel: Channel, frame_id: str) -> None:
        """A document appeared while time stands: it must stand too (the main process's do so from birth)."""
        if not self._held:
            return
        task = asyncio.ensure_future(_unless_gone(self._order(channel, frame_id, removed=self._removed_ms())))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _command(self) -> float | None:
        """Tell all documents; returns the wall time in s at which the main one obeyed, None if it did not say."""
        if self._tab is None:
            return None
        moments = await asyncio.gather(*(self._tell(channel) for channel in self._tab.channels))
        return moments[0]

    async def _tell(self, channel: Channel) -> float | None:
        """Tell the documents of one process; returns when the first of them obeyed."""
        rate = channel.send("Animation.setPlaybackRate", {"playbackRate": 0 if self._held else 1})
        orders = [self._order(channel, frame_id) for frame_id in channel.frame_ids]
        _, *answers = await asyncio.gather(_unless_gone(rate), *(_unless_gone(order) for order in orders))
        walls = [float(answer["wall"]) / 1000 for answer in answers if isinstance(answer, dict)]
        return min(walls) if walls else None

    async def _order(self, channel: Channel, frame_id: str, **more: float) -> Any:
        arguments = {"secret": self._secret, "order": {"held": self._held, **more}}
        return await channel.call(frame_id, _TELL, [{"value": arguments}])


async def _unless_gone(work: Coroutine[Any, Any, Any]) -> Any:
    """A frame may go away in the middle; a page that is stuck or gone stands still anyway and is reported elsewhere."""
    try:
        return await work
    except (CommandRefused, TabBusy, TabCrashed):
        return None
