"""Input through the X server's test extension: the way of a real mouse and keyboard, with the pointer seen in the recording.

The browser's window fills the display from its top left corner, so a page's pixel is the screen's. What a keyboard cannot type,
and chords and function keys that the browser itself would answer to, go through the browser's protocol instead; so does the
wheel, since X only knows whole notches.
"""

from __future__ import annotations

import asyncio
import contextlib

from Xlib import XK, X
from Xlib.display import Display
from Xlib.error import ConnectionClosedError
from Xlib.ext import xtest
from Xlib.xobject.drawable import Window

from tools.browser.acting.keys import Key
from tools.browser.acting.protocol import Button, CdpInput

_BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}
_KEYSYMS = {
    "Enter": "Return", "Tab": "Tab", "Backspace": "BackSpace", "Escape": "Escape", "Delete": "Delete", "Insert": "Insert",
    "Home": "Home", "End": "End", "PageUp": "Prior", "PageDown": "Next", "ArrowLeft": "Left", "ArrowUp": "Up",
    "ArrowRight": "Right", "ArrowDown": "Down", "Space": "space", "ShiftLeft": "Shift_L", "ShiftRight": "Shift_R",
    "ControlLeft": "Control_L", "ControlRight": "Control_R", "AltLeft": "Alt_L", "AltRight": "Alt_R", "Minus": "minus",
    "Equal": "equal",
    "BracketLeft": "bracketleft", "BracketRight": "bracketright", "Backslash": "backslash", "Semicolon": "semicolon",
    "Quote": "apostrophe", "Backquote": "grave", "Comma": "comma", "Period": "period", "Slash": "slash",
}  # fmt: skip
_KEYSYMS |= {f"Key{letter.upper()}": letter for letter in "abcdefghijklmnopqrstuvwxyz"} | {
    f"Digit{digit}": digit for digit in "0123456789"
}

# Chords that only edit text; any other with Control, Alt or Meta might close the tab, print or open a window of the browser's.
_HARMLESS = frozenset("acvxzy") | {
    "Backspace",
    "Delete",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "Enter",
}


def types_by_x(held: list[Key], key: Key) -> bool:
    """Whether a chord may go by the real keyboard: there is such a key, and the browser keeps no meaning of its own for it."""
    if key.code not in _KEYSYMS:
        return False
    strong = {modifier.key for modifier in held} - {"Shift"}
    return not strong or (strong == {"Control"} and key.key.lower() in {name.lower() for name in _HARMLESS})


class XTestInput:
    """A connection to the display, made at the first act; each act is an async context. Same verbs as `CdpInput`.

    It is kept from act to act: making one takes 20 ms, in which nothing else of the evaluation goes on.
    """

    name = "xtest"

    def __init__(self, display: str, protocol: CdpInput) -> None:
        self._name = display
        self._connection: Display | None = None
        self.protocol = protocol
        self.position: tuple[float, float] = (0.0, 0.0)

    async def __aenter__(self) -> XTestInput:
        try:
            pointer = self._display.screen().root.query_pointer()
        except (ConnectionClosedError, OSError):
            self.close()
            pointer = self._display.screen().root.query_pointer()
        self.position = (float(pointer.root_x), float(pointer.root_y))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.protocol.__aexit__()
        self._display.sync()

    def close(self) -> None:
        """Give the connection back. Idempotent; whatever became of the display."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(ConnectionClosedError, OSError):
                connection.close()

    @property
    def _display(self) -> Display:
        if self._connection is None:
            self._connection = Display(self._name)
        return self._connection

    async def move(self, x: float, y: float) -> None:
        """Move the pointer there (whole pixels)."""
        self.position = (float(round(x)), float(round(y)))
        xtest.fake_input(self._display, X.MotionNotify, x=round(x), y=round(y))
        self._display.flush()

    async def press(self, button: Button, count: int) -> None:
        """Press a button; the window system counts the clicks itself."""
        del count
        xtest.fake_input(self._display, X.ButtonPress, _BUTTONS[button])
        self._display.sync()

    async def let_go(self, button: Button, count: int) -> None:
        """Let the button go."""
        del count
        xtest.fake_input(self._display, X.ButtonRelease, _BUTTONS[button])
        self._display.sync()

    async def wheel(self, dx: float, dy: float) -> None:
        """Turn the wheel where the pointer is."""
        self._display.sync()
        self.protocol.position = self.position
        await self.protocol.wheel(dx, dy)

    async def begin_drag(self) -> None:
        """Nothing to do: the window system carries what is dragged."""

    async def end_drag(self) -> None:
        """Nothing to do."""

    def take_focus(self) -> None:
        """Give the keyboard to the browser's window, if it has lost it. Without a window manager nobody else does it."""
        screen = self._display.screen()
        root, size = screen.root, (screen.width_in_pixels, screen.height_in_pixels)
        windows = [window for window in root.query_tree().children if window.get_attributes().map_state == X.IsViewable]
        largest = max(windows, key=lambda window: _area(window.get_geometry(), size), default=None)
        if largest is None or self._focus_lies_in(largest):
            return  # to give it what it has would tell the page of a blur and a focus that no person caused
        self._display.set_input_focus(largest, X.RevertToPointerRoot, X.CurrentTime)
        self._display.sync()

    def _focus_lies_in(self, window: Window) -> bool:
        at = self._display.get_input_focus().focus
        for _ in range(8):
            if not isinstance(at, Window):
                return False
            if at.id == window.id:
                return True
            at = at.query_tree().parent
        return False

    async def key_down(self, key: Key, *, repeat: bool = False) -> None:
        """Press a key that `types_by_x` allows.

        That it has been held long enough to repeat the browser's protocol says: the server would by wall time, whatever app time
        has passed, so that on a busy machine a key that is let go late typed "kettttle". It is told not to with every key, for
        any client of the display may have turned repeating on since.
        """
        if repeat:
            await self.protocol.key_down(key, repeat=True)
            return
        self._display.change_keyboard_control(auto_repeat_mode=X.AutoRepeatModeOff)
        xtest.fake_input(self._display, X.KeyPress, self._code_of(key))
        self._display.sync()

    async def key_up(self, key: Key) -> None:
        """Let a key go."""
        xtest.fake_input(self._display, X.KeyRelease, self._code_of(key))
        self._display.sync()

    async def insert(self, text: str) -> None:
        """Text that no key types, through the browser's protocol."""
        await self.protocol.insert(text)

    async def settle(self) -> None:
        """The X server has taken everything; whether the page has seen it, the page must say."""
        await asyncio.sleep(0)
        self._display.sync()
        await self.protocol.settle()

    def _code_of(self, key: Key) -> int:
        return self._display.keysym_to_keycode(XK.string_to_keysym(_KEYSYMS[key.code]))


def _area(geometry: object, screen: tuple[int, int]) -> int:
    """Pixels of it that lie on the screen: another person's window stands beside it."""
    x, y, width, height = (int(getattr(geometry, name, 0)) for name in ("x", "y", "width", "height"))
    across, down = min(x + width, screen[0]) - max(x, 0), min(y + height, screen[1]) - max(y, 0)
    return max(0, across) * max(0, down)
