"""Input through the browser's own protocol: trusted events, placed exactly; the pointer is not drawn into the recording.

Moves are sent on schedule and not waited for one by one, because each is only acknowledged with the next frame. When the page is
slow they are dropped as an operating system would merge them; the last one never is.
"""

from __future__ import annotations

import asyncio
import math
from typing import Any, Literal

from tools.browser.acting.keys import MODIFIERS, Key
from tools.browser.faults import CommandRefused
from tools.browser.tab import Tab

Button = Literal["left", "right", "middle"]
BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}
_MOVES_ON_THE_WAY = 3
_EDITING = frozenset({"Control", "Alt", "Meta"})


class CdpInput:
    """One pointer and one keyboard. Raises what `Tab.send` raises; `settle` collects what was sent ahead.

    `patient` waits for a slow page instead of merging moves.
    """

    name = "cdp"

    def __init__(self, tab: Tab, *, patient: bool = False) -> None:
        self._tab = tab
        self._patient = patient
        self._buttons = 0
        self._held: list[str] = []
        self._sent: list[asyncio.Task[dict[str, Any]]] = []
        self._unsent: tuple[float, float] | None = None
        self._dragged: dict[str, Any] | None = None
        self._entered = False
        self._listening = False
        self.position: tuple[float, float] = (0.0, 0.0)
        self.wheeled: tuple[float, tuple[float, float]] = (-math.inf, (0.0, 0.0))
        """When (app time, s) and where the wheel was turned last; outlives the act."""
        self.pressed: tuple[float, tuple[float, float]] = (-math.inf, (0.0, 0.0))
        """The same for a mouse button, by whichever way."""

    async def __aenter__(self) -> CdpInput:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._sent:
            task.cancel()
        await asyncio.gather(*self._sent, return_exceptions=True)
        self._sent.clear()

    # ---- pointer --------------------------------------------------------------------------------------------------------

    async def move(self, x: float, y: float) -> None:
        """Move the pointer there; what is being dragged goes with it."""
        self.position = (x, y)
        self._sent = [task for task in self._sent if not task.done() or _failed(task)]
        if len(self._sent) >= _MOVES_ON_THE_WAY and (self._patient or self._buttons):
            # What is dragged follows every move; a way that was merged into a leap is no drag.
            await self.settle()
        if len(self._sent) >= _MOVES_ON_THE_WAY:
            self._unsent = (x, y)
            await asyncio.sleep(0)
            return
        self._unsent = None
        if self._dragged is not None:
            await self._drag("dragOver")
            return
        self._post("mouseMoved", button=_pressed(self._buttons))

    async def press(self, button: Button, count: int) -> None:
        """Press a button down; `count` is 2 for the second press of a double click."""
        await self.settle()
        self._buttons |= BUTTON_BITS[button]
        self._post("mousePressed", button=button, clickCount=count)

    async def let_go(self, button: Button, count: int) -> None:
        """Let the button go, dropping what is dragged."""
        await self._flush()
        self._buttons &= ~BUTTON_BITS[button]
        if self._dragged is not None:
            await self.settle()
            await self._drag("dragOver")
            await self._drag("drop")
            self._dragged = None
        self._post("mouseReleased", button=button, clickCount=count)

    async def wheel(self, dx: float, dy: float) -> None:
        """Turn the wheel where the pointer is."""
        await self._flush()
        self._post("mouseWheel", deltaX=dx, deltaY=dy)

    async def begin_drag(self) -> None:
        """From here on a native drag (`draggable`) is carried by this input, not by the window system."""
        if not self._listening:
            self._listening = True
            self._tab.cdp.on("Input.dragIntercepted", self._intercepted)
        await self._tab.send("Input.setInterceptDrags", {"enabled": True})

    async def end_drag(self) -> None:
        """Back to normal."""
        await self._tab.send("Input.setInterceptDrags", {"enabled": False})

    def _intercepted(self, event: dict[str, Any]) -> None:
        self._dragged, self._entered = event["data"], False

    async def _drag(self, kind: str) -> None:
        x, y = self.position
        if not self._entered:
            self._entered = True
            await self._drag("dragEnter")
        given = {"type": kind, "x": x, "y": y, "data": self._dragged, "modifiers": self._modifiers()}
        await self._tab.send("Input.dispatchDragEvent", given)

    # ---- keyboard -------------------------------------------------------------------------------------------------------

    async def key_down(self, key: Key, *, repeat: bool = False) -> None:
        """Press a key; `repeat` says that it has been held long enough to repeat."""
        if key.key in MODIFIERS and key.key not in self._held:
            self._held.append(key.key)
        types = bool(key.text) and not _EDITING.intersection(self._held)
        given: dict[str, Any] = {
            "type": "keyDown" if types else "rawKeyDown",
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.number,
            "modifiers": self._modifiers(),
            "autoRepeat": repeat,
            "location": key.location if key.location < 3 else 0,
            "isKeypad": key.location == 3,
        }
        if types:
            given |= {"text": key.text, "unmodifiedText": key.text}
        self._send("Input.dispatchKeyEvent", given)

    async def key_up(self, key: Key) -> None:
        """Let a key go."""
        if key.key in self._held:
            self._held.remove(key.key)
        given = {
            "type": "keyUp",
            "key": key.key,
            "code": key.code,
            "windowsVirtualKeyCode": key.number,
            "modifiers": self._modifiers(),
            "location": key.location if key.location < 3 else 0,
            "isKeypad": key.location == 3,
        }
        self._send("Input.dispatchKeyEvent", given)

    async def insert(self, text: str) -> None:
        """Text that no key types: as an input method commits it."""
        await self.settle()
        await self._tab.send("Input.insertText", {"text": text})

    # ---- what is on its way ---------------------------------------------------------------------------------------------

    async def settle(self) -> None:
        """Return when everything sent has reached the page; raises what went wrong on the way."""
        await self._flush()
        sent, self._sent = self._sent, []
        for outcome in await asyncio.gather(*sent, return_exceptions=True):
            # A page that navigates away under a click refuses what is still on its way: that is no failure of the click.
            if isinstance(outcome, BaseException) and not isinstance(outcome, CommandRefused):
                raise outcome

    async def _flush(self) -> None:
        """Send the last move if it was held back."""
        if self._unsent is not None:
            self._unsent = None
            self._post("mouseMoved", button=_pressed(self._buttons))

    def _post(self, kind: str, **more: Any) -> None:
        x, y = self.position
        given = {"type": kind, "x": x, "y": y, "buttons": self._buttons, "modifiers": self._modifiers(), "pointerType": "mouse"}
        self._send("Input.dispatchMouseEvent", given | more)

    def _send(self, method: str, given: dict[str, Any]) -> None:
        self._sent.append(asyncio.ensure_future(self._tab.send(method, given)))

    def _modifiers(self) -> int:
        return sum(MODIFIERS[name] for name in self._held)


def _pressed(buttons: int) -> str:
    return next((name for name, bit in BUTTON_BITS.items() if buttons & bit), "none")


def _failed(task: asyncio.Task[dict[str, Any]]) -> bool:
    return task.cancelled() or task.exception() is not None
