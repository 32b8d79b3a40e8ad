"""Rows about the app's own code: what of it there is, and what of it ran in which act.

Sizes are in characters of the script as the browser got it. Code of libraries is set aside and appears as a count only.
"""

from __future__ import annotations

from typing import Literal

from tools.evidence.frozen import Frozen

FUNCTIONS_AT_MOST = 200
"""Functions that one `code_ran` row names: those that ran for the first time before those that ran again."""
SCRIPTS_AT_MOST = 200


def function_key(name: str, source: str, line: int, column: int) -> str:
    """A function's key: where it is written, and its name."""
    return f"{source}:{line}:{column} {name}"


class OwnScript(Frozen):
    """One script of the app's own, or one source file of a bundle that has a source map."""

    source: str
    """Path on the site, or the source file's as the map has it."""
    how: Literal["file", "inline", "mapped", "evaluated"]
    """A file · in a document · a bundle taken apart by its map · made by the app while it ran (`eval`, `blob:`)."""
    size: int
    functions: int
    """Own functions known in it; those inside of a function that never ran are not known to the browser."""


class CodeSeen(Frozen):
    """New code of the app's own was met.

    Blob: a JSON list of the own functions known by now, the largest first, each `[name, source, line, column, size]`.
    """

    kind: Literal["code_seen"] = "code_seen"
    scripts: tuple[OwnScript, ...]
    """New since the last such row, or with more functions known, the largest first; at most `SCRIPTS_AT_MOST`."""
    functions: int
    """Own functions known by now, in all scripts together."""
    size: int
    """Size of the own code by now."""
    libraries: int
    """Scripts set aside by now."""
    mixed: bool = False
    """A minified bundle without a source map counts as own: whatever libraries are in it, too."""
    notes: tuple[str, ...] = ()
    """What limits the measurement: a bundle without a map, workers, frames elsewhere."""


class RanFunction(Frozen):
    """One function of the app's own that ran during an act."""

    name: str
    """As written in the source; `anonymous` where it has none."""
    source: str
    line: int
    """From 1."""
    column: int
    """From 0."""
    first: bool
    """It had not run before in this browser."""
    calls: int
    blocks: int = 0
    """Parts of it that ran for the first time, if it had run before."""

    @property
    def key(self) -> str:
        """Which function it is, the same in every browser: `src/app.js:12:4 addItem`."""
        return function_key(self.name, self.source, self.line, self.column)


class CodeRan(Frozen):
    """Which of the app's own functions ran since the last such row: during one act, or (step 0) while the page came up.

    What a document ran between the act and the moment it was left is not seen; `left` says that it was.
    """

    kind: Literal["code_ran"] = "code_ran"
    step: int
    measured: bool = True
    reason: str = ""
    """Why it was not measured."""
    functions: tuple[RanFunction, ...] = ()
    ran: int = 0
    """Own functions that ran; more than are named where there were more than `FUNCTIONS_AT_MOST`."""
    first: int = 0
    """Of these, for the first time."""
    libraries_ran: int = 0
    """Functions of libraries that ran."""
    left: bool = False
    """The page went to another document meanwhile."""
    known: int = 0
    """Own functions known by now."""
    known_run: int = 0
    """Of these, those that ran at least once by now."""
    size: int = 0
    """Size of the own code by now."""
    size_run: int = 0
    """How much of it ran at least once by now."""
