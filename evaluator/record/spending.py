"""What models cost in a run: calls, tokens and dollars by role, from the rows of calls made before the seal and after it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.evidence.ledger import LEDGER_FILE
from tools.evidence.model_rows import ModelCalled
from tools.evidence.record import Record

AFTER_THE_SEAL = "judging"
"""Folder of the second ledger, for a sealed one takes no more rows (`tools.models.journal`)."""
ALL = "all"


class RoleSpent(BaseModel):
    """What the calls of one role took, or all together (`role` is `all`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: str
    models: tuple[str, ...] = ()
    """As asked for: `provider:name`."""
    calls: int = 0
    recorded: int = 0
    """Calls of these that were answered by earlier replies, without a request."""
    tokens_in: int = 0
    """All of them, cached ones included."""
    tokens_cached: int = 0
    tokens_out: int = 0
    estimated: bool = False
    """At least one reply came without figures, and estimates stand in for them."""
    pictures: int = 0
    seconds: float = 0.0
    """Wall time of waiting for replies; of calls made at once each counts."""
    cost_usd: float | None = 0.0
    """None: the price of at least one model is not known."""


def spent(record: Record) -> tuple[RoleSpent, ...]:
    """Each role that a model was asked in, the dearest in tokens first, and `all` last; nothing where none was asked.

    Raises `RunError` where the calls after the seal can't be read.
    """
    calls = [body for _, body in record.of(ModelCalled)] + _after_the_seal(record.run_dir)
    if not calls:
        return ()
    roles = dict.fromkeys(one.role for one in calls)
    found = [_of(role, [one for one in calls if one.role == role]) for role in roles]
    return (*sorted(found, key=lambda one: -one.tokens_in), _of(ALL, calls))


def summed(runs: Iterable[Iterable[RoleSpent]]) -> tuple[RoleSpent, ...]:
    """Of several runs together, each role once, `all` last."""
    found: dict[str, list[RoleSpent]] = {}
    for one in (one for run in runs for one in run):
        found.setdefault(one.role, []).append(one)
    ranked = sorted(found.items(), key=lambda entry: (entry[0] == ALL, -sum(one.tokens_in for one in entry[1])))
    return tuple(_together(role, parts) for role, parts in ranked)


def _together(role: str, parts: list[RoleSpent]) -> RoleSpent:
    costs = [one.cost_usd for one in parts]
    numbers = ("calls", "recorded", "tokens_in", "tokens_cached", "tokens_out", "pictures", "seconds")
    return RoleSpent(
        role=role,
        models=tuple(dict.fromkeys(model for one in parts for model in one.models)),
        estimated=any(one.estimated for one in parts),
        cost_usd=None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
        **{name: sum(getattr(one, name) for one in parts) for name in numbers},
    )


def _after_the_seal(run_dir: Path) -> list[ModelCalled]:
    folder = run_dir / AFTER_THE_SEAL
    return [body for _, body in Record.read(folder).of(ModelCalled)] if (folder / LEDGER_FILE).is_file() else []


def _of(role: str, calls: Iterable[ModelCalled]) -> RoleSpent:
    calls = tuple(calls)
    costs = [one.cost_usd for one in calls]
    return RoleSpent(
        role=role,
        models=tuple(dict.fromkeys(one.model for one in calls)),
        calls=len(calls),
        recorded=sum(one.requests == 0 for one in calls),
        tokens_in=sum(one.tokens_in for one in calls),
        tokens_cached=sum(one.tokens_cached for one in calls),
        tokens_out=sum(one.tokens_out for one in calls),
        estimated=not all(one.tokens_reported for one in calls),
        pictures=sum(one.pictures for one in calls),
        seconds=round(sum(one.seconds for one in calls), 1),
        cost_usd=None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
    )
