"""Source maps (ECMA-426): from a place in a bundle to the source file, line and name it was made from."""

from __future__ import annotations

import base64
import binascii
import json
import posixpath
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

LARGEST_MAP = 12_000_000
"""Characters of a map that is read; a larger one would take seconds to decode, and its bundle counts as one without."""
_DIGITS = {character: value for value, character in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}


class BadMap(ValueError):
    """The text is no source map that can be read."""


@dataclass(frozen=True)
class Original:
    """Where a place in a bundle comes from. `line` from 1, `column` from 0."""

    source: int
    """Number of the source file."""
    line: int
    column: int
    name: str = ""


@dataclass(frozen=True)
class SourceMap:
    """A decoded map. Segments are in ascending order of (line, column) of the bundle, both from 0."""

    sources: tuple[str, ...]
    contents: tuple[str, ...]
    """Text of each source file; empty where the map does not have it."""
    places: tuple[tuple[int, int], ...]
    origins: tuple[Original | None, ...]
    """What stands from the place of the same index on; None: nothing of any source."""

    def at(self, line: int, column: int) -> Original | None:
        """Origin of a place of the bundle, both from 0; None where it has none."""
        index = bisect_right(self.places, (line, column)) - 1
        if index < 0 or self.places[index][0] != line:
            return None
        return self.origins[index]


def read_map(text: str) -> SourceMap:
    """Decode a map, sections included. Raises `BadMap`."""
    if len(text) > LARGEST_MAP:
        raise BadMap(f"it has {len(text)} characters, more than {LARGEST_MAP}")
    try:
        return _read(json.loads(text.removeprefix(")]}'")))
    except (KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
        raise BadMap(f"it is no source map of version 3: {error}") from error


def inline_map(address: str) -> str:
    """The text of a map in a `data:` address. Raises `BadMap`."""
    head, comma, body = address.partition(",")
    if not comma or len(body) > LARGEST_MAP * 2:
        raise BadMap("it is no data address, or too long")
    try:
        data = base64.b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)
        return data.decode("utf-8", "replace")
    except (binascii.Error, ValueError) as error:
        raise BadMap(str(error)) from error


def _read(value: dict[str, Any]) -> SourceMap:
    sections = value.get("sections")
    if not sections:
        return _one(value)
    sources: list[str] = []
    contents: list[str] = []
    places: list[tuple[int, int]] = []
    origins: list[Original | None] = []
    for section in sections:
        part, down, right = _one(section["map"]), int(section["offset"]["line"]), int(section["offset"]["column"])
        first = len(sources)
        sources += part.sources
        contents += part.contents
        places += [(line + down, column + (right if line == 0 else 0)) for line, column in part.places]
        origins += [
            origin and Original(origin.source + first, origin.line, origin.column, origin.name) for origin in part.origins
        ]
    return SourceMap(tuple(sources), tuple(contents), tuple(places), tuple(origins))


def _one(value: dict[str, Any]) -> SourceMap:
    root = str(value.get("sourceRoot") or "")
    sources = tuple(posixpath.join(root, str(item or "")) for item in value["sources"])
    given = list(value.get("sourcesContent") or [])[: len(sources)]
    contents = tuple(str(item or "") for item in [*given, *[""] * (len(sources) - len(given))])
    names = [str(item) for item in value.get("names") or []]
    places: list[tuple[int, int]] = []
    origins: list[Original | None] = []
    source = line = column = name = 0
    for number, row in enumerate(str(value["mappings"]).split(";")):
        at = 0
        for segment in row.split(","):
            if not segment:
                continue
            fields = _numbers(segment)
            at += fields[0]
            places.append((number, at))
            if len(fields) < 4:
                origins.append(None)
                continue
            source, line, column = source + fields[1], line + fields[2], column + fields[3]
            called = ""
            if len(fields) > 4:
                name += fields[4]
                called = names[name]
            if not 0 <= source < len(sources):
                raise BadMap(f"a segment names source {source} of {len(sources)}")
            origins.append(Original(source, line + 1, column, called))
    order = sorted(range(len(places)), key=places.__getitem__)
    return SourceMap(
        sources,
        contents,
        tuple(places[each_number] for each_number in order),
        tuple(origins[each_number] for each_number in order),
    )


def _numbers(segment: str) -> list[int]:
    """Base-64 VLQ: five bits a digit, the lowest bit of a number its sign."""
    numbers: list[int] = []
    value = shift = 0
    for character in segment:
        digit = _DIGITS[character]
        value |= (digit & 31) << shift
        if digit & 32:
            shift += 5
            continue
        numbers.append(-(value >> 1) if value & 1 else value >> 1)
        value = shift = 0
    return numbers
