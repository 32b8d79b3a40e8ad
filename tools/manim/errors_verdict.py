"""What a rule of `errors.py` returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A cause, the reason for it, and what the look-up gave."""

    cause: str
    why: str
    name: str = ""
    seen_in: Sequence[str] = ()
    nearest: str = ""
