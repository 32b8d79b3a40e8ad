"""The decider that does what another run did: the same trials in the same order, the ways between their states among them."""

from __future__ import annotations

from pathlib import Path

from agent.deciders.protocol import Offered, View
from tools.evidence.record import Record
from tools.evidence.trial_rows import TrialBegun
from tools.page.secret_fills import secrets_in
from tools.page.trials import Trial


class Replay:
    """Repeats a run's trials by their number, and ends with them. Raises `RunError` when the run can't be read."""

    name = "replay"
    alone = True
    sees = False

    def __init__(self, run_dir: Path) -> None:
        self._source = run_dir.name
        rows = list(Record.read(run_dir).of(TrialBegun))
        trials = {row.id: Trial.model_validate(body.trial) for row, body in rows}
        beside: dict[str, list[Trial]] = {}
        for row, body in rows:
            if body.acts_of:
                beside.setdefault(body.acts_of, []).append(trials[row.id])
        # Whoever wrote the run does not say which of this machine's secrets is typed where.
        self._trials = tuple(
            (trials[row.id], tuple(beside.get(row.id, ())))
            for row, body in rows
            if not body.acts_of and not secrets_in([trials[row.id]])
        )

    async def offer(self, view: View) -> Offered:
        """The trial with the number of the one that is due, and those that were judged by its acts."""
        due = sum(not record.acts_of for record in view.tried)
        found = self._trials[due : due + 1]
        if not found:
            return Offered(why=f"{self._source} did no more than this")
        ((trial, beside),) = found
        return Offered((trial,), beside=beside)
