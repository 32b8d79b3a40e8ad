"""Agreement on order: pairs of answers to one query, and rankings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from evaluator.agreement.labels import Item, Preference
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure


class Verdicts(NamedTuple):
    """Pairs of one query, as compared with a reference."""

    agree: float
    """Same order; a pair that only the judge ties counts half."""
    of: int
    """Pairs that the reference orders."""
    tied_by_judge: int
    tied_by_reference: int
    """Left out: there is no order to agree with."""


def by_query(scores: Mapping[Item, float]) -> dict[str, dict[str, float]]:
    """Query → model → score."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (query, model), value in scores.items():
        found[query][model] = value
    return dict(found)


def compared(judge: Mapping[str, float], reference: Mapping[str, float]) -> Verdicts:
    """All pairs of models that both rate, for one query."""
    signs = [
        (_sign(judge[text] - judge[other]), _sign(reference[text] - reference[other]))
        for text, other in combinations(sorted(judge.keys() & reference.keys()), 2)
    ]
    return _counted(signs)


def _counted(signs: Iterable[tuple[int, int]]) -> Verdicts:
    agree, of, tied, left_out = 0.0, 0, 0, 0
    for mine, theirs in signs:
        if theirs == 0:
            left_out += 1
            continue
        of += 1
        tied += mine == 0
        agree += 0.5 if mine == 0 else float(mine == theirs)
    return Verdicts(agree, of, tied, left_out)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def pair_accuracy(
    judge: Mapping[Item, float], reference: Mapping[Item, float], *, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Pair ACC (ArtifactsBench): share of the pairs of answers to one query that both put in the same order.

    Pairs the reference ties are left out, pairs only the judge ties count half. Bootstrapped over queries; `n` is the pairs.
    """
    mine, theirs = by_query(judge), by_query(reference)
    found = [compared(mine[query], theirs[query]) for query in sorted(mine.keys() & theirs.keys())]
    return _accuracy(found, resamples, seed)


def preference_accuracy(
    judge: Mapping[Item, float], preferences: Iterable[Preference], *, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """The same against direct comparisons: every comparison is a pair of its own."""
    signs: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for preference in preferences:
        first, second = judge.get((preference.query_id, preference.first)), judge.get((preference.query_id, preference.second))
        if first is not None and second is not None:
            signs[preference.query_id].append((_sign(first - second), preference.sign))
    return _accuracy([_counted(signs[query]) for query in sorted(signs)], resamples, seed)


def _accuracy(found: list[Verdicts], resamples: int, seed: int) -> Figure:
    ordered = [verdicts for verdicts in found if verdicts.of]
    agree, of = np.array([verdicts.agree for verdicts in ordered]), np.array([verdicts.of for verdicts in ordered])
    return figure(
        lambda units: float(agree[units].sum() / of[units].sum()) if of[units].sum() else math.nan,
        len(ordered),
        n=int(of.sum()),
        why="no query has two answers that both rate and the reference orders",
        resamples=resamples,
        seed=seed,
    )


def ranks(values: np.ndarray) -> np.ndarray:
    """1 for the highest; equal values share the mean of their places."""
    from scipy.stats import rankdata  # noqa: PLC0415 - heavy

    return rankdata(-values, method="average")


def footrule(first: np.ndarray, second: np.ndarray) -> float:
    """Normalised footrule consistency: 1 − Σ|rank − rank| / ⌊n²/2⌋, the most that two rankings of n can differ by.

    1: the same ranking, 0: the reverse. NaN below two entries. (Spearman 1906; Diaconis and Graham 1977.)
    """
    count = len(first)
    if count < 2:
        return math.nan
    return float(1 - np.abs(ranks(first) - ranks(second)).sum() / (count * count // 2))


def model_means(scores: Mapping[Item, float], queries: list[str], models: list[str]) -> np.ndarray:
    """Queries × models, NaN where a score is missing."""
    table = np.full((len(queries), len(models)), np.nan)
    at_query = {name: place for place, name in enumerate(queries)}
    at_model = {name: place for place, name in enumerate(models)}
    for (query, model), value in scores.items():
        if query in at_query and model in at_model:
            table[at_query[query], at_model[model]] = value
    return table


def ranking_consistency(
    judge: Mapping[Item, float], reference: Mapping[Item, float], *, resamples: int = RESAMPLES, seed: int = 0
) -> Figure:
    """Footrule consistency of the two rankings of models by their mean over common items; bootstrapped over queries."""
    common = judge.keys() & reference.keys()
    queries, models = sorted({query for query, _ in common}), sorted({model for _, model in common})
    mine = model_means({item: judge[item] for item in common}, queries, models)
    theirs = model_means({item: reference[item] for item in common}, queries, models)

    def statistic(units: np.ndarray) -> float:
        there = np.isfinite(mine[units]).any(axis=0)
        if there.sum() < 2:
            return math.nan
        return footrule(np.nanmean(mine[units][:, there], axis=0), np.nanmean(theirs[units][:, there], axis=0))

    return figure(statistic, len(queries), n=len(models), why="a ranking needs two models", resamples=resamples, seed=seed)


def partial_order(scores_by_referee: Mapping[str, Mapping[Item, float]]) -> dict[tuple[str, str], bool]:
    """Which model is above which for every referee: (better, worse) → True; only pairs that all referees order the same way.

    A referee's ranking is by mean over the items that all referees rate.
    """
    if not scores_by_referee:
        return {}
    common = set.intersection(*(set(scores) for scores in scores_by_referee.values()))
    models = sorted({model for _, model in common})
    means: dict[str, dict[str, float]] = {}
    for referee, scores in scores_by_referee.items():
        means[referee] = {
            model: math.fsum(values) / len(values)
            for model in models
            if (values := [scores[item] for item in common if item[1] == model])
        }
    found: dict[tuple[str, str], bool] = {}
    for each_model, other in combinations(models, 2):
        signs = {_sign(mean[each_model] - mean[other]) for mean in means.values()}
        if signs == {1}:
            found[each_model, other] = True
        elif signs == {-1}:
            found[other, each_model] = True
    return found
