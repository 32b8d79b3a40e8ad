"""Page text is shown for what it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.reports.visible import plain, shortened, visible, visible_values

DECEPTIVE = "\x00\x07\x1b\x7f\x85\x9b\u00ad\u200b\u200e\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\U000e0041"


@pytest.mark.parametrize("character", DECEPTIVE, ids=lambda character: f"U+{ord(character):04X}")
def test_a_deceptive_character_is_replaced_by_a_sign_that_names_it(character: str) -> None:
    """No control, override or invisible character is left, and something readable stands in its place."""
    shown = visible(f"a{character}b")
    assert character not in shown
    assert shown[0] == "a"
    assert shown[-1] == "b"
    assert len(shown) > 2


@given(st.text())
def test_what_is_visible_holds_no_control_or_format_character(text: str) -> None:
    """Only tab, line feed and the two joiners survive of Unicode's control and format characters that reorder or hide."""
    left = {character for character in visible(text) if unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"}}
    assert left <= {"\n", "\t"}
    assert visible(visible(text)) == visible(text)


@given(st.text())
def test_what_is_plain_is_one_line_without_controls(text: str) -> None:
    """Terminal text has no control character at all, not even a line feed, and keeps within its limit."""
    said = plain(text, 60)
    assert not [character for character in said if unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"}]
    assert len(said) <= 60


@pytest.mark.parametrize(
    ("hostile", "left"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone", "gone"),
        ("one\r\n  two\tthree", "one two three"),
        ("\x1bPq#payload\x1b\\sixel", "sixel"),
    ],
)
def test_escape_sequences_vanish_with_what_they_carry(hostile: str, left: str) -> None:
    """Colours, titles, links, screen clearing and device strings leave only their text."""
    assert plain(hostile) == left


@pytest.mark.parametrize("text", ["Grüße, 世界", "مرحبا", "👩‍👩‍👧", "नमस्ते", "tab\tand\nline"])
def test_honest_text_is_left_alone(text: str) -> None:
    """Other scripts, emoji sequences, tabs and line feeds are not deceptive."""
    assert visible(text) == text


def test_values_are_made_visible_at_every_depth() -> None:
    """Keys and strings within lists and objects are treated, figures are not."""
    assert visible_values({"k\u202e": ["\x1b", 3, None, {"x": "y" * 9}]}, limit=8) == {
        "k⟦U+202E⟧": ["⟦U+001B⟧", 3, None, {"x": "yyyyyyy…"}]
    }


def test_shortening_says_so() -> None:
    """A shortened text ends in an ellipsis and has the length asked for."""
    assert shortened("abcdef", 4) == "abc…"
    assert shortened("abcd", 4) == "abcd"
