"""The decider that does what another run did: the same acts in the same order, with the same checks."""

from __future__ import annotations

from pathlib import Path

from agent.deciders.protocol import Decision, View
from agent.history import read_steps
from tools.evidence.record import Record


class Replay:
    """Repeats a run's decisions by their number; ends when they do. Raises `RunError` when the run can't be read."""

    name = "replay"

    def __init__(self, run_dir: Path) -> None:
        self._source = run_dir.name
        self._decisions = tuple(step.decision for step in read_steps(Record.read(run_dir)))

    async def decide(self, view: View) -> Decision:
        """The decision with the number of the step that is due."""
        due = len(view.steps)
        if due >= len(self._decisions):
            return Decision(None, f"{self._source} did no more than this", stop="covered")
        decision = self._decisions[due]
        return Decision(decision.action, decision.why, decision.skill, decision.expectations, decision.stop)
