"""What is typed: bytes of a terminal to keys, and a line that is edited with them."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from agent.console.wording import shown

PASTE_BEGINS, PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
PASTE_LIMIT = 20_000
"""Bytes of one paste that are looked at."""
_NAMES = {
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"\x1b[3~": "delete",
}
_CONTROLS = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x01": "home",
    "\x05": "end",
    "\x02": "left",
    "\x06": "right",
    "\x04": "delete",
    "\x0b": "cut_right",
    "\x15": "cut_left",
    "\x17": "cut_word",
    "\x0c": "redraw",
    "\x1a": "suspend",
}
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\[O\x1b])")
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")


@dataclass(frozen=True)
class Key:
    """One key or one paste. `name` is a word (`enter`, `left`, `escape`, `paste`, `unknown`); empty for the character `text`."""

    name: str
    text: str = ""


class Keys:
    """Cuts what a terminal sends into keys. Sequences and characters may arrive in pieces."""

    def __init__(self) -> None:
        self._rest = b""
        self._pasting: bytearray | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def undecided(self) -> bool:
        """What has come may be the Escape key, or the beginning of a sequence: after a moment of silence call `settle`."""
        return bool(self._rest) and self._pasting is None

    def settle(self) -> list[Key]:
        """Nothing more came: what looked like the beginning of a sequence was the Escape key, and what was typed after it."""
        rest, self._rest = self._rest, b""
        return [Key("escape"), *self._characters(rest[1:])] if rest.startswith(b"\x1b") else self._characters(rest)

    def feed(self, data: bytes) -> list[Key]:
        """The keys that are complete with this."""
        self._rest += data
        found: list[Key] = []
        while self._rest:
            taken = self._paste() if self._pasting is not None else self._next()
            if taken is None:
                break
            found += taken
        return found

    def _paste(self) -> list[Key] | None:
        assert self._pasting is not None  # noqa: S101 - `feed` looked
        end = self._rest.find(PASTE_ENDS)
        if end < 0:
            # The end's mark may have come in part.
            keep = len(PASTE_ENDS) - 1
            self._pasting += self._rest[:-keep]
            self._rest = self._rest[-keep:]
            del self._pasting[PASTE_LIMIT:]
            return None
        self._pasting += self._rest[:end]
        self._rest = self._rest[end + len(PASTE_ENDS) :]
        text = bytes(self._pasting[:PASTE_LIMIT]).decode("utf-8", "replace")
        self._pasting = None
        return [Key("paste", text)]

    def _next(self) -> list[Key] | None:
        rest = self._rest
        if not rest.startswith(b"\x1b"):
            end = rest.find(b"\x1b")
            piece, self._rest = (rest, b"") if end < 0 else (rest[:end], rest[end:])
            return self._characters(piece)
        if rest.startswith(PASTE_BEGINS):
            self._rest, self._pasting = rest[len(PASTE_BEGINS) :], bytearray()
            return []
        if _UNFINISHED.match(rest):
            return None
        match = _SEQUENCE.match(rest)
        if match is None:
            self._rest = rest[1:]
            return [Key("escape")]
        self._rest = rest[match.end() :]
        return [Key(_NAMES.get(match.group(), "unknown"))]

    def _characters(self, data: bytes) -> list[Key]:
        found: list[Key] = []
        for character in self._decoder.decode(data):
            if character in _CONTROLS:
                found.append(Key(_CONTROLS[character]))
            elif character.isprintable():
                found.append(Key("", character))
        return found


@dataclass(frozen=True)
class Draft:
    """A line that is being typed. `cursor` counts characters."""

    text: str = ""
    cursor: int = 0
    limit: int = 500

    def edit(self, key: Key) -> Draft:
        """The line after a key; keys that mean nothing here change nothing."""
        text, cursor = self.text, self.cursor
        match key.name:
            case "":
                return self._insert(key.text)
            case "paste":
                return self._insert(shown(key.text, self.limit))
            case "backspace":
                return self._with(text[: max(0, cursor - 1)] + text[cursor:], cursor - 1)
            case "delete":
                return self._with(text[:cursor] + text[cursor + 1 :], cursor)
            case "cut_left":
                return self._with(text[cursor:], 0)
            case "cut_right":
                return self._with(text[:cursor], cursor)
            case "cut_word":
                kept = text[:cursor].rstrip()
                kept = kept[: kept.rfind(" ") + 1]
                return self._with(kept + text[cursor:], len(kept))
            case _:
                return self._with(
                    text, {"left": cursor - 1, "right": cursor + 1, "home": 0, "end": len(text)}.get(key.name, cursor)
                )

    def _insert(self, new: str) -> Draft:
        room = self.limit - len(self.text)
        new = new[: max(0, room)]
        return self._with(self.text[: self.cursor] + new + self.text[self.cursor :], self.cursor + len(new))

    def _with(self, text: str, cursor: int) -> Draft:
        return Draft(text, min(max(cursor, 0), len(text)), self.limit)
