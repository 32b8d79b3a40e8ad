"""What every verdict's arithmetic must come to: only what counts takes points, and it takes what it costs."""

from __future__ import annotations

from collections.abc import Iterable

from evaluator.verdict.model import Failure, Score, Verdict
from evaluator.verdict.rubric import Rubric, load_rubric
from evaluator.verdict.taxonomy import Scale

CENT = 0.005
"""Points are rounded to two digits."""


def deducted(score: Score) -> float:
    """What failures take off a scale, as a positive number: the items that name one. Craft names none."""
    return -sum(item.points for item in score.items if item.failure)


def owed(failures: Iterable[Failure], rubric: Rubric | None = None) -> float:
    """What failures cost together, each kind within the limit that its categories share."""
    rubric = rubric or load_rubric()
    points = {limit.words: 0.0 for limit in rubric.limit}
    for failure in failures:
        points[rubric.limit_of(failure.category).words] += failure.points
    return sum(min(points[limit.words], limit.points) for limit in rubric.limit)


def faults(verdict: Verdict) -> list[str]:
    """Why the verdict's deductions are not those of its failures; empty where they are."""
    found = [f"{failure.id} takes points without proof" for failure in verdict.failures if not failure.counts]
    found += [f"{failure.id} counts, and is listed as suspected" for failure in verdict.suspected if failure.counts]
    for scale, score in ((Scale.functionality, verdict.functionality), (Scale.aesthetics, verdict.aesthetics)):
        if score is None:
            continue
        mine = {failure.id: failure for failure in verdict.failures if failure.scale is scale}
        found += [
            f"{scale.value} is deducted {-item.points:g} for {item.failure}, which is none of its failures"
            for item in score.items
            if item.failure and item.failure not in mine
        ]
        # Of one look or a checklist the items are marks that were earned: no failure is deducted.
        marked = verdict.staging is not None and verdict.staging.inputs != "whole"
        due = 0.0 if marked or verdict.status == "no_artifact" else owed(mine.values())
        if abs(deducted(score) - due) > CENT:
            found.append(f"{scale.value}: failures take {deducted(score):g}, and what counts costs {due:g}")
        if score.value > score.high + CENT or score.value < score.low - CENT:
            found.append(f"{scale.value}: {score.value:g} lies outside of {score.low:g}–{score.high:g}")
    return found
