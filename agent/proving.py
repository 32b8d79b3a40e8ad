"""Replays failures in a fresh browser, each into a small ledger of its own under `proofs/`, filmed only where the film decides.

A failure counts as confirmed when the same oracle fails again, the same probe measures the same symptom in the same place, or the
same error is thrown again. Each is met in a browser that has seen nothing of the run. What time is left goes into finding the
fewest steps that show it. Each confirmed failure becomes a script that anybody can run. DESIGN, decision 3.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from pathlib import Path

from agent.chains import since_load, since_start
from agent.context import RunContext
from agent.deciders.protocol import Step
from agent.fewest import fewest
from agent.filming import filmed, to_film
from agent.history import chosen, read_steps
from agent.nodes.launch import answerers, ready_libraries, serve
from agent.proof_writing import Writer
from agent.replaying import Attempt, Replay, Wanted
from agent.skills.checks import film
from agent.slicing import Slicer
from configs.settings import Budget, Settings
from evaluator.taxonomy import Blame, Severity
from evaluator.verdict import Failure, Proof, Verdict
from tools.browser.stage import Stage
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import AssayError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Finding, Outcome, PageError, PageEvent, Phase
from tools.probes.page import audit_page

SECONDS_A_PROOF = 3.0
"""Less than this left, and no further proof is begun: it could not finish."""
FILM_S = 14.0
"""What a filmed replay may take beyond the budget for proofs: opening the recorder, watching, making the film."""

SECONDS_TO_OPEN = 3.0
SECONDS_A_STEP = 1.2
"""With human rhythm, on a machine that keeps app time at the wall's pace."""
RHYTHM = 0.5
"""Share of the run's own rhythm with which steps are repeated at first, where nobody watches: more failures fit into the time for
proofs. What a quick person's hands do not show (a game's state depends on when a key is pressed) is repeated at the run's own."""

SHORTEN_WITHIN_S = 78.0
"""Wall time since an evaluation began after which no shorter way to a failure is looked for any more: it is to end within 90 s
where nobody has set how long it may take."""

PROVE_WITHIN_S = 82.0
"""Wall time since an evaluation began up to which failures are replayed: scripts and report come yet."""

ORDER = {Severity.critical: 0, Severity.major: 1, Severity.minor: 2}


def latest(steps: Sequence[Step], left_s: float) -> list[Step]:
    """The last of the steps, as many as can be repeated in the time that is left."""
    fit = max(0, int((left_s - SECONDS_TO_OPEN) / SECONDS_A_STEP))
    return list(steps[max(0, len(steps) - fit) :])


def told_by_replays(proofs: Sequence[tuple[int, Proof]], whole: int) -> Proof:
    """What replays that did not confirm a failure tell, each with its number of steps; `whole`: of all since the page was loaded.

    That it did not show again counts only of a replay of all of them. One that was cut short, or could not tell, tells nothing,
    whatever a shorter one before it said.
    """
    if max((count for count, _ in proofs), default=0) < whole:
        return Proof(reason="the time for proofs was used up before all that led to it could be repeated")
    settled = [proof for count, proof in proofs if count >= whole and proof.status != "not_attempted"]
    return settled[-1] if settled else proofs[-1][1]


def quicker(settings: Settings) -> Settings:
    """The same settings with hands that take `RHYTHM` of the time."""
    return settings.model_copy(update={"rhythm": settings.rhythm * RHYTHM})


def within_s(context: RunContext, seconds: float) -> float:
    """When so many wall seconds of the evaluation are over, without what a model thought and a person paused.

    Never where somebody has set how long exploring or proving may take, or where there was no exploration.
    """
    budget = context.settings.budget
    if budget.explore_s is not None or budget.prove_s != Budget().prove_s or context.exploring_since_s is None:
        return math.inf
    return context.started_s + context.thought_s + context.paused_s + seconds


