"""The decider that reads its trials from a file (`agent/trials/written.py`): for regressions, and what a person wants tried."""

from __future__ import annotations

from pathlib import Path

from agent.deciders.protocol import Offered, View
from agent.trials.written import read_trials
from tools.page.trials import Trial


class Scripted:
    """Offers the trials of a file one after the other, and ends with them. Raises `UserError` for a file that can't be read."""

    name = "scripted"
    alone = True
    sees = False

    def __init__(self, trials: tuple[Trial, ...]) -> None:
        self._trials = trials

    @classmethod
    def read(cls, path: Path) -> Scripted:
        """The decider of a TOML file."""
        return cls(tuple(read_trials(path)))

    async def offer(self, view: View) -> Offered:
        """The trial that is due."""
        due = len(view.tried)
        return Offered(self._trials[due : due + 1], "" if due < len(self._trials) else "the file holds no more trials")
