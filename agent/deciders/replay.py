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
        own = (body for _, body in Record.read(run_dir).of(TrialBegun) if not body.acts_of)
        trials = [Trial.model_validate(body.trial) for body in own]
        # Whoever wrote the run does not say which of this machine's secrets is typed where.
        self._trials = tuple(trial for trial in trials if not secrets_in([trial]))

    async def offer(self, view: View) -> Offered:
        """The trial with the number of the one that is due."""
        due = len(view.tried)
        trials = self._trials[due : due + 1]
        return Offered(trials, "" if trials else f"{self._source} did no more than this")
