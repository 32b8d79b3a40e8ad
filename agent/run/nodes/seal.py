"""Seal: end the recording, say what was covered, close the ledger. Nothing is added after it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agent.run.context import RunContext
from agent.run.nodes.launch import finish_film
from agent.run.state import State
from tools.app.programs import read_log
from tools.evidence.record import Record
from tools.evidence.rows import Gap, Phase, ServerLog


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
    # Imported here: a run whose page never opened needs none of the explorer's rooms.
    from agent.explorer.covering import covered  # noqa: PLC0415

    book = context.notebook
    promises = book.plan.promises if book.plan else ()
    ledger.append(covered(book.explorer, promises, stop, book.stage_trouble), producer="explorer")
    ledger.phase = Phase.seal
    _server_log(context)
    closing = ledger.seal(complete=stop in {"covered", "decided", "steps", "time", "no_artifact"})
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
