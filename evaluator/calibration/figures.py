"""What verdicts on a suite are worth: figures from pairs of (variant, verdict), nothing else.

A failure of a variant is *new* when the clean app's verdict has none like it (same category, same place but for positions). A new
failure is *right* when it names the planted fault: same category, or one of its family, for a person who presses a button that
does nothing cannot always tell a dead control from a state that is not updated. Strict figures want the category itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from evaluator.calibration.floor import FloorFigures, FloorPage, floor_figures
from evaluator.calibration.suite import Fault, Kind, Notice
from evaluator.record.naming import name_stem, stem
from evaluator.verdict.families import related
from evaluator.verdict.model import Failure, Verdict
from evaluator.verdict.taxonomy import Category, Scale, Severity

_GRAVE = frozenset({Severity.critical, Severity.major})


class Outcome(BaseModel):
    """One evaluated variant, as far as the figures need it."""

    model_config = ConfigDict(frozen=True)

    app: str
    kind: Kind
    name: str
    verdict: Verdict | None
    """None: the evaluation did not end in one."""
    seconds: float
    fault: Fault | None = None
    floor: FloorPage | None = None
    """What the floor (axe, console, monkey) says of the same page; None where it was not run."""

    @property
    def judged(self) -> bool:
        """It ended in scores; an incomplete evaluation says nothing about the app."""
        return self.verdict is not None and self.verdict.scored

    @property
    def key(self) -> str:
        """As `Variant.key`."""
        return f"{self.app}/{self.kind}" if self.kind == "clean" else f"{self.app}/{self.kind}-{self.name}"


class Pair(BaseModel):
    """A faulty variant beside its clean app."""

    model_config = ConfigDict(frozen=True)

    key: str
    category: Category
    notice: Notice
    drop: float
    """Points by which the fault's own scale is lower than the clean app's."""
    below: bool
    named: bool
    """A new failure is of the fault's family."""
    named_strictly: bool
    proved: bool
    """One of those failures was confirmed in a fresh browser."""
    new: tuple[str, ...]
    """The new failures: category and title."""
    right: int
    floor_below: bool | None


def counted(verdict: Verdict) -> list[Failure]:
    """Failures that are the app's and cost something."""
    return list(verdict.failures)


def new_failures(verdict: Verdict, clean: Verdict) -> list[Failure]:
    """Failures that the clean app does not have."""
    known = {identity(failure) for failure in counted(clean)}
    return [failure for failure in counted(verdict) if identity(failure) not in known]


def identity(failure: Failure) -> tuple[str, str, str]:
    """What makes two failures of two verdicts the same: category and place, or category and words."""
    return failure.category.value, stem(failure.place.selector), "" if failure.place.selector else name_stem(failure.title)


def score(verdict: Verdict, scale: Scale) -> float | None:
    """The value on a scale, 0–8; None where there is none."""
    found = verdict.functionality if scale is Scale.functionality else verdict.aesthetics
    return found.value if found is not None else None


def pairs(outcomes: Sequence[Outcome]) -> list[Pair]:
    """Each fault beside its clean app, where both have a verdict."""
    clean = {each_outcome.app: each_outcome for each_outcome in outcomes if each_outcome.kind == "clean" and each_outcome.judged}
    found: list[Pair] = []
    for outcome in outcomes:
        base = clean.get(outcome.app)
        if outcome.fault is None or outcome.verdict is None or not outcome.judged or base is None or base.verdict is None:
            continue
        found.append(_pair(outcome, outcome.fault, outcome.verdict, base, base.verdict))
    return found


def _pair(outcome: Outcome, fault: Fault, verdict: Verdict, base: Outcome, clean: Verdict) -> Pair:
    new = new_failures(verdict, clean)
    right = [failure for failure in new if related(failure.category, fault.category)]
    here, there = score(verdict, fault.scale), score(clean, fault.scale)
    drop = 0.0 if here is None or there is None else there - here
    return Pair(
        key=outcome.key,
        category=fault.category,
        notice=fault.notice,
        drop=round(drop, 3),
        below=drop > 0,
        named=bool(right),
        named_strictly=any(failure.category is fault.category for failure in right),
        proved=any(failure.proof.status == "confirmed" for failure in right),
        new=tuple(f"{failure.category.value}: {failure.title}" for failure in new),
        right=len(right),
        floor_below=_floor_below(outcome, base),
    )


