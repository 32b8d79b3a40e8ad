"""Meets the failures and suspicions of one verdict again, each in a browser that has seen nothing of the run.

What was seen without an act is measured on one fresh page; everything else rests on trials, which are made
again. Bounded by acts: nothing here depends on how fast the machine is, a busy one takes longer and comes to the same proofs. The
wall has a watchdog of minutes, for what is stuck.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from agent.proof.by_trials import ByTrials, again_if_it_broke, rests_on_trials
from agent.proof.statics import measured_anew, met_again
from agent.proof.writing import Writer
from agent.run.context import RunContext
from agent.run.nodes.launch import fresh_stage, serve
from evaluator.verdict.model import Failure, Proof, Verdict
from evaluator.verdict.taxonomy import Blame, Severity
from tools.browser.stage import Stage
from tools.errors import AssayError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Phase, Row

ORDER = {Severity.critical: 0, Severity.major: 1, Severity.minor: 2}
LATE = Proof(reason="the watchdog ended the proofs: the machine was too slow, or the app was stuck")


class Prover:
    """Proves what one verdict accuses the app of."""

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.record = Record.read(context.run_dir)
        self.writer = Writer(context, self.record)
        self.deadline_s = time.monotonic() + context.settings.budget.prove_watchdog_s

    async def prove(self, verdict: Verdict) -> dict[str, Proof]:
        """Each failure's and suspicion's proof by its id."""
        site = await serve(self.context)
        accused = sorted(verdict.accused, key=lambda each_failure: (ORDER[each_failure.severity], each_failure.id))
        if site.problem is not None:
            return {each_failure.id: Proof(reason="the app could not be served again") for each_failure in accused}
        proofs = {
            each_failure.id: Proof(reason=f"the failing is the {each_failure.blame.value}'s")
            for each_failure in accused
            if each_failure.blame is not Blame.app
        }
        proofs |= {each_failure.id: Proof(reason=each_failure.unprovable) for each_failure in accused if each_failure.unprovable}
        ours = [each_failure for each_failure in accused if each_failure.id not in proofs]
        tried = [our for our in ours if rests_on_trials(self.record, self._cited(our))]
        proofs |= await self._static([our for our in ours if our not in tried])
        trials = ByTrials(self.record, self._open, self._ledger)
        for failure in tried:
            if self._late:
                proofs[failure.id] = LATE
                continue
            met = await trials.meet(failure, self._cited(failure), lambda: self._late)
            proofs[failure.id] = self.writer.with_trial(failure, met.proof, met.trial)
        return {each_failure.id: proofs[each_failure.id] for each_failure in accused}

    @property
    def _late(self) -> bool:
        return time.monotonic() > self.deadline_s

    def _cited(self, failure: Failure) -> list[Row]:
        return [row for row in map(self.record.row, failure.evidence) if row is not None]

    async def _static(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures seen on the untouched page: one fresh page for all of them."""
        if not failures:
            return {}
        try:
            fresh = await again_if_it_broke(lambda: self._measured_again(failures))
        except AssayError as error:
            return {failure.id: Proof(reason=f"the fresh browser failed: {error.message}") for failure in failures}
        return {failure.id: self.writer.with_script(failure, met_again(self._cited(failure), fresh)) for failure in failures}

    async def _measured_again(self, failures: Sequence[Failure]) -> Record:
        """The record of a fresh page that was measured for these failures. Raises `AssayError` where its browser failed."""
        cited = [row for failure in failures for row in self._cited(failure)]
        narrow = any(failure.place.viewport == "mobile" for failure in failures)
        return await measured_anew(self.context, self._open, self._ledger("static"), cited, narrow=narrow)

    def _ledger(self, name: str) -> Ledger:
        folder, attempt = self.context.run_dir / "proofs" / name, 1
        while (folder / "ledger.jsonl").exists():
            attempt += 1
            folder = folder.with_name(f"{name}-{attempt}")
        ledger = Ledger.create(folder)
        ledger.phase = Phase.prove
        return ledger

    async def _open(self, ledger: Ledger, *, listen: bool = False) -> Stage:
        """A fresh browser; `listen`: with an ear."""
        return await fresh_stage(self.context, ledger, listen=listen)
