"""How far two scores lie apart, and two sets of them.

difference = B − A         from low_B − high_A to high_B − low_A

A score's interval says how far missing evidence could move it (`evaluator.verdict.model.Score`): bounds, no distribution of
errors. The bounds of their difference are therefore those of interval arithmetic (Moore, Interval Analysis, 1966, chapter 2),
which no assumption about how the errors hang together narrows. That is careful: two runs of one app lack much of the same
evidence. Over works the mean difference has a percentile bootstrap over works besides (`evaluator.statistics.bootstrap`), as
leaderboards have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluator.comparison.model import Comparison, Difference, Total
from evaluator.results.rows import Span
from evaluator.statistics.bootstrap import RESAMPLES, figure
from evaluator.verdict.model import Score, Verdict
from evaluator.verdict.taxonomy import Scale

FORMULA = "B − A, from low B − high A to high B − low A"
TOP = 8.0


def difference(scale: Scale, a: Score | None, b: Score | None) -> Difference | None:
    """Of one scale; None where one of them has no score."""
    if a is None or b is None:
        return None
    return Difference(
        scale=scale,
        a=Span(value=a.value, low=a.low, high=a.high),
        b=Span(value=b.value, low=b.low, high=b.high),
        value=round(b.value - a.value, 2),
        low=round(b.low - a.high, 2),
        high=round(b.high - a.low, 2),
    )


def why_unscored(a: Verdict, b: Verdict) -> str:
    """Why the scores of two verdicts can't be held against each other; empty where they can."""
    for name, verdict in (("A", a), ("B", b)):
        if verdict.status == "incomplete":
            return f"the evaluation of {name} is incomplete: {verdict.reason.rstrip('.')}"
    if a.judge != b.judge:
        return f"A was judged by {a.judge}, B by {b.judge}"
    if a.rubric != b.rubric:
        return f"A was judged with rubric {a.rubric}, B with {b.rubric}: judge both again with assay rescore"
    if a.trust != b.trust:
        return "A and B were judged with different tables of trust"
    return ""


def totals(compared: Sequence[Comparison], *, resamples: int = RESAMPLES, seed: int = 0) -> tuple[Total, ...]:
    """Each scale over the works that both sides have a score for; nothing where there is none."""
    found: list[Total] = []
    for scale in Scale:
        own = [comparison.functionality if scale is Scale.functionality else comparison.aesthetics for comparison in compared]
        apart = [difference for difference in own if difference is not None]
        if not apart:
            continue
        values = np.array([difference.value for difference in apart])
        found.append(
            Total(
                scale=scale,
                a=round(float(np.mean([difference.a.value for difference in apart])), 3),
                b=round(float(np.mean([difference.b.value for difference in apart])), 3),
                difference=figure(lambda at, v=values: float(v[at].mean()), len(values), resamples=resamples, seed=seed),
                low=round(float(np.mean([difference.low for difference in apart])), 3),
                high=round(float(np.mean([difference.high for difference in apart])), 3),
            )
        )
    return tuple(found)
