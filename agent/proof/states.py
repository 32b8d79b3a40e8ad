"""Audits of later states, made again where a replay gets there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agent.states import audit_state, moves
from evaluator.kinship import Key, cause_of
from tools.evidence.rows import Finding

if TYPE_CHECKING:
    from agent.deciders.protocol import Step
    from tools.browser.eyes import Look
    from tools.browser.stage import Stage

Wish = tuple[int, str, Key]
"""Number of the step after which something was measured, the probe, and the cause."""


class Audits:
    """What is to be measured again after which steps (`wishes`), and what was."""

    def __init__(self, wishes: Sequence[Wish]) -> None:
        self.probes: Mapping[int, list[str]] = {
            number: sorted({probe for at, probe, _ in wishes if at == number}) for number, _, _ in wishes
        }
        self.found: dict[int, tuple[Finding, ...]] = {}
        """By the number of the step, where all its probes could measure."""

    async def again(self, stage: Stage, seen: Look, number: int) -> None:
        """Audit the state after a step if that is asked for; what is found goes to the stage's ledger."""
        if number not in self.probes or moves(seen):
            return
        results = await audit_state(stage, self.probes[number])
        found = tuple(finding for one in results for finding in one.findings)
        for finding in found:
            stage.ledger.append(finding, producer=f"probe.{finding.probe}")
        if found or all(one.measured for one in results):
            self.found[number] = found

    def met(self, wishes: frozenset[Wish], steps: Sequence[Step]) -> tuple[int, tuple[Finding, ...]]:
        """How many of the steps it took to measure one of the causes again, and what was measured; 0 where none was."""
        for place, step in enumerate(steps, 1):
            causes = {cause for number, _, cause in wishes if number == step.number}
            again = tuple(one for one in self.found.get(step.number, ()) if cause_of(one) in causes)
            if again:
                return place, again
        return 0, ()

    def missed(self, wishes: frozenset[Wish]) -> bool:
        """Whether the states were reached and audited, all of them."""
        return bool(wishes) and all(number in self.found for number, _, _ in wishes)
