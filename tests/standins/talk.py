"""What a stand-in was asked and what it says, apart from any wire format."""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

CHARACTERS_A_TOKEN = 4
PIXELS_A_TOKEN = 750


@dataclass(frozen=True)
class Piece:
    """One text or picture of a request, in order; `cached_to` marks the end of what the request wants cached."""

    role: str
    text: str = ""
    picture: bytes = b""
    cached_to: bool = False

    @property
    def tokens(self) -> int:
        """As this stand-in counts them: four characters, or 750 pixels, a token."""
        if self.picture:
            width, height = struct.unpack(">II", self.picture[16:24]) if self.picture[:4] == b"\x89PNG" else (1280, 800)
            return width * height // PIXELS_A_TOKEN
        return -(-len(self.text) // CHARACTERS_A_TOKEN)


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    vendor: Literal["openai", "anthropic"]
    number: int
    """Counted from 1 over the stand-in's life."""
    body: dict[str, Any]
    pieces: tuple[Piece, ...]
    tools: tuple[str, ...]
    schema: dict[str, Any] | None
    max_tokens: int

    @property
    def text(self) -> str:
        """All words that were sent, in order."""
        return "\n".join(piece.text for piece in self.pieces if piece.text)

    @property
    def last(self) -> str:
        """The last words of the user."""
        return next((piece.text for piece in reversed(self.pieces) if piece.text and piece.role == "user"), "")

    @property
    def system(self) -> str:
        """The words of the system message."""
        return "\n".join(piece.text for piece in self.pieces if piece.role == "system")

    @property
    def pictures(self) -> tuple[bytes, ...]:
        """Pictures in order."""
        return tuple(piece.picture for piece in self.pieces if piece.picture)


@dataclass(frozen=True)
class Say:
    """One reply, or one fault. Times are wall seconds."""

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any] | str], ...] = ()
    """(tool, arguments); a string is sent as it is, valid JSON or not."""
    refusal: str = ""
    cut_by_limit: bool = False
    """The reply ends at its token limit: what is said is only a part."""
    status: int = 200
    error: str = ""
    """The vendor's word for the error: `rate_limit_error`, `insufficient_quota` …"""
    headers: dict[str, str] = field(default_factory=dict)
    first_s: float = 0.0
    """Before the first byte of the reply."""
    gap_s: float = 0.0
    """Between pieces."""
    hang_up: Literal["", "before", "within"] = ""
    """Close the connection before anything is said, or in the middle of it."""
    broken: bool = False
    """A line of the stream is no JSON."""
    fails_within: str = ""
    """An error event in the middle of the stream, with this word."""
    counted: bool = True
    """False: the reply comes without token figures."""


Script = Callable[[Asked], Say]


def in_turn(*says: Say) -> Script:
    """A script that says one after the other; asked once more, it fails loudly."""
    left = list(says)

    def script(asked: Asked) -> Say:
        if not left:
            return Say(status=400, error="invalid_request_error", text=f"request {asked.number} was not foreseen by the script")
        return left.pop(0)

    return script


def picture_of(url: str) -> bytes:
    """The bytes of a data URL."""
    return b64decode(url.partition("base64,")[2])


@dataclass
class PromptCache:
    """A vendor's prompt cache: remembers prefixes that were sent, and tells how many tokens of a request it had."""

    least: int = 1024
    known: set[str] = field(default_factory=set)

    def at_marks(self, pieces: tuple[Piece, ...]) -> tuple[int, int]:
        """(read, written) tokens where the request marks what to cache, as Anthropic does it: the longest known mark is read."""
        read = written = tokens = 0
        prefix = ""
        marks: list[tuple[str, int]] = []
        for piece in pieces:
            prefix += f"\0{piece.role}\0{piece.text or piece.picture.hex()}"
            tokens += piece.tokens
            if piece.cached_to and tokens >= self.least:
                marks.append((prefix, tokens))
        for mark, size in marks:
            if mark in self.known:
                read = size
        if marks and marks[-1][1] > read:
            written = marks[-1][1] - read
        self.known.update(mark for mark, _ in marks)
        return read, written

    def automatic(self, pieces: tuple[Piece, ...]) -> int:
        """Tokens read, as OpenAI does it: the longest common beginning with an earlier request, in steps of 128 from 1024 on."""
        whole = "".join(f"\0{piece.role}\0{piece.text or '#' * (piece.tokens * CHARACTERS_A_TOKEN)}" for piece in pieces)
        longest = max((_common(whole, earlier) for earlier in self.known), default=0) // CHARACTERS_A_TOKEN
        self.known.add(whole)
        return longest // 128 * 128 if longest >= self.least else 0


def _common(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
