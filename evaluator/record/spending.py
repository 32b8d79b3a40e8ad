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
    roles = dict.fromkeys(call.role for call in calls)
    found = [_of(role, [call for call in calls if call.role == role]) for role in roles]
    return (*sorted(found, key=lambda role_spent: -role_spent.tokens_in), _of(ALL, calls))


def summed(runs: Iterable[Iterable[RoleSpent]]) -> tuple[RoleSpent, ...]:
    """Of several runs together, each role once, `all` last."""
    found: dict[str, list[RoleSpent]] = {}
    for role_spent in (each_role_spent for run in runs for each_role_spent in run):
        found.setdefault(role_spent.role, []).append(role_spent)
    ranked = sorted(
        found.items(), key=lambda entry: (entry[0] == ALL, -sum(each_role_spent.tokens_in for each_role_spent in entry[1]))
    )
    return tuple(_together(role, parts) for role, parts in ranked)


def _together(role: str, parts: list[RoleSpent]) -> RoleSpent:
    costs = [part.cost_usd for part in parts]
    numbers = ("calls", "recorded", "tokens_in", "tokens_cached", "tokens_out", "pictures", "seconds")
    return RoleSpent(
        role=role,
        models=tuple(dict.fromkeys(model for part in parts for model in part.models)),
        estimated=any(part.estimated for part in parts),
        cost_usd=None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
        **{name: sum(getattr(part, name) for part in parts) for name in numbers},
    )


def _after_the_seal(run_dir: Path) -> list[ModelCalled]:
    folder = run_dir / AFTER_THE_SEAL
    return [body for _, body in Record.read(folder).of(ModelCalled)] if (folder / LEDGER_FILE).is_file() else []


def _of(role: str, calls: Iterable[ModelCalled]) -> RoleSpent:
    calls = tuple(calls)
    costs = [call.cost_usd for call in calls]
    return RoleSpent(
        role=role,
        models=tuple(dict.fromkeys(call.model for call in calls)),
        calls=len(calls),
        recorded=sum(call.requests == 0 for call in calls),
        tokens_in=sum(call.tokens_in for call in calls),
        tokens_cached=sum(call.tokens_cached for call in calls),
        tokens_out=sum(call.tokens_out for call in calls),
        estimated=not all(call.tokens_reported for call in calls),
        pictures=sum(call.pictures for call in calls),
        seconds=round(sum(call.seconds for call in calls), 1),
        cost_usd=None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
    )
