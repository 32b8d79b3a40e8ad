"""Percentile bootstrap (Efron 1979): how far a figure would move had other units been drawn.

Units are what was sampled from a population – queries, as a rule – never single ratings: two ratings of one query are not two
independent observations. Seeded: the same data and seed give the same interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from pydantic import BaseModel, ConfigDict

RESAMPLES = 1000
LEVEL = 0.95
FEWEST_UNITS = 2
"""From a single unit nothing can be said about others."""
FEWEST_DEFINED = 0.5
"""Share of resamples in which a figure must be defined for its interval to mean anything."""


class Figure(BaseModel):
    """A figure with its interval. `value` None: not measured, and `why` says why; an interval may be missing for a reason too."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    """How many units (queries, pairs, rankings) it rests on."""
    why: str = ""

    def __str__(self) -> str:
        if self.value is None:
            return f"not measured ({self.why})"
        span = "" if self.low is None or self.high is None else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{span}"


def draws(units: int, *, resamples: int = RESAMPLES, seed: int = 0) -> np.ndarray:
    """How often each unit is in each resample: int array, resamples × units, every row sums to `units`."""
    chance = np.random.default_rng(seed)
    return chance.multinomial(units, np.full(units, 1 / units), size=resamples)


def interval(values: np.ndarray, *, level: float = LEVEL) -> tuple[float, float] | None:
    """The middle `level` of a figure's values over resamples; None where it is undefined in too many of them."""
    defined = values[np.isfinite(values)]
    if len(defined) < max(1, FEWEST_DEFINED * len(values)):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def figure(
    statistic: Callable[[np.ndarray], float],
    units: int,
    *,
    n: int | None = None,
    why: str = "",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """A figure and its interval.

    `statistic` takes indices of units (with repetitions) and gives a number, NaN where it is not defined for them. `why` is told
    when it is not defined for the units as they are.
    """
    count = units if n is None else n
    value = statistic(np.arange(units)) if units else math.nan
    if not math.isfinite(value):
        return Figure(value=None, n=count, why=why or ("it is not defined for these data" if units else "there are no data"))
    if units < FEWEST_UNITS or resamples < 1:
        return Figure(value=float(value), n=count, why="an interval needs at least two units" if resamples else "")
    chance = np.random.default_rng(seed)
    values = np.array([statistic(chance.integers(0, units, units)) for _ in range(resamples)])
    found = interval(values)
    if found is None:
        return Figure(value=float(value), n=count, why="undefined in most resamples, so without an interval")
    return Figure(value=float(value), low=found[0], high=found[1], n=count)
