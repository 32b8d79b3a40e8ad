"""From a run's settings to its models."""

from __future__ import annotations

from pathlib import Path

from configs.settings import ModelSettings
from tools.evidence.ledger import Ledger
from tools.models.budget import Budget, Limits
from tools.models.journal import Cassette, Journal, totals_by_stage
from tools.models.protocol import Spent
from tools.models.service import ChatModels, Tries
from tools.models.table import RoleTable
from tools.models.vendors import Patience


def open_models(
    settings: ModelSettings, run_dir: Path, ledger: Ledger | None = None, *, recorded_only: bool = False
) -> ChatModels:
    """The models of a run: bound to its ledger while that is open, to `judging/` once it is sealed (or without a ledger).

    What earlier processes spent on the run counts. With `recorded_only` nothing is asked that has no recorded reply. Raises
    `NoModel` for a role, provider or address that can't be.
    """
    journal = Journal(run_dir, ledger)
    stages = {stage: (tokens, usd) for stage, tokens, usd in totals_by_stage(journal.calls)}
    spent = Spent(
        input=sum(call.tokens_in for call in journal.calls),
        output=sum(call.tokens_out for call in journal.calls),
        cost_usd=sum(call.cost_usd or 0.0 for call in journal.calls),
    )
    limits = Limits(
        run_usd=settings.run_usd,
        run_tokens=settings.run_tokens,
        stage_usd=settings.stage_usd,
        stage_tokens=settings.stage_tokens,
        batch_usd=settings.batch_usd,
        batch_file=settings.batch_file,
    )
    return ChatModels(
        RoleTable(settings.model, settings.roles, settings.base_url),
        journal,
        Budget(limits, spent, stages),
        prices=settings.prices,
        patience=Patience(settings.first_s, settings.gap_s, settings.total_s),
        tries=Tries(settings.tries, settings.backoff_s),
        cassette=Cassette(settings.cassette, settings.cassette_mode) if settings.cassette is not None else None,
        most_at_once=settings.at_once,
        recorded_only=recorded_only,
    )
