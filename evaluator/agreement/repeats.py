"""How much a judge differs from itself, and how much a checklist's wording moves it."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict

from evaluator.agreement.labels import Item, Rating
from evaluator.agreement.pairs import pair_accuracy, ranking_consistency
from evaluator.statistics.bootstrap import RESAMPLES, Figure, figure
from tools.queries.protocol import CheckItem, Query


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Repeats(_Frozen):
    """Repeated ratings of the same items by the same rater."""

    rater: str
    items: int
    """Items rated at least twice; others say nothing about repetition."""
    variance: Figure
    """Mean over items of the variance between repetitions (n − 1), in the scale's units squared."""
    variance_100: Figure
    """The same on a scale of 0–100, as published figures are."""
    run_variance_100: float | None
    """Variance between the repetitions' means over all items, 0–100: what published tables call the score's variance."""
    widest: float
    """Largest difference between two repetitions of one item."""
    identical: float
    """Share of the items on which all repetitions agree exactly."""


def repeats(ratings: Iterable[Rating], *, top: float = 8.0, resamples: int = RESAMPLES, seed: int = 0) -> tuple[Repeats, ...]:
    """One entry for each rater with repeated ratings. `top` is the scale's highest score, its lowest being 0."""
    groups: dict[str, dict[Item, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for rating in ratings:
        groups[rating.rater][rating.item][rating.trial] = rating.value
    found = [_repeated(rater, items, top, resamples, seed) for rater, items in sorted(groups.items())]
    return tuple(each_repeats for each_repeats in found if each_repeats is not None)


def _repeated(rater: str, rated: Mapping[Item, Mapping[int, float]], top: float, resamples: int, seed: int) -> Repeats | None:
    several = {item: trials for item, trials in rated.items() if len(trials) > 1}
    if not several:
        return None
    queries = sorted({query for query, _ in several})
    variances = [
        [float(np.var(list(trials.values()), ddof=1)) for item, trials in sorted(several.items()) if item[0] == query]
        for query in queries
    ]
    sums, counts = np.array([sum(values) for values in variances]), np.array([len(values) for values in variances])
    told = figure(
        lambda units: float(sums[units].sum() / counts[units].sum()), len(queries), n=len(several), resamples=resamples, seed=seed
    )
    scale = (100 / top) ** 2
    return Repeats(
        rater=rater,
        items=len(several),
        variance=told,
        variance_100=told.model_copy(
            update={name: None if (value := getattr(told, name)) is None else value * scale for name in ("value", "low", "high")}
        ),
        run_variance_100=_between_runs(several, scale),
        widest=max(max(trials.values()) - min(trials.values()) for trials in several.values()),
        identical=sum(len(set(trials.values())) == 1 for trials in several.values()) / len(several),
    )


def _between_runs(several: Mapping[Item, Mapping[int, float]], scale: float) -> float | None:
    """Over items that every repetition has; None where there are none."""
    trials = sorted({trial for rated in several.values() for trial in rated})
    whole = [rated for rated in several.values() if len(rated) == len(trials)]
    if not whole:
        return None
    means = [math.fsum(rated[trial] for rated in whole) / len(whole) for trial in trials]
    return float(np.var(means, ddof=1)) * scale


class Robustness(_Frozen):
    """A judge with a reworded checklist against the same judge with the original."""

    variant: str
    items: int
    shift: Figure
    """Mean change of the score."""
    shift_absolute: Figure
    """Mean of the changes' sizes."""
    widest: float
    pair_accuracy: Figure
    ranking: Figure


def robustness(
    base: Mapping[Item, float], variants: Mapping[str, Mapping[Item, float]], *, resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Robustness, ...]:
    """Each variant's scores against the base's, over the items both have; variants without a common item are left out."""
    found: list[Robustness] = []
    for name, scores in sorted(variants.items()):
        items = sorted(base.keys() & scores.keys())
        if not items:
            continue
        shifts = np.array([scores[item] - base[item] for item in items])
        queries = sorted({query for query, _ in items})
        groups = [np.array([place for place, item in enumerate(items) if item[0] == query]) for query in queries]
        found.append(
            Robustness(
                variant=name,
                items=len(items),
                shift=_mean_of(shifts, groups, resamples, seed),
                shift_absolute=_mean_of(np.abs(shifts), groups, resamples, seed),
                widest=float(np.abs(shifts).max()),
                pair_accuracy=pair_accuracy(scores, base, resamples=resamples, seed=seed),
                ranking=ranking_consistency(scores, base, resamples=resamples, seed=seed),
            )
        )
    return tuple(found)


def _mean_of(values: np.ndarray, groups: Sequence[np.ndarray], resamples: int, seed: int) -> Figure:
    return figure(
        lambda units: float(values[np.concatenate([groups[unit] for unit in units])].mean()),
        len(groups),
        n=len(values),
        resamples=resamples,
        seed=seed,
    )


def reordered(query: Query, *, seed: int = 0) -> Query:
    """The query with its checklist in another order and numbered anew: what must not change a judge's score."""
    items = list(query.checklist)
    random.Random(f"{seed}:{query.id}").shuffle(items)  # noqa: S311 - a reproducible order, not a secret
    if len(items) > 1 and tuple(items) == query.checklist:
        items.append(items.pop(0))
    renamed = [
        CheckItem(id=str(number), title=item.title, text=item.text, points=item.points) for number, item in enumerate(items, 1)
    ]
    return query.model_copy(update={"checklist": tuple(renamed)})
