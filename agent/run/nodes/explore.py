"""Explore: one trial a visit, until the budget of acts is used or everything was tried.

The graph may stand here (`agent/run/steering.py`): nothing has been done yet when the node is entered.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from agent.explorer.ends import StopReason
from agent.run.audited_states import AuditedStates
from agent.run.context import RunContext
from agent.run.nodes.launch import recover
from agent.run.nodes.perceive import stop_for
from agent.run.state import State
from agent.run.state_audits import audit_after_trial
from tools.browser.tab import TabCrashed, TabHung
from tools.errors import StageFault
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Gap, Phase, Steered
from tools.evidence.trial_rows import ActDone, ReadFirst, WayKnown
from tools.page.trials import plain
from tools.probes.kinds import kinds_shown
from tools.text import printable

if TYPE_CHECKING:
    from agent.explorer.explorer import End, Explorer
    from agent.explorer.walking import Tried

ENDS: dict[End, StopReason] = {
    "everything was tried": "covered",
    "the checklist is decided": "decided",
    "the budget of acts is used": "steps",
    "told to stop": "interrupted",
}
WAY_AT_MOST = 20
"""Acts of a way to something that held, from which on it is not kept: where no way is known it is all that was done."""


async def explore(state: State, runtime: Runtime[RunContext]) -> State:
    """One trial. A run that was killed begins with a fresh page and what is left of its budget."""
    context = runtime.context
    if context.steering.pausing:
        interrupt({"step": state.get("step", 0)})
    await recover(context, "explore")
    context.ledger.phase = Phase.explore
    context.exploring_since_s = context.exploring_since_s or time.monotonic()
    _hear(context)
    if ended := _ended_from_outside(context):
        if context.notebook.explorer is not None:
            context.notebook.explorer.look_back()
        return {"stop": ended}
    explorer = context.notebook.explorer or await _begin(context)
    if explorer is None:
        return {"stop": stop_for(context.stage.state) if context.stage else "crashed"}
    before, asked = len(explorer.tried), len(explorer.offered)
    end = await explorer.turn()
    for offered in explorer.offered[asked:]:
        if offered.trouble:
            reason = printable(offered.trouble, 300)
            context.ledger.append(Gap(what="decider", reason=reason, blame="environment"), producer="explorer")
    for tried in explorer.tried[before:]:
        _tell(context, tried, seen=await _audited(context, tried))
        runtime.stream_writer(_event(explorer, tried))
    if end is not None:
        explorer.look_back()
        for name, reason in explorer.failed.items():
            context.ledger.append(Gap(what=f"relation {name}", reason=reason[:300], blame="evaluator"), producer="explorer")
    context.ledger.sync()
    step: State = {"step": len(explorer.tried)}
    return step if end is None else {**step, "stop": ENDS.get(end) or stop_for(explorer.stage.state)}


def _event(explorer: Explorer, tried: Tried) -> dict[str, object]:
    trial = tried.record.trial
    return {"event": "tried", "step": len(explorer.tried), "why": trial.why, "by": trial.by, "result": tried.record.result}


def _hear(context: RunContext) -> None:
    """Write down what a person who watches wished, and pass advice on."""
    wishes, context.steering.wishes = context.steering.wishes, []
    for wish, text in wishes:
        context.ledger.append(Steered(wish=wish, text=text), producer="watcher")
        if wish == "hint":
            context.hints.append(text)


def _ended_from_outside(context: RunContext) -> StopReason:
    """Why the exploration must end whatever is left: a person, a signal, the watchdog, app time; empty while it need not."""
    if context.steering.stopping:
        if context.steering.ended_by:
            return _interrupted(context, f"{context.steering.ended_by} ended it")
        context.ledger.sync()
        return "interrupted"
    if context.overdue():
        reason = f"after {context.settings.budget.watchdog_s:.0f} s of wall time the watchdog (budget.watchdog_s) ended it"
        context.notebook.stage_trouble = reason
        return _interrupted(context, reason)
    return "time" if context.seconds_left() <= 0 else ""


def _interrupted(context: RunContext, reason: str) -> StopReason:
    context.ledger.append(Gap(what="exploration", reason=reason, blame="environment"), producer="explorer")
    context.ledger.sync()
    return "interrupted"


async def _begin(context: RunContext) -> Explorer | None:
    """The exploration of this run; None where there is no page."""
    stage, site = context.stage, context.site
    if stage is None or site is None or stage.state != "live":
        return None
    # Imported here: the browser's packages, the relations and the reader of briefs take most of a second, which only this needs.
    from agent.explorer.explorer import Explorer  # noqa: PLC0415
    from evaluator.relations.base import relations  # noqa: PLC0415
    from evaluator.requirements import asked  # noqa: PLC0415
    from tools.browser.eyes import today  # noqa: PLC0415

    context.ledger.sync()
    record = Record.read(context.run_dir)
    try:
        context.notebook.states = AuditedStates.at_first(await kinds_shown(stage), record)
        await context.access.look_again(stage)  # the app is opened anew after it
    except (TabHung, TabCrashed) as fault:
        context.notebook.stage_trouble = fault.message
        return None
    suspicions = await _read_first(context, record)
    context.notebook.explorer = Explorer(
        stage=stage,
        entry=site.entry,
        relations=relations().values(),
        today=today(stage),
        budget=max(0, context.settings.budget.max_acts - sum(1 for _ in record.of(ActDone))),
        asked=asked(context.brief, context.brief_language, context.checklist),
        decider=context.decider,
        brief=context.brief,
        hints=context.hints,
        suspicions=suspicions,
        thinking=lambda: _thinking(context),
    )
    return context.notebook.explorer


async def _read_first(context: RunContext, record: Record) -> tuple[str, ...]:
    """What a model suspects from the source, for a model that explores; read once in a run. Nothing where it can't be had."""
    if context.models is None or context.decider is None or not context.decider.sees:
        return ()
    from evaluator.judges.first_reading import handed_on, read_first  # noqa: PLC0415 - only where models are
    from evaluator.judges.replies import StaticReply  # noqa: PLC0415

    known = record.last(ReadFirst)
    found, why = (known[1], "") if known is not None else (None, "")
    if found is None:
        async with _thinking(context):
            found, why = await read_first(context.models, record)
        if found is None:
            if not why.startswith("no_model"):  # nobody asked for it
                reason = printable(why, 300)
                context.ledger.append(Gap(what="reading of the source", reason=reason, blame="environment"), producer="explorer")
            return ()
        context.ledger.append(found, producer="static_reader")
    return handed_on(StaticReply.model_validate(found.reply))


@contextlib.asynccontextmanager
async def _thinking(context: RunContext) -> AsyncIterator[None]:
    """While a decider thinks, app time stands and the watchdog does not count."""
    begun_s = time.monotonic()
    try:
        async with context.stage.deliberating() if context.stage is not None else contextlib.nullcontext():
            yield
    finally:
        context.thought_s += time.monotonic() - begun_s


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
    """How one comes to where something was violated, or `seen` in an audit, or broke down, for whoever proves it.

    Of what held the shortest way alone: it is tried on another version of the app.
    """
    stopped = tried.record.stopped is not None and tried.record.stopped.why in {"exception", "crashed", "hung"}
    accuses = seen or stopped or any(judgement.outcome.result == "violated" for judgement in tried.record.judged)
    if not accuses and (tried.record.result != "held" or len(tried.way) > WAY_AT_MOST):
        return
    body = WayKnown(
        way=tuple(plain(act) for act in tried.way),
        history=tuple(plain(act) for act in tried.history) if accuses else (),
        words=tuple(act.words() for act in tried.way),
    )
    context.ledger.append(body, producer="explorer", parent=tried.record.id)