class Prover:
    """Proves the failures of one verdict within the run's budget for proofs and what the exploration left of its own.

    Where nobody has set how long either may take, it has the time that an evaluation is to take in all.

    Shorter ways to a failure are looked for within the budget for proofs alone, so that they do not make every run as long as it
    may be, and only while the whole evaluation is not yet a long one.
    """

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.record = Record.read(context.run_dir)
        self.steps = read_steps(self.record)
        self.slicer = Slicer(self.record, self.steps)
        prove_s, spare_s = context.settings.budget.prove_s, context.spare_s()
        now = time.monotonic()
        asked_s = now + max(SECONDS_A_PROOF, prove_s + spare_s)
        self.latest_s = max(now + SECONDS_A_PROOF, within_s(context, min(PROVE_WITHIN_S, context.settings.budget.total_s)))
        self.deadline_s = asked_s if self.latest_s == math.inf else self.latest_s
        self.shorten_until_s = min(self.deadline_s, now + prove_s, within_s(context, SHORTEN_WITHIN_S))
        self.attempts: dict[str, Attempt] = {}
        """What confirmed a failure seen while interacting, by its id."""
        self.replayed: dict[str, tuple[Step, ...]] = {}
        """The steps that were enough for it."""
        self.took_s: dict[str, float] = {}
        self.quick: dict[str, bool] = {}
        """Whether a quick person's hands were enough for it."""

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
        heard = [one for one in failures if one.blame is Blame.app and self._by_film(one)]
        if heard:
            proofs |= await self._filmed(heard)
        for failure in failures:
            if failure.id in proofs:
                continue
            if failure.blame is not Blame.app:
                proofs[failure.id] = Proof(reason=f"the failing is the {failure.blame.value}'s")
            elif self._left_s < SECONDS_A_PROOF:
                proofs[failure.id] = Proof(reason="the time for proofs was used up")
            else:
                proofs[failure.id] = await self._interactive(failure)
        await self._shorten(failures)
        writer = Writer(self.context, self.record)
        with_steps = {one.id: self._with_steps(one.id, proofs[one.id]) for one in failures}
        return {one.id: writer.with_script(one, with_steps[one.id], self.attempts.get(one.id)) for one in failures}

    @property
    def _left_s(self) -> float:
        return self.deadline_s - time.monotonic()

    def _by_film(self, failure: Failure) -> bool:
        """Only a film tells of it: an error behind it is met without."""
        cited = [row.body for row in self._cited(failure)]
        told = {body.oracle for body in cited if isinstance(body, Outcome)}
        return bool(told) and told <= film.ORACLES and not any(isinstance(body, PageError) for body in cited)

    async def _filmed(self, failures: Sequence[Failure]) -> dict[str, Proof]:
        """Failures that only a film tells: one replay, filmed, for all of them."""
        number = {step.acted_id: step.number for step in self.steps}
        last = max((one.step_ids[-1] for one in failures), key=lambda row_id: number.get(row_id, 0))
        steps = to_film(self.steps, last)
        if not steps:
            return {one.id: Proof(reason="its steps are not in the ledger") for one in failures}
        self.deadline_s = min(self.latest_s, self.deadline_s + FILM_S)
        ledger = self._ledger(f"{failures[0].id}-film")
        try:
            stage = await self._open(ledger, record=True)
            settle_s = self.context.settings.timeouts.settle_action_s
            found = await filmed(stage, failures, self.record, steps, settle_s=settle_s, limit_s=max(1.0, self._left_s))
        except AssayError as error:
            return {one.id: Proof(reason=f"the fresh browser failed: {error.message}") for one in failures}
        finally:
            ledger.close()
        self.attempts |= {key: attempt for key, attempt in found.items() if attempt.confirmed}
        return {key: attempt.proof for key, attempt in found.items()}

    async def _shorten(self, failures: Sequence[Failure]) -> None:
        """Leave out steps of what was confirmed, the gravest first, as long as there is time for another replay."""
        for failure in failures:
            attempt = self.attempts.get(failure.id)
            steps = self.replayed.get(failure.id, ())
            if attempt is None or len(steps) < 2:
                continue
            took_s = self.took_s.get(failure.id, SECONDS_A_PROOF)
            tries = 0

            async def shows(some: Sequence[Step], failure: Failure = failure) -> bool:
                nonlocal tries
                tries += 1
                shorter = await self._attempt(failure, some, f"{failure.id}-fewer-{tries}", quick=self.quick[failure.id])
                if shorter.confirmed:
                    self._keep(failure, some, shorter)
                return shorter.confirmed

            await fewest(steps, shows, lambda took_s=took_s: self.shorten_until_s - time.monotonic() > took_s + 1.0)

    def _keep(self, failure: Failure, steps: Sequence[Step], attempt: Attempt) -> None:
        self.attempts[failure.id] = attempt
        self.replayed[failure.id] = tuple(steps)

    def _with_steps(self, failure_id: str, proof: Proof) -> Proof:
        """The proof with the steps that were found to be enough."""
        attempt, steps = self.attempts.get(failure_id), self.replayed.get(failure_id, ())
        if attempt is None or attempt.seen is None or not steps:
            return proof
        ids = tuple(step.acted_id for step in steps)
        return attempt.proof.model_copy(update={"step_ids": ids, "steps": attempt.seen.descriptions})

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
            # A phone opens the page at its own width: what goes wrong only while a window is made narrower (a chart that keeps
            # its width) nobody meets there.
            await stage.goto(context.site.entry if context.site else stage.page.url)
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

        The judge's steps, after those they need, are the fewest that should do. Where they do not show it, nothing is said yet.
        Everything since the page was last loaded is replayed before anything is said against the failure, and then everything
        since the beginning: a reload keeps what was stored before it. That something did not show again counts only where all
        since the load was repeated. What is too long for the time that is left is begun as late as it must be: that may still
        confirm the failure, and says nothing else.
        """
        judged = chosen(self.steps, failure.step_ids)
        if not judged:
            return Proof(reason="its steps are not in the ledger")
        sliced = self.slicer.needed(judged)
        last, proofs = failure.step_ids[-1], list[tuple[int, Proof]]()
        whole = chosen(self.steps, since_load(self.record, last))
        began_s, longest, tried = time.monotonic(), 0, False
        for name, steps, quick in (
            (f"{failure.id}-needed", sliced, True) if sliced else (failure.id, judged, True),
            (f"{failure.id}-whole", whole, False),
            (f"{failure.id}-stored", chosen(self.steps, since_start(self.record, last)), False),
        ):
            if len(steps) <= longest or (tried and self._left_s < SECONDS_A_PROOF):
                continue
            late = latest(steps, self._left_s) if tried else list(steps)
            if len(late) <= longest:
                continue
            attempt = await self._attempt(failure, late, name, quick=quick)
            tried = True
            self.took_s.setdefault(failure.id, time.monotonic() - began_s)
            if attempt.confirmed:
                self._keep(failure, late, attempt)
                self.quick[failure.id] = quick
                return attempt.proof
            if len(late) == len(steps) and steps is not sliced:  # which leaves out what was between
                longest = len(steps) - quick  # nothing is said against it but at the run's own rhythm
                proofs.append((longest, attempt.proof))
        return told_by_replays(proofs, len(whole))

    async def _attempt(self, failure: Failure, steps: Sequence[Step], name: str, *, quick: bool) -> Attempt:
        ledger = self._ledger(name)
        try:
            async with asyncio.timeout(max(1.0, self._left_s)):
                stage = await self._open(ledger, quick=quick)
                try:
                    replay = Replay(stage, self.context.settings.timeouts.settle_action_s, self.context.brief)
                    return await replay.attempt(Wanted.of(self._cited(failure)), steps)
                finally:
                    await stage.close()
        except TimeoutError:
            return Attempt(Proof(reason="the time for proofs was used up"))
        except AssayError as error:
            return Attempt(Proof(reason=f"the fresh browser failed: {error.message}"))
        finally:
            ledger.close()

    async def _open(self, ledger: Ledger, *, record: bool = False, quick: bool = False) -> Stage:
        context, site = self.context, self.context.site
        if site is None:
            raise RuntimeError("the site is served before anything is proved")
        await ready_libraries(context)
        stage = await Stage.open(
            ledger=ledger,
            settings=quicker(context.settings) if quick else context.settings,
            site=site.base_url,
            run_dir=ledger.run_dir,
            processes=context.processes,
            record=record,
            answerers=answerers(context, ledger),
        )
        try:
            await stage.goto(site.entry)
        except BaseException:
            await stage.close()
            raise
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
