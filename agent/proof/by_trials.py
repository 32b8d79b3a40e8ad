"""Proves what trials showed, and what was measured in states that they led to, each in browsers that have seen nothing of it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from agent.explorer.asked_again import made_anew
from agent.proof.tried import Met, meet_again, shown_by
from agent.proof.tried_states import measure_again, state_of_trial
from agent.run.audited_states import audit_state
from agent.trials.carrying import carry_out
from evaluator.verdict.model import Failure, Proof
from tools.browser.stage import Stage
from tools.errors import AssayError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Finding, Row
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Trial
from tools.probes.protocol import Result

Made = TypeVar("Made")

SHOWN_AT_MOST = 2
"""Trials that showed one failure and are tried again, until one confirms it: the first, then the latest ones."""


def rests_on_trials(record: Record, cited: Sequence[Row]) -> bool:
    """Whether a failure was shown by trials alone, or was measured where trials led and nowhere else."""
    measured = any(isinstance(row.body, Finding) for row in cited)
    return state_of_trial(record, cited) is not None if measured else bool(shown_by(record, cited))


async def again_if_it_broke(prove: Callable[[], Awaitable[Made]]) -> Made:
    """What a proof made, in the second browser where the first one failed.

    A browser that does not come up on a busy machine is ours to open again; a failure stays unproved only when two of them broke.
    Raises what the second one raised (`AssayError`).
    """
    try:
        return await prove()
    except AssayError:
        return await prove()


class Opens(Protocol):
    """Opens a fresh browser that writes to a ledger; `listen`: with an ear."""

    async def __call__(self, ledger: Ledger, *, listen: bool = False) -> Stage:
        """The stage."""
        ...


def listens(trial: Trial) -> bool:
    """Whether a trial asks for what is to be heard."""
    asked = (*trial.asserts, *(trial.control.asserts if trial.control else ()))
    return any(assertion.kind == "sounds" for assertion in asked)


@dataclass(frozen=True)
class ByTrials:
    """Meets what trials of one run showed again, on its own app or on another. `new_ledger` makes a ledger of that name."""

    record: Record
    open_stage: Opens
    new_ledger: Callable[[str], Ledger]

    async def meet(self, failure: Failure, cited: Sequence[Row], late: Callable[[], bool]) -> Met:
        """The proof of a failure that rests on trials. `late`: asked between two ways to prove it."""
        begun = state_of_trial(self.record, cited)
        try:
            if begun is not None:
                return await again_if_it_broke(lambda: self._measured(failure, cited, begun))
            return await again_if_it_broke(lambda: self._tried(failure, cited, late))
        except AssayError as error:
            return Met(Proof(reason=f"the fresh browser failed: {error.message}"))

    async def _tried(self, failure: Failure, cited: Sequence[Row], late: Callable[[], bool]) -> Met:
        async def again(trial: Trial, name: str) -> TrialRecord:
            async with self._fresh(f"{failure.id}-{name}", listen=listens(trial)) as stage:
                return await carry_out(trial, stage)

        async def anew(trial: Trial, way: tuple[Act, ...]) -> TrialRecord | None:
            async with self._fresh(f"{failure.id}-anew", listen=listens(trial)) as stage:
                made = await made_anew(trial, way, stage)
                return await carry_out(made, stage) if made is not None else None

        found: list[Met] = []
        shown = shown_by(self.record, cited)
        for begun in [*shown[:1], *reversed(shown[1:])][:SHOWN_AT_MOST]:
            found.append(await meet_again(self.record, begun, cited, again, anew))
            if found[-1].proof.status == "confirmed" or late():
                break
        return next((met for met in found if met.proof.status == "confirmed"), found[0])

    async def _measured(self, failure: Failure, cited: Sequence[Row], begun: Row) -> Met:
        async def again(trial: Trial, name: str, probes: Sequence[str]) -> tuple[TrialRecord, Sequence[Result]]:
            async with self._fresh(f"{failure.id}-{name}") as stage:
                done = await carry_out(trial, stage)
                return done, await audit_state(stage, probes) if stage.state == "live" else ()

        return await measure_again(self.record, begun, cited, again)

    @contextlib.asynccontextmanager
    async def _fresh(self, name: str, *, listen: bool = False) -> AsyncIterator[Stage]:
        ledger = self.new_ledger(name)
        try:
            stage = await self.open_stage(ledger, listen=listen)
            try:
                yield stage
            finally:
                await stage.close()
        finally:
            ledger.close()
