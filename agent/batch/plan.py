"""What a batch consists of: queries × answers × trials, each a job with a name and a fingerprint; and what it will take."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.batch.jobs import TERMINAL, Job, State
from agent.batch.table import Entry
from configs.settings import Settings
from tools.errors import UserError
from tools.queries.protocol import Answer, Query

OVERHEAD_S = 14.0
"""Wall seconds of an evaluation besides exploring and proving, on an idle core: start, first look, sealing, judging, report."""
PROVING_S = 20.0
"""Wall seconds that the proofs of a verdict usually take."""
USUAL_ACTS = 80
"""Acts that most explorations come to."""
EMPTY_ANSWER = "(the answer was empty)\n"
"""Stands for an answer without a word, which is evaluated like any other that holds no app."""
MOST_HASHED_BYTES = 200_000_000


@dataclass(frozen=True)
class Estimate:
    """What is left to do and will take. Times are wall seconds."""

    jobs: int
    done: int
    left: int
    a_job_s: float
    measured: bool
    """The time of a job is the mean of those of this batch; else it is reckoned from the budgets."""
    total_s: float
    cost_usd: float | None
    """What models will be paid; 0.0 where none is asked, None where it is not known."""
    per_model: dict[str, int]
    unanswered: tuple[str, ...]
    """`MODEL: n` for models that have no answer to some of the queries."""
    to_generate: int = 0
    """Answers that models have to be asked for first; their time is not in `total_s`."""
    generate_usd: float | None = 0.0
    """The most that asking for them can cost; None where a price is not known."""


def make_jobs(
    queries: Sequence[Query], answers: Sequence[Answer], settings: Settings, home: Path, *, trials: int = 1, write: bool = True
) -> tuple[Job, ...]:
    """The jobs of a batch, query by query, so that models are compared early on.

    Texts are put into files under `home`; without `write` only their names are given. Each answer is evaluated `trials` times,
    with seeds counting up from the settings' seed. Raises `UserError`.
    """
    of_query = {query.id: query for query in queries}
    places = {query.id: place for place, query in enumerate(queries)}
    mine = [answer for answer in answers if answer.query_id in of_query]
    if not mine:
        raise UserError("No answer belongs to any of the chosen queries.", hint="Answers are matched to queries by their ids.")
    twice = [key for key, count in Counter(answer.key for answer in mine).items() if count > 1]
    if twice:
        query_id, model, trial = twice[0]
        raise UserError(f"There are several answers of {model} to {query_id} in trial {trial}.", hint="Give each one once.")
    mine.sort(key=lambda answer: (answer.trial, places[answer.query_id], answer.model))
    jobs: list[Job] = []
    for answer in mine:
        kept = _kept(answer, home, write=write)
        content = _content(answer)
        for repeat in range(trials):
            trial = kept.model_copy(update={"trial": (kept.trial - 1) * trials + repeat + 1})
            jobs.append(_job(of_query[answer.query_id], trial, content, settings, repeat, home))
    return tuple(jobs)


def make_job(query: Query, answer: Answer, settings: Settings, home: Path, *, key: str | None = None) -> Job:
    """One job of its own."""
    return _job(query, _kept(answer, home), _content(answer), settings, 0, home, key=key)


def _job(
    query: Query, answer: Answer, content: str, settings: Settings, repeat: int, home: Path, *, key: str | None = None
) -> Job:
    values = settings.model_dump(mode="json")
    values["seed"] += repeat
    marked = {name: value for name, value in values.items() if name != "runs_dir"}
    what = json.dumps([query.brief, query.language, answer.kind, content, marked], sort_keys=True, ensure_ascii=False)
    values["runs_dir"] = str(home / "runs")
    return Job(
        key=key or name_of(query.id, answer.model, answer.trial),
        query=query,
        answer=answer,
        fingerprint=_digest(what.encode()),
        settings=values,
    )


def name_of(query_id: str, model: str, trial: int) -> str:
    """A job's key: readable, safe as a folder's name, and unique whatever the names contain."""
    mark = _digest(json.dumps([query_id, model, trial]).encode())[:6]
    return f"{slug(model, 28)}-{slug(query_id, 28)}-t{trial}-{mark}"


def slug(text: str, length: int) -> str:
    """A name as letters, digits, points and hyphens, safe in a folder's name; never empty."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.")[:length].strip("-.") or "x"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _kept(answer: Answer, home: Path, *, write: bool = True) -> Answer:
    """The answer with its text in a file named by what it holds; paths made absolute."""
    if answer.kind == "text":
        data = (answer.subject if answer.subject.strip() else EMPTY_ANSWER).encode("utf-8", "replace")
        path = home / "answers" / f"{_digest(data)[:24]}.md"
        if write and not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".partial")
            partial.write_bytes(data)
            partial.rename(path)
        return answer.model_copy(update={"subject": str(path.resolve())})
    if answer.kind == "path":
        path = Path(answer.subject)
        if not path.exists():
            raise UserError(f"{answer.source or answer.subject}: there is no {path}.", hint="Mend the path, or leave it out.")
        return answer.model_copy(update={"subject": str(path.resolve())})
    return answer


