"""How far a mean over pictures can be trusted: bootstrap intervals, the same for the same values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from pydantic import BaseModel, ConfigDict

RESAMPLES = 2000
SEED = 20_251


class Interval(BaseModel):
    """A mean with its 95 % interval over `count` pictures; `measured` of `count` had a value."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mean: float | None
    low: float | None = None
    high: float | None = None
    count: int
    measured: int

    def __str__(self) -> str:
        if self.mean is None:
            return "not measured"
        spread = f" [{self.low:.3f}, {self.high:.3f}]" if self.low is not None and self.high is not None else ""
        partly = "" if self.measured == self.count else f" ({self.measured} of {self.count})"
        return f"{self.mean:.3f}{spread}{partly}"


def interval(values: Sequence[float | None]) -> Interval:
    """Mean of the measured values and the percentile bootstrap interval of that mean; no interval for fewer than 3 values.

    Pictures are drawn with replacement, 2,000 times, from a fixed seed.
    """
    known = numpy.array([value for value in values if value is not None], dtype=float)
    if known.size == 0:
        return Interval(mean=None, count=len(values), measured=0)
    mean = float(known.mean())
    if known.size < 3:
        return Interval(mean=mean, count=len(values), measured=int(known.size))
    draws = numpy.random.default_rng(SEED).integers(0, known.size, (RESAMPLES, known.size))
    low, high = numpy.percentile(known[draws].mean(axis=1), [2.5, 97.5])
    return Interval(mean=mean, low=float(low), high=float(high), count=len(values), measured=int(known.size))


def difference(first: Sequence[float | None], other: Sequence[float | None]) -> Interval:
    """Mean of one minus other over the same pictures in the same order (paired), with its interval.

    Raises `ValueError` if they are not as many.
    """
    pairs = zip(first, other, strict=True)
    return interval([None if left is None or right is None else left - right for left, right in pairs])
