"""One evaluation from beginning to end: opens a run, drives the graph, closes everything, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import platform
import re
import secrets
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command

from agent.access.access import Access, read_access
from agent.run.checkpoints import saver_of
from agent.run.context import RunContext
from agent.run.graph import build
from agent.run.history import read_hints, read_notebook
from agent.run.nodes.launch import close_libraries
from agent.run.nodes.prove import prove_run
from agent.run.nodes.seal import close_stage
from agent.run.received import opened_again, with_access
from agent.run.roles import check, equip
from agent.run.steering import Instant, Steering
from configs.settings import Settings
from evaluator.judges.rubric import RubricJudge
from evaluator.verdict.model import Proof, Verdict
from prompts import manifest
from tools.app.programs import cache_dir
from tools.app.project import discard_packages
from tools.app.subject import Subject, recognise
from tools.errors import RunError
from tools.evidence.ledger import Ledger
from tools.evidence.received import checkpoints_of, mark_as_made_here
from tools.evidence.record import Record
from tools.evidence.rows import Phase, Resumed, RunStarted
from tools.probes.language import detect_language
from tools.processes import ProcessList, owner_of, reap
from tools.pruning import bound_caches
from tools.secrets import KEPT

VISITS_AN_ACT = 3
"""Visits to `explore` for each act of a trial, at most: a trial without acts counts as one, and so do ways that lead nowhere."""

_AS_BEFORE: Mapping[str, Any] = {}

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
    checklist: Sequence[str] = (),
    listener: Listener | None = None,
    steering: Steering | None = None,
) -> Result:
    """Evaluate a subject against a brief, and each item of a checklist. Raises `AssayError` for what must be mended first."""
    check(settings)
    subject = recognise(given, variety=variety)
    access = read_access(settings, brief)
    reap(settings.runs_dir)
    await asyncio.to_thread(bound_caches, cache_dir())
    folder = run_dir or settings.runs_dir / run_name(subject)
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
            checklist=tuple(checklist),
        ),
        producer="assay",
    )
    ledger.sync()
    mark_as_made_here(folder)
    opening = _Opening(folder, subject, settings, brief, brief_language, ledger, steering or Steering(), tuple(checklist), access)
    return await _run(opening, listener, resume=False)


async def resume(
    run_dir: Path,
    *,
    subject: str | None = None,
    listener: Listener | None = None,
    steering: Steering | None = None,
    getting_in: Mapping[str, Any] = _AS_BEFORE,
) -> Result:
    """Go on with a run that was interrupted. Raises `RunError` with the reason when it can't.

    A run that was not made on this machine needs `subject` (see `opened_again`). `getting_in`: settings of `access` that are
    others now.
    """
    reap(run_dir)
    owner = owner_of(run_dir)
    if owner is not None:
        raise RunError(f"{run_dir} is being worked on by process {owner}.", hint="Wait for it, or stop it first.")
    started = Record.read(run_dir).started
    found, settings = opened_again(run_dir, subject, "assay eval --resume")
    settings = with_access(settings, getting_in)
    access = read_access(settings, started.brief)
    if not checkpoints_of(run_dir).is_file():
        raise RunError(
            f"{run_dir} has no checkpoint on this machine: it ended before its first step, or was made elsewhere.",
            hint="Start it anew.",
        )
    ledger, repaired = Ledger.reopen(run_dir)
    if repaired and not ledger.sealed:
        ledger.append(Resumed(after_node="", repaired=repaired), producer="resume", phase=Phase.launch)
        ledger.sync()
    told = (started.brief, started.brief_language)
    opening = _Opening(run_dir, found, settings, *told, ledger, steering or Steering(), started.checklist, access)
    return await _run(opening, listener, resume=True)


async def prove_again(
    run_dir: Path, subject: str | None = None, getting_in: Mapping[str, Any] = _AS_BEFORE
) -> tuple[dict[str, Proof], Verdict]:
    """Replay the failures of a sealed run again, in fresh browsers. Raises `RunError` if it is not sealed.

    A run that was not made on this machine needs `subject` (see `opened_again`). `getting_in`: as for `resume`.
    """
    record = Record.read(run_dir)
    if not record.sealed:
        raise RunError(f"{run_dir} is not sealed.", hint=f"Go on with: assay eval --resume {run_dir}")
    started = record.started
    found, settings = opened_again(run_dir, subject, "assay prove")
    settings = settings.model_copy(update={"budget": settings.budget.model_copy(update={"prove": True})})
    settings = with_access(settings, getting_in)
    access = read_access(settings, started.brief)
    ledger, _ = Ledger.reopen(run_dir)
    opening = _Opening(run_dir, found, settings, started.brief, started.brief_language, ledger, access=access)
    with ProcessList(run_dir) as processes:
        context = _context(opening, processes)
        context.notebook = read_notebook(record)
        try:
            return await prove_run(context)
        finally:
            await close_libraries(context)
            await _let_models_go(context)
            ledger.close()
            KEPT.hidden_in_logs(run_dir)


@dataclass(frozen=True)
class _Opening:
    """What a run is opened with."""

    run_dir: Path
    subject: Subject
    settings: Settings
    brief: str
    language: str
    ledger: Ledger
    steering: Steering = field(default_factory=Steering)
    checklist: tuple[str, ...] = ()
    access: Access = field(default_factory=Access)


async def _run(opening: _Opening, listener: Listener | None, *, resume: bool) -> Result:
    with ProcessList(opening.run_dir) as processes:
        context = _context(opening, processes)
        if resume:
            record = Record.read(opening.run_dir)
            context.notebook, context.hints = read_notebook(record), read_hints(record)
        context.steering.instant = lambda: _instant(context)
        if listener is not None:
            listener({"event": "opened", "run": str(opening.run_dir), "at_s": 0.0})
        try:
            interrupted = await _drive(context, listener, resume=resume)
        finally:
            if context.stage is not None:
                await close_stage(context)
            await close_libraries(context)
            await _let_models_go(context)
            opening.ledger.close()
    KEPT.hidden_in_logs(opening.run_dir)
    if not interrupted:
        discard_packages(opening.run_dir)
    return Result(opening.run_dir, None, interrupted=True) if interrupted else result_of(opening.run_dir)


def result_of(run_dir: Path) -> Result:
    """What a run ended in, whoever performed it; without a verdict it was interrupted, or goes on."""
    path = run_dir / "verdict.json"
    verdict = Verdict.model_validate_json(path.read_bytes()) if path.is_file() else None
    return Result(run_dir, verdict, interrupted=verdict is None)


def _context(opening: _Opening, processes: ProcessList) -> RunContext:
    context = RunContext(
        run_dir=opening.run_dir,
        brief=opening.brief,
        brief_language=opening.language,
        checklist=opening.checklist,
        subject=opening.subject,
        settings=opening.settings,
        ledger=opening.ledger,
        processes=processes,
        judge=RubricJudge(),
        access=opening.access,
        steering=opening.steering,
    )
    equip(context)
    return context


async def _let_models_go(context: RunContext) -> None:
    if context.models is not None:
        await context.models.aclose()


async def _drive(context: RunContext, listener: Listener | None, *, resume: bool) -> bool:
    """Run the graph to its end; True if it was ended before its verdict and can be resumed. See `_Signals` for what ends it."""
    tell, signals = listener or (lambda _: None), _Signals(context.steering)
    async with saver_of(context.run_dir) as saver, signals.heeded():
        graph = build().compile(checkpointer=saver, name="assay")
        config: Any = {
            "configurable": {"thread_id": context.run_dir.name},
            "recursion_limit": 20 + VISITS_AN_ACT * context.settings.budget.max_acts,
        }
        begin: Any = None if resume else {"step": 0, "stop": ""}
        try:
            return await _to_the_end(graph, begin, config, context, signals, tell)
        except asyncio.CancelledError:
            signals.forgive()
        if context.ledger.sealed:
            return True
        # What was under way is given up; what there is gets sealed and judged.
        signals.control = RunControl()
        context.steering.end(signals.last)
        try:
            return await _to_the_end(graph, None, config, context, signals, tell)
        except asyncio.CancelledError:
            signals.forgive()
            return True


async def _to_the_end(graph: Any, begin: Any, config: Any, context: RunContext, signals: _Signals, tell: Listener) -> bool:
    control = signals.control
    try:
        while await _stream(graph, begin, config, context, control, tell):
            await _stand(context, control, tell)
            if control.drain_requested:
                return True
            begin = Command(resume=True)
    except GraphDrained:
        return True
    return False


async def _stream(graph: Any, begin: Any, config: Any, context: RunContext, control: RunControl, tell: Listener) -> bool:
    """Run the graph until it ends or stands at an interrupt: True for the latter."""
    standing = False
    stream = graph.astream(
        begin,
        config,
        context=context,
        stream_mode=["tasks", "updates", "custom"],
        # The default would lose the node that a hard kill interrupts.
        durability="sync",
        control=control,
    )
    async for mode, payload in stream:
        standing = standing or (mode == "updates" and "__interrupt__" in payload)
        event = _event(mode, payload)
        if event is not None:
            tell({**event, "at_s": round(time.monotonic() - context.started_s, 2)})
    return standing


def _event(mode: str, payload: Any) -> dict[str, Any] | None:
    """What is told of one part of the graph's stream; None for parts that say nothing new."""
    match mode:
        case "custom":
            return payload
        case "updates" if "__interrupt__" not in payload:
            return {"event": "node", "node": next(iter(payload), "")}
        case "tasks" if "input" in payload:
            return {"event": "entered", "node": payload["name"]}
        case _:
            return None


