"""Meets the failures and suspicions of one verdict again, each in a browser that has seen nothing of the run.

DESIGN, decision 3. Planned by cost, and bounded by acts: what was seen without an act on one fresh page; then each of the others
by the steps it needs alone; then, for all that did not show again, one replay of the whole run at its own rhythm; then fewer
steps for what was confirmed. What only a film tells is filmed. Nothing here depends on how fast the machine is: a busy one takes
longer and comes to the same proofs. The wall has a watchdog of minutes, for what is stuck.

An accusation that nothing happens is confirmed only where a control experiment in the same browser tells (`control.py`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.context import RunContext
from agent.deciders.protocol import Step
from agent.history import chosen, read_steps
from agent.nodes.launch import fresh_stage, serve
from agent.proof.by_trials import ByTrials, rests_on_trials
from agent.proof.chains import since_load, since_start
from agent.proof.control import control
from agent.proof.fewest import fewest
from agent.proof.film import by_film, filmed, to_film
from agent.proof.replay import Attempt, Replay, Wanted
from agent.proof.slices import Slicer
from agent.proof.statics import measure_again, met_again
from agent.proof.writing import Writer
from configs.settings import Settings
from evaluator.symptoms import load_taxonomy
from evaluator.taxonomy import Blame, Severity
from evaluator.verdict import Failure, Proof, Verdict
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import AssayError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Outcome, Phase, Row

RHYTHM = 0.5
"""Share of the run's own rhythm with which steps are repeated at first, where nobody watches: it takes half as long. What a quick
person's hands do not show (a game's state depends on when a key is pressed) is repeated at the run's own."""

SHORTEN_ACTS, OPENING_ACTS = 40, 4
"""Acts that may be replayed to find fewer steps, for all failures of a verdict together, and as how many of them opening a fresh
browser counts: so that proving takes no longer than exploring."""

ORDER = {Severity.critical: 0, Severity.major: 1, Severity.minor: 2}
LATE = Proof(reason="the watchdog ended the proofs: the machine was too slow, or the app was stuck")


def quicker(settings: Settings) -> Settings:
    """The same settings with hands that take `RHYTHM` of the time."""
    return settings.model_copy(update={"rhythm": settings.rhythm * RHYTHM})


@dataclass(frozen=True)
class _Way:
    """One way to a failure: the steps, at which rhythm."""

    steps: tuple[Step, ...]
    quick: bool


