"""One replay of some steps on a fresh page: what it showed, and whether the failure was met again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.deciders.protocol import Decision, Step
from agent.drawn_words import DrawnWords
from agent.legibility import with_texts
from agent.proof.effects import effect_of, may_have_had
from agent.proof.own_code import CodeAccount, OwnCode
from agent.proof.states import Audits, Wish
from agent.reaching import reach
from agent.shown_diagrams import with_diagram
from agent.skills.checks.case import VISIBLE, Effect
from agent.skills.oracles import check
from agent.skills.quiet import OBJECTIONS
from evaluator.kinship import cause_of
from evaluator.proof_scripts.script import reader
from evaluator.proof_scripts.seen import Seen, Told
from evaluator.verdict import Proof
from tools.browser.actions import Wait, describe
from tools.browser.compare import compare
from tools.browser.eyes import Look
from tools.browser.marks import Observation
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import StageFault
from tools.evidence.record import Record
from tools.evidence.rows import Finding, Outcome, PageError, PageEvent, Row
from tools.text import how_many

if TYPE_CHECKING:
    from tools.browser.stage import Stage

LATE_MS = 4_000.0
"""App time that a replay waits at its end for an error that was thrown in the run and was not met yet."""


@dataclass(frozen=True)
class Attempt:
    """A replay's verdict, with what a script needs of it where the failure was met again."""

    proof: Proof
    steps: tuple[Step, ...] = ()
    """The steps as they were replayed."""
    seen: Seen | None = None
    silent: bool = False
    """The act that was judged had no effect at all."""

    @property
    def confirmed(self) -> bool:
        """The failure was met again."""
        return self.proof.status == "confirmed"


@dataclass(frozen=True)
class Wanted:
    """By what a failure would be recognised, and where."""

    told: frozenset[tuple[int, str]]
    """Numbers of steps, each with the oracle that did not hold there."""
    thrown: frozenset[str]
    ended: bool
    measured: frozenset[Wish] = frozenset()
    """What audits of the states after some steps found there."""

    @classmethod
    def of(cls, rows: Sequence[Row], number: Mapping[str, int]) -> Wanted:
        """From the rows that a failure cites; `number`: step numbers by the ids of their acts."""
        return cls(
            told=frozenset(
                (number[act], row.body.oracle)
                for row in rows
                if isinstance(row.body, Outcome) and row.body.held is False
                for act in (row.parent or "", *row.body.steps[-1:])
                if act in number
            ),
            thrown=frozenset(row.body.message for row in rows if isinstance(row.body, PageError)),
            ended=any(isinstance(row.body, PageEvent) and row.body.event in {"crash", "hang"} for row in rows),
            measured=frozenset(
                (number[row.body.after], row.body.probe, cause_of(row.body))
                for row in rows
                if isinstance(row.body, Finding) and row.body.after in number
            ),
        )

    @property
    def oracles(self) -> frozenset[str]:
        """The oracles that are asked again."""
        return frozenset(oracle for _, oracle in self.told)

    @property
    def recognisable(self) -> bool:
        """Whether anything could be met again."""
        return bool(self.told or self.thrown or self.ended or self.measured)


class NotDelivered(Exception):
    """An act could not be repeated on the fresh page, which says nothing about the app."""


