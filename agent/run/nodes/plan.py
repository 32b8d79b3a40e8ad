"""Plan: what the brief promises. The plan is evidence."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.planning import make_plan
from agent.run.state import State
from tools.evidence.rows import Phase


async def plan(state: State, runtime: Runtime[RunContext]) -> State:
    """Read the brief."""
    del state
    context = runtime.context
    context.ledger.phase = Phase.plan
    made = make_plan(context.brief, context.brief_language, context.checklist)
    context.notebook.plan = made
    first = context.notebook.first
    context.ledger.append(made, producer="plan", parent=first.id if first is not None else None)
    context.ledger.sync()
    runtime.stream_writer({"event": "plan", "promises": len(made.promises)})
    return {}
