"""Seal: end the recording, say what was covered, close the ledger. Nothing is added after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from langgraph.runtime import Runtime

from agent.conduct import coverage
from agent.context import RunContext
from agent.nodes.launch import finish_film
from agent.skills.checks.film import after_the_film
from agent.state import State
from evaluator.naming import clean
from tools.app.programs import read_log
from tools.evidence.film_rows import MotionTrack, Recorded, SoundTrack
from tools.evidence.record import Record
from tools.evidence.rows import Covered, Gap, Outcome, Phase, ServerLog
from tools.text import how_many

if TYPE_CHECKING:
    from agent.explorer.explorer import Explorer

LEFT_AT_MOST = 3
"""Trials that were never carried out and are named."""


async def seal(state: State, runtime: Runtime[RunContext]) -> State:
    """Close the record. Idempotent: a run that was killed right after sealing finds its seal again."""
    context = runtime.context
    ledger = context.ledger
    if ledger.sealed:
        return {"seal": Record.read(context.run_dir).seal}
    stop = state.get("stop") or "interrupted"
    ledger.phase = Phase.seal
    await close_stage(context)
    ledger.phase = Phase.explore
    heard = _told_by_the_film(context)
    for outcome in heard:
        ledger.append(outcome, producer="film")
    ledger.append(_covered(context, stop, heard), producer="conduct")
    ledger.phase = Phase.seal
    _server_log(context)
    closing = ledger.seal(complete=stop in {"covered", "steps", "time", "stuck", "cycle", "no_artifact"})
    runtime.stream_writer({"event": "sealed", "rows": len(ledger), "stop": stop})
    return {"seal": closing, "stop": stop}


async def close_stage(context: RunContext) -> None:
    """Stop the recording and the browser; a run whose stage never opened says that there is no recording."""
    if context.stage is not None:
        await context.stage.close()
        context.stage = None
    elif not context.ledger.sealed and not await finish_film(context):
        reason = context.notebook.stage_trouble or "the stage was never opened"
        context.ledger.append(Gap(what="recording", reason=reason, blame="ambiguous"), producer="seal")


def _told_by_the_film(context: RunContext) -> list[Outcome]:
    """What only the tracks of the finished film tell. A resumed run has two films, neither of which shows every step: nothing."""
    context.ledger.sync()
    record = Record.read(context.run_dir)
    if context.notebook.now is None or context.notebook.plan is None or sum(1 for _ in record.of(Recorded)) != 1:
        return []
    sound, motion = record.last(SoundTrack), record.last(MotionTrack)
    return after_the_film(context.view(), sound[1] if sound else None, motion[1] if motion else None)


def _covered(context: RunContext, stop: str, told: list[Outcome]) -> Covered:
    if context.notebook.now is None or context.notebook.plan is None:
        why = context.notebook.stage_trouble or "the page could not be explored"
        return Covered(
            stop_reason=stop,  # pyright: ignore[reportArgumentType] - the state's reasons are this row's
            controls_found=0,
            controls_tried=0,
            promises={promise.id: "not_tested" for promise in context.notebook.plan.promises} if context.notebook.plan else {},
            not_tested=(f"everything: {why}",),
        )
    view = context.view()
    if told and view.steps:
        last = replace(view.steps[-1], outcomes=(*view.steps[-1].outcomes, *told))
        view = replace(view, steps=(*view.steps[:-1], last))
    explorer = context.notebook.explorer
    if explorer is None:
        return coverage(view, stop)
    covered = coverage(view, stop, explorer.aimed_at(), frozenset(explorer.agenda.exercised), len(explorer.states.pages))
    return covered.model_copy(update={"not_tested": (*covered.not_tested, *_left(explorer))})


def _left(explorer: Explorer) -> list[str]:
    """The agenda's rest in one line: how many trials, and the first of them."""
    left = explorer.left()
    if not left:
        return []
    first = "; ".join(clean(words, 90) for words in left[:LEFT_AT_MOST])
    return [
        f"{how_many(len(left), 'trial')}: the acts for trials were used up ({first}{' …' if len(left) > LEFT_AT_MOST else ''})"
    ]


def _server_log(context: RunContext) -> None:
    """Keep what the app's own server printed."""
    site = context.site
    if site is None or site.log is None or not site.log.is_file():
        return
    # Whoever prints it must not have their terminal steered by a stranger's program.
    text = read_log(site.log)
    lines = text.splitlines()
    if lines:
        context.ledger.append(
            ServerLog(lines=len(lines), excerpt="\n".join(lines[-10:])[-2000:]),
            producer="site",
            blob=context.ledger.put(text.encode(), "text/plain"),
        )
