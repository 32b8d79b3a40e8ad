"""What every judge can do."""

from __future__ import annotations

from typing import Protocol

from evaluator.verdict.model import Verdict
from tools.evidence.record import Record


class Judge(Protocol):
    """Turns a sealed record into a verdict. Reads the record and nothing else."""

    name: str

    async def judge(self, record: Record) -> Verdict:
        """The verdict. Raises `RunError` if the record is not sealed."""
        ...
