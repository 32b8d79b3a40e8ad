"""One row a job of a batch: what the table of verdicts, leaderboards, pages and CI files are made of."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evaluator.record.spending import RoleSpent
from evaluator.reports.wording import seen
from evaluator.verdict.model import Failure, Score, Verdict
from evaluator.verdict.taxonomy import Blame, Category, Scale, Severity
from tools.queries.protocol import Query

Status = Literal["scored", "incomplete", "failed"]
"""Scored · no verdict could be reached, with whose failing that is · the user's or the set's mistake: nothing was evaluated."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FailureRow(_Frozen):
    """A failure, as far as breakdowns and CI files need it."""

    id: str
    category: Category
    severity: Severity
    scale: Scale
    title: str
    points: float
    confidence: float
    proof: Literal["confirmed", "explained", "not_reproduced", "undecided", "not_attempted"] = "not_attempted"
    counts: bool = False
    """It takes points; what does not is a suspicion."""
    file: str = ""
    """Of the likely cause in the app's source; empty where it is not known."""
    line: int = 0
    video_s: float | None = None


class Span(_Frozen):
    """A score on 0–8 with the interval that missing evidence leaves open."""

    value: float = Field(ge=0, le=8)
    low: float = Field(ge=0, le=8)
    high: float = Field(ge=0, le=8)


class Scored(_Frozen):
    """One job's terminal state. Exactly one row for each (query, model, trial) of a batch."""

    query_id: str
    model: str
    trial: int = 1
    status: Status
    reason: str = ""
    """Why it is incomplete or failed; one line."""
    blame: Blame | None = None
    """Whose failing it is that there is no score; None where there is one."""
    enough: bool = True
    """Enough of the app was seen for its scores to mean something; where not, no gate is passed."""
    seen: str = ""
    """How much was seen, in words."""
    language: str = ""
    difficulty: str = ""
    domain: tuple[str, ...] = ()
    functionality: Span | None = None
    aesthetics: Span | None = None
    failures: tuple[FailureRow, ...] = ()
    """The app's only, also those that are suspected and cost nothing."""
    judge: str = ""
    rubric: str = ""
    seal: str = ""
    run: str = ""
    """The run's folder; empty where nothing was run."""
    wall_s: float | None = None
    cost_usd: float | None = None
    """What models were paid; 0.0 where none was asked, None where it is not known."""
    spent: tuple[RoleSpent, ...] = ()
    """The same with calls and tokens, by role and all together; nothing where none was asked."""
    attempts: int = 1

    @model_validator(mode="after")
    def _is_whole(self) -> Scored:
        if self.status == "scored" and self.functionality is None and self.aesthetics is None:
            raise ValueError("a scored row needs a score on at least one scale")
        if self.status != "scored" and (self.functionality is not None or self.aesthetics is not None):
            raise ValueError(f"a row that is {self.status} has no scores")
        if self.status == "incomplete" and self.blame is None:
            raise ValueError("an incomplete row says whose failing it is")
        return self

    @property
    def key(self) -> tuple[str, str, int]:
        """What is unique within a batch: query, model, trial."""
        return self.query_id, self.model, self.trial

    @property
    def counted(self) -> tuple[FailureRow, ...]:
        """Failures that cost something."""
        return tuple(failure for failure in self.failures if failure.counts)

    def value(self, scale: Scale | Literal["total"]) -> float | None:
        """The score on a scale, 0–8; `total` is the mean of both where both are there. None where there is none."""
        if scale == "total":
            if self.functionality is None or self.aesthetics is None:
                return None
            return (self.functionality.value + self.aesthetics.value) / 2
        span = self.functionality if scale is Scale.functionality else self.aesthetics
        return span.value if span is not None else None


def scored_row(
    query: Query,
    model: str,
    trial: int,
    verdict: Verdict,
    *,
    run: str = "",
    wall_s: float | None = None,
    spent: tuple[RoleSpent, ...] = (),
    attempts: int = 1,
) -> Scored:
    """The row of an evaluation that ended in a verdict. An answer without an app is scored: nought is the app's own."""
    nothing = verdict.status == "no_artifact"
    whole = nothing or (verdict.scored and (verdict.functionality is not None or verdict.aesthetics is not None))
    return Scored(
        **_identity(query, model, trial),
        status="scored" if whole else "incomplete",
        reason=verdict.reason,
        blame=None if whole else _blame(verdict),
        enough=verdict.status != "not_enough_seen",
        seen=seen(verdict.coverage),
        functionality=_span(verdict.functionality, nothing=nothing) if whole else None,
        aesthetics=_span(verdict.aesthetics, nothing=nothing) if whole else None,
        failures=tuple(failure_row(failure) for failure in verdict.accused if failure.blame is Blame.app),
        judge=verdict.judge,
        rubric=verdict.rubric,
        seal=verdict.seal,
        run=run,
        wall_s=wall_s,
        cost_usd=spent[-1].cost_usd if spent else 0.0,
        spent=spent,
        attempts=attempts,
    )


def failure_row(failure: Failure) -> FailureRow:
    """What breakdowns and CI files need of a failure."""
    return FailureRow(
        id=failure.id,
        category=failure.category,
        severity=failure.severity,
        scale=failure.scale,
        title=failure.title,
        points=failure.points,
        confidence=failure.confidence,
        proof=failure.proof.status,
        counts=failure.counts,
        file=failure.cause.file if failure.cause.known else "",
        line=failure.cause.line if failure.cause.known else 0,
        video_s=failure.place.video_s,
    )


def unscored_row(
    query: Query,
    model: str,
    trial: int,
    *,
    status: Literal["incomplete", "failed"],
    reason: str,
    blame: Blame | None = None,
    run: str = "",
    wall_s: float | None = None,
    attempts: int = 1,
) -> Scored:
    """The row of a job without a verdict: `failed` where the user must mend something, else `incomplete` with its blame."""
    return Scored(
        **_identity(query, model, trial),
        status=status,
        reason=reason,
        blame=blame if blame is not None or status == "failed" else Blame.ambiguous,
        run=run,
        wall_s=wall_s,
        attempts=attempts,
    )


def _identity(query: Query, model: str, trial: int) -> dict[str, Any]:
    return {
        "query_id": query.id,
        "model": model,
        "trial": trial,
        "language": query.language,
        "difficulty": query.difficulty,
        "domain": query.domain,
    }


def _span(score: Score | None, *, nothing: bool) -> Span | None:
    if score is None:
        return Span(value=0.0, low=0.0, high=0.0) if nothing else None
    return Span(value=score.value, low=score.low, high=score.high)


def _blame(verdict: Verdict) -> Blame:
    """Whose failing it is that a verdict is incomplete: the one that most of what was not counted names."""
    named = [claim.blame for claim in verdict.not_counted if claim.blame is not Blame.app]
    return max(sorted(set(named)), key=named.count) if named else Blame.ambiguous
