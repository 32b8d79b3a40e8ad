"""What a replay showed, as far as a script needs it. Filled by `agent/proof/prover.py`; nothing here touches a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tools.evidence.rows import Finding

Act = Mapping[str, Any]
"""An act's JSON form (`tools/browser/actions.py`)."""
Rows = tuple[tuple[str, ...], ...]
"""Items of a list, each its cells as shown."""


@dataclass(frozen=True)
class Told:
    """The oracle's finding that the replay repeated, with the arguments it was asked with."""

    oracle: str
    expected: str
    observed: str
    symptom: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """One confirmed replay."""

    acts: tuple[Act, ...]
    """The fewest acts that showed it, in order."""
    descriptions: tuple[str, ...]
    """The same in words."""
    told: Told | None = None
    lines: tuple[str, ...] = ()
    """What the page showed in the end, read by the script's own `READ`."""
    moving: bool = False
    """The page changed by itself, so that what it showed in the end says nothing."""
    before: tuple[Rows, ...] = ()
    """Lists before the last act."""
    after: tuple[tuple[tuple[str, ...], Rows], ...] = ()
    """Lists in the end: heads of the columns, items."""
    thrown: str = ""
    """The error that was thrown again."""
    broke_down: bool = False
    """The page hung or crashed again."""
    measured: tuple[Finding, ...] = ()
    """What an audit of the state after the last act found again."""


@dataclass(frozen=True)
class Check:
    """Lines of a test: what to note before the last act, and what must hold after it."""

    then: tuple[str, ...]
    before: tuple[str, ...] = ()
    hearing: bool = False
    """The test listens."""
    note: str = ""
    """How far the test is from what the oracle checked, for people."""


@dataclass(frozen=True)
class Unscripted:
    """Why there is no script."""

    reason: str
