"""Spearman, Kendall (τ-b) and Pearson between two sets of scores of the same items, bootstrapped over queries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from evaluator.agreement.labels import Item
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure

Kind = Literal["spearman", "kendall", "pearson"]
KINDS: tuple[Kind, ...] = ("spearman", "kendall", "pearson")
FEWEST = 3
"""Any two points lie on a line."""


def coefficient(kind: Kind, first: np.ndarray, second: np.ndarray) -> float:
    """The coefficient of two equally long arrays; NaN for fewer than three items or where one of them does not vary."""
    from scipy import stats as scipy_stats  # noqa: PLC0415 - heavy

    stats: Any = scipy_stats  # its stubs know neither result's fields

    if len(first) < FEWEST or _constant(first) or _constant(second):
        return math.nan
    if kind == "spearman":
        # As scipy.stats.spearmanr, which is Pearson's of the ranks, without the p-value that is not used here.
        return float(stats.pearsonr(stats.rankdata(first), stats.rankdata(second)).statistic)
    if kind == "kendall":
        return float(stats.kendalltau(first, second, variant="b", method="asymptotic").statistic)
    return float(stats.pearsonr(first, second).statistic)


def _constant(values: np.ndarray) -> bool:
    # Relative, because a variance of rounding errors is none: Pearson's r of such an array is noise.
    return float(np.ptp(values)) <= 1e-12 * max(1.0, float(np.abs(values).max()))


def correlation(
    kind: Kind, judge: Mapping[Item, float], reference: Mapping[Item, float], *, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """The coefficient over all common items; a resample draws queries with all their answers. `n` is the items."""
    items = sorted(judge.keys() & reference.keys())
    queries = sorted({query for query, _ in items})
    places: dict[str, list[int]] = {query: [] for query in queries}
    for place, (query, _) in enumerate(items):
        places[query].append(place)
    groups = [np.array(places[query]) for query in queries]
    mine = np.array([judge[item] for item in items])
    theirs = np.array([reference[item] for item in items])

    def statistic(units: np.ndarray) -> float:
        drawn = np.concatenate([groups[unit] for unit in units])
        return coefficient(kind, mine[drawn], theirs[drawn])

    why = "fewer than three common items" if len(items) < FEWEST else "one of the two gives every item the same score"
    return figure(statistic, len(queries), n=len(items), why=why, resamples=resamples, seed=seed)
