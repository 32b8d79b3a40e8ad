"""What one run showed, tried again on the other's app: the same trial in a fresh browser, or its first page measured again.

The machinery is that of proofs (`agent.proof`): the shortest way first, with the relation asked anew where parts are not there,
then all that was done before, the control experiment with each. Only what is made of it is another thing: here *held* says that
the other version is right.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from agent.comparison.sides import SideRun
from agent.explorer.asked_again import made_anew
from agent.proof.by_trials import ByTrials, again_if_it_broke, listens, rests_on_trials
from agent.proof.statics import measured_anew, met_again
from agent.proof.tried import ways
from agent.proof.tried_states import state_of_trial
from agent.run.nodes.launch import fresh_stage
from agent.trials.carrying import carry_out
from agent.tryouts.session import Session
from evaluator.attribution.defect_keys import cause_of
from evaluator.comparison.about import about_all, signs_in
from evaluator.comparison.model import OutcomeOf, Replay
from evaluator.comparison.shots import MEASURED, PROOFS, trials_in
from evaluator.record.naming import clean
from evaluator.record.sealed import WALK, Reading
from evaluator.verdict.model import Failure, Proof
from tools.browser.stage import Stage
from tools.browser.tab import CommandRefused, FrameGone, ScriptError, TabBusy
from tools.errors import AssayError, RunError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Finding, Gap, NetworkFailure, Phase, Row, RunStarted
from tools.evidence.trial_rows import AssertionJudged, TrialBegun
from tools.page.trial_records import TrialRecord
from tools.page.trials import Act, Trial

_STANDS = "selector => { try { return document.querySelector(selector) !== null; } catch { return null; } }"
_OF_PROOFS: dict[str, OutcomeOf] = {"confirmed": "failed", "not_reproduced": "held", "explained": "explained"}
LATE = "the watchdog ended the replays: the machine was too slow, or the app was stuck"


class Replayer:
    """Replays what one run showed on the app of the other, each failure in browsers that have seen nothing of either.

    `folder`: where what is seen goes, `home`: the comparison's folder, which it lies in.
    """

    def __init__(self, shown_by: SideRun, on: SideRun, session: Session, folder: Path, home: Path) -> None:
        self.shown_by, self.on, self.session = shown_by, on, session
        self.folder, self.home = folder, home
        self.deadline_s = time.monotonic() + session.context.settings.budget.prove_watchdog_s
        self._ledgers: list[Path] = []

    async def replay(self, failure: Failure) -> Replay:
        """What came of one failure there. Bounded by acts; the wall has the watchdog of proofs."""
        self._ledgers = []
        if self._late():
            return Replay(on=self.on.side, outcome="not tried", reason=LATE)
        record = self.shown_by.record
        cited = [row for row in map(record.row, failure.evidence) if row is not None]
        if rests_on_trials(record, cited):
            met = await ByTrials(record, self._open, self._ledger).meet(failure, cited, self._late)
            measured = state_of_trial(record, cited) is not None
            told = self._of_trials(failure, met.proof, measured=measured)
            return told if measured else self._compared(told, failure)
        try:
            outcome, proof = await again_if_it_broke(lambda: self._first_page(failure, cited))
        except AssayError as error:
            outcome, proof = "not told", Proof(reason=f"the fresh browser failed: {error.message}")
        return self._told(outcome, proof)

    async def once(self, begun: Row, name: str) -> tuple[TrialRecord, Path] | None:
        """A trial of a run carried out by its shortest way; where its parts are not there, one that its relation makes of others.

        With where it is written; None where the browser failed, or there is no time left.
        """
        shortest = next(ways(self.shown_by.record, begun), None)
        if shortest is None or self._late():
            return None
        trial, _, way = shortest
        found = await self._carried_out(trial, f"{begun.id}-{name}")
        if found is None or found[0].stopped is None or found[0].stopped.why != "target gone":
            return found
        return await self._carried_out(trial, f"{begun.id}-{name}-anew", way) or found

    async def _carried_out(self, trial: Trial, name: str, anew: tuple[Act, ...] | None = None) -> tuple[TrialRecord, Path] | None:
        """`anew`: the way after which its relation is asked for the like trial of what is there."""
        ledger = self._ledger(name)
        folder = self._ledgers[-1]
        try:
            stage = await self._open(ledger, listen=listens(trial))
            try:
                made = trial if anew is None else await made_anew(trial, anew, stage)
                return (await carry_out(made, stage), folder) if made is not None else None
            finally:
                await stage.close()
        except AssayError:
            return None
        finally:
            ledger.close()

    def _told(self, outcome: OutcomeOf, proof: Proof) -> Replay:
        ledgers = tuple(ledger.relative_to(self.home).as_posix() for ledger in self._ledgers)
        reason = proof.reason if not proof.control else f"{proof.reason} ({proof.control})"
        return Replay(on=self.on.side, outcome=outcome, reason=reason, steps=proof.steps, ledgers=ledgers)

    def _of_trials(self, failure: Failure, proof: Proof, *, measured: bool) -> Replay:
        """`measured`: the trials only lead to where it was measured."""
        if (
            proof.status == "not_reproduced"
            and not measured
            and not telling(failure.id, self.shown_by.run_dir / PROOFS, self._ledgers)
        ):
            words = f"it holds there by a shorter way, by which {self.shown_by.name} did not show it either"
            return self._told("not told", Proof(status="undecided", reason=words))
        if (found := _OF_PROOFS.get(proof.status)) is not None:
            return self._told(found, proof)
        tried = [found for ledger in self._ledgers for found in trials_in(Record.read(ledger)) if not is_walk(found[0])]
        stops = [ended.stopped for _, ended in tried if ended is not None]
        gone = bool(stops) and all(stop.startswith("target gone") for stop in stops)
        return self._told("part missing" if gone else "not told", proof)

    def _compared(self, told: Replay, failure: Failure) -> Replay:
        """The replay, with whether it fails there as it did at home."""
        if told.outcome != "failed":
            return told
        own = about_all(self.shown_by.reading, [failure])[failure.id].signs
        readings = [Reading(Record.read(ledger), open_yet=True) for ledger in self._ledgers]
        there = frozenset(sign for each_reading in readings for sign in signs_in(each_reading))
        if not own or not there or own & there:
            return told
        seen = next((row.seen for reading in readings for _, row in reading.of(AssertionJudged) if row.result == "violated"), "")
        reason = f"{told.reason.partition(';')[0]}; {clean(seen, 200)}"
        return told.model_copy(update={"outcome": "failed otherwise", "reason": reason})

    async def _first_page(self, failure: Failure, cited: Sequence[Row]) -> tuple[OutcomeOf, Proof]:
        """What was measured without an act, measured on the other's first page. Raises `AssayError` where the browser failed."""
        stands: bool | None = None

        async def look(stage: Stage) -> None:
            nonlocal stands
            stands = await _stands(stage, [row.body.selector for row in cited if isinstance(row.body, Finding)])
            await stage.screenshot(MEASURED)

        narrow, ledger = failure.place.viewport == "mobile", self._ledger(f"{failure.id}-first")
        fresh = await measured_anew(self.session.context, self._open, ledger, cited, narrow=narrow, then=look)
        return measured_there(cited, fresh, stands=stands)

    async def _open(self, ledger: Ledger, *, listen: bool = False) -> Stage:
        return await fresh_stage(self.session.context, ledger, listen=listen)

    def _ledger(self, name: str) -> Ledger:
        folder, attempt = self.folder / name, 1
        while folder.exists():
            attempt += 1
            folder = self.folder / f"{name}-{attempt}"
        self._ledgers.append(folder)
        ledger = Ledger.create(folder)
        ledger.phase = Phase.prove
        then = self.shown_by.record.started
        started = RunStarted(
            brief=then.brief, brief_language=then.brief_language, subject=self.on.subject,
            settings=self.session.context.settings.model_dump(mode="json"), versions=then.versions,
        )  # fmt: skip
        ledger.append(started, producer="compare")
        return ledger

    def _late(self) -> bool:
        return time.monotonic() > self.deadline_s


