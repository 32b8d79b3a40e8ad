"""The instruments that need the whole house: evaluating an app, judging a run again, checking that it is as it was written."""

# Whoever lists instruments must not load browser, graph and judges.
# ruff: noqa: PLC0415

from __future__ import annotations

import asyncio
import hashlib
import io
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from agent.run.chosen_settings import chosen
from tools.errors import LimitReached, UserError
from tools.registry import CALLER, Caller, Given, instrument

if TYPE_CHECKING:
    from agent.batch.jobs import Ending
    from configs.settings import Settings

LOOK_S = 0.25
"""Time between two looks at whether somebody still waits."""
WIDTH = 118
"""Columns of a verdict in words."""


class App(BaseModel):
    """An app and what it was asked to be. Give either `subject` or `answer`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    brief: str = Field(default="", description="What the app was asked to be, in the words of whoever asked.")
    subject: str = Field(default="", description="Address, HTML file, folder, project with package.json, or a saved raw answer.")
    answer: str = Field(default="", description="The raw answer of a language model, instead of a subject: the app is taken out.")
    language: str = Field(default="", description="The brief's (en, zh …); empty: detected.")
    profile: str = Field(default="", description="fast, thorough, or empty for the usual.")
    max_acts: int | None = Field(default=None, ge=0, le=2000, description="Acts the exploration may take.")
    explore_app_s: float | None = Field(default=None, gt=0, le=3600, description="App seconds the exploration may take.")
    prove: bool | None = Field(default=None, description="Meet failures again in a fresh browser; without it none takes points.")
    seed: int | None = Field(default=None, ge=0, description="Seed of everything that is drawn by chance.")


class OfRun(BaseModel):
    """A run that was made before."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run: Path = Field(description="The run's folder, as evaluate_app tells it.")


@instrument("evaluate_app")
def evaluate_app(wish: App) -> Given:
    """Evaluates a web app against its brief: uses it in a real browser as a person would, records everything, judges with proof.

    Takes a minute or two. Gives functionality and aesthetics (0–8) with every deduction, the failures with their evidence and
    proof, what could not be known, and the folder of the run with report and recording.
    """
    from agent.batch.single import error_of, evaluate_apart, new_run_dir

    if bool(wish.subject.strip()) == bool(wish.answer.strip()):
        raise UserError("Give either a subject or an answer.", hint="A subject is an address or a path, an answer is text.")
    settings = _settings(wish)
    run_dir = new_run_dir(settings, "mcp")
    given, variety = _given(wish, run_dir)
    caller = CALLER.get()
    work = evaluate_apart(
        given,
        wish.brief,
        settings,
        run_dir,
        variety=variety,
        language=wish.language,
        told=lambda event: _tell(caller, event),
    )
    error = error_of(asyncio.run(_while_waited_for(work, caller)))
    if error is not None:
        raise error
    verdict = _verdict(run_dir)
    return Given(f"{_in_words(run_dir)}\nrun: {run_dir}", {"run": str(run_dir), "verdict": verdict})


@instrument("rescore_run")
def rescore_run(wish: OfRun) -> Given:
    """Judges a sealed run again from its evidence, without a browser; the same evidence gives the same verdict."""
    from agent.run.roles import judge_of_run
    from evaluator.judges.rescore import rescore

    run_dir = _run_dir(wish)
    verdict = asyncio.run(rescore(run_dir, judge_of_run(run_dir)))
    return Given(_in_words(run_dir), {"run": str(run_dir), "verdict": verdict.model_dump(mode="json")})


@instrument("verify_run")
def verify_run(wish: OfRun) -> Given:
    """Checks that a run's evidence and recording are as they were written, and that its verdict is what they give."""
    from agent.run.roles import judge_of_run
    from evaluator.judges.rescore import check_verdict
    from tools.evidence.record import verify

    run_dir = _run_dir(wish)
    problems = verify(run_dir)
    if not problems:
        problems = asyncio.run(check_verdict(run_dir, judge_of_run(run_dir, recorded_only=True)))
    told = "\n".join(problems) if problems else "consistent (what is not signed may have been written by anybody)"
    return Given(f"{run_dir}: {told}", {"run": str(run_dir), "trustworthy": not problems, "problems": problems})


def _run_dir(wish: OfRun) -> Path:
    from tools.evidence.received import refuse_foreign

    run_dir = wish.run.expanduser().resolve()
    if not run_dir.is_dir():
        raise UserError(f"There is no run at {wish.run}.", hint="evaluate_app tells the folder of each run.")
    refuse_foreign(run_dir)
    return run_dir


def _settings(wish: App) -> Settings:
    names = ("max_acts", "explore_app_s", "prove")
    budget = {name: value for name in names if (value := getattr(wish, name)) is not None}
    return chosen(wish.profile or None, {"budget": budget, **({} if wish.seed is None else {"seed": wish.seed})})


def _given(wish: App, run_dir: Path) -> tuple[str, str]:
    """What is to be evaluated and what kind of subject that is, empty where it should be guessed."""
    from tools.app.subject import recognise

    if wish.answer.strip():
        # Beside the runs: proving again needs it.
        answer = run_dir.parent / "answers" / f"{hashlib.sha256(wish.answer.encode()).hexdigest()[:24]}.md"
        answer.parent.mkdir(parents=True, exist_ok=True)
        answer.write_text(wish.answer, encoding="utf-8")
        return str(answer), "answer"
    given = wish.subject.strip()
    if given == "-":
        raise UserError("Standard input is no subject here.", hint="Give the text as `answer`.")
    found = recognise(given)
    return (str(found.path) if found.path is not None else given), ""


async def _while_waited_for(work: Coroutine[Any, Any, Ending], caller: Caller) -> Ending:
    """What the work gives; it is cancelled when nobody waits for it any more."""
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=LOOK_S))[0]:
            if caller.gone():
                raise LimitReached("Whoever asked for the evaluation has gone; it was ended.", kind="cancelled")
        return task.result()
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _tell(caller: Caller, event: dict[str, Any]) -> None:
    match event:
        case {"event": "entered", "node": str(node)} if node != "explore":
            caller.tell(node)
        case {"event": "tried", **more}:
            caller.tell(f"trial {more.get('step', '')}".strip())
        case _:
            pass


def _verdict(run_dir: Path) -> dict[str, Any]:
    from evaluator.verdict.model import Verdict

    return Verdict.model_validate_json((run_dir / "verdict.json").read_bytes()).model_dump(mode="json")


def _in_words(run_dir: Path) -> str:
    """The verdict as a terminal shows it, without its bars and lines."""
    from rich.console import Console

    from evaluator.reports.as_terminal import print_summary

    paper = io.StringIO()
    print_summary(run_dir, Console(file=paper, width=WIDTH, color_system=None, force_terminal=False))
    lines = (re.sub(r"[─━│┃╭╮╰╯╴╶┏┓┗┛┡┩├┤┬┴┼╇╈]+", " ", line).rstrip() for line in paper.getvalue().splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
