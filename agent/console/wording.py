"""Words for what happens, and foreign words made harmless: what a page, a brief or a file name says is shown, never obeyed."""

from __future__ import annotations

import unicodedata

from evaluator.reports.visible import plain
from tools.text import printable

COMBINING_LIMIT = 2
"""Marks over or under one letter; more of them would reach into the lines around."""
_KEPT_FORMATS = frozenset("\u200c\u200d")
"""Joiners: emoji and several scripts need them."""


def shown(text: str, limit: int = 300) -> str:
    """One harmless line for a terminal.

    No escape sequence and nothing of one, no control code, override, tag or other invisible character, no tower of combining
    marks; white space folded; at most `limit` characters.
    """
    kept: list[str] = []
    marks = 0
    for character in printable(plain(text[: 4 * limit + 200], 4 * limit), 4 * limit):
        category = unicodedata.category(character)
        if category == "Cf" and character not in _KEPT_FORMATS:
            continue
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= COMBINING_LIMIT:
            kept.append(character)
    line = "".join(kept)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def clock(seconds: float) -> str:
    """Minutes and seconds, `1:04`, with hours from one on."""
    whole = max(0, int(seconds))
    minutes, rest = divmod(whole, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def counted(count: int, noun: str) -> str:
    """`1 thing`, `2 things`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def planned(promises: int) -> str:
    """What leads the exploration, in one line."""
    return f"the brief holds {counted(promises, 'requirement')}" if promises else "no brief asks for anything"
