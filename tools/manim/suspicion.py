"""A suspicion: something in one snapshot that may be a defect, with the figures that rules need to judge it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.manim.contract import FindingKind, Snapshot
from tools.manim.units import Unit


@dataclass(frozen=True)
class Suspicion:
    """`first` is what suffers (the text, the covered thing, what leaves the frame), `second` what does it, if anything does."""

    kind: FindingKind
    first: Unit
    second: Unit | None
    amount: float
    region: tuple[float, float, float, float] | None = None
    distance: float = 0.0
    inside: float = 0.0
    """Share of `first`'s body within `second`'s outline."""
    hit: float = 0.0
    """Share of `first`'s ink that `second`'s ink lies on or under."""
    cut: float = 0.0
    """Length of `second`'s line inside `first`'s body, in letter heights."""
    touch: float = 0.0
    """Share of the ink of those letters that a line meets (half a letter height around) that it lies on or under."""
    sides: tuple[str, ...] = ()
    centred: bool = True
    """The middle of `first` is in the middle half of the frame."""


@dataclass(frozen=True)
class Sighting:
    """A suspicion that no rule took back, in its snapshot."""

    snapshot: Snapshot
    suspicion: Suspicion


@dataclass(frozen=True)
class Surroundings:
    """What else a rule may need to know of the snapshot."""

    snapshot: Snapshot
    units: tuple[Unit, ...]
    visible: dict[int, float]
    """Share of each unit's ink that is not covered, by id."""
    view: tuple[float, float]
    at_home: bool
    """The camera stands where the scene began."""
    background: str = "#000000"
    """Colour of the frame."""
    seen_inside: frozenset[int] = field(default_factory=frozenset)
    """Units that are wholly in the frame in some stable snapshot of the scene."""
