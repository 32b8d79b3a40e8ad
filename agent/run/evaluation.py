"""One evaluation from beginning to end: opens a run, drives the graph, closes everything, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import platform
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from agent.access.access import Access, read_access
from agent.run.context import RunContext
from agent.run.driving import Listener, drive
from agent.run.history import read_hints, read_notebook
from agent.run.nodes.launch import close_libraries
from agent.run.nodes.prove import prove_run
from agent.run.nodes.seal import close_stage
from agent.run.received import opened_again, with_access
from agent.run.roles import check, equip
from agent.run.steering import Instant, Steering
from agent.run.wishes import heeded
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
from tools.secrets import SECRETS

_AS_BEFORE: Mapping[str, Any] = {}


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
    return await _run(replace(opening, watched=steering is not None), listener, resume=False)


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
    return await _run(replace(opening, watched=steering is not None), listener, resume=True)


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
            SECRETS.hidden_in_logs(run_dir)


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
    watched: bool = False
    """A person began it, so that it may stand still as long as a person likes: of a batch's jobs that would be held for hung."""


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
            async with heeded(opening.run_dir, context.steering) if opening.watched else contextlib.nullcontext():
                interrupted = await drive(context, listener, resume=resume)
        finally:
            if context.stage is not None:
                await close_stage(context)
            await close_libraries(context)
            await _let_models_go(context)
            opening.ledger.close()
    SECRETS.hidden_in_logs(opening.run_dir)
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
