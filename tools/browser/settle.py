"""Waiting until a page has come to rest: its requests answered and its picture standing still, apart from what moves for ever.

Words that fade, grow or slide in for a moment are waited for by the page's own account: on a busy machine two pictures in a row
may be equal only because nothing was painted between them, and what fades in can't be read yet.
A page that animates without end never shows two equal pictures. Small areas that keep changing are set aside; if even that
does not come to rest, the layout (number, places and sizes of boxes) decides, and last, for boxes that move without end, whether
elements and text stay the same for a second.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.browser.channel import let_go
from tools.browser.clock.governor import Governor
from tools.browser.clock.waiting import WATCHDOG_S
from tools.browser.faults import FrameGone, TabBusy
from tools.browser.tab import Tab
from tools.browser.traffic import Traffic

QUIET_S = 0.15
"""For how long no request of the site's own may have been on its way."""
_BETWEEN_S = 0.06
_BLOCK = 16
_LAYOUTS = 4
"""Equal layouts in a row that count as rest when the picture never stands still."""
_CONTENT_S = 1.0
"""For how long elements and text must have been the same where even the layout never stands still."""
_RESTLESS = 2
"""Changes in a row after which an area counts as moving by itself."""

_MOMENT_MS = 1_500
"""App time: an animation or transition with no more than that to go is waited for; a longer one is no passage to elsewhere."""
_BEGUN_MS = 600
"""App time since the wait began, within which it must have begun: what begins later is moved by what goes on by itself."""

_LEAST_S = 0.001
"""App time that is still a while: pictures with less between them, such as what adding up leaves over, are equal of any page."""

_ANSWERS_S = 3.0
"""Wall seconds in which a page that is at work on nothing answers, on a busy machine, too."""

_LAYOUT = """({ moment, begun, waited }) => {
  let hash = 0;
  const mix = (value) => { hash = (Math.imul(hash, 31) + (value | 0)) | 0; };
  const all = document.querySelectorAll('body, body *');
  mix(all.length);
  const step = Math.max(1, Math.floor(all.length / 400));
  for (let index = 0; index < all.length; index += step) {
    const element = all[index];
    mix(element.offsetLeft); mix(element.offsetTop); mix(element.offsetWidth); mix(element.offsetHeight);
  }
  const root = document.scrollingElement || document.documentElement;
  const text = document.body ? document.body.textContent.length : 0;
  const shows = new Set(['opacity', 'visibility', 'display', 'transform', 'translate', 'scale', 'clipPath', 'height', 'filter']);
  const passing = (one) => {
    if (one.playState !== 'running' || !one.effect?.target?.textContent) return false;
    if (!one.effect.getKeyframes().some((frame) => Object.keys(frame).some((name) => shows.has(name)))) return false;
    const { endTime, localTime } = one.effect.getComputedTiming();
    const left = endTime - (localTime ?? 0);
    const since = waited - (localTime ?? 0);
    return left > 0 && left <= moment && since <= begun && one.effect.target?.checkVisibility() !== false;
  };
  return {
    layout: [hash, root ? root.scrollWidth : 0, root ? root.scrollHeight : 0].join(' '),
    content: [all.length, text].join(' '),
    ready: document.readyState !== 'loading' && document.fonts.status === 'loaded' && !document.getAnimations().some(passing),
  };
}"""


@dataclass(frozen=True)
class Settled:
    """How a wait for rest ended."""

    quiet: bool
    """No request of the site was on its way."""
    stable: bool
    """Two pictures, or several layouts, in a row were equal."""
    waited_s: float
    """App time."""
    moving: float
    """Share of the picture's area (in blocks of 16 px) that still changed at the end, 0–1."""


@dataclass
class _Watch:
    """Pictures of the page, one after another, and where they differ."""

    last: NDArray[np.uint8] | None = None
    streak: NDArray[np.uint8] | None = None
    """For each block, in how many comparisons in a row it changed."""
    moving: float = 0.0
    layouts: list[str] = field(default_factory=list)
    content: str = ""
    since_s: float = 0.0
    """Since when the content has been the same."""

    def still(self, picture: NDArray[np.uint8]) -> bool:
        """Whether nothing changed since the last picture but what has been changing all along."""
        last, self.last = self.last, picture
        if last is None or last.shape != picture.shape:
            self.streak = None
            return False
        changed = _changed_blocks(last, picture)
        self.moving = float(changed.mean())
        streak = np.zeros(changed.shape, np.uint8) if self.streak is None else self.streak
        restless = streak >= _RESTLESS
        self.streak = np.where(changed, np.minimum(streak + 1, 200), np.where(restless, streak, 0)).astype(np.uint8)
        # Large restless areas are no ornament: a page that is still being painted looks like that too.
        return not bool((changed & ~restless).any()) and float(restless.mean()) < 0.25

    def same(self, layout: str, content: str, now: float) -> bool:
        """Whether the last few layouts were equal, or the content has been the same for long; `now` is app time in s."""
        self.layouts = [*self.layouts[-(_LAYOUTS - 1) :], layout]
        if content != self.content:
            self.content, self.since_s = content, now
        still = len(self.layouts) == _LAYOUTS and len(set(self.layouts)) == 1
        return still or now - self.since_s >= _CONTENT_S


