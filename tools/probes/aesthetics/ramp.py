"""The one shape all measures have: flat where it is fine, falling where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def ramp(value: float, poor: float, fine: float) -> float:
    """0 at `poor`, 1 at `fine`, linear between, whichever of the two is larger."""
    if poor == fine:
        raise ValueError("a ramp needs two different ends")
    return min(max((value - poor) / (fine - poor), 0.0), 1.0)


def mean(values: Iterable[float]) -> float | None:
    """Arithmetic mean; None of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else None


def mode_share(values: Sequence[float], tolerance: float) -> float:
    """Largest share of the values that lie within `tolerance` of one of them."""
    if not values:
        return 1.0
    return max(sum(abs(value - other) <= tolerance for other in values) for value in values) / len(values)
