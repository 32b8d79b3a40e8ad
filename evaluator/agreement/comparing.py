"""Two sources of ratings against each other, and all raters among themselves: every figure at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from evaluator.agreement.chance import cohen, fleiss, krippendorff_alpha
from evaluator.agreement.classes import Classes, classes_of
from evaluator.agreement.correlation import correlation
from evaluator.agreement.labels import Item, Labels, Rating, matrix
from evaluator.agreement.pairs import by_query, compared, pair_accuracy, preference_accuracy, ranking_consistency, ranks
from evaluator.agreement.repeats import Repeats, repeats
from evaluator.statistics.bootstrap import RESAMPLES, Figure
from tools.errors import UserError


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelRank(_Frozen):
    """A model's place for both sources, by mean over common items."""

    model: str
    judge: float
    reference: float
    judge_rank: float
    reference_rank: float


class Point(_Frozen):
    """One item, as both see it."""

    query_id: str
    model: str
    judge: float
    reference: float


class Agreement(_Frozen):
    """How far a judge agrees with a reference."""

    judge: str
    reference: str
    items: int
    queries: int
    only_judge: int
    """Items that only one of the two rates; they are in no figure."""
    only_reference: int
    pair_accuracy: Figure
    tied_by_judge: int
    tied_by_reference: int
    footrule: Figure
    spearman: Figure
    kendall: Figure
    pearson: Figure
    cohen: Figure
    cohen_quadratic: Figure
    classes: str
    """How scores became classes for κ."""
    raters: tuple[str, ...]
    fleiss: Figure
    alpha_nominal: Figure
    alpha_ordinal: Figure
    alpha_interval: Figure
    repeats: tuple[Repeats, ...]
    models: tuple[ModelRank, ...]
    points: tuple[Point, ...]


def compare(
    judge: Labels, reference: Labels, *, classes: int | None = None, top: float = 8.0, resamples: int = RESAMPLES, seed: int = 0
) -> Agreement:
    """Every figure of two sources.

    Order, correlation and Cohen's κ compare the two sources' means for each item; Fleiss' κ and Krippendorff's α take every rater
    of both. `classes` forces κ's number of classes over 0–`top`. Raises `UserError` where the two have nothing in common.
    """
    mine, theirs = judge.scores(), reference.scores()
    if reference.preferences and not reference.ratings:
        return _against_preferences(judge, reference, resamples, seed)
    common = sorted(mine.keys() & theirs.keys())
    if not common:
        raise UserError(
            f"{judge.name} and {reference.name} rate nothing in common.", hint=_difference(mine.keys(), theirs.keys())
        )
    options: Any = {"resamples": resamples, "seed": seed}
    ratings = _named_apart(judge, reference)
    table, raters, items = matrix(ratings)
    kinds = classes_of(table, classes, top)
    queries = sorted({query for query, _ in common})
    a, b = ({item: kinds.of(values[item]) for item in common} for values in (mine, theirs))
    pairs = [compared(x, y) for x, y in _paired(mine, theirs)]
    return Agreement(
        judge=judge.name,
        reference=reference.name,
        items=len(common),
        queries=len(queries),
        only_judge=len(mine.keys() - theirs.keys()),
        only_reference=len(theirs.keys() - mine.keys()),
        pair_accuracy=pair_accuracy(mine, theirs, **options),
        tied_by_judge=sum(pair.tied_by_judge for pair in pairs),
        tied_by_reference=sum(pair.tied_by_reference for pair in pairs),
        footrule=ranking_consistency(mine, theirs, **options),
        spearman=correlation("spearman", mine, theirs, **options),
        kendall=correlation("kendall", mine, theirs, **options),
        pearson=correlation("pearson", mine, theirs, **options),
        cohen=cohen(a, b, kinds.count, **options),
        cohen_quadratic=cohen(a, b, kinds.count, weights="quadratic", **options),
        classes=kinds.words,
        raters=raters,
        fleiss=fleiss(_classed(table, kinds), items, kinds.count, **options),
        alpha_nominal=krippendorff_alpha(_classed(table, kinds), items, "nominal", **options),
        alpha_ordinal=krippendorff_alpha(_classed(table, kinds), items, "ordinal", **options),
        alpha_interval=krippendorff_alpha(table, items, "interval", **options),
        repeats=repeats(ratings, top=top, **options),
        models=_models(mine, theirs, common),
        points=tuple(Point(query_id=q, model=m, judge=mine[q, m], reference=theirs[q, m]) for q, m in common),
    )


