"""Decide: choose the next action while the app's time stands still."""

from __future__ import annotations

import contextlib
import time

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.conduct import stop_reason
from agent.context import RunContext
from agent.deciders.protocol import Decision
from agent.history import decided_row
from agent.nodes.launch import recover
from agent.nodes.observe import look
from agent.state import State
from tools.evidence.rows import Gap, Phase, Steered


async def decide(state: State, runtime: Runtime[RunContext]) -> State:
    """Ask the rules of conduct whether to go on, then the decider what to do. The decision is evidence."""
    context = runtime.context
    if context.steering.pausing:
        interrupt({"step": state.get("step", 0)})
    await recover(context, "decide")
    context.ledger.phase = Phase.explore
    _hear(context)
    if context.steering.stopping:
        if context.steering.ended_by:
            reason = f"{context.steering.ended_by} ended it"
            context.ledger.append(Gap(what="decide", reason=reason, blame="environment"), producer="decide")
        context.ledger.sync()
        return {"stop": "interrupted"}
    if context.notebook.now is None and await look(context, "after-resume") is None:
        return {"stop": "crashed"}
    if context.overdue():
        reason = f"after {context.settings.budget.watchdog_s:.0f} s of wall time the watchdog (budget.watchdog_s) ended it"
        context.notebook.stage_trouble = reason
        context.ledger.append(Gap(what="decide", reason=reason, blame="environment"), producer="decide")
        context.ledger.sync()
        return {"stop": "interrupted"}
    view = context.view()
    stop = stop_reason(view, context.stage.state if context.stage else "crashed")
    if stop:
        return {"stop": stop}  # pyright: ignore[reportReturnType] - conduct returns the reasons of `Covered`
    decision = await _decision(context)
    row = context.ledger.append(
        decided_row(decision, context.decider.name), producer=f"decider.{context.decider.name}", parent=view.now.id
    )
    context.notebook.decision = decision
    context.ledger.sync()
    if decision.action is None:
        return {"decision": row.id, "stop": "covered"}
    event = {"event": "decision", "step": state.get("step", 0) + 1, "why": decision.why, "fallback": decision.fallback}
    runtime.stream_writer(event)
    return {"decision": row.id}


def _hear(context: RunContext) -> None:
    """Write down what a person who watches wished, and pass advice on."""
    wishes, context.steering.wishes = context.steering.wishes, []
    for wish, text in wishes:
        context.ledger.append(Steered(wish=wish, text=text), producer="watcher")
        if wish == "hint":
            context.hints.append(text)


async def _decision(context: RunContext) -> Decision:
    view, begun_s = context.view(), time.monotonic()
    try:
        async with context.stage.deliberating() if context.stage is not None else contextlib.nullcontext():
            return await context.decider.decide(view)
    finally:
        if context.models is not None:
            context.thought_s += time.monotonic() - begun_s
