"""The exploration loop over the real stage, without graph, proof or verdict: observe, decide, act, settle, compare, check."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from agent.conduct import coverage, stop_reason
from agent.deciders.curious import Curious
from agent.deciders.protocol import Step, View
from agent.planning import make_plan
from agent.shown_diagrams import with_diagram
from agent.skills.oracles import check
from configs.settings import Settings, load
from tools.browser import eyes
from tools.browser.actions import describe
from tools.browser.compare import compare
from tools.browser.marks import Observation
from tools.browser.stage import Stage
from tools.evidence.ledger import Ledger
from tools.evidence.rows import Acted, Covered, Outcome
from tools.processes import ProcessList

STEPS, SECONDS = 30, 120.0


@dataclass(frozen=True)
class Explored:
    """What came of it."""

    steps: tuple[Step, ...]
    covered: Covered

    @property
    def outcomes(self) -> list[Outcome]:
        """All outcomes in order."""
        return [outcome for step in self.steps for outcome in step.outcomes]

    @property
    def failed(self) -> list[str]:
        """`oracle: symptom` of each accusation."""
        return [f"{outcome.oracle}: {outcome.symptom}" for outcome in self.outcomes if outcome.held is False]

    def account(self) -> str:
        """The session in words, for a test that fails."""
        lines = []
        for step in self.steps:
            missed = "" if step.acted.delivered else f" NOT DELIVERED: {step.acted.problem}"
            lines.append(f"{step.number:2d} {step.decision.skill}: {step.acted.description}{missed}")
            lines += [f"      {told.held} {told.oracle} {told.promise} – {told.observed}" for told in step.outcomes]
        return "\n".join([*lines, f"stop: {self.covered.stop_reason} {self.covered.promises}"])


def quick() -> Settings:
    """Real browser and real hands, without recording and without human pauses."""
    return load(overrides={"recording": {"capture": "none"}, "rhythm": 0.0})


async def explore(url: str, brief: str, language: str, run_dir: Path) -> Explored:
    """Explore the app at `url` in a browser of its own."""
    settings = quick()
    ledger = Ledger.create(run_dir)
    try:
        with ProcessList(run_dir) as processes:
            stage = await Stage.open(
                ledger=ledger, settings=settings, site=url, run_dir=run_dir, processes=processes, record=False
            )
            try:
                assert await stage.goto(url)
                return await _loop(stage, settings, url, brief, language)
            finally:
                await stage.close()
    finally:
        ledger.close()


async def _loop(stage: Stage, settings: Settings, url: str, brief: str, language: str) -> Explored:
    decider, began = Curious(settings.seed), time.monotonic()
    look = await eyes.look(stage, "first")
    plan = make_plan(brief, language, look.observation)
    steps: list[Step] = []
    past: list[Observation] = []
    while True:
        now = look.observation
        view = View(
            brief=brief,
            plan=plan,
            now=now,
            steps=tuple(steps),
            steps_left=STEPS - len(steps),
            seconds_left=SECONDS - (time.monotonic() - began),
            entry_url=url,
            past=tuple(past),
        )
        stop = stop_reason(view, stage.state)
        decision = None if stop else await decider.decide(view)
        if decision is None or decision.action is None:
            return Explored(tuple(steps), coverage(view, stop or "covered"))
        performed = await stage.perform(decision.action)
        await stage.settle(settings.timeouts.settle_action_s)
        after = await with_diagram(stage, decision, await eyes.look(stage, f"step-{len(steps) + 1:03d}"))
        number = len(steps) + 1
        acted = Acted(
            step=number,
            action=decision.action.model_dump(mode="json"),
            description=describe(decision.action),
            delivered=performed.delivered,
            problem=performed.problem,
            before=now.id,
            after=after.observation.id,
            changes=compare(now, after.observation, look.picture, after.picture, look.moving_mask | after.moving_mask),
            started_ms=performed.started_ms,
            ended_ms=performed.ended_ms,
            hit=performed.hit,
        )
        told = [
            check(wish, before=now, after=after.observation, acted=acted, acted_id=f"a{number}", history=tuple(steps))
            for wish in decision.expectations
        ]
        steps.append(Step(number, decision, acted, f"a{number}", tuple(outcome for outcome in told if outcome is not None)))
        past.append(now)
        look = after
