"""`inspect eval agent/web_apps --model openai/…`: briefs from a query set, the model's answers evaluated by Assay.

Each sample is a brief; the model's reply is the app. The scorer evaluates it in a process of its own and gives two values from
0 to 8, which Inspect keeps, averages and shows. Where no score can be given for reasons that are not the app's – the browser
or the evaluation itself failed – the sample is left unscored and says why.
"""

# An extra: without it nothing here is imported.
# pyright: reportMissingImports=false

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.util import concurrency

from agent.batch.capacity import default_most
from agent.batch.plan import EMPTY_ANSWER
from agent.batch.single import error_of, evaluate_apart, new_run_dir
from configs.settings import Settings, load
from evaluator.reports.wording import seen
from evaluator.verdict.model import Failure, Verdict
from prompts import render
from tools.errors import UserError
from tools.queries.choosing import Sample as Choice
from tools.queries.choosing import choose
from tools.queries.protocol import Query
from tools.queries.reading import read_queries

LONGEST_TITLE = 300
_PLACE = "" if "site-packages" in Path(__file__).parts else "agent/"
"""Inspect puts an installed package's name before what it registers, but no checkout's whose project is called otherwise."""


@task(name=f"{_PLACE}web_apps")
def web_apps(  # noqa: PLR0913, PLR0917 - Inspect's -T options are its parameters
    queries: str = "starter",
    limit: int | None = None,
    sample: Choice = "stratified",
    filters: str = "",
    form: str = "html",
    answers: str = "",
    profile: str = "",
    max_acts: int | None = None,
    explore_app_s: float | None = None,
    prove: bool | None = None,
    runs: str = "",
) -> Task:
    """Web apps from briefs, evaluated by use.

    `queries` is a file or `starter`; `filters` are `FIELD=VALUE` words separated by blanks; `form` is `html` or `react`; with
    `answers` (a folder or table as for `assay batch --answers`) nothing is generated; `runs` is where the runs' folders land.
    """
    every = read_queries(str(_found(queries)) if queries != "starter" else queries)
    chosen = choose(every, filters=tuple(filters.split()), limit=limit, sample=sample, seed=0)
    settings = _settings(profile, runs, max_acts=max_acts, explore_app_s=explore_app_s, prove=prove)
    return Task(
        dataset=MemoryDataset([_sample(query, form) for query in chosen], name=Path(queries).stem),
        solver=given_answers(answers, queries) if answers else generate(),
        scorer=assay_app(settings.model_dump(mode="json")),
        metadata={"assay": "functionality and aesthetics from 0 to 8"},
    )


def _found(given: str) -> Path:
    """An absolute path; what a user names lies where the command was given, wherever Inspect has gone since."""
    path = Path(given).expanduser()
    if path.is_absolute():
        return path
    here, shell = Path.cwd() / path, Path(os.environ.get("PWD", ".")) / path
    return (here if here.exists() and not shell.exists() else shell).resolve()


def _sample(query: Query, form: str) -> Sample:
    if form not in {"html", "react"}:
        raise UserError(f"Models can't be asked for {form!r}.", hint="-T form=html or form=react")
    prompt = render("builder", form, brief=query.brief)
    return Sample(
        id=query.id,
        input=[ChatMessageSystem(content=prompt.prefix), ChatMessageUser(content=prompt.tail)],
        target="",
        metadata={
            "brief": query.brief,
            "language": query.language,
            "difficulty": query.difficulty,
            "domain": " / ".join(query.domain),
            "prompt": prompt.key,
        },
    )


def _settings(profile: str, runs: str, **budget: float | None) -> Settings:
    given = {name: value for name, value in budget.items() if value is not None}
    options: dict[str, Any] = {"budget": given}
    if runs:
        options["runs_dir"] = str(_found(runs))
    return load(profile or None, options)


