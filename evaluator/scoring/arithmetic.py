"""The arithmetic of a score: items, limits, interval. Pure functions of failures and figures; nothing here looks at evidence.

Only what counts (`Failure.counts`: confirmed in a fresh browser, or static and sealed) is an item. The one exception is
`as_claimed`, which computes what a judge *says* and never what a verdict holds. There is no other way to a deduction.

sum    = baseline + Σ items             an item is −points of a failure (within its categories' limit), or ±points of craft
value  = ceilings(floors(clamp(sum)))   clamp to 0–top; a floor lifts to itself, then a ceiling lowers to itself
low    = value − Σ down of the doubts   not below 0, nor below a floor that holds
high   = value + Σ up of the doubts     not above the top
up     = points taken × (1 − confidence) for every failure: it may prove to be none
down   = what missing evidence could cost: suspicions, untested promises, gaps, what the environment hid
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluator.verdict.model import Deduction, Doubt, Failure, Limit, Score
from evaluator.verdict.rubric import Rubric
from evaluator.verdict.taxonomy import Blame, Scale

DIGITS = 2


def score(
    scale: Scale,
    failures: Sequence[Failure],
    rubric: Rubric,
    *,
    bonus: Sequence[Deduction] = (),
    limits: Sequence[Limit] = (),
    doubts: Sequence[Doubt] = (),
    baseline: float | None = None,
    as_claimed: bool = False,
) -> Score:
    """The score of one scale. Failures of the other scale or of somebody else's fault do not count.

    `failures`: all that the app is accused of; what does not count (`Failure.counts`) is a doubt and takes nothing. `baseline`:
    where the sum begins, if a judge that looks put it elsewhere than the rubric. `as_claimed`: as if all of it were proved.
    """
    attributed = sorted(
        (failure for failure in failures if failure.scale is scale and failure.blame is Blame.app),
        key=lambda failure: (-failure.points, failure.category.value, failure.id),
    )
    counting = [failure for failure in attributed if as_claimed or failure.counts]
    suspected = [failure for failure in attributed if failure not in counting]
    baseline = rubric.baseline(scale) if baseline is None else baseline
    taken = _taken(counting, rubric)
    at_worst = _taken([*counting, *suspected], rubric)
    items = [*_deductions(counting, taken), *_bonus(bonus, rubric)]
    total = round(baseline + sum(item.points for item in items), DIGITS)
    # A limit may rest on a failure of the other scale: a blank page costs functionality its points and aesthetics its ceiling.
    holding = [limit for limit in limits if holds(limit, [failure for failure in failures if as_claimed or failure.counts])]
    value, caps = _limited(total, holding, rubric.scale.top)
    weighing = [doubt for doubt in doubts if doubt.down or doubt.up]
    weighing += [
        Doubt(
            down=0.0,
            up=round(taken[failure.id] * (1 - failure.confidence), DIGITS),
            reason=f"{failure.id} is sure to {failure.confidence:.0%} only",
            failure=failure.id,
        )
        for failure in counting
        if round(taken[failure.id] * (1 - failure.confidence), DIGITS) > 0
    ]
    weighing += [
        Doubt(down=at_worst[failure.id], up=0.0, reason=f"{failure.id} is suspected: {why_not(failure)}", failure=failure.id)
        for failure in suspected
        if at_worst[failure.id] > 0
    ]
    lowest = max((limit.value for limit in holding if limit.kind == "floor" and limit.value <= value), default=0.0)
    low = max(value - sum(doubt.down for doubt in weighing), lowest)
    if suspected:
        # Proved, the suspicions may also bring a ceiling that they do not bring now.
        items_at_worst = [*_deductions([*counting, *suspected], at_worst), *_bonus(bonus, rubric)]
        total_at_worst = round(baseline + sum(item.points for item in items_at_worst), DIGITS)
        holding_at_worst = [limit for limit in limits if holds(limit, failures)]
        low = min(low, _limited(total_at_worst, holding_at_worst, rubric.scale.top)[0])
    high = min(value + sum(doubt.up for doubt in weighing), rubric.scale.top)
    return Score(
        value=value,
        value_100=round(value / rubric.scale.top * 100, 1),
        baseline=baseline,
        items=tuple(items),
        low=round(low, DIGITS),
        high=round(high, DIGITS),
        caps=tuple(caps),
        limits=tuple(limits),
        doubts=tuple(sorted(weighing, key=lambda doubt: (-doubt.down - doubt.up, doubt.reason, doubt.failure))),
    )


def why_not(failure: Failure) -> str:
    """Why a failure takes no points, in a few words; empty for one that does."""
    if failure.counts:
        return ""
    if failure.blame is not Blame.app:
        return f"it is the {failure.blame.value}'s"
    if failure.unprovable:
        return failure.unprovable
    if failure.untrusted:
        return failure.untrusted
    words = {
        "explained": "a control experiment explains it",
        "not_reproduced": "a fresh browser did not show it again",
        "undecided": "a fresh browser could not tell",
        "not_attempted": "not met again in a fresh browser yet",
        "confirmed": "",
    }
    return words[failure.proof.status]


def zero_score(reason: str) -> Score:
    """The score of what was never there: nothing to deduct from."""
    return Score(value=0.0, value_100=0.0, baseline=0.0, items=(), low=0.0, high=0.0, caps=(reason,))


def holds(limit: Limit, failures: Sequence[Failure]) -> bool:
    """Whether enough of what a limit rests on stands."""
    if not limit.rests_on:
        return True
    standing = {each_failure.id for each_failure in failures if each_failure.blame is Blame.app}
    return sum(weight for failure, weight in limit.rests_on.items() if failure in standing) >= limit.quorum


def _taken(failures: Sequence[Failure], rubric: Rubric) -> dict[str, float]:
    """What each failure takes off, the gravest first, within the limits of their categories."""
    room = {limit.words: limit.points for limit in rubric.limit}
    taken: dict[str, float] = {}
    for failure in failures:
        limit = rubric.limit_of(failure.category).words
        taken[failure.id] = round(min(failure.points, room[limit]), DIGITS)
        room[limit] = round(room[limit] - taken[failure.id], DIGITS)
    return taken


def _deductions(failures: Sequence[Failure], taken: dict[str, float]) -> list[Deduction]:
    return [
        Deduction(
            points=-taken[failure.id] or 0.0,
            reason=f"{failure.severity.value}: {failure.title}"
            + ("" if taken[failure.id] >= failure.points else f" (of {failure.points:g}; the limit of its kind is reached)"),
            failure=failure.id,
        )
        for failure in failures
    ]


def _bonus(bonus: Sequence[Deduction], rubric: Rubric) -> list[Deduction]:
    """What rests on no failure: what adds up to the bonus' limit, and what takes off, within the limit of poor craft."""
    up, down = rubric.scale.bonus_limit, rubric.craft.down_limit
    kept: list[Deduction] = []
    for deduction in bonus:
        points = round(max(min(deduction.points, up), -down), DIGITS)
        if points:
            kept.append(deduction.model_copy(update={"points": points}))
            up, down = up - max(points, 0.0), down + min(points, 0.0)
    return kept


def _limited(total: float, limits: Sequence[Limit], top: float) -> tuple[float, list[str]]:
    value = min(max(total, 0.0), top)
    caps = [f"not below 0 (the sum is {total:g})"] if total < 0 else []
    caps += [f"not above {top:g} (the sum is {total:g})"] if total > top else []
    for limit in sorted(limits, key=lambda each_limit: (each_limit.kind != "floor", each_limit.value, each_limit.reason)):
        if limit.kind == "floor" and value < limit.value:
            value = limit.value
            caps.append(f"at least {limit.value:g}: {limit.reason}")
        elif limit.kind == "ceiling" and value > limit.value:
            value = limit.value
            caps.append(f"at most {limit.value:g}: {limit.reason}")
    return round(value, DIGITS), caps
