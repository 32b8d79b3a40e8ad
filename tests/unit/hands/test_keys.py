"""Names of keys, chords, and which of them go by the real keyboard."""

from __future__ import annotations

import pytest

from tools.browser.acting.keys import KEYS, UnknownKey, chord, key_named
from tools.browser.acting.xtest import types_by_x


@pytest.mark.parametrize(
    ("name", "held", "key", "code"),
    [
        ("a", [], "a", "KeyA"),
        ("A", [], "A", "KeyA"),
        ("Space", [], " ", "Space"),
        ("+", [], "+", "Equal"),
        ("Control+z", ["Control"], "z", "KeyZ"),
        ("Control++", ["Control"], "+", "Equal"),
        ("Control+Shift+z", ["Control", "Shift"], "Z", "KeyZ"),
        ("Shift+1", ["Shift"], "!", "Digit1"),
        ("shift+tab", ["Shift"], "Tab", "Tab"),
        ("Ctrl+Enter", ["Control"], "Enter", "Enter"),
        ("esc", [], "Escape", "Escape"),
        ("Numpad0", [], "0", "Numpad0"),
    ],
)
def test_names(name: str, held: list[str], key: str, code: str) -> None:
    """Playwright's names and what people write instead."""
    modifiers, found = chord(name)
    assert [modifier.key for modifier in modifiers] == held
    assert (found.key, found.code) == (key, code)


@pytest.mark.parametrize("name", ["", "NoKey", "a+b", "Control+", "aa", "Hyper+x"])
def test_there_is_no_such_key(name: str) -> None:
    """An error, not a guess."""
    with pytest.raises(UnknownKey):
        chord(name)


def test_every_printable_character_has_its_key() -> None:
    """All of ASCII can be typed, and each key types itself."""
    for number in range(32, 127):
        key = key_named(chr(number))
        assert key.text == chr(number)
        assert key.shift == (chr(number) in '~!@#$%^&*()_+{}|:"<>?' or chr(number).isupper())


def test_key_codes_are_unambiguous() -> None:
    """Two different keys of one code differ in Shift only."""
    by_code: dict[str, set[tuple[str, int]]] = {}
    for key in KEYS.values():
        by_code.setdefault(key.code, set()).add((key.key, key.number))
    assert all(len(found) <= 2 and len({number for _, number in found}) == 1 for found in by_code.values())


@pytest.mark.parametrize(
    ("name", "by_x"),
    [("a", True), ("Shift+Tab", True), ("Control+a", True), ("Control+ArrowLeft", True)]
    + [(name, False) for name in ("Control+p", "Control+w", "F5", "F11", "Alt+F4", "Meta+l", "Numpad1", "Control+Shift+t")],
)
def test_the_browsers_own_shortcuts_do_not_go_by_the_real_keyboard(name: str, by_x: bool) -> None:
    """Printing, closing the tab or opening the developer tools is not what an app's test is about."""
    held, key = chord(name)
    assert types_by_x(held, key) == by_x
