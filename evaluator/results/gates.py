"""What a batch must reach for its command to end in 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from evaluator.results.breakdown import unfinished
from evaluator.results.leaderboard import leaderboard
from evaluator.results.rows import Scored
from tools.errors import UserError

PASS, BELOW, INCOMPLETE = 0, 1, 3
"""Exit codes: see README."""


class Gate(BaseModel):
    """What is asked for; None asks nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fail_under: float | None = Field(default=None, ge=0, le=8)
    """Lowest mean functionality, 0–8, that every model must reach."""
    max_incomplete: float | None = Field(default=None, ge=0)
    """Jobs that may end without a score: a share of all below 1, a number from 1 on."""


class Ruling(BaseModel):
    """What a gate says of a table of verdicts."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exit_code: int
    lines: tuple[str, ...]
    """One for each condition that is not met."""


def max_incomplete(given: str) -> float:
    """`5`, `0.1` or `10%`. Raises `UserError`."""
    text = given.strip()
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    whole = value >= 1 and not text.endswith("%")
    if not 0 <= value < float("inf") or (whole and value != int(value)):
        raise UserError(f"--max-incomplete {given!r} is not understood.", hint="A number of jobs (5) or a share (0.1 or 10%).")
    # 100 % allows every job to be incomplete; 1 would be read as one job.
    return float("inf") if text.endswith("%") and value >= 1 else value


def check(rows: Sequence[Scored], gate: Gate) -> Ruling:
    """3 where too many have no score, 1 where a model is below, else 0. Without a gate only a table without scores fails.

    A job of which not enough was seen passes no gate: before a lowest mean that is asked for, it counts as one without a score.
    """
    lines: list[str] = []
    lacking = [row for row in rows if row.status != "scored"]
    unseen = [row for row in rows if row.status == "scored" and not row.enough] if gate.fail_under is not None else []
    too_many = len(lacking) == len(rows)
    limit = float("inf")
    if gate.max_incomplete is not None:
        limit = gate.max_incomplete * len(rows) if gate.max_incomplete < 1 else gate.max_incomplete
        too_many = too_many or len(lacking) > limit
    unsure = len(unseen) > (0 if gate.max_incomplete is None else max(limit - len(lacking), 0))
    if too_many:
        blames: Counter[str] = Counter()
        for counts in unfinished(lacking).values():
            blames.update(counts)
        told = ", ".join(f"{count} {word}" for word, count in sorted(blames.items())) or "there is no job"
        lines.append(f"{len(lacking)} of {len(rows)} jobs have no score ({told}).")
    if unsure:
        lines.append(f"Of {len(unseen)} of {len(rows)} jobs not enough was seen to pass a gate (first: {_named(unseen[0])}).")
    below = _below(rows, gate.fail_under) if gate.fail_under is not None and rows else []
    lines += below
    return Ruling(exit_code=INCOMPLETE if too_many else BELOW if below else INCOMPLETE if unsure else PASS, lines=tuple(lines))


def _named(row: Scored) -> str:
    return f"{row.model}, {row.query_id}, trial {row.trial}: {row.reason}"


def _below(rows: Sequence[Scored], least: float) -> list[str]:
    board = leaderboard(rows, resamples=0)
    return [
        f"{standing.model}: mean functionality {standing.mean.value:.2f} is below {least:g}."
        for standing in board.over_all("functionality")
        if standing.mean.value is not None and standing.mean.value < least
    ]
