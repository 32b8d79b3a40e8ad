"""The keyboard: what a key is called, and what it says to a page (`key`, `code`, `keyCode`, `location`). US layout.

Names are Playwright's: `ArrowLeft`, `Space`, `a`, `A` (with Shift), `KeyA`, `Control+z`, `Shift+Tab`.
"""

from __future__ import annotations

from dataclasses import dataclass

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
"""CDP's bits."""


@dataclass(frozen=True)
class Key:
    """A physical key and what it yields in a given state of Shift."""

    key: str
    code: str
    number: int
    """`KeyboardEvent.keyCode`."""
    text: str = ""
    """What it types; empty for keys that type nothing."""
    location: int = 0
    """1 left, 2 right, 3 keypad."""
    shift: bool = False
    """Shift must be down to get this."""


class UnknownKey(ValueError):
    """There is no key of that name."""


def _named() -> dict[str, Key]:
    plain = {
        "Enter": 13, "Tab": 9, "Backspace": 8, "Escape": 27, "Delete": 46, "Insert": 45, "Home": 36, "End": 35, "PageUp": 33,
        "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "CapsLock": 20, "NumLock": 144,
        "ScrollLock": 145, "Pause": 19, "PrintScreen": 44, "ContextMenu": 93,
    }  # fmt: skip
    keys = {name: Key(name, name, number, "\r" if name == "Enter" else "") for name, number in plain.items()}
    keys |= {f"F{number}": Key(f"F{number}", f"F{number}", 111 + number) for number in range(1, 13)}
    for side, location in (("Left", 1), ("Right", 2)):
        for name, number in (("Shift", 16), ("Control", 17), ("Alt", 18), ("Meta", 91 if side == "Left" else 92)):
            keys[f"{name}{side}"] = Key(name, f"{name}{side}", number, location=location)
    keys |= {name: keys[f"{name}Left"] for name in MODIFIERS}
    keys["Space"] = keys[" "] = Key(" ", "Space", 32, " ")
    for digit in "0123456789":
        keys[f"Numpad{digit}"] = Key(digit, f"Numpad{digit}", 96 + int(digit), digit, location=3)
    operators = {"Multiply": ("*", 106), "Add": ("+", 107), "Subtract": ("-", 109), "Decimal": (".", 110), "Divide": ("/", 111)}
    keys |= {f"Numpad{name}": Key(text, f"Numpad{name}", number, text, location=3) for name, (text, number) in operators.items()}
    keys["NumpadEnter"] = Key("Enter", "NumpadEnter", 13, "\r", location=3)
    return keys


def _printing() -> dict[str, Key]:
    keys: dict[str, Key] = {}
    for letter in "abcdefghijklmnopqrstuvwxyz":
        code, number = f"Key{letter.upper()}", ord(letter.upper())
        keys[letter] = keys[code] = Key(letter, code, number, letter)
        keys[letter.upper()] = Key(letter.upper(), code, number, letter.upper(), shift=True)
    for digit, shifted in zip("1234567890", "!@#$%^&*()", strict=True):
        keys[digit] = keys[f"Digit{digit}"] = Key(digit, f"Digit{digit}", ord(digit), digit)
        keys[shifted] = Key(shifted, f"Digit{digit}", ord(digit), shifted, shift=True)
    others = {
        "Minus": ("-_", 189), "Equal": ("=+", 187), "BracketLeft": ("[{", 219), "BracketRight": ("]}", 221),
        "Backslash": ("\\|", 220), "Semicolon": (";:", 186), "Quote": ("'\"", 222), "Backquote": ("`~", 192),
        "Comma": (",<", 188), "Period": (".>", 190), "Slash": ("/?", 191),
    }  # fmt: skip
    for code, (pair, number) in others.items():
        keys[pair[0]] = keys[code] = Key(pair[0], code, number, pair[0])
        keys[pair[1]] = Key(pair[1], code, number, pair[1], shift=True)
    return keys


KEYS = _named() | _printing()
_ALIASES = {
    "Ctrl": "Control",
    "Cmd": "Meta",
    "Command": "Meta",
    "Esc": "Escape",
    "Return": "Enter",
    "Del": "Delete",
    "Spacebar": "Space",
}
_ALIASES |= {"Left": "ArrowLeft", "Right": "ArrowRight", "Up": "ArrowUp", "Down": "ArrowDown", "ControlOrMeta": "Control"}
_LOWER = {name.lower(): name for name in (*KEYS, *_ALIASES) if len(name) > 1}


def key_named(name: str) -> Key:
    """The key of that name; case matters only for single characters. Raises `UnknownKey`."""
    found = KEYS.get(name) or KEYS.get(_ALIASES.get(name, ""))
    if found is None and len(name) > 1:
        proper = _LOWER.get(name.lower(), "")
        found = KEYS.get(proper) or KEYS.get(_ALIASES.get(proper, ""))
    if found is None:
        raise UnknownKey(f"there is no key called {name!r}")
    return found


def chord(name: str) -> tuple[list[Key], Key]:
    """Modifiers to hold and the key to press: `Control+Shift+z`, `Control++`. Raises `UnknownKey`."""
    head, plus, tail = name.rpartition("+")
    if head.endswith("+") and not tail:
        head, tail = head.removesuffix("+"), "+"
    if not plus or name == "+":
        return [], key_named(name)
    held = [key_named(part) for part in head.split("+") if part]
    strange = [key.key for key in held if key.key not in MODIFIERS]
    if strange:
        raise UnknownKey(f"{strange[0]!r} in {name!r} is no modifier")
    return held, _with_shift(key_named(tail)) if any(key.key == "Shift" for key in held) else key_named(tail)


def _with_shift(key: Key) -> Key:
    """What a printing key yields while Shift is held for it."""
    if key.shift or not key.text.strip():
        return key
    return next((other for other in KEYS.values() if other.code == key.code and other.shift), key)
