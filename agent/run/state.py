"""What flows between the nodes: ids and small values, never bytes, so that a checkpoint is kilobytes."""

from __future__ import annotations

from typing import TypedDict

from agent.explorer.ends import StopReason
from evaluator.verdict.model import Status


class State(TypedDict, total=False):
    """State of one evaluation. Everything large is in the ledger; this only says where the run stands."""

    step: int
    """Trials so far."""
    observation: str
    """Ledger id of the first observation."""
    stop: StopReason
    """Why the exploration ended; empty while it goes on."""
    seal: str
    """Closing hash of the ledger, once sealed."""
    status: Status
    """The verdict's status, once scored."""
