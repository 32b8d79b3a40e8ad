"""What fails, how surely failures are known, how scores spread, how much trials differ, what it cost."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from evaluator.record.spending import RoleSpent, summed
from evaluator.results.grid import Measure, measured
from evaluator.results.rows import FailureRow, Scored
from evaluator.statistics.shares import wilson
from evaluator.verdict.taxonomy import Blame, Category

BIN_WIDTH = 0.5
"""Of a distribution of scores, in points of 8."""
CONFIDENCE_BINS = 10


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Defects(_Frozen):
    """Failures of one category in one model's apps; those not reproduced are left out."""

    model: str
    category: Category
    apps: int
    """Scored jobs with at least one."""
    share: float
    """Of the model's scored jobs."""
    failures: int
    points: float
    """Taken off, before the limits of categories."""


class Bin(_Frozen):
    """One bin of a reliability diagram: failures of about one confidence, and how many of them were met again."""

    low: float
    high: float
    attempted: int
    confirmed: int
    mean_confidence: float
    share: float
    share_low: float
    """With `share_high` Wilson's interval of 95 %."""
    share_high: float


class Reliability(_Frozen):
    """How far a failure's confidence tells whether a fresh browser meets it again."""

    bins: tuple[Bin, ...]
    attempted: int
    not_attempted: int
    error: float | None
    """Expected calibration error: mean of |confidence − share confirmed|, weighted by the bins' sizes. None without proofs."""


class Spending(_Frozen):
    """What one model's jobs took."""

    model: str
    jobs: int
    cost_usd: float | None
    """None where no job's cost is known."""
    cost_unknown: int
    """Jobs whose cost is not known."""
    roles: tuple[RoleSpent, ...]
    """What its jobs' models took in each role, and all together; empty where none was asked."""
    wall_s: float
    wall_s_median: float | None
    attempts: int


class TrialSpread(_Frozen):
    """How far a model's trials of one query lie apart."""

    model: str
    measure: Measure
    queries: int
    """Queries with at least two scored trials."""
    deviation: float
    """Square root of the mean over queries of the variance between trials (n − 1)."""
    widest: float
    """Largest difference between two trials of one query."""


def defects(rows: Sequence[Scored]) -> tuple[Defects, ...]:
    """One entry for each model and category that occurs, by model, the commonest category first."""
    scored: Counter[str] = Counter()
    groups: dict[tuple[str, Category], list[tuple[int, FailureRow]]] = defaultdict(list)
    for place, row in enumerate(rows):
        if row.status == "scored":
            scored[row.model] += 1
            for failure in row.counted:
                groups[row.model, failure.category].append((place, failure))
    found = [
        Defects(
            model=model,
            category=category,
            apps=(apps := len({place for place, _ in group})),
            share=apps / scored[model],
            failures=len(group),
            points=round(sum(failure.points for _, failure in group), 3),
        )
        for (model, category), group in groups.items()
    ]
    return tuple(sorted(found, key=lambda each_defects: (each_defects.model, -each_defects.share, each_defects.category.value)))


def reliability(rows: Sequence[Scored]) -> Reliability:
    """Confidence against proof, in ten bins of equal width; empty bins are left out."""
    every = [failure for row in rows if row.status == "scored" for failure in row.failures]
    tried = [failure for failure in every if failure.proof != "not_attempted"]
    groups: dict[int, list[FailureRow]] = defaultdict(list)
    for failure in tried:
        groups[min(int(failure.confidence * CONFIDENCE_BINS), CONFIDENCE_BINS - 1)].append(failure)
    bins = tuple(_bin(place, group) for place, group in sorted(groups.items()))
    gaps = sum(each_bin.attempted * abs(each_bin.mean_confidence - each_bin.share) for each_bin in bins)
    return Reliability(
        bins=bins,
        attempted=len(tried),
        not_attempted=len(every) - len(tried),
        error=gaps / len(tried) if tried else None,
    )


def _bin(place: int, group: Sequence[FailureRow]) -> Bin:
    confirmed = sum(failure.proof == "confirmed" for failure in group)
    low, high = wilson(confirmed, len(group))
    return Bin(
        low=place / CONFIDENCE_BINS,
        high=(place + 1) / CONFIDENCE_BINS,
        attempted=len(group),
        confirmed=confirmed,
        mean_confidence=sum(failure.confidence for failure in group) / len(group),
        share=confirmed / len(group),
        share_low=low,
        share_high=high,
    )


def spread(rows: Sequence[Scored], measure: Measure) -> dict[str, dict[float, int]]:
    """Model → lower edge of a bin → jobs with a score in it; a score of 8 lies in the last bin."""
    found: dict[str, dict[float, int]] = defaultdict(dict)
    last = int(8 / BIN_WIDTH) - 1
    for row in rows:
        value = measured(row, measure)
        if value is not None:
            edge = min(int(value / BIN_WIDTH), last) * BIN_WIDTH
            found[row.model][edge] = found[row.model].get(edge, 0) + 1
    return {model: dict(sorted(found[model].items())) for model in sorted(found)}


def spending(rows: Sequence[Scored]) -> tuple[Spending, ...]:
    """By model."""
    groups: dict[str, list[Scored]] = defaultdict(list)
    for row in rows:
        groups[row.model].append(row)
    return tuple(_spent(model, groups[model]) for model in sorted(groups))


def _spent(model: str, group: Sequence[Scored]) -> Spending:
    costs = [row.cost_usd for row in group if row.cost_usd is not None]
    walls = sorted(row.wall_s for row in group if row.wall_s is not None)
    middle = len(walls) // 2
    return Spending(
        model=model,
        jobs=len(group),
        cost_usd=sum(costs) if costs else None,
        cost_unknown=len(group) - len(costs),
        roles=summed(row.spent for row in group),
        wall_s=sum(walls),
        wall_s_median=None if not walls else walls[middle] if len(walls) % 2 else (walls[middle - 1] + walls[middle]) / 2,
        attempts=sum(row.attempts for row in group),
    )


def trials(rows: Sequence[Scored], measure: Measure) -> tuple[TrialSpread, ...]:
    """Models that have queries with several scored trials."""
    groups: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        value = measured(row, measure)
        if value is not None:
            groups[row.model][row.query_id].append(value)
    found: list[TrialSpread] = []
    for model, queries in sorted(groups.items()):
        several = [values for values in queries.values() if len(values) > 1]
        if not several:
            continue
        variances = [sum((value - sum(values) / len(values)) ** 2 for value in values) / (len(values) - 1) for values in several]
        found.append(
            TrialSpread(
                model=model,
                measure=measure,
                queries=len(several),
                deviation=math.sqrt(sum(variances) / len(variances)),
                widest=max(max(values) - min(values) for values in several),
            )
        )
    return tuple(found)


def unfinished(rows: Sequence[Scored]) -> dict[str, dict[str, int]]:
    """Model → whose failing → jobs without a score; `user` stands for those that failed."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row.status == "failed":
            found[row.model]["user"] += 1
        elif row.status == "incomplete":
            found[row.model][(row.blame or Blame.ambiguous).value] += 1
    return {model: dict(found[model]) for model in sorted(found)}
