"""Agreement beyond chance: Cohen's κ, Fleiss' κ, Krippendorff's α, each bootstrapped over queries.

κ comes from statsmodels, nominal and ordinal α from krippendorff. Interval α is computed here in closed form, because the
package's memory grows with the square of the number of different scores; tests hold it against the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from evaluator.agreement.labels import Item
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure

Level = Literal["nominal", "ordinal", "interval"]
_SAME = "all ratings fall into one class, so chance alone agrees fully"


def cohen(
    first: Mapping[Item, int],
    second: Mapping[Item, int],
    classes: int,
    *,
    weights: Literal["quadratic"] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """Cohen's κ (1960) of two raters' classes of the same items, quadratically weighted on request (1968)."""
    from statsmodels.stats.inter_rater import cohens_kappa  # noqa: PLC0415 - heavy

    items = sorted(first.keys() & second.keys())
    tables = _per_query(items, lambda item: (first[item], second[item]), classes)

    def statistic(units: np.ndarray) -> float:
        table = tables[units].sum(axis=0)
        # κ is 0/0 where both raters use one and the same class only.
        if np.count_nonzero(table.sum(axis=0) + table.sum(axis=1)) < 2:
            return math.nan
        kappa: Any = cohens_kappa(table, wt=weights, return_results=False)
        return float(kappa)

    return figure(statistic, len(tables), n=len(items), why=_SAME if items else "no common item", resamples=resamples, seed=seed)


def _per_query(items: Sequence[Item], pair: Callable[[Item], tuple[int, int]], classes: int) -> np.ndarray:
    """Contingency tables of each query: queries × classes × classes."""
    queries = sorted({query for query, _ in items})
    at = {query: place for place, query in enumerate(queries)}
    tables = np.zeros((len(queries), classes, classes))
    for item in items:
        first, second = pair(item)
        tables[at[item[0]], first, second] += 1
    return tables


def fleiss(table: np.ndarray, items: Sequence[Item], classes: int, *, resamples: int = RESAMPLES, seed: int = 0) -> Figure:
    """Fleiss' κ (1971). `table` is raters × items of classes, NaN where missing.

    It needs the same number of ratings for every item: items with fewer than the most common number (at least two) are left out,
    of those with more the first raters' are taken.
    """
    from statsmodels.stats.inter_rater import fleiss_kappa  # noqa: PLC0415 - heavy

    counts, kept, raters = _equally_rated(table, classes)
    groups = _groups([items[place] for place in kept])

    def statistic(units: np.ndarray) -> float:
        drawn = counts[np.concatenate([groups[unit] for unit in units])]
        if np.count_nonzero(drawn.sum(axis=0)) < 2:
            return math.nan
        return float(fleiss_kappa(drawn))

    why = _SAME if len(kept) else "no item has two ratings"
    found = figure(statistic, len(groups), n=len(kept), why=why, resamples=resamples, seed=seed)
    left_out = int((np.isfinite(table).sum(axis=0) > 0).sum()) - len(kept)
    note = (
        f"{raters} ratings an item; {left_out} items with fewer are left out"
        if left_out and found.value is not None
        else found.why
    )
    return found.model_copy(update={"why": note})


def _equally_rated(table: np.ndarray, classes: int) -> tuple[np.ndarray, np.ndarray, int]:
    """Items × classes counts with one number of ratings each, the items' places, and that number."""
    there = np.isfinite(table)
    numbers = there.sum(axis=0)
    several = numbers[numbers >= 2]
    if not len(several):
        return np.zeros((0, classes)), np.zeros(0, dtype=int), 0
    values, how_often = np.unique(several, return_counts=True)
    wanted = int(values[how_often.argmax()])
    kept = np.flatnonzero(numbers >= wanted)
    counts = np.zeros((len(kept), classes))
    for place, item in enumerate(kept):
        for value in table[there[:, item], item][:wanted]:
            counts[place, int(value)] += 1
    return counts, kept, wanted


def _groups(items: Sequence[Item]) -> list[np.ndarray]:
    """Places of each query's items, by query."""
    places: dict[str, list[int]] = {}
    for place, (query, _) in enumerate(items):
        places.setdefault(query, []).append(place)
    return [np.array(places[query]) for query in sorted(places)]


def krippendorff_alpha(
    table: np.ndarray, items: Sequence[Item], level: Level, *, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Krippendorff's α (2011). `table` is raters × items, NaN where missing; items with a single rating drop out."""
    kept = np.flatnonzero(np.isfinite(table).sum(axis=0) >= 2)
    pairable = table[:, kept]
    groups = _groups([items[place] for place in kept])
    alpha = _interval_alpha(pairable) if level == "interval" else _counted_alpha(pairable, level)

    def statistic(units: np.ndarray) -> float:
        return alpha(np.concatenate([groups[unit] for unit in units]))

    why = "all ratings are the same, so nothing can be expected by chance" if len(kept) else "no item has two ratings"
    return figure(statistic, len(groups), n=len(kept), why=why, resamples=resamples, seed=seed)


def _counted_alpha(table: np.ndarray, level: Level) -> Callable[[np.ndarray], float]:
    """α of the items at given places, by the krippendorff package."""
    from krippendorff import alpha  # noqa: PLC0415 - heavy

    domain = np.unique(table[np.isfinite(table)])
    counts = np.stack([(table == value).sum(axis=0) for value in domain], axis=1) if len(domain) else np.zeros((0, 0))

    def of(places: np.ndarray) -> float:
        drawn = counts[places]
        used = drawn.sum(axis=0) > 0
        if used.sum() < 2:
            return math.nan
        return float(alpha(value_counts=drawn[:, used], value_domain=domain[used], level_of_measurement=level))

    return of


def _interval_alpha(table: np.ndarray) -> Callable[[np.ndarray], float]:
    """α with squared differences: 1 − observed / expected, both from sums, since Σᵢⱼ(xᵢ−xⱼ)² = 2(m Σx² − (Σx)²)."""
    there = np.isfinite(table)
    values = np.where(there, table, 0.0)
    if there.any():
        # Distances do not change with the origin, and squares of smaller numbers lose fewer digits.
        values = np.where(there, values - table[there].mean(), 0.0)
    m, s, q = there.sum(axis=0), values.sum(axis=0), (values**2).sum(axis=0)
    within = 2 * (m * q - s**2) / np.maximum(m - 1, 1)

    def of(places: np.ndarray) -> float:
        n = m[places].sum()
        expected = 2 * (n * q[places].sum() - s[places].sum() ** 2) / (n - 1)
        if not expected > 1e-12 * n:
            return math.nan
        return float(1 - within[places].sum() / expected)

    return of
