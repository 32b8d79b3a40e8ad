"""Plan: what the brief promises, and in which order it will be tried."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.context import RunContext
from agent.nodes.launch import recover
from agent.nodes.observe import look
from agent.planning import make_plan
from agent.state import State
from tools.evidence.rows import Phase


async def plan(state: State, runtime: Runtime[RunContext]) -> State:
    """Read the brief against the first observation; the plan is evidence."""
    del state
    context = runtime.context
    await recover(context, "plan")
    context.ledger.phase = Phase.plan
    if context.notebook.look is None:
        await look(context, "first")
    first = context.notebook.first
    if first is None:
        return {"stop": "crashed"}
    made = make_plan(context.brief, context.brief_language, first)
    context.follow(made)
    context.ledger.append(made, producer="plan", parent=first.id)
    context.ledger.sync()
    runtime.stream_writer({"event": "plan", "promises": len(made.promises)})
    return {}