async def _stand(context: RunContext, control: RunControl, tell: Listener) -> None:
    """Wait until the person who watches lets the run go on, or it is interrupted; app time stands, and no budget runs."""
    began = context.paused_since_s = time.monotonic()
    context.steering.standing = True
    tell({"event": "paused", "at_s": round(began - context.started_s, 2)})
    try:
        async with context.stage.deliberating() if context.stage is not None else contextlib.nullcontext():
            if not control.drain_requested and context.steering.pausing:
                await context.steering.go()
    finally:
        context.steering.standing = False
        context.paused_since_s = None
        context.paused_s += time.monotonic() - began
    tell({"event": "went_on", "at_s": round(time.monotonic() - context.started_s, 2)})


def _instant(context: RunContext) -> Instant:
    """Where the run stands in time now."""
    exploring = context.stage is not None and context.notebook.plan is not None
    left_s = context.seconds_left() if exploring else None
    if context.stage is None:
        return Instant(seconds_left=left_s)
    clock, now_s = context.stage.clock, time.time()
    spans = clock.spans
    ends_s = [*(span.wall_s for span in spans[1:]), now_s]
    held_s = sum(end_s - span.wall_s for span, end_s in zip(spans, ends_s, strict=True) if span.rate == 0) if spans else 0.0
    return Instant(app_ms=clock.now_ms(), rate=clock.rate, held_s=held_s, seconds_left=left_s)