def _floor_below(outcome: Outcome, base: Outcome) -> bool | None:
    if outcome.floor is None or base.floor is None:
        return None
    return len(outcome.floor.findings) > len(base.floor.findings)


class Figures(BaseModel):
    """Every figure; None where nothing was there to measure."""

    model_config = ConfigDict(frozen=True)

    variants: int
    judged: int
    pairwise: float | None
    recall: float | None
    recall_strict: float | None
    precision: float | None
    false_alarms: float | None
    """Major and critical failures per clean app."""
    harmless_shift: float | None
    """Largest change of either score by a harmless change."""
    injection_shift: float | None
    proved: float | None
    """Share of all counted failures that were confirmed."""
    seconds_mean: float | None
    seconds_most: float | None
    floor: FloorFigures | None
    """The floor's, from the same variants; None where it was not run."""
    by_category: dict[str, dict[str, float]]
    by_notice: dict[str, dict[str, float]]


def figures(outcomes: Sequence[Outcome]) -> Figures:
    """All figures of a suite's outcomes."""
    found = pairs(outcomes)
    judged = [outcome for outcome in outcomes if outcome.judged]
    clean = [outcome for outcome in judged if outcome.kind == "clean"]
    failures = [failure for outcome in judged if outcome.verdict for failure in counted(outcome.verdict)]
    new = sum(len(pair.new) for pair in found)
    floors = [outcome.floor for outcome in outcomes if outcome.floor is not None]
    seconds = [outcome.seconds for outcome in judged]
    return Figures(
        variants=len(outcomes),
        judged=len(judged),
        pairwise=_share(pair.below for pair in found),
        recall=_share(pair.named for pair in found),
        recall_strict=_share(pair.named_strictly for pair in found),
        precision=sum(pair.right for pair in found) / new if new else None,
        false_alarms=_mean([sum(f.severity in _GRAVE for f in counted(outcome.verdict)) for outcome in clean if outcome.verdict]),
        harmless_shift=_shift(outcomes, "harmless"),
        injection_shift=_shift(outcomes, "injection"),
        proved=_share(failure.proof.status == "confirmed" for failure in failures),
        seconds_mean=_mean(seconds),
        seconds_most=max(seconds, default=None),
        floor=floor_figures(floors) if floors else None,
        by_category=_sliced(found, lambda pair: pair.category.value),
        by_notice=_sliced(found, lambda pair: pair.notice),
    )


def _shift(outcomes: Sequence[Outcome], kind: Kind) -> float | None:
    clean = {
        each_outcome.app: each_outcome.verdict
        for each_outcome in outcomes
        if each_outcome.kind == "clean" and each_outcome.judged
    }
    shifts: list[float] = []
    for outcome in outcomes:
        base = clean.get(outcome.app)
        if outcome.kind != kind or outcome.verdict is None or not outcome.judged or base is None:
            continue
        for scale in Scale:
            here, there = score(outcome.verdict, scale), score(base, scale)
            if here is not None and there is not None:
                shifts.append(abs(here - there))
    return round(max(shifts), 3) if shifts else None


def _sliced(found: Sequence[Pair], key: Any) -> dict[str, dict[str, float]]:
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in found:
        groups[key(pair)].append(pair)
    return {name: _slice(group) for name, group in sorted(groups.items())}


def _slice(group: Sequence[Pair]) -> dict[str, float]:
    new = sum(len(pair.new) for pair in group)
    told: Mapping[str, float | None] = {
        "n": float(len(group)),
        "pairwise": _share(pair.below for pair in group),
        "recall": _share(pair.named for pair in group),
        "precision": sum(pair.right for pair in group) / new if new else None,
    }
    return {name: round(value, 4) for name, value in told.items() if value is not None}


def _share(flags: Iterable[bool]) -> float | None:
    values = list(flags)
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
