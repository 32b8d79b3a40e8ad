"""Typing and pressing keys, by the real keyboard where it can and by the browser's protocol where it must."""

from __future__ import annotations

import asyncio

import numpy as np

from tools.browser.acting import rhythm
from tools.browser.acting.keys import KEYS, MODIFIERS, Key, chord
from tools.browser.acting.listening import Listener, all_frames
from tools.browser.acting.pace import Pace
from tools.browser.acting.protocol import CdpInput
from tools.browser.acting.xtest import XTestInput, types_by_x
from tools.browser.marking.world import ask
from tools.browser.tab import Tab

REPEAT_AFTER_MS, REPEAT_EVERY_MS = 500.0, 33.0
"""A held key repeats as on a desktop, by app time."""
_ARRIVES_S = 1.5
_SHIFT = KEYS["ShiftLeft"]


class Keyboard:
    """The keyboard for the length of one act. `release` lets go of whatever is still down."""

    def __init__(self, tab: Tab, device: CdpInput | XTestInput, pace: Pace, rng: np.random.Generator) -> None:
        self._tab = tab
        self._device = device
        self._protocol = device.protocol if isinstance(device, XTestInput) else device
        self._pace = pace
        self._rng = rng
        self._down: list[tuple[CdpInput | XTestInput, Key]] = []
        self._presses = 0
        self._last: CdpInput | XTestInput | None = None
        if isinstance(device, XTestInput):
            device.take_focus()

    async def press(self, name: str, hold_ms: float) -> None:
        """One key or chord, held for `hold_ms` of app time. Raises `UnknownKey`."""
        held, key = chord(name)
        device = self._way(held, key)
        if self._last is not None and device is not self._last:
            await self._device.settle()  # what went the other way is not waited for by itself, and would be overtaken
        self._last = device
        shifted = [_SHIFT] if key.shift and not held and device is not self._protocol else []
        for modifier in (*held, *shifted):
            await self._press_down(device, modifier)
            await self._pace.rest(float(self._rng.uniform(15, 40)))
        await self._press_down(device, key)
        await self._hold(device, key, hold_ms)
        for down in (key, *reversed((*held, *shifted))):
            await self._let_go(device, down)

    async def type(self, text: str) -> None:
        """Character by character with human rhythm; what no key types is put in by grapheme, as an input method would."""
        with self._pace.hurrying():
            view = (await self._tab.frames())[0]
            graphemes: list[str] = await ask(view, "graphemes", text)
            listener = await Listener.listen(await all_frames(self._tab))
            self._presses = 0
            intervals = rhythm.key_intervals_ms("".join(grapheme[0] for grapheme in graphemes), self._rng)
            await self._type_each(graphemes, intervals, listener)
            await self._shift(down=False)
            await self._arrival(listener)

    async def _type_each(self, graphemes: list[str], intervals: list[float], listener: Listener) -> None:
        for grapheme, interval_ms in zip(graphemes, intervals, strict=True):
            key = KEYS.get({"\n": "Enter", "\r\n": "Enter", "\t": "Tab"}.get(grapheme, grapheme))
            began_ms = self._pace.now_ms()
            if key is None:
                await self._shift(down=False)
                await self._arrival(listener)
                await self._protocol.insert(grapheme)
            else:
                await self._shift(down=key.shift)
                await self._press_down(self._device, key)
                await self._pace.rest(min(rhythm.key_hold_ms(self._rng), interval_ms * 0.7))
                await self._let_go(self._device, key)
            await self._pace.until(began_ms + interval_ms * self._pace.rhythm)

    async def release(self) -> None:
        """Let go of every key that is still down."""
        while self._down:
            device, key = self._down[-1]
            await self._let_go(device, key)
        await self._device.settle()

    def _way(self, held: list[Key], key: Key) -> CdpInput | XTestInput:
        return self._device if isinstance(self._device, XTestInput) and types_by_x(held, key) else self._protocol

    async def _shift(self, *, down: bool) -> None:
        is_down = any(key == _SHIFT for _, key in self._down)
        if down and not is_down:
            await self._press_down(self._device, _SHIFT)
            await self._pace.rest(float(self._rng.uniform(15, 45)))
        elif is_down and not down:
            await self._let_go(self._device, _SHIFT)

    async def _press_down(self, device: CdpInput | XTestInput, key: Key) -> None:
        self._down.append((device, key))
        self._presses += 1
        await device.key_down(key)

    async def _let_go(self, device: CdpInput | XTestInput, key: Key) -> None:
        self._down.remove((device, key))
        await device.key_up(key)

    async def _hold(self, device: CdpInput | XTestInput, key: Key, hold_ms: float) -> None:
        """Until `hold_ms` of app time have passed; not shortened by the rhythm, since how long a key is held is what is meant."""
        end_ms = self._pace.now_ms() + hold_ms
        repeat_ms = self._pace.now_ms() + REPEAT_AFTER_MS
        if repeat_ms < end_ms:
            await self._device.settle()  # a repeat goes the protocol's way and must not overtake the press
        while repeat_ms < end_ms and key.key not in MODIFIERS:
            await self._pace.until(repeat_ms)
            await device.key_down(key, repeat=True)
            repeat_ms += REPEAT_EVERY_MS
            if self._pace.now_ms() < repeat_ms - 2 * REPEAT_EVERY_MS:
                break  # time stands still
        await self._pace.until(end_ms)

    async def _arrival(self, listener: Listener) -> None:
        """The page has seen the keys pressed so far, so that what comes by another way comes after them."""
        await self._device.settle()
        if isinstance(self._device, XTestInput) and self._presses:
            await listener.wait_for(self._presses, "keydown", timeout_s=_ARRIVES_S)
        else:
            await asyncio.sleep(0)
