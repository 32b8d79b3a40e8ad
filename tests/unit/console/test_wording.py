"""Foreign words are shown, never obeyed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.console.wording import clock, shown

HOSTILE = {
    "colour": "\x1b[31mred\x1b[0m",
    "title": "\x1b]0;owned\x07Shop",
    "clipboard": "\x1b]52;c;cm0gLXJmIC8=\x07Shop",
    "clipboard, other end": "\x1b]52;c;cm0gLXJmIC8=\x1b\\Shop",
    "8-bit CSI": "\x9b2JShop",
    "link": "\x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\",
    "unfinished": "Shop\x1b]52;c;cm0g",
    "answerback": "\x05Shop\x1b[c\x1b[6n",
    "other screen": "\x1b[?1049l\x1b[2J\x1bcShop",
    "override": "Shop\u202egnp.exe",
    "isolate": "\u2066Shop\u2069\u200f",
    "tags": "Shop\U000e0041\U000e0042",
    "lines": "Sh\u2028o\u2029p\r\n\x0b\x0cx",
    "backspace": "Shop\x08\x08\x08\x08evil",
    "zero width": "Sh\u200b\ufeff\u2060op",
    "half a pair": "Shop\ud800",
    "tower": "S" + "\u0301" * 400 + "hop",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_hostile_is_left(text: str) -> None:
    """No control, no format character but joiners, no long tower; the words are still there."""
    line = shown(text)
    assert all(unicodedata.category(item) not in {"Cc", "Cs", "Cn", "Co", "Zl", "Zp"} for item in line)
    assert not {"\u202e", "\u2066", "\u200f", "\u200b", "\U000e0041"} & set(line)
    assert sum(unicodedata.category(item) == "Mn" for item in line) <= 2
    assert "52;c" not in line
    assert line
    line.encode("utf-8")


@given(st.text(max_size=600), st.integers(1, 80))
def test_always_one_short_printable_line(text: str, limit: int) -> None:
    """For any text at all."""
    line = shown(text, limit)
    assert len(line) <= limit
    assert line == "" or len(line.splitlines()) == 1
    assert "\x1b" not in line
    assert "\x9b" not in line


def test_ordinary_words_stay_as_they_are() -> None:
    """Umlauts, Chinese, Arabic, emoji with joiners."""
    for text in ("Größe: 3 €", "记账应用", "مرحبا", "👩‍💻 ok", "e\u0301tude"):
        assert shown(text) == text


def test_a_clock_counts_minutes_and_hours() -> None:
    """As people read them."""
    assert [clock(0.4), clock(64.9), clock(3723), clock(-1)] == ["0:00", "1:04", "1:02:03", "0:00"]
