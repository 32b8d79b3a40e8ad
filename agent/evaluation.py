"""One evaluation from beginning to end: opens a run, drives the graph, closes everything, whatever happens."""

from __future__ import annotations

import asyncio
import platform
import re
import secrets
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl

from agent.context import RunContext
from agent.deciders.curious import Curious
from agent.graph import build
from agent.history import read_notebook
from agent.nodes.launch import close_libraries
from agent.nodes.prove import prove_run
from agent.nodes.seal import close_stage
from configs.settings import Settings
from evaluator.judges.rubric import RubricJudge
from evaluator.verdict import Proof, Verdict
from tools.app.project import discard_packages
from tools.app.subject import Subject, recognise
from tools.errors import RunError
from tools.evidence.ledger import Ledger
from tools.evidence.record import Record
from tools.evidence.rows import Phase, Resumed, RunStarted
from tools.probes.language import detect_language
from tools.processes import ProcessList, owner_of, reap

CHECKPOINTS_FILE = "checkpoints.sqlite"
STEPS_A_ROUND = 3
"""Graph steps in one round of observe, decide, act."""

Listener = Callable[[dict[str, Any]], None]
"""Is told of each event while an evaluation runs: a dict with `event` and small values."""


@dataclass(frozen=True)
class Result:
    """What an evaluation ended in. `verdict` is None when it was interrupted and can be resumed."""

    run_dir: Path
    verdict: Verdict | None
    interrupted: bool = False


async def evaluate(
    given: str,
    brief: str,
    settings: Settings,
    *,
    run_dir: Path | None = None,
    variety: str | None = None,
    language: str | None = None,
    listener: Listener | None = None,
) -> Result:
    """Evaluate a subject against a brief. Raises `AssayError` for what the user or the machine must mend first."""
    subject = recognise(given, variety=variety)
    reap(settings.runs_dir)
    folder = run_dir or settings.runs_dir / _run_name(subject)
    ledger = Ledger.create(folder)
    brief_language = language or (detect_language(brief)[0] if brief.strip() else "")
    ledger.append(
        RunStarted(
            brief=brief,
            brief_language=brief_language,
            subject=_kept(subject, folder),
            variety=subject.variety,
            settings=settings.model_dump(mode="json"),
            versions=_versions(),
        ),
        producer="assay",
    )
    ledger.sync()
    return await _run(_Opening(folder, subject, settings, brief, brief_language, ledger), listener, resume=False)


async def resume(run_dir: Path, *, listener: Listener | None = None) -> Result:
    """Go on with a run that was interrupted. Raises `RunError` with the reason when it can't."""
    reap(run_dir)
    owner = owner_of(run_dir)
    if owner is not None:
        raise RunError(f"{run_dir} is being worked on by process {owner}.", hint="Wait for it, or stop it first.")
    started = Record.read(run_dir).started
    subject = recognise(started.subject, variety=started.variety or None)
    settings = Settings.model_validate(started.settings)
    ledger, repaired = Ledger.reopen(run_dir)
    if repaired and not ledger.sealed:
        ledger.append(Resumed(after_node="", repaired=repaired), producer="resume", phase=Phase.launch)
        ledger.sync()
    if not (run_dir / CHECKPOINTS_FILE).is_file():
        ledger.close()
        raise RunError(f"{run_dir} has no checkpoint: it ended before its first step.", hint="Start it anew.")
    opening = _Opening(run_dir, subject, settings, started.brief, started.brief_language, ledger)
    return await _run(opening, listener, resume=True)


async def prove_again(run_dir: Path, *, prove_s: float | None = None) -> tuple[dict[str, Proof], Verdict]:
    """Replay the failures of a sealed run again, in fresh browsers. Raises `RunError` if it is not sealed."""
    record = Record.read(run_dir)
    if not record.sealed:
        raise RunError(f"{run_dir} is not sealed.", hint=f"Go on with: assay eval --resume {run_dir}")
    started = record.started
    settings = Settings.model_validate(started.settings)
    if prove_s is not None:
        settings = settings.model_copy(update={"budget": settings.budget.model_copy(update={"prove_s": prove_s})})
    subject = recognise(started.subject, variety=started.variety or None)
    ledger, _ = Ledger.reopen(run_dir)
    opening = _Opening(run_dir, subject, settings, started.brief, started.brief_language, ledger)
    with ProcessList(run_dir) as processes:
        context = _context(opening, processes)
        try:
            return await prove_run(context)
        finally:
            await close_libraries(context)
            ledger.close()


