"""Explore: trials of relations and of the stubborn tester, one a visit, until their budget of acts is used or all is tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.runtime import Runtime

from agent.context import RunContext
from agent.nodes.launch import recover
from agent.state import State
from agent.states import audit_after_trial
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import StageFault
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Gap, Phase
from tools.evidence.trial_rows import ActDone, WayKnown
from tools.page.trials import plain
from tools.text import printable

if TYPE_CHECKING:
    from agent.explorer.explorer import Explorer, Tried


async def explore(state: State, runtime: Runtime[RunContext]) -> State:
    """One trial. A run that was killed begins with a fresh page and what is left of its budget."""
    context = runtime.context
    await recover(context, "explore")
    context.ledger.phase = Phase.explore
    explorer = context.notebook.explorer or await _begin(context)
    if explorer is None or context.steering.stopping or context.overdue():
        return {"explored": True}
    before = len(explorer.tried)
    end = await explorer.turn()
    for tried in explorer.tried[before:]:
        _tell(context, tried, seen=await _audited(context, tried))
        event = {"event": "tried", "why": tried.record.trial.why, "result": tried.record.result, "number": len(explorer.tried)}
        runtime.stream_writer(event)
    if end is not None:
        for name, reason in explorer.failed.items():
            context.ledger.append(Gap(what=f"relation {name}", reason=reason[:300], blame="evaluator"), producer="explorer")
    context.ledger.sync()
    if end is None:
        return {}
    # The decider may have tried all it knows: not everything was tried where trials are left.
    unfinished = end == "the budget of acts is used" and explorer.left() and state.get("stop") == "covered"
    return {"explored": True, "stop": "steps"} if unfinished else {"explored": True}


async def _begin(context: RunContext) -> Explorer | None:
    """The exploration of this run; None where there is no page, or nothing to spend."""
    stage, site = context.stage, context.site
    left = context.settings.budget.max_trial_acts - _spent(context)
    if stage is None or site is None or stage.state != "live" or left <= 0:
        return None
    # Imported here: the browser's packages, the relations and the reader of briefs take most of a second, which only this needs.
    from agent.explorer.explorer import Explorer  # noqa: PLC0415
    from evaluator.relations.base import relations  # noqa: PLC0415
    from evaluator.requirements import read_requirements  # noqa: PLC0415
    from tools.browser.eyes import today  # noqa: PLC0415

    context.notebook.explorer = Explorer(
        stage=stage,
        entry=site.entry,
        relations=relations().values(),
        today=today(stage),
        budget=left,
        asked=read_requirements(context.brief, context.brief_language),
    )
    return context.notebook.explorer


def _spent(context: RunContext) -> int:
    """Acts of trials in the ledger so far."""
    context.ledger.sync()
    return sum(1 for _ in Record.read(context.run_dir).of(ActDone))


async def _audited(context: RunContext, tried: Tried) -> bool:
    """Audit the state a trial led to if it is new; whether something was measured there."""
    states = context.notebook.states
    known = states.causes.copy() if states is not None else set[object]()
    try:
        await audit_after_trial(context, tried)
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
    except (StageFault, TimeoutError) as fault:
        # The page was changing its document just then.
        reason = printable(str(fault) or "no answer in time", 200)
        context.ledger.append(Audited(probe="kinds", viewport="desktop", measured=False, reason=reason), producer="explorer")
    return states is not None and states.causes != known


def _tell(context: RunContext, tried: Tried, *, seen: bool) -> None:
    """How one comes to where something was violated, or `seen` in an audit, for whoever proves it."""
    if not seen and not any(one.outcome.result == "violated" for one in tried.record.judged):
        return
    body = WayKnown(
        way=tuple(plain(act) for act in tried.way),
        history=tuple(plain(act) for act in tried.history),
        words=tuple(act.words() for act in tried.way),
    )
    context.ledger.append(body, producer="explorer", parent=tried.record.id)