def _results(folder: Path) -> list[str]:
    """What the trials of a ledger came to, those aside that only lead somewhere."""
    try:
        return [ended.result for row, ended in trials_in(Record.read(folder)) if ended is not None and not is_walk(row)]
    except RunError:
        return []


def telling(failure: str, proofs: Path, ledgers: Sequence[Path]) -> bool:
    """Whether a failure held there by a way by which it did not hold on its own app, too, before a longer one showed it again.

    `proofs`: the folder of its own run's proofs; `ledgers`: of its replays.
    """

    def held_in(folders: Iterable[Path]) -> set[str]:
        """The ways (`f-12ab34-whole-2` → `whole`)."""
        held = (folder for folder in folders if folder.is_dir() and "held" in _results(folder))
        return {path.name.removeprefix(f"{failure}-").partition("-")[0] for path in held}

    there = held_in(ledgers)
    return not there or bool(there - held_in(proofs.glob(f"{failure}-*")))


def is_walk(row: Row) -> bool:
    """Whether a trial only leads to where another one begins."""
    return isinstance(row.body, TrialBegun) and row.body.trial.get("by") == WALK


async def _stands(stage: Stage, selectors: Iterable[str]) -> bool | None:
    """Whether anything that was measured is on this page, too; None where that can't be told, or the page as a whole was."""
    told: list[object] = []
    for selector in dict.fromkeys(text for text in selectors if text):
        try:
            told.append(await stage.evaluate(_STANDS, selector))
        except (CommandRefused, FrameGone, ScriptError, TabBusy):
            told.append(None)
    return None if not told or None in told else any(told)


def measured_there(cited: Sequence[Row], fresh: Record, *, stands: bool | None) -> tuple[OutcomeOf, Proof]:
    """What a fresh page of the other version says of a failure that rests on these rows. `stands`: its parts are there."""
    proof = met_again(cited, fresh)
    causes = {cause_of(row.body) for row in cited if isinstance(row.body, Finding)}
    again = next((body for _, body in fresh.of(Finding) if cause_of(body) in causes), None)
    if proof.status == "confirmed":
        return "failed", proof
    if again is not None:
        return "failed", Proof(status="confirmed", reason=f"{again.symptom} was measured there, too, of the same cause")
    absent = [row for row in cited if isinstance(row.body, Gap | NetworkFailure)]
    if proof.status == "not_attempted" and absent:
        return "held", Proof(status="not_reproduced", reason="the app is served and opens there")
    if proof.status != "not_reproduced":
        return "not told", proof
    if stands is False:
        return "part missing", Proof(status="undecided", reason="what was measured is not on that page")
    return "held", proof