class Replay:
    """Carries out steps on a stage. `observations` are what was seen, oldest first."""

    def __init__(self, stage: Stage, settle_s: float, brief: str = "", wanted: Sequence[Wanted] = ()) -> None:
        self.stage = stage
        self.audits = Audits([wish for one in wanted for wish in one.measured])
        self.words = DrawnWords(brief)
        self.settle_s = settle_s
        self.observations: list[Observation] = []
        self.done: list[Step] = []
        self.effects: list[Effect] = []
        """What came of each step in `done`."""
        self.last: Look | None = None
        self.code = CodeAccount(stage.code)
        self.broke_down: tuple[Step, ...] = ()
        """The steps up to the one at which the page hung or crashed."""

    async def carry_out(self, steps: Sequence[Step], oracles: frozenset[str]) -> str:
        """One step after the other; why it broke off, empty where it did not. `broke_down` holds the steps then."""
        for step in steps:
            try:
                await self.one(step, oracles)
            except (TabHung, TabCrashed) as fault:
                self.broke_down = (*self.done, step)
                return f"the fresh page broke down at step {step.number}: {fault.message}"
            except NotDelivered as problem:
                return f"step {step.number} could not be repeated: {problem}"
        return ""

    async def attempt(self, wanted: Wanted, steps: Sequence[Step]) -> Attempt:
        """Carry out the steps and say whether the failure was met again."""
        trouble = await self.carry_out(steps, wanted.oracles)
        if not trouble and self.done and wanted.thrown and not self._again(wanted):
            # What a timer throws comes when it comes, and quick hands are done before.
            trouble = await self.carry_out([waiting(self.done[-1], LATE_MS, "errors that come late")], frozenset())
        return await self.told(wanted, trouble)

    def _again(self, wanted: Wanted) -> frozenset[str]:
        """The errors that were wanted and were thrown by now."""
        if not wanted.thrown:
            return frozenset()
        self.stage.ledger.sync()
        return wanted.thrown & {error.message for _, error in Record.read(self.stage.ledger.run_dir).of(PageError)}

    async def told(self, wanted: Wanted, trouble: str = "") -> Attempt:
        """What the steps that were carried out say of a failure; `trouble`: why they broke off."""
        steps = tuple(self.done)
        if wanted.ended and self.broke_down and self.stage.blame == "app":
            seen = replace(acts_of(self.broke_down), broke_down=True)
            return Attempt(Proof(status="confirmed", reason=f"again {trouble}"), self.broke_down, seen)
        if thrown := self._again(wanted):
            proof = Proof(status="confirmed", reason="the same error was thrown again in a fresh browser")
            return Attempt(proof, steps, replace(await self._shown(), thrown=min(thrown)))
        outcomes = [
            (place, outcome)
            for place, step in enumerate(steps, 1)
            for outcome in step.outcomes
            if (step.number, outcome.oracle) in wanted.told
        ]
        failed = next(((place, outcome) for place, outcome in outcomes if outcome.held is False), None)
        if failed is not None:
            place, outcome = failed
            words = f"{how_many(place, 'step')} replayed in a fresh browser; it failed again"
            seen = (
                await self._shown(outcome)
                if place == len(steps)
                else told_by(acts_of(steps[:place]), steps[:place], outcome, (), ())
            )
            came = self.effects[place - 1]
            return Attempt(
                Proof(status="confirmed", reason=words), steps[:place], seen, silent=not (came.definite or came.doubtful)
            )
        place, again = self.audits.met(wanted.measured, steps)
        if again:
            words = f"{how_many(place, 'step')} replayed in a fresh browser; the same was measured again in that state"
            seen = replace(acts_of(steps[:place]), measured=again)
            return Attempt(Proof(status="confirmed", reason=words), steps[:place], seen)
        if trouble:
            return Attempt(Proof(status="undecided", reason=trouble), steps)
        if self.audits.missed(wanted.measured):
            words = f"{how_many(len(steps), 'step')} replayed in a fresh browser; it was not measured again in that state"
            return Attempt(Proof(status="not_reproduced", reason=words), steps)
        if wanted.thrown or wanted.ended or any(outcome.held for _, outcome in outcomes):
            words = f"{how_many(len(steps), 'step')} replayed in a fresh browser; it did not show again"
            return Attempt(Proof(status="not_reproduced", reason=words), steps)
        return Attempt(Proof(status="undecided", reason="in the fresh browser it could not be told"), steps)

    async def _shown(self, failed: Outcome | None = None) -> Seen:
        """What the page shows in the end, read as the script will read it."""
        try:
            lines = tuple(str(line) for line in await self.stage.evaluate(reader()))
        except StageFault:
            lines = ()
        return told_by(acts_of(self.done), self.done, failed, self.observations, lines)

    async def own_code(self) -> OwnCode | None:
        """What of the app's own code ran in answer to the last act; None where that was not measured."""
        found = await self.code.answer(self.stage, self.observations, may_have_had)
        self.last = None  # time may have passed: the next act begins with a look of its own
        return found

    async def one(self, step: Step, oracles: frozenset[str]) -> Step:
        """Carry out one step; what its oracles say is written down. Raises `NotDelivered`, `TabHung`, `TabCrashed`."""
        action, stage = step.decision.action, self.stage
        if action is None:
            raise NotDelivered("there is no act in it")
        # As in the run itself: what the act before it ended in is what this one begins with.
        before = self.last or await self.words.join(await stage.look(f"proof-{step.number}-before"), stage)
        before = await reach(stage, action, before, f"proof-{step.number}-reached")
        await self.code.before_act()
        performed = await stage.perform(action)
        await stage.settle(self.settle_s)
        await self.code.after_act()
        after = await self.words.join(await stage.look(f"proof-{step.number}-after"), stage)
        after = await with_diagram(stage, step.decision, after)
        after = await with_texts(stage, step.decision, after)
        await self.audits.again(stage, after, step.number)
        self.last = after
        self.observations += [before.observation, after.observation]
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
            raise NotDelivered(performed.problem or "the act did not reach the page")
        found = (
            check(one, before=before.observation, after=after.observation, acted=acted, acted_id=row.id, history=tuple(self.done))
            for one in step.decision.expectations
            if one.oracle in oracles | OBJECTIONS
        )
        outcomes = tuple(one for one in found if one is not None)
        for outcome in outcomes:
            stage.ledger.append(outcome, producer=f"oracle.{outcome.oracle}", parent=row.id)
        done = Step(step.number, step.decision, acted, row.id, outcomes)
        self.effects.append(effect_of(done, before.observation, after.observation, tuple(self.done)))
        self.done.append(done)
        self.code.note(done)
        return done


def waiting(after: Step, ms: float, why: str) -> Step:
    """One step more, in which app time passes."""
    wait = Wait(ms=ms)
    acted = after.acted.model_copy(update={"action": wait.model_dump(mode="json"), "description": describe(wait)})
    return Step(after.number + 1, Decision(action=wait, why=why), acted, after.acted_id)


def acts_of(steps: Sequence[Step]) -> Seen:
    """The acts of some steps, with nothing seen yet."""
    actions = [step.decision.action for step in steps if step.decision.action is not None]
    return Seen(
        acts=tuple(action.model_dump(mode="json") for action in actions),
        descriptions=tuple(describe(action) for action in actions),
    )


def told_by(
    seen: Seen, steps: Sequence[Step], failed: Outcome | None, observations: Sequence[Observation], lines: tuple[str, ...]
) -> Seen:
    """The same with what the oracle said and the lists before and after the last act."""
    told = None
    if failed is not None:
        asked = (one for step in reversed(steps) for one in step.decision.expectations if one.oracle == failed.oracle)
        params = next((one.params for one in asked if one.text == failed.expectation), {})
        told = Told(failed.oracle, failed.expectation, failed.observed, failed.symptom, params)
    if len(observations) < 2:
        return replace(seen, told=told, lines=lines)
    before, after = observations[-2], observations[-1]
    return replace(
        seen,
        told=told,
        lines=lines,
        moving=after.moving > VISIBLE or after.animated,
        before=tuple(one.items for one in before.lists if not one.pressable),
        after=tuple((one.columns, one.items) for one in after.lists if not one.pressable),
    )
