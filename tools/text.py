"""Text that came from a page, made safe to show; figures in words."""

from __future__ import annotations

import unicodedata

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def printable(text: str, limit: int = 300) -> str:
    """One line without control, format-override or unassigned characters, at most `limit` long.

    A page can put escape sequences, bidirectional overrides or line separators into any text; on a terminal or in a report they
    would act instead of being shown.
    """
    kept = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or (unicodedata.category(character) not in {"Cc", "Cs", "Cn", "Co"} and character not in _BIDI)
    )
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def how_many(number: int, noun: str) -> str:
    """`1 step`, `2 steps`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