class _Signals:
    """What signals do to a run.

    The first SIGINT is a person's who may go on: the graph stops after the node it is in, and the run can be resumed. SIGTERM and
    SIGHUP (the machine or the terminal goes away) leave nobody who would: the exploration ends after the node it is in, and the
    run is sealed and judged as it stands. A second signal breaks off the node that is under way, a model's call for one, and what
    there is gets sealed and judged; one more, or one when that is done already, leaves the rest to `--resume`.
    """

    def __init__(self, steering: Steering) -> None:
        self.control, self.last = RunControl(), ""
        self._steering, self._asked, self._cut = steering, False, False
        self._task: asyncio.Task[Any] | None = None

    @asynccontextmanager
    async def heeded(self) -> AsyncIterator[None]:
        """While inside, they are."""
        loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        handled = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        for number in handled:
            loop.add_signal_handler(number, self._heed, number)
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)

    def forgive(self) -> None:
        """Go on after a cancellation by a signal. Raises `CancelledError` again if it was another."""
        if not self._cut or self._task is None:
            raise asyncio.CancelledError
        self._cut = False
        self._task.uncancel()

    def _heed(self, number: signal.Signals) -> None:
        self.last = number.name
        if self._asked and self._task is not None:
            self._cut = True
            self._task.cancel()
        elif number is signal.SIGINT:
            self.control.request_drain("interrupted")
        else:
            self._steering.end(number.name)
        self._asked = True
        self._steering.wake()


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


def run_name(subject: Subject) -> str:
    """The name of a new run's folder: when, of what."""
    stem = Path(subject.given).stem if subject.variety not in {"url", "answer"} else subject.variety
    word = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:24] or "app"
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{word}-{secrets.token_hex(2)}"


def _versions() -> dict[str, str]:
    names = ("assay", "playwright", "langgraph", "pydantic", "axe-playwright-python")
    prompts = hashlib.sha256(json.dumps(manifest(), sort_keys=True).encode()).hexdigest()[:16]
    told = {"python": platform.python_version(), "system": platform.platform(), "prompts": prompts}
    return told | {name: version(name) for name in names}
