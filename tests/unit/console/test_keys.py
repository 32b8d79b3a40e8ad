"""Bytes of a terminal become keys, whatever pieces they arrive in; keys edit a line."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.console.keys import Draft, Key, Keys


def typed(*pieces: bytes) -> list[Key]:
    """All keys of these pieces, the rest settled."""
    keys = Keys()
    found = [key for piece in pieces for key in keys.feed(piece)]
    return found + (keys.settle() if keys.undecided else [])


def test_letters_and_named_keys() -> None:
    """Characters, Enter, the arrows in both of their forms, what nobody knows."""
    names = [key.name or key.text for key in typed("pé世\r\x1b[D\x1bOC\x1b[3~\x1b[15~\x7f".encode())]
    assert names == ["p", "é", "世", "enter", "left", "right", "delete", "unknown", "backspace"]


def test_a_lone_escape_is_the_escape_key() -> None:
    """After silence; and what was typed right behind it is not lost."""
    assert typed(b"\x1b") == [Key("escape")]
    keys = Keys()
    assert keys.feed(b"\x1b[") == []
    assert keys.undecided
    assert keys.settle() == [Key("escape"), Key("", "[")]


def test_a_paste_is_one_key_and_no_command() -> None:
    """Whatever is in it: letters that are commands, escape sequences, a piece of its own end."""
    text = b"q\ny\x1b[2J stop \x1b[20"
    assert typed(b"\x1b[200~" + text + b"\x1b[201~s") == [Key("paste", text.decode()), Key("", "s")]


def test_a_paste_has_a_limit() -> None:
    """A megabyte is not kept."""
    (pasted,) = typed(b"\x1b[200~", b"x" * 1_000_000, b"\x1b[201~")
    assert len(pasted.text) <= 20_000


@given(st.lists(st.sampled_from(["p", "世", "\r", "\x1b[A", "\x1b[200~qyq\x1b[201~", "\x1bOH", "é"])), st.integers(0, 10**6))
def test_pieces_do_not_matter(parts: list[str], seed: int) -> None:
    """The same bytes give the same keys, cut anywhere."""
    data = "".join(parts).encode()
    chance, pieces, rest = random.Random(seed), [], data
    while rest:
        size = chance.randint(1, 5)
        pieces.append(rest[:size])
        rest = rest[size:]
    assert typed(*pieces) == typed(data)


@given(st.binary(max_size=200))
def test_any_bytes_are_survived(data: bytes) -> None:
    """And no control character comes through as text."""
    for key in typed(data):
        assert key.name or key.text.isprintable()


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        (["a", "b", "c"], "abc", 3),
        (["a", "b", "<left>", "x"], "axb", 2),
        (["a", "b", "<home>", "<delete>"], "b", 0),
        (["a", "<left>", "<left>", "<backspace>"], "a", 0),
        (["t", "w", "o", " ", "s", "<cut_word>"], "two ", 4),
        (["a", "b", "<left>", "<cut_left>"], "b", 0),
        (["a", "b", "<home>", "<right>", "<cut_right>", "<end>"], "a", 1),
    ],
)
def test_a_line_is_edited(keys: list[str], text: str, cursor: int) -> None:
    """Inserting, moving, deleting."""
    draft = Draft()
    for key in keys:
        draft = draft.edit(Key(key[1:-1]) if key.startswith("<") else Key("", key))
    assert (draft.text, draft.cursor) == (text, cursor)


def test_a_pasted_hint_is_one_harmless_line() -> None:
    """Line ends and escape sequences stay out of it, and it ends at the limit."""
    draft = Draft(limit=20).edit(Key("paste", "try\nthe \x1b]52;c;aGk=\x07menu " + "x" * 100))
    assert draft.text.startswith("try the menu")
    assert len(draft.text) <= 20
