"""Observe: what the page shows now, while its time stands; and the account of the act before, with its oracles."""

from __future__ import annotations

import time

from langgraph.runtime import Runtime

from agent.context import Pending, RunContext
from agent.deciders.protocol import Step
from agent.drawn_words import with_drawn_words
from agent.legibility import with_texts
from agent.nodes.launch import recover
from agent.nodes.perceive import stop_for
from agent.shown_diagrams import with_diagram
from agent.skills.oracles import check
from agent.state import State
from agent.states import audit_if_new
from tools.browser.actions import describe
from tools.browser.compare import compare
from tools.browser.coverage.watch import Reading, write
from tools.browser.eyes import Look
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import StageFault
from tools.evidence.rows import Acted, Audited, Changes, Gap, Outcome, Phase
from tools.text import printable


async def observe(state: State, runtime: Runtime[RunContext]) -> State:
    """Look, and if an act is waiting for its result, write the account of it."""
    context = runtime.context
    await recover(context, "observe")
    context.ledger.phase = Phase.explore
    # A resumed run begins here, too, and is bound anew.
    context.exploring_since_s = context.exploring_since_s or time.monotonic()
    context.seconds_left()
    number = state.get("step", 0)
    pending = context.notebook.pending
    ran = await _code_of(context, number)
    seen = await look(context, f"step-{number:03d}" if number else "before-first-step")
    acted_id = None
    if pending is not None:
        seen = await _with_diagram(context, pending, seen)
        acted_id = _account(context, runtime, number, pending, seen)
        context.notebook.pending = None
    if ran is not None:
        write(context.ledger, ran, parent=acted_id)
    seen = await _audited(context, number if pending is not None else 0, seen)
    context.ledger.sync()
    if seen is None:
        return {"stop": stop_for(context.stage.state if context.stage else "crashed")}
    return {"observation": seen.observation.id}


async def _code_of(context: RunContext, number: int) -> Reading | None:
    """What of the app's own code ran in the act, read before the eyes let time go on for their watch."""
    stage = context.stage
    if stage is None or not context.settings.coverage:
        return None
    return await stage.code.read(number)


async def look(context: RunContext, label: str) -> Look | None:
    """One observation with its picture, kept in the notebook; None when the page can no longer be observed."""
    stage = context.stage
    if stage is None or stage.state != "live":
        return None
    try:
        seen = await stage.look(label)
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        context.ledger.append(Gap(what=f"observation {label}", reason=fault.message, blame=stage.blame), producer="observe")
        return None
    seen = await with_drawn_words(context, seen)
    context.notebook.see(seen)
    return seen


async def _with_diagram(context: RunContext, pending: Pending, seen: Look | None) -> Look | None:
    """The look with what the expectations ask for besides: the diagram shown, faint texts; None if the page broke down."""
    if seen is None or context.stage is None:
        return seen
    try:
        seen = await with_diagram(context.stage, pending.decision, seen)
        return await with_texts(context.stage, pending.decision, seen)
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        context.ledger.append(Gap(what="diagram", reason=fault.message, blame=context.stage.blame), producer="observe")
        return None


async def _audited(context: RunContext, number: int, seen: Look | None) -> Look | None:
    """The look, after the state it shows was audited if it is new; None if the page broke down."""
    if seen is None or context.stage is None:
        return seen
    last = context.notebook.steps[-1] if context.notebook.steps else None
    step = last if last is not None and last.number == number else None
    try:
        await audit_if_new(context, seen, step.acted if step else None, step.acted_id if step else "")
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        context.ledger.append(Gap(what="audit of a state", reason=fault.message, blame=context.stage.blame), producer="observe")
        return None
    except (StageFault, TimeoutError) as fault:
        # The page was changing its document just then; the next state is looked at again.
        reason = printable(str(fault) or "no answer in time", 200)
        context.ledger.append(Audited(probe="kinds", viewport="desktop", measured=False, reason=reason), producer="observe")
    return seen


def _account(context: RunContext, runtime: Runtime[RunContext], number: int, pending: Pending, seen: Look | None) -> str | None:
    """Write the act's row, with the oracles' below it; returns its id."""
    decision, performed = pending.decision, pending.performed
    action = decision.action
    if action is None:
        return None
    changes = Changes()
    if seen is not None:
        before = pending.before
        moving = before.moving_mask | seen.moving_mask if before.moving_mask.shape == seen.moving_mask.shape else None
        changes = compare(before.observation, seen.observation, before.picture, seen.picture, moving)
    acted = Acted(
        step=number,
        action=action.model_dump(mode="json"),
        description=describe(action),
        delivered=performed.delivered,
        problem=performed.problem,
        before=pending.before.observation.id,
        after=seen.observation.id if seen else "",
        changes=changes,
        started_ms=performed.started_ms,
        ended_ms=performed.ended_ms,
        hit=performed.hit,
    )
    row = context.ledger.append(acted, producer="hands", parent=pending.decision_id, app_ms=performed.ended_ms)
    outcomes = _outcomes(context, pending, acted, row.id, seen)
    for outcome in outcomes:
        context.ledger.append(outcome, producer=f"oracle.{outcome.oracle}", parent=row.id)
    context.notebook.steps.append(Step(number, decision, acted, row.id, tuple(outcomes)))
    runtime.stream_writer(
        {
            "event": "step",
            "step": number,
            "did": acted.description,
            "delivered": acted.delivered,
            "changed": changes.any,
            "broken": [outcome.expectation for outcome in outcomes if outcome.held is False],
        }
    )
    return row.id


def _outcomes(context: RunContext, pending: Pending, acted: Acted, acted_id: str, seen: Look | None) -> list[Outcome]:
    if seen is None:
        return []
    found = (
        check(
            expectation,
            before=pending.before.observation,
            after=seen.observation,
            acted=acted,
            acted_id=acted_id,
            history=tuple(context.notebook.steps),
        )
        for expectation in pending.decision.expectations
    )
    return [outcome for outcome in found if outcome is not None]