@solver(name=f"{_PLACE}given_answers")
def given_answers(answers: str, queries: str = "starter") -> Solver:
    """Takes what a model answered earlier, from a folder or a table, instead of asking one."""
    from tools.queries.answers import read_answers  # noqa: PLC0415 - readers of Parquet are heavy

    every = read_queries(str(_found(queries)) if queries != "starter" else queries)
    model, sign, path = answers.rpartition("=")
    found = {answer.query_id: answer for answer in read_answers([f"{model}{sign}{_found(path)}"], every)}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        answer = found.get(str(state.sample_id))
        if answer is None:
            raise UserError(f"{answers} holds no answer to {state.sample_id}.")
        state.metadata["given"], state.metadata["variety"] = answer.subject, "" if answer.kind == "path" else answer.kind
        state.output = ModelOutput.from_content(answer.model, answer.subject if answer.kind == "text" else f"({answer.source})")
        if answer.kind == "text":
            state.metadata["given"] = ""
        return state

    return solve


@scorer(metrics={"functionality": [mean(), stderr()], "aesthetics": [mean(), stderr()]}, name=f"{_PLACE}assay_app")
def assay_app(settings: dict[str, Any] | None = None) -> Scorer:
    """Evaluates the app that a model answered with: functionality and aesthetics from 0 to 8, and what was found."""
    base = Settings.model_validate(settings) if settings else load()

    async def score(state: TaskState, target: Target) -> Score:
        del target
        run_dir = new_run_dir(base, f"inspect {state.sample_id}")
        given, variety = _subject(state, run_dir)
        brief = str(state.metadata.get("brief") or state.input_text)
        # One browser a processor, however many samples Inspect has under way.
        async with concurrency("assay", default_most()):
            ending = await evaluate_apart(
                given, brief, base, run_dir, variety=variety, language=str(state.metadata.get("language") or ""), told=_tell
            )
        error = error_of(ending)
        if error is not None:
            return Score.unscored(
                reason="scoring_failed", explanation=str(error), metadata={"run": str(run_dir), "kind": error.kind}
            )
        return _score(Verdict.model_validate_json((run_dir / "verdict.json").read_bytes()), run_dir)

    return score


def _subject(state: TaskState, run_dir: Path) -> tuple[str, str]:
    """What to evaluate: what the solver names, else the model's words, kept beside the runs."""
    if state.metadata.get("given"):
        return str(state.metadata["given"]), str(state.metadata.get("variety") or "")
    text = state.output.completion if state.output.completion.strip() else EMPTY_ANSWER
    path = run_dir.parent / "answers" / f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:24]}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
    return str(path), "answer"


def _tell(event: dict[str, Any]) -> None:
    """The run's course in the sample's transcript: its nodes and steps."""
    match event:
        case {"event": "entered", "node": str(node)} if node not in {"observe", "decide", "act"}:
            transcript().info({"assay": node, "at_s": event.get("at_s")}, source="assay")
        case {"event": "step"}:
            transcript().info(
                {key: value for key, value in event.items() if isinstance(value, str | int | float)}, source="assay"
            )
        case _:
            pass


def _score(verdict: Verdict, run_dir: Path) -> Score:
    found: dict[str, Any] = {
        "run": str(run_dir),
        "report": str(run_dir / "report.html"),
        "status": verdict.status,
        "seen": seen(verdict.coverage),
        "failures": [_told(failure) for failure in verdict.failures],
        "suspected": [_told(failure) for failure in verdict.suspected],
        "not_counted": [claim.text[:LONGEST_TITLE] for claim in verdict.not_counted],
        "unknown": list(verdict.unknown),
        "coverage": verdict.coverage.model_dump(mode="json"),
        "seal": verdict.seal,
    }
    if verdict.status == "incomplete" or verdict.functionality is None or verdict.aesthetics is None:
        return Score.unscored(reason="scoring_failed", explanation=verdict.reason, metadata=found)
    lines = [f"{item['severity']} {item['category']}: {item['title']}" for item in found["failures"]]
    return Score(
        value={"functionality": verdict.functionality.value, "aesthetics": verdict.aesthetics.value},
        explanation="\n".join(lines) or verdict.reason or "no failure was found",
        reason="invalid_response_format" if verdict.status == "no_artifact" else None,
        metadata=found,
    )


def _told(failure: Failure) -> dict[str, Any]:
    return {
        "id": failure.id,
        "title": failure.title[:LONGEST_TITLE],
        "category": failure.category.value,
        "severity": failure.severity.value,
        "blame": failure.blame.value,
        "points": failure.points,
        "evidence": list(failure.evidence),
        "proof": failure.proof.status,
    }
