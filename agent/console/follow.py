"""Follows a run's ledger while somebody else writes it: the rows that were added since the last look."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from tools.evidence.ledger import LEDGER_FILE
from tools.evidence.rows import Row

LEDGERS = (LEDGER_FILE, f"judging/{LEDGER_FILE}")
"""The run's own, and the one of the calls that judges make after it was sealed."""
MOST_BYTES = 4_000_000
"""Read at one look; what is left comes with the next."""


class Follower:
    """Reads rows as they come. Read-only; neither hashes nor the chain are checked (`assay verify` does that)."""

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        self.unread = 0
        """Rows that are of no kind this version knows."""
        self._tails = {name: _Tail(run_dir / name) for name in LEDGERS}

    def rows(self) -> list[Row]:
        """Whole rows added since the last call, in order."""
        found: list[Row] = []
        for tail in self._tails.values():
            for line in tail.lines():
                try:
                    found.append(Row.model_validate_json(line))
                except ValidationError:
                    self.unread += 1
        return found


class _Tail:
    """The end of one growing file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._rest = b""

    def lines(self) -> list[bytes]:
        try:
            if self._path.stat().st_size <= self._read:
                return []
            with self._path.open("rb") as stream:
                stream.seek(self._read)
                data = stream.read(MOST_BYTES)
        except OSError:
            return []
        self._read += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        return whole
