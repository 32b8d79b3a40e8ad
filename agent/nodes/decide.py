"""Decide: choose the next action while the app's time stands still."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.conduct import stop_reason
from agent.context import RunContext
from agent.deciders.protocol import Decision
from agent.history import decided_row
from agent.nodes.launch import recover
from agent.nodes.observe import look
from agent.state import State
from tools.evidence.rows import Phase


async def decide(state: State, runtime: Runtime[RunContext]) -> State:
    """Ask the rules of conduct whether to go on, then the decider what to do. The decision is evidence."""
    context = runtime.context
    await recover(context, "decide")
    context.ledger.phase = Phase.explore
    if context.notebook.now is None and await look(context, "after-resume") is None:
        return {"stop": "crashed"}
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
    runtime.stream_writer({"event": "decision", "step": state.get("step", 0) + 1, "why": decision.why})
    return {"decision": row.id}


async def _decision(context: RunContext) -> Decision:
    if context.stage is None:
        return await context.decider.decide(context.view())
    async with context.stage.deliberating():
        return await context.decider.decide(context.view())
