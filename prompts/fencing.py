"""Fences around text that is not ours: what a page, a source file or a model said reaches a model only inside them.

A fence carries a nonce that follows from what it encloses: nobody who writes the text can know it beforehand (a text that holds
its own nonce would be a fixed point of SHA-256), and equal contents give equal bytes, so that prompts can be cached. On top of
that the text is escaped: neither a fence nor a control token of a chat template can be formed inside.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

NONCE_DIGITS = 16
_OPENINGS = re.compile(r"<(?=<|\|)|(?<=\|)>")
"""`<<` (a fence's own mark), `<|` and `|>` (control tokens of most chat templates)."""
_TOKENS = re.compile(
    r"<(?=/?(?:s|bos|eos|pad|unk|start_of_turn|end_of_turn|think|tool_call|tool_response|function_calls|antml:\w+)>)"
    r"|\[(?=/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])",
    re.IGNORECASE,
)
_TURNS = re.compile(r"^(?=[ \t]*(?:Human|Assistant|System)[ \t]*:)", re.MULTILINE)
_KEPT_FORMATS = frozenset("\u200c\u200d")
"""Joiners that emoji and several scripts are written with."""


class Safe(str):
    """Text that may stand in a prompt: our own words, or foreign ones inside a fence. Made by `ours`, `fenced`, `joined`."""

    __slots__ = ()


def ours(text: str) -> Safe:
    """Words of our own: literals, numbers, names of our tools and relations. Never anything that a page could have written."""
    return Safe(text)


def joined(*pieces: Safe, between: str = "\n\n") -> Safe:
    """Several safe pieces, one after the other; empty ones are left out."""
    return Safe(between.join(piece for piece in pieces if piece))


def fenced(label: str, text: str, limit: int | None = None) -> Safe:
    """Foreign text as a data block. `label` says in our words what it is; at most `limit` characters, and what was cut is said.

    A cut keeps the beginning (two thirds) and the end.
    """
    shown = escaped(_cut(text, limit))
    nonce = hashlib.sha256(f"{label}\0{shown}".encode("utf-8", "replace")).hexdigest()[:NONCE_DIGITS]
    return Safe(f"<<data {nonce} {_label(label)}>>\n{shown}\n<<end {nonce}>>")


def escaped(text: str) -> str:
    """Text in which no fence, no control token and no invisible character is left."""
    visible = "".join(_visible(character) for character in text.replace("\r\n", "\n").replace("\r", "\n"))
    marked = _OPENINGS.sub(lambda found: "&lt;" if found.group() == "<" else "&gt;", visible)
    marked = _TOKENS.sub(lambda found: "&lt;" if found.group() == "<" else "&#91;", marked)
    return _TURNS.sub("| ", marked)


def _visible(character: str) -> str:
    """Control, format and tag characters act on models and terminals without being seen; they are replaced or left out."""
    if character in "\n\t" or character in _KEPT_FORMATS or character.isprintable():
        return character
    category = unicodedata.category(character)
    if category in ("Zs", "Zl", "Zp"):
        return " "
    return "" if category == "Cf" else "\ufffd"


def _cut(text: str, limit: int | None) -> str:
    if limit is None or len(text) <= limit:
        return text
    head = limit * 2 // 3
    tail = limit - head
    return f"{text[:head]}\n[… {len(text) - limit} characters left out …]\n{text[len(text) - tail :] if tail else ''}"


def _label(label: str) -> str:
    return re.sub(r"[<>\n]", " ", label)