class Prover:
    """Proves what one verdict accuses the app of."""

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.record = Record.read(context.run_dir)
        self.steps = read_steps(self.record)
        self.number = {step.acted_id: step.number for step in self.steps}
        self.slicer = Slicer(self.record, self.steps)
        self.taxonomy = load_taxonomy()
        self.deadline_s = time.monotonic() + context.settings.budget.prove_watchdog_s
        self.attempts: dict[str, Attempt] = {}
        """What confirmed a failure seen while interacting, by its id."""
        self.ways: dict[str, _Way] = {}
        """The way that was enough for it."""

    async def prove(self, verdict: Verdict) -> dict[str, Proof]:
        """Each failure's and suspicion's proof by its id."""
        site = await serve(self.context)
        accused = sorted(verdict.accused, key=lambda one: (ORDER[one.severity], one.id))
        if site.problem is not None:
            return {one.id: Proof(reason="the app could not be served again") for one in accused}
        proofs = {
            one.id: Proof(reason=f"the failing is the {one.blame.value}'s") for one in accused if one.blame is not Blame.app
        }
        ours = [one for one in accused if one.blame is Blame.app]
        tried = [one for one in ours if rests_on_trials(self.record, self._cited(one))]
        ours = [one for one in ours if one not in tried]
        static = [one for one in ours if not one.step_ids]
        heard = [one for one in ours if one.step_ids and by_film(self._cited(one))]
        acted = [one for one in ours if one.step_ids and one not in heard]
        if static:
            proofs |= await self._static(static)
        if heard:
            proofs |= await self._filmed(heard)
        proofs |= await self._interactive(acted)
        await self._shorten(acted, proofs)
        writer = Writer(self.context, self.record)
        trials = ByTrials(self.record, writer, self._open, self._ledger)
        for one in tried:
            proofs[one.id] = LATE if self._late else await trials.prove(one, self._cited(one), lambda: self._late)
        told = {one.id: self._with_steps(one.id, proofs[one.id]) for one in accused}
        scripted = {one.id for one in tried}
        return {
            one.id: told[one.id] if one.id in scripted else writer.with_script(one, told[one.id], self.attempts.get(one.id))
            for one in accused
        }

    @property
    def _late(self) -> bool:
        return time.monotonic() > self.deadline_s

    def _cited(self, failure: Failure) -> list[Row]:
        return [row for row in map(self.record.row, failure.evidence) if row is not None]

    def _wanted(self, failure: Failure) -> Wanted:
        return Wanted.of(self._cited(failure), self.number)

    def _silence(self, failure: Failure, attempt: Attempt) -> bool:
        """Whether what was met again is that the app does nothing.

        Some symptoms always say so. Others say that something did not follow: a silence where nothing else did either. An error
        that was thrown again is none.
        """
        if not attempt.confirmed or not attempt.steps or (attempt.seen is not None and attempt.seen.thrown):
            return False
        told = [row.body for row in self._cited(failure) if isinstance(row.body, Outcome) and row.body.held is False]
        meanings = [meaning for one in told if (meaning := self.taxonomy.meaning(one.symptom)) is not None]
        return (
            bool(told)
            and len(meanings) == len(told)
            and all(one.undone_by or (one.absence and attempt.silent) for one in meanings)
        )

    async def _static(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures seen on the untouched page: one fresh page for all of them."""
        cited = [row for one in failures for row in self._cited(one)]
        narrow = any(one.place.viewport == "mobile" for one in failures)
        ledger = self._ledger("static")
        try:
            stage = await self._open(ledger)
            try:
                await measure_again(
                    stage,
                    self.context.site.entry if self.context.site else stage.page.url,
                    cited,
                    narrow=narrow,
                    settings=self.context.settings,
                    brief_language=self.context.brief_language,
                )
            finally:
                await stage.close()
        except (TabHung, TabCrashed):
            pass  # which is what some of them are about; the ledger tells
        except AssayError as error:
            return {one.id: Proof(reason=f"the fresh browser failed: {error.message}") for one in failures}
        finally:
            ledger.close()
        fresh = Record.read(ledger.run_dir)
        return {one.id: met_again(self._cited(one), fresh) for one in failures}

    async def _filmed(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures that only a film tells: one replay, filmed, for all of them."""
        last = max((one.step_ids[-1] for one in failures), key=lambda row_id: self.number.get(row_id, 0))
        steps = to_film(self.steps, last)
        if not steps:
            return {one.id: Proof(reason="its steps are not in the ledger") for one in failures}
        ledger = self._ledger(f"{failures[0].id}-film")
        try:
            stage = await self._open(ledger, record=True)
            settle_s = self.context.settings.timeouts.settle_action_s
            found = await filmed(stage, failures, self.record, steps, settle_s=settle_s)
        except AssayError as error:
            return {one.id: Proof(reason=f"the fresh browser failed: {error.message}") for one in failures}
        finally:
            ledger.close()
        self.attempts |= {key: attempt for key, attempt in found.items() if attempt.confirmed}
        return {key: attempt.proof for key, attempt in found.items()}

    async def _interactive(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures seen while interacting: by the steps each needs, then all that are left by one replay of the whole run.

        Where the fewest steps do not show it, nothing is said yet: a slice leaves out what was between. That something did not
        show again counts only where all that led to it was repeated.
        """
        proofs: dict[str, Proof] = {}
        for failure in failures:
            judged = chosen(self.steps, failure.step_ids)
            wanted = self._wanted(failure)
            if not judged:
                proofs[failure.id] = Proof(reason="its steps are not in the ledger")
            elif not wanted.recognisable:
                proofs[failure.id] = Proof(
                    status="undecided", reason="nothing that a replay could measure again was cited for it"
                )
            elif self._late:
                proofs[failure.id] = LATE
            else:
                way = _Way(tuple(self.slicer.needed(judged) or judged), quick=True)
                proofs[failure.id] = await self._by(failure, way, "needed")
        together: dict[str, list[Failure]] = {}
        for failure in failures:
            way = self._all_before(failure)
            proof = proofs[failure.id]
            settled = proof.status == "confirmed" or bool(proof.control)
            if way and not settled and self._wanted(failure).recognisable:
                together.setdefault(way[0].acted_id, []).append(failure)
        for group in together.values():
            if not self._late:
                proofs |= await self._whole(group)
        return proofs

    def _all_before(self, failure: Failure) -> list[Step]:
        """All steps that led to it: since the beginning where a reload may have kept something, else since the page's load."""
        last = failure.step_ids[-1]
        return chosen(self.steps, since_start(self.record, last) or since_load(self.record, last))

    async def _by(self, failure: Failure, way: _Way, name: str) -> Proof:
        """One way replayed for one failure, with its control where it is a silence. What confirms is kept."""
        attempt = await self._attempt(failure, way, f"{failure.id}-{name}")
        if attempt.confirmed:
            self._keep(failure, way, attempt)
        return attempt.proof

    async def _whole(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """All that led to the last of the failures, once, at the run's rhythm; each is judged at its own step."""
        steps = max((self._all_before(one) for one in failures), key=len)
        wanted = {one.id: self._wanted(one) for one in failures}
        oracles = frozenset[str]().union(*(one.oracles for one in wanted.values()))
        ledger = self._ledger("whole")
        try:
            stage = await self._open(ledger)
            try:
                replay = self._replay(stage, tuple(wanted.values()))
                trouble = await replay.carry_out(steps, oracles)
                attempts = {one.id: await replay.told(wanted[one.id], trouble) for one in failures}
            finally:
                await stage.close()
        except AssayError as error:
            return {one.id: Proof(reason=f"the fresh browser failed: {error.message}") for one in failures}
        finally:
            ledger.close()
        proofs: dict[str, Proof] = {}
        for failure in failures:
            attempt = attempts[failure.id]
            way = _Way(attempt.steps, quick=False)
            proofs[failure.id] = attempt.proof
            if self._silence(failure, attempt):
                # Its control begins in the state in which nothing happened, so the steps after it may not be done.
                proofs[failure.id] = await self._by(failure, way, "control")
            elif attempt.confirmed:
                self._keep(failure, way, attempt)
        return proofs

    async def _shorten(self, failures: Sequence[Failure], proofs: Mapping[str, Proof]) -> None:
        """Leave out steps of what was confirmed, the gravest first, as long as there are acts for another replay.

        Only of what no innocent page would show, however few steps there are: an error, a hang, something measured. That an
        oracle does not hold is no such thing: without "Add", what was typed is gone after a reload on any page.
        """
        left = SHORTEN_ACTS
        for failure in failures:
            way, wanted = self.ways.get(failure.id), self._wanted(failure)
            telling = wanted.thrown or wanted.ended or wanted.measured
            if way is None or len(way.steps) < 2 or proofs[failure.id].control or not telling:
                continue
            tries = 0

            async def shows(some: Sequence[Step], failure: Failure = failure, quick: bool = way.quick) -> bool:
                nonlocal tries, left
                tries += 1
                left -= len(some) + OPENING_ACTS
                shorter = _Way(tuple(some), quick=quick)
                attempt = await self._attempt(failure, shorter, f"{failure.id}-fewer-{tries}")
                again = attempt.confirmed and (attempt.seen is None or attempt.seen.told is None)
                if again:
                    self._keep(failure, shorter, attempt)
                return again

            size = len(way.steps)
            await fewest(way.steps, shows, lambda size=size: left >= size + OPENING_ACTS and not self._late)

    def _keep(self, failure: Failure, way: _Way, attempt: Attempt) -> None:
        self.attempts[failure.id] = attempt
        self.ways[failure.id] = way

    def _with_steps(self, failure_id: str, proof: Proof) -> Proof:
        """The proof with the steps that were found to be enough."""
        attempt, way = self.attempts.get(failure_id), self.ways.get(failure_id)
        if attempt is None or attempt.seen is None or way is None:
            return proof
        ids = tuple(step.acted_id for step in way.steps)
        return attempt.proof.model_copy(update={"step_ids": ids, "steps": attempt.seen.descriptions})

    async def _attempt(self, failure: Failure, way: _Way, name: str) -> Attempt:
        ledger = self._ledger(name)
        try:
            stage = await self._open(ledger, quick=way.quick)
            try:
                wanted = self._wanted(failure)
                replay = self._replay(stage, (wanted,))
                attempt = await replay.attempt(wanted, way.steps)
                silent = self._silence(failure, attempt)
                return await self._controlled(replay, attempt) if silent else attempt
            finally:
                await stage.close()
        except AssayError as error:
            return Attempt(Proof(reason=f"the fresh browser failed: {error.message}"))
        finally:
            ledger.close()

    async def _controlled(self, replay: Replay, attempt: Attempt) -> Attempt:
        """The attempt after its control experiment: a silence is confirmed only where something tells it from an innocent one."""
        own_code = await replay.own_code()
        told = await control(replay, replay.done[-1], self.steps, own_code=own_code)
        updates: Mapping[str, object] = {"control": told.words}
        if told.result != "defect":
            status = "explained" if told.result == "explained" else "undecided"
            updates = {**updates, "status": status, "reason": f"it showed again, but {told.words}"}
        return Attempt(attempt.proof.model_copy(update=dict(updates)), attempt.steps, attempt.seen)

    def _replay(self, stage: Stage, wanted: Sequence[Wanted]) -> Replay:
        return Replay(stage, self.context.settings.timeouts.settle_action_s, self.context.brief, wanted)

    async def _open(self, ledger: Ledger, *, record: bool = False, quick: bool = False) -> Stage:
        settings = quicker(self.context.settings) if quick else None
        return await fresh_stage(self.context, ledger, record=record, settings=settings)

    def _ledger(self, name: str) -> Ledger:
        folder = self.context.run_dir / "proofs" / name
        attempt = 1
        while (folder / "ledger.jsonl").exists():
            attempt += 1
            folder = self.context.run_dir / "proofs" / f"{name}-{attempt}"
        ledger = Ledger.create(folder)
        ledger.phase = Phase.prove
        return ledger