@dataclass(frozen=True)
class _Opening:
    """What a run is opened with."""

    run_dir: Path
    subject: Subject
    settings: Settings
    brief: str
    language: str
    ledger: Ledger


async def _run(opening: _Opening, listener: Listener | None, *, resume: bool) -> Result:
    with ProcessList(opening.run_dir) as processes:
        context = _context(opening, processes)
        if resume:
            context.notebook = read_notebook(Record.read(opening.run_dir))
        try:
            interrupted = await _drive(context, listener, resume=resume)
        finally:
            if context.stage is not None:
                await close_stage(context)
            await close_libraries(context)
            opening.ledger.close()
    if not interrupted:
        discard_packages(opening.run_dir)
    path = opening.run_dir / "verdict.json"
    verdict = None if interrupted or not path.is_file() else Verdict.model_validate_json(path.read_bytes())
    return Result(opening.run_dir, verdict, interrupted=interrupted)


def _context(opening: _Opening, processes: ProcessList) -> RunContext:
    return RunContext(
        run_dir=opening.run_dir,
        brief=opening.brief,
        brief_language=opening.language,
        subject=opening.subject,
        settings=opening.settings,
        ledger=opening.ledger,
        processes=processes,
        decider=Curious(opening.settings.seed),
        judge=RubricJudge(),
    )


async def _drive(context: RunContext, listener: Listener | None, *, resume: bool) -> bool:
    """Run the graph to its end; True if it was asked to stop before. The first SIGINT drains, the second ends at once."""
    control = RunControl()
    async with AsyncSqliteSaver.from_conn_string(str(context.run_dir / CHECKPOINTS_FILE)) as saver, _draining(control):
        graph = build().compile(checkpointer=saver, name="assay")
        config: Any = {
            "configurable": {"thread_id": context.run_dir.name},
            "recursion_limit": 20 + STEPS_A_ROUND * (context.settings.budget.max_steps + 2),
        }
        stream = graph.astream(
            None if resume else {"step": 0, "stop": ""},
            config,
            context=context,
            stream_mode=["updates", "custom"],
            # The default would lose the node that a hard kill interrupts.
            durability="sync",
            control=control,
        )
        try:
            async for mode, payload in stream:
                if listener is not None:
                    listener(_event(mode, payload, context.started_s))
        except GraphDrained:
            return True
    return False


def _event(mode: str, payload: Any, started_s: float) -> dict[str, Any]:
    at = {"at_s": round(time.monotonic() - started_s, 2)}
    if mode == "custom":
        return {**payload, **at}
    return {"event": "node", "node": next(iter(payload), ""), **at}


@asynccontextmanager
async def _draining(control: RunControl) -> AsyncIterator[None]:
    """While inside, the first SIGINT or SIGTERM asks the graph to stop after the node it is in; the second cancels."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def stop() -> None:
        if control.drain_requested and task is not None:
            task.cancel()
        control.request_drain("interrupted")

    handled = (signal.SIGINT, signal.SIGTERM)
    for number in handled:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def _kept(subject: Subject, folder: Path) -> str:
    """What a later process can open the subject again by."""
    if subject.path is not None:
        return str(subject.path)
    if subject.variety == "url":
        return subject.given
    answer = folder / "subject" / "answer.md"
    answer.parent.mkdir(parents=True, exist_ok=True)
    answer.write_text(subject.text, encoding="utf-8")
    return str(answer.resolve())


def _run_name(subject: Subject) -> str:
    stem = Path(subject.given).stem if subject.variety not in {"url", "answer"} else subject.variety
    word = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:24] or "app"
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{word}-{secrets.token_hex(2)}"


def _versions() -> dict[str, str]:
    names = ("assay", "playwright", "langgraph", "pydantic", "axe-playwright-python")
    return {"python": platform.python_version(), "system": platform.platform()} | {name: version(name) for name in names}
