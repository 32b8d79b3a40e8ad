"""Act: carry the decision out with human rhythm, and wait until the page has settled."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.context import Pending, RunContext
from agent.deciders.protocol import Decision
from agent.drawn_words import with_drawn_words
from agent.history import decision_of
from agent.nodes.launch import recover
from agent.nodes.observe import look
from agent.nodes.perceive import stop_for
from agent.reaching import reach
from agent.state import State
from tools.browser.hands import Performed
from tools.browser.tab import TabCrashed, TabHung
from tools.evidence.record import Record
from tools.evidence.rows import Decided, Phase


async def act(state: State, runtime: Runtime[RunContext]) -> State:
    """One act. What it did is written by `observe`, once it can be seen."""
    context = runtime.context
    await recover(context, "act")
    context.ledger.phase = Phase.explore
    number = state.get("step", 0) + 1
    if context.notebook.look is None:
        await look(context, "after-resume")
    before, stage = context.notebook.look, context.stage
    decision = context.notebook.decision or _decision_again(context, state.get("decision", ""))
    if before is None or stage is None or decision is None or decision.action is None:
        return {"step": number, "stop": stop_for(stage.state if stage else "crashed")}
    context.notebook.decision = None
    started_ms = stage.clock.now_ms()
    try:
        reached = await reach(stage, decision.action, before, f"step-{number:03d}-reached")
        if reached is not before:
            before = await with_drawn_words(context, reached)
            context.notebook.see(before)
        performed = await stage.perform(decision.action)
        await stage.settle(context.settings.timeouts.settle_action_s)
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        performed = Performed(
            delivered=True, problem=fault.message, hit="", started_ms=started_ms, ended_ms=stage.clock.now_ms(), point=None
        )
    context.notebook.pending = Pending(
        decision=decision,
        decision_id=state.get("decision", ""),
        performed=performed,
        before=before,
    )
    return {"step": number}


def _decision_again(context: RunContext, row_id: str) -> Decision | None:
    """The decision as the ledger has it, for a run that was interrupted between deciding and acting."""
    context.ledger.sync()
    row = Record.read(context.run_dir).row(row_id)
    return decision_of(row.body) if row is not None and isinstance(row.body, Decided) else None
