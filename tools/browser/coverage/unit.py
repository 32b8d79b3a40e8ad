"""One script of the app's own: its functions, and which parts of it ran, summed up over all readings.

The browser tells ranges with counts: a function's own range first, then parts of it whose count differs. The innermost range
around a character says how often it ran. Counts begin anew after each reading, so "ever ran" is the union.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tools.browser.coverage.sources import Sources
from tools.evidence.code_rows import RanFunction

How = Literal["file", "inline", "mapped", "evaluated"]
ANONYMOUS = "anonymous"
_HEAD = 160
"""Characters before and after a function's beginning in which its name is looked for."""
_NAMED_BEFORE = re.compile(r"([\w$]+)['\"]?\s*(?:=|:)\s*(?:async\s*)?\(?\s*$")
_NAMED_HERE = re.compile(r"(?:async\s+)?function\s*\*?\s*([\w$]+)|(?:static\s+|async\s+|get\s+|set\s+|\*\s*)*([\w$#]+)\s*\(")
_NO_NAMES = frozenset({"function", "if", "for", "while", "switch", "catch", "return", "async", "await", "new"})


@dataclass(frozen=True)
class Head:
    """Where a script begins and what it is called."""

    label: str
    how: How
    line: int = 0
    """Line of its document on which it begins, from 0."""
    column: int = 0


@dataclass
class Function:
    """One function of the app's own, as written. `line` from 1, `column` from 0."""

    name: str
    source: str
    line: int
    column: int
    own: bool
    """False: of a library's source inside a bundle."""
    ran: bool = False


@dataclass
class Unit:
    """A script's running account. Offsets are characters of `text`."""

    head: Head
    text: str
    sources: Sources | None = None
    """The source files of a bundle, where its map is known."""
    functions: dict[tuple[int, int], Function] = field(default_factory=dict)
    _order: list[tuple[int, int]] = field(default_factory=list)
    _lines: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Nothing ran yet."""
        size = len(self.text)
        self._ran = np.zeros(size, np.bool_)
        self._own = np.ones(size, np.bool_)
        self._owner = np.full(size, -1, np.int32)
        self._lines = [0, *(found.end() for found in re.finditer("\n", self.text))]
        if self.sources is not None:
            self._own = self.sources.own_mask(self._lines, size)

    @property
    def size(self) -> int:
        """Characters of own code."""
        return int(self._own.sum())

    @property
    def size_run(self) -> int:
        """Of these, how many ran at least once."""
        return int((self._own & self._ran).sum())

    def own_functions(self) -> list[tuple[Function, int]]:
        """The own functions known by now, each with its size, functions inside of it not counted."""
        owned = self._owner[self._own]
        sizes = np.bincount(owned[owned >= 0], minlength=len(self._order)) if self._order else np.zeros(0, np.int64)
        return [(self.functions[key], int(sizes[at])) for at, key in enumerate(self._order) if self.functions[key].own]

    def add(self, told: Sequence[dict[str, Any]]) -> tuple[list[RanFunction], int]:
        """Take in one reading (CDP `FunctionCoverage` values).

        Returns the own functions that ran since the reading before, and how many of a bundle's libraries did.
        """
        self._meet(told)
        ranges = [
            (int(part["startOffset"]), int(part["endOffset"]), int(part["count"]))
            for each_entry in told
            for part in each_entry["ranges"]
        ]
        now = np.zeros(len(self.text), np.bool_)
        for start, end, count in sorted(ranges, key=lambda each_entry: (each_entry[0], -each_entry[1])):
            now[start:end] = count > 0
        new = now & ~self._ran
        self._ran |= now
        blocks = self._blocks(new)
        found: list[RanFunction] = []
        foreign = 0
        for entry in told:
            outer = entry["ranges"][0]
            key = (int(outer["startOffset"]), int(outer["endOffset"]))
            function = self.functions.get(key)
            if function is None or not outer["count"]:
                continue
            if not function.own:
                foreign += 1
                continue
            found.append(
                RanFunction(
                    name=function.name,
                    source=function.source,
                    line=function.line,
                    column=function.column,
                    first=not function.ran,
                    calls=int(outer["count"]),
                    blocks=blocks.get(key, 0) if function.ran else 0,
                )
            )
            function.ran = True
        return found, foreign

    def _meet(self, told: Sequence[dict[str, Any]]) -> None:
        """Get to know functions that were not told of before."""
        size = len(self.text)
        fresh = False
        for entry in told:
            start, end = int(entry["ranges"][0]["startOffset"]), int(entry["ranges"][0]["endOffset"])
            whole = start == 0 and end == size and not entry["functionName"]
            if whole or (start, end) in self.functions or end > size:
                continue
            self.functions[start, end] = self._function(str(entry["functionName"]), start)
            fresh = True
        if not fresh:
            return
        self._order = sorted(self.functions, key=lambda key: (key[0], -key[1]))
        for at, (start, end) in enumerate(self._order):
            self._owner[start:end] = at

    def _blocks(self, new: NDArray[np.bool_]) -> Counter[tuple[int, int]]:
        """How many separate parts ran for the first time, by the innermost function around them."""
        places = np.flatnonzero(new)
        if not places.size or not self._order:
            return Counter()
        owners = self._owner[places]
        apart = np.flatnonzero((np.diff(places) > 1) | (np.diff(owners) != 0)) + 1
        begins = owners[np.concatenate(([0], apart))]
        return Counter(self._order[int(begin)] for begin in begins if begin >= 0)

    def _function(self, name: str, start: int) -> Function:
        row = bisect_right(self._lines, start) - 1
        column = start - self._lines[row]
        if self.sources is None:
            shift = self.head.column if row == 0 else 0
            # An inferred name has the way to it in front: `document.getElementById.onclick`.
            called = name.rpartition(".")[2] or _written_name(self.text, start)
            return Function(called, self.head.label, self.head.line + row + 1, column + shift, own=True)
        origin = self.sources.origin(row, column)
        if origin is None:
            return Function(name or ANONYMOUS, self.head.label, row + 1, column, own=False)
        called = origin.name or _written_name(*self.sources.place(origin))
        if called == ANONYMOUS and name:
            called = name
        return Function(
            called, self.sources.labels[origin.source], origin.line, origin.column, own=self.sources.own[origin.source]
        )


def _written_name(text: str, start: int) -> str:
    """The name a function has where it is written: its own, or that of what it is assigned to."""
    here = _NAMED_HERE.match(text, start, start + _HEAD)
    if here is not None:
        name = here[1] or here[2]
        if name not in _NO_NAMES:
            return name
    before = _NAMED_BEFORE.search(text[max(0, start - _HEAD) : start])
    return before[1] if before is not None and before[1] not in _NO_NAMES else ANONYMOUS
