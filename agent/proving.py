"""Replays failures in a fresh browser, without a recording, each into a small ledger of its own under `proofs/`.

A failure counts as confirmed when the same oracle fails again, the same probe measures the same symptom in the same place, or the
same error is thrown again. Each is met in a browser that has seen nothing of the run. DESIGN, decision 3.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from agent.context import RunContext
from agent.deciders.protocol import Decision, Step
from agent.history import decision_of
from agent.nodes.launch import answerers, ready_libraries, serve
from agent.skills.checks import film
from agent.skills.oracles import check
from evaluator.taxonomy import Blame, Severity
from evaluator.verdict import Failure, Proof, Verdict
from tools.browser.actions import parse_action
from tools.browser.compare import compare
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import AssayError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Acted, Decided, Finding, Outcome, PageError, PageEvent, Phase
from tools.probes.page import audit_page

SECONDS_A_PROOF = 3.0
"""Less than this left, and no further proof is begun: it could not finish."""

ORDER = {Severity.critical: 0, Severity.major: 1, Severity.minor: 2}


class Prover:
    """Proves the failures of one verdict within the run's budget for proofs."""

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.record = Record.read(context.run_dir)
        self.deadline_s = time.monotonic() + context.settings.budget.prove_s

    async def prove(self, verdict: Verdict) -> dict[str, Proof]:
        """Each failure's proof by the failure's id: the gravest first, those the budget does not reach not attempted."""
        site = await serve(self.context)
        failures = sorted(verdict.failures, key=lambda one: (ORDER[one.severity], one.id))
        if site.problem is not None:
            return {one.id: Proof(reason="the app could not be served again") for one in failures}
        proofs: dict[str, Proof] = {}
        static = [one for one in failures if one.blame is Blame.app and not one.step_ids]
        if static:
            proofs |= await self._static(static)
        for failure in failures:
            if failure.id in proofs:
                continue
            if failure.blame is not Blame.app:
                proofs[failure.id] = Proof(reason=f"the failing is the {failure.blame.value}'s")
            elif self.deadline_s - time.monotonic() < SECONDS_A_PROOF:
                proofs[failure.id] = Proof(reason="the time for proofs was used up")
            else:
                proofs[failure.id] = await self._interactive(failure)
        return proofs

    async def _static(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures seen on the untouched page: one fresh page, the same probes, the same console."""
        ledger = self._ledger("static")
        try:
            async with asyncio.timeout(max(1.0, self.deadline_s - time.monotonic())):
                stage = await self._open(ledger)
                try:
                    await self._audit_again(stage, failures)
                finally:
                    await stage.close()
        except TimeoutError:
            return {one.id: Proof(reason="the time for proofs was used up") for one in failures}
        except (TabHung, TabCrashed):
            pass
        except AssayError as error:
            return {one.id: Proof(reason=f"the fresh browser failed: {error.message}") for one in failures}
        finally:
            ledger.close()
        fresh = Record.read(ledger.run_dir)
        return {one.id: self._compare_static(one, fresh) for one in failures}

    async def _audit_again(self, stage: Stage, failures: Sequence[Failure]) -> None:
        context = self.context
        probes = {row.body.probe for one in failures for row in self._cited(one) if isinstance(row.body, Finding)}
        if probes:
            await self._write(stage, "desktop", probes)
        if any(one.place.viewport == "mobile" for one in failures):
            await stage.resize(context.settings.mobile)
            await stage.settle(context.settings.timeouts.settle_action_s)
            await self._write(stage, "mobile", probes)

    async def _write(self, stage: Stage, viewport: str, probes: set[str]) -> None:
        results = await audit_page(
            stage,
            viewport="mobile" if viewport == "mobile" else "desktop",
            brief_language=self.context.brief_language,
            only=sorted(probes),
        )
        for result in results:
            for finding in result.findings:
                stage.ledger.append(finding, producer=f"probe.{result.probe}")

    def _cited(self, failure: Failure):
        return [row for row in map(self.record.row, failure.evidence) if row is not None]

    def _compare_static(self, failure: Failure, fresh: Record) -> Proof:
        seen = {(found.symptom, found.selector, found.viewport) for _, found in fresh.of(Finding)}
        symptoms = {found.symptom for _, found in fresh.of(Finding)}
        errors = {error.message for _, error in fresh.of(PageError)}
        events = {event.event for _, event in fresh.of(PageEvent)}
        told = False
        for row in self._cited(failure):
            match row.body:
                case Finding() as found:
                    told = True
                    if (found.symptom, found.selector, found.viewport) in seen or (
                        not found.selector and found.symptom in symptoms
                    ):
                        return Proof(status="confirmed", reason=f"{found.symptom} was measured again on a fresh page")
                case PageError() as error:
                    told = True
                    if error.message in errors:
                        return Proof(status="confirmed", reason="the same error was thrown on a fresh page")
                case PageEvent(event="crash" | "hang" | "dialog_storm") as event:
                    told = True
                    if event.event in events:
                        return Proof(status="confirmed", reason=f"the fresh page ended in a {event.event}, too")
                case _:
                    pass
        if told:
            return Proof(status="not_reproduced", reason="a fresh page did not show it again")
        return Proof(reason="nothing it rests on can be measured again on a fresh page")

    async def _interactive(self, failure: Failure) -> Proof:
        """A failure seen while interacting: the steps that show it, on a fresh page.

        The judge's steps are the fewest that should do. Where those do not show it, everything since the page was last loaded is
        replayed before anything is said against the failure.
        """
        told = {row.body.oracle for row in self._cited(failure) if isinstance(row.body, Outcome)}
        if told and told <= film.ORACLES:
            return Proof(reason="it is told by the film of the whole session, and replays are not filmed")
        fewest = self._steps(failure.step_ids)
        if not fewest:
            return Proof(reason="its steps are not in the ledger")
        proof = await self._attempt(failure, fewest, failure.id)
        whole = self._steps(self._since_load(failure.step_ids[-1]))
        left_s = self.deadline_s - time.monotonic()
        if proof.status == "confirmed" or len(whole) <= len(fewest) or left_s < SECONDS_A_PROOF:
            return proof
        longer = await self._attempt(failure, whole, f"{failure.id}-whole")
        return longer if longer.status != "not_attempted" else proof

    async def _attempt(self, failure: Failure, steps: Sequence[Step], name: str) -> Proof:
        ledger = self._ledger(name)
        try:
            async with asyncio.timeout(max(1.0, self.deadline_s - time.monotonic())):
                stage = await self._open(ledger)
                try:
                    return await self._replay(stage, failure, steps)
                finally:
                    await stage.close()
        except TimeoutError:
            return Proof(reason="the time for proofs was used up")
        except AssayError as error:
            return Proof(reason=f"the fresh browser failed: {error.message}")
        finally:
            ledger.close()

    def _since_load(self, last: str) -> list[str]:
        """Ids of the acts since the page was last loaded, up to the act `last`; those that were not delivered are left out."""
        chain: list[str] = []
        for row, acted in self.record.of(Acted):
            if acted.action.get("act") in {"reload", "goto"} and row.id != last:
                chain.clear()
            elif acted.delivered:
                chain.append(row.id)
            if row.id == last:
                break
        return chain

    def _steps(self, ids: Sequence[str]) -> list[Step]:
        steps: list[Step] = []
        for row in map(self.record.row, ids):
            if row is None or not isinstance(row.body, Acted):
                return []
            decided = self.record.row(row.parent or "")
            if decided is not None and isinstance(decided.body, Decided):
                decision = decision_of(decided.body)
            else:
                decision = Decision(action=parse_action(row.body.action), why="")
            steps.append(Step(number=len(steps) + 1, decision=decision, acted=row.body, acted_id=row.id))
        return steps

    async def _replay(self, stage: Stage, failure: Failure, steps: Sequence[Step]) -> Proof:
        wanted = {row.body.oracle for row in self._cited(failure) if isinstance(row.body, Outcome)}
        thrown = {row.body.message for row in self._cited(failure) if isinstance(row.body, PageError)}
        ended = any(isinstance(row.body, PageEvent) and row.body.event in {"crash", "hang"} for row in self._cited(failure))
        done: list[Step] = []
        for step in steps:
            number = step.number
            try:
                done.append(await self._one(stage, step, wanted, done))
            except (TabHung, TabCrashed) as fault:
                if ended:
                    return Proof(status="confirmed", reason=f"the fresh page broke down in the same way: {fault.message}")
                return Proof(reason=f"the fresh page broke down at step {number}: {fault.message}")
            except _NotDelivered as problem:
                return Proof(reason=f"step {number} could not be repeated: {problem}")
        stage.ledger.sync()
        told = [outcome for step in done for outcome in step.outcomes]
        errors = {error.message for _, error in Record.read(stage.ledger.run_dir).of(PageError)}
        if thrown & errors:
            return Proof(status="confirmed", reason="the same error was thrown again in a fresh browser")
        if any(outcome.held is False for outcome in told):
            return Proof(status="confirmed", reason=f"{len(steps)} step(s) replayed in a fresh browser; it failed again")
        if thrown or ended or any(outcome.held for outcome in told):
            return Proof(
                status="not_reproduced", reason=f"{len(steps)} step(s) replayed in a fresh browser; it did not show again"
            )
        return Proof(reason="in the fresh browser it could not be told")

    async def _one(self, stage: Stage, step: Step, wanted: set[str], done: Sequence[Step]) -> Step:
        action = step.decision.action
        if action is None:
            raise _NotDelivered("there is no act in it")
        before = await stage.look(f"proof-{step.number}-before")
        performed = await stage.perform(action)
        await stage.settle(self.context.settings.timeouts.settle_action_s)
        after = await stage.look(f"proof-{step.number}-after")
        same_size = before.moving_mask.shape == after.moving_mask.shape
        moving = before.moving_mask | after.moving_mask if same_size else None
        acted = step.acted.model_copy(
            update={
                "step": step.number,
                "delivered": performed.delivered,
                "problem": performed.problem,
                "before": before.observation.id,
                "after": after.observation.id,
                "changes": compare(before.observation, after.observation, before.picture, after.picture, moving),
                "started_ms": performed.started_ms,
                "ended_ms": performed.ended_ms,
                "hit": performed.hit,
            }
        )
        row = stage.ledger.append(acted, producer="hands")
        if not performed.delivered:
            raise _NotDelivered(performed.problem or "the act did not reach the page")
        found = (
            check(one, before=before.observation, after=after.observation, acted=acted, acted_id=row.id, history=tuple(done))
            for one in step.decision.expectations
            if one.oracle in wanted
        )
        outcomes = tuple(one for one in found if one is not None)
        for outcome in outcomes:
            stage.ledger.append(outcome, producer=f"oracle.{outcome.oracle}", parent=row.id)
        return Step(step.number, step.decision, acted, row.id, outcomes)

    async def _open(self, ledger: Ledger) -> Stage:
        context, site = self.context, self.context.site
        if site is None:
            raise RuntimeError("the site is served before anything is proved")
        await ready_libraries(context)
        stage = await Stage.open(
            ledger=ledger,
            settings=context.settings,
            site=site.base_url,
            run_dir=ledger.run_dir,
            processes=context.processes,
            record=False,
            answerers=answerers(context, ledger),
        )
        await stage.goto(site.entry)
        return stage

    def _ledger(self, name: str) -> Ledger:
        folder = self.context.run_dir / "proofs" / name
        attempt = 1
        while (folder / "ledger.jsonl").exists():
            attempt += 1
            folder = self.context.run_dir / "proofs" / f"{name}-{attempt}"
        ledger = Ledger.create(Path(folder))
        ledger.phase = Phase.prove
        return ledger


class _NotDelivered(Exception):
    """An act could not be repeated on the fresh page, which says nothing about the app."""