def _changed_blocks(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which blocks of 16 × 16 px differ, (rows, columns)."""
    if np.array_equal(before, after):
        return np.zeros((-(-before.shape[0] // _BLOCK), -(-before.shape[1] // _BLOCK)), np.bool_)
    # Lines first, a line's pixels and channels in one row: a fifth of the time that asking each pixel takes.
    lines = cv2.bitwise_xor(before, after).reshape(before.shape[0], -1)
    rows = np.bitwise_or.reduceat(lines, np.arange(0, lines.shape[0], _BLOCK), axis=0)
    return np.bitwise_or.reduceat(rows, np.arange(0, lines.shape[1], _BLOCK * before.shape[2]), axis=1) != 0


async def settle(
    tab: Tab,
    traffic: Traffic,
    picture: Callable[[], Awaitable[NDArray[np.uint8]]] | None,
    timeout_s: float,
    clock: Governor | None = None,
) -> Settled:
    """Wait for rest, at most `timeout_s` of app time. `picture` takes one (RGB); None where taking pictures would cost too much.

    With a `clock` that can be stepped exactly, app time stands during each look: how long the page is waited for does not hang on
    how fast it is looked at. Raises `TabHung` or `TabCrashed`.
    """
    waits = _Steps(tab, clock) if clock is not None and clock.env else _Pauses(tab, timeout_s)
    async with waits:
        began_s, watch = tab.waits.now_s(), _Watch()
        quiet = stable = False
        while True:
            left_s = waits.left_s(timeout_s)
            quiet = traffic.quiet_s >= QUIET_S
            waited_ms = (tab.waits.now_s() - began_s) * 1000
            stable = await _look(tab, picture, watch, waited_ms, max(_ANSWERS_S, left_s))
            if (quiet and stable) or left_s <= 0:
                return Settled(quiet, stable, tab.waits.now_s() - began_s, watch.moving)
            missing_s = QUIET_S - traffic.quiet_s if stable and not traffic.pending else _BETWEEN_S
            await waits.spend(min(max(0.01, missing_s), max(0.0, left_s)))


class _Pauses:
    """App time runs on while the page is looked at."""

    def __init__(self, tab: Tab, timeout_s: float) -> None:
        self._tab = tab
        self._limit = tab.waits.deadline(timeout_s)

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *_: object) -> None:
        pass

    def left_s(self, timeout_s: float) -> float:
        """Of the time for which the page is waited for."""
        del timeout_s
        return self._limit.left_s

    async def spend(self, s: float) -> None:
        """Until the next look."""
        await self._tab.waits.pause(s)


class _Steps:
    """App time stands but between two looks."""

    def __init__(self, tab: Tab, clock: Governor) -> None:
        self._tab, self._clock = tab, clock
        self._give_up_s = time.monotonic() + WATCHDOG_S

    async def __aenter__(self) -> None:
        self._was_held = self._clock.held
        await self._clock.hold()
        self._began_s = self._tab.waits.now_s()

    async def __aexit__(self, *_: object) -> None:
        if not self._was_held:
            await self._clock.release()

    def left_s(self, timeout_s: float) -> float:
        """Of the time for which the page is waited for."""
        spent_s = self._tab.waits.now_s() - self._began_s
        left_s = timeout_s - spent_s
        return 0.0 if time.monotonic() >= self._give_up_s or left_s < _LEAST_S else left_s

    async def spend(self, s: float) -> None:
        """Until the next look."""
        await self._clock.step(s * 1000)


async def _look(
    tab: Tab, picture: Callable[[], Awaitable[NDArray[np.uint8]]] | None, watch: _Watch, waited_ms: float, left_s: float
) -> bool:
    """One look at the page: is it at rest?"""
    asked = {"moment": _MOMENT_MS, "begun": _BEGUN_MS, "waited": waited_ms}
    answer = asyncio.ensure_future(tab.evaluate(_LAYOUT, asked, timeout_s=min(left_s, tab.timeouts.command_s)))
    await asyncio.sleep(0)  # asked: while the page works it out the picture is taken
    try:
        taken = await picture() if picture is not None else None
    except BaseException:
        let_go(answer)
        raise
    try:
        look = await answer
    except FrameGone:
        watch.layouts.clear()
        watch.content = ""
        return False
    except TabBusy:
        if tab.state != "live":
            raise
        return False
    same = watch.same(look["layout"], look["content"], tab.waits.now_s())
    still = watch.still(taken) if taken is not None else False
    return bool(look["ready"]) and (still or same)