def _content(answer: Answer) -> str:
    """What changes when the subject does: a digest of its files, or the address."""
    if answer.kind == "url":
        return answer.subject
    if answer.kind == "text":
        return _digest(answer.subject.encode("utf-8", "replace"))
    path = Path(answer.subject)
    files = (
        [path]
        if path.is_file()
        else sorted(each_path for each_path in path.rglob("*") if each_path.is_file() and "node_modules" not in each_path.parts)
    )
    total, whole = 0, hashlib.sha256()
    for file in files:
        total += file.stat().st_size
        name = file.name if file == path else str(file.relative_to(path))
        # Beyond this size, name and size have to do.
        data = file.read_bytes() if total <= MOST_HASHED_BYTES else str(file.stat().st_size).encode()
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
    return whole.hexdigest()


def estimate(jobs: Sequence[Job], entries: Sequence[Entry], queries: Sequence[Query], at_once: int) -> Estimate:
    """What is left of a batch, from what its table shows (nothing, before the first time)."""
    known = {entry.job.key: entry for entry in entries}
    done = [job for job in jobs if _is_done(known.get(job.key), job)]
    times = [entry.wall_s for entry in entries if entry.state is State.scored and entry.wall_s]
    left = len(jobs) - len(done)
    a_job_s = sum(times) / len(times) if times else _reckoned_s(jobs[0].settings) if jobs else 0.0
    models = Counter(job.answer.model for job in jobs)
    asked = Counter(model for model, _ in {(job.answer.model, job.query.id) for job in jobs})
    return Estimate(
        jobs=len(jobs),
        done=len(done),
        left=left,
        a_job_s=round(a_job_s, 1),
        measured=bool(times),
        total_s=round(a_job_s * left / max(1, min(at_once, left or 1)), 1),
        cost_usd=_cost(jobs, left),
        per_model=dict(sorted(models.items())),
        unanswered=tuple(f"{model}: {len(queries) - count}" for model, count in sorted(asked.items()) if count < len(queries)),
    )


def _is_done(entry: Entry | None, job: Job) -> bool:
    return entry is not None and entry.fingerprint == job.fingerprint and entry.state in TERMINAL


def _reckoned_s(settings: dict[str, Any]) -> float:
    budget = settings["budget"]
    # A step takes some 2 s of wall time; an exploration is over when its steps are, most often before half of them.
    return OVERHEAD_S + 1.0 * min(budget["max_acts"], USUAL_ACTS) + (PROVING_S if budget["prove"] else 0.0)


def _cost(jobs: Sequence[Job], left: int) -> float | None:
    models = {(job.settings.get("decider", "library"), job.settings.get("judge", "rubric")) for job in jobs}
    return 0.0 if left == 0 or models <= {("library", "rubric")} else None
