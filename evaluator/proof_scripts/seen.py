"""What a script checks, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """Lines of a test: what must hold of the opened page."""

    then: tuple[str, ...]


@dataclass(frozen=True)
class Unscripted:
    """Why there is no script."""

    reason: str