def _named_apart(judge: Labels, reference: Labels) -> list[Rating]:
    """Both sources' ratings; raters of one name in both are told apart by their source."""
    shared = set(judge.raters) & set(reference.raters)
    found: list[Rating] = []
    for place, source in enumerate((judge, reference)):
        suffix = f" ({source.name if judge.name != reference.name else 'AB'[place]})"
        found += [
            rating.model_copy(update={"rater": rating.rater + suffix}) if rating.rater in shared else rating
            for rating in source.ratings
        ]
    return found


def _difference(mine: Iterable[Item], theirs: Iterable[Item]) -> str:
    (query, model), (other_query, other_model) = (min(items, default=("", "")) for items in (mine, theirs))
    return f"One has, for example, query {query!r} of model {model!r}, the other {other_query!r} of {other_model!r}."


def _paired(mine: dict[Item, float], theirs: dict[Item, float]) -> list[tuple[dict[str, float], dict[str, float]]]:
    entry, other = by_query(mine), by_query(theirs)
    return [(entry[query], other[query]) for query in sorted(entry.keys() & other.keys())]


def _classed(table: np.ndarray, kinds: Classes) -> np.ndarray:
    return np.where(np.isfinite(table), kinds.of_array(table), np.nan)


def _models(mine: dict[Item, float], theirs: dict[Item, float], common: Sequence[Item]) -> tuple[ModelRank, ...]:
    names = sorted({model for _, model in common})
    a, b = (
        np.array([np.mean([scores[item] for item in common if item[1] == name]) for name in names]) for scores in (mine, theirs)
    )
    found = [
        ModelRank(model=name, judge=float(x), reference=float(y), judge_rank=float(p), reference_rank=float(q))
        for name, x, y, p, q in zip(names, a, b, ranks(a), ranks(b), strict=True)
    ]
    return tuple(sorted(found, key=lambda model_rank: (model_rank.reference_rank, model_rank.model)))


def _against_preferences(judge: Labels, reference: Labels, resamples: int, seed: int) -> Agreement:
    """Comparisons have no scores: only the share of them that the judge's scores order the same way can be told."""
    scores = judge.scores()
    found = preference_accuracy(scores, reference.preferences, resamples=resamples, seed=seed)
    if not found.n:
        raise UserError(f"{judge.name} rates no pair that {reference.name} compares.")
    none = Figure(value=None, why="comparisons of two answers have no scores")
    items = {
        (preference.query_id, model) for preference in reference.preferences for model in (preference.first, preference.second)
    }
    known = [
        preference
        for preference in reference.preferences
        if {(preference.query_id, preference.first), (preference.query_id, preference.second)} <= scores.keys()
    ]
    return Agreement(
        judge=judge.name, reference=reference.name, items=len(items & scores.keys()),
        queries=len({preference.query_id for preference in known}),
        only_judge=len(scores.keys() - items), only_reference=len(items - scores.keys()),
        pair_accuracy=found,
        tied_by_judge=sum(
            liked.sign != 0 and scores[liked.query_id, liked.first] == scores[liked.query_id, liked.second] for liked in known
        ),
        tied_by_reference=sum(preference.sign == 0 for preference in known),
        footrule=none, spearman=none, kendall=none, pearson=none, cohen=none, cohen_quadratic=none, classes="",
        raters=reference.raters, fleiss=none, alpha_nominal=none, alpha_ordinal=none, alpha_interval=none,
        repeats=repeats(judge.ratings, resamples=resamples, seed=seed), models=(), points=(),
    )  # fmt: skip
