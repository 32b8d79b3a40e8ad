"""Reads a run's working memory back from its ledger, for runs that go on after an interruption."""

from __future__ import annotations

from agent.run.context import Notebook
from tools.evidence.record import Record
from tools.evidence.rows import Planned, Steered


def read_notebook(record: Record) -> Notebook:
    """The plan as the ledger has it. What the page looked like is not read back: the page is gone."""
    planned = record.last(Planned)
    return Notebook(plan=planned[1] if planned else None)


def read_hints(record: Record) -> list[str]:
    """The advice of whoever watched the run before it was interrupted."""
    return [steered.text for _, steered in record.of(Steered) if steered.wish == "hint"]
