"""How large a study of mutants is."""

from __future__ import annotations

from dataclasses import dataclass

HELD_BACK_SEED = 20261127
"""Draws the third of each corpus that is held back (`configs/held_back.toml`)."""


@dataclass(frozen=True)
class Preset:
    """What a study takes if nothing else is said."""

    count: int
    """Mutants that show."""
    acts: int
    """Length of the reference script."""
    jobs: int
    profile: str = ""
    """Of the evaluations."""


PRESETS = {"normal": Preset(count=30, acts=60, jobs=1), "smoke": Preset(count=8, acts=30, jobs=2, profile="fast")}
"""`smoke` is done in 15 minutes on two cores."""
