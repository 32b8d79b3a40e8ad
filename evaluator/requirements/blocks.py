"""A brief's Markdown as blocks of text with their places: headings, items of lists, paragraphs; code is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt

_HIDDEN = re.compile(r"[*_`~]{1,3}|https?://\S+|^\[[ xX]?\]\s")
_LABEL = re.compile(r"^\s*(?:\*\*|__)[^*_]+(?:\*\*|__)\s*[:：]?\s*$")


@dataclass(frozen=True)
class Block:
    """A run of text. `places[n]` is where its n-th character stands in the brief. `heading`: the nearest one above it."""

    kind: Literal["heading", "item", "paragraph"]
    text: str
    places: tuple[int, ...]
    heading: str = ""


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def blocks(brief: str) -> Iterator[Block]:
    """In their order."""
    starts = [0]
    for line in brief.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = brief.split("\n")
    heading, depth, inside = "", 0, ""
    for token in _parser().parse(brief):
        depth += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        inside = token.type if token.type.endswith("_open") else inside
        if token.type != "inline" or token.map is None:
            continue
        text, places = _placed(token.content, lines, starts, token.map[0])
        title = inside == "heading_open" or _LABEL.match(token.content) is not None
        kind = "heading" if title else "item" if depth else "paragraph"
        if text.strip():
            yield Block(kind, text, places, "" if title else heading)
        if title:
            heading = text


def _placed(content: str, lines: list[str], starts: list[int], first: int) -> tuple[str, tuple[int, ...]]:
    """The text without marks of emphasis, line breaks as they are, and each character's place."""
    text, places = [], []
    for number, line in enumerate(content.split("\n"), start=first):
        at = starts[number] + max(lines[number].find(line), 0) if number < len(lines) else starts[-1]
        hidden = {place for found in _HIDDEN.finditer(line) for place in range(*found.span()) if not _inner(line, found)}
        if text:
            text.append("\n")
            places.append(at - 1)
        for offset, sign in enumerate(line):
            if offset not in hidden:
                text.append(sign)
                places.append(at + offset)
    return "".join(text), tuple(places)


def _inner(line: str, found: re.Match[str]) -> bool:
    """An underscore inside of a word is a part of it, a star between blanks is a sign of multiplication."""
    before, after = line[found.start() - 1 : found.start()], line[found.end() : found.end() + 1]
    return (found[0].startswith("_") and before.isalnum() and after.isalnum()) or (before == " " == after)
