"""One `assay batch` from its command to its results: plan, table, supervisor, files."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.batch import generating
from agent.batch.capacity import DISK_SPARE_MB, Capacity, default_most
from agent.batch.crew import Crew, LocalCrew
from agent.batch.jobs import TERMINAL, Job, State
from agent.batch.plan import Estimate, estimate, make_jobs
from agent.batch.supervisor import Closing, Policy, Supervisor
from agent.batch.table import Added, Entry, Table
from configs.settings import ModelSettings, Settings
from evaluator.results.rows import Scored
from tools.errors import UserError
from tools.queries.choosing import Sample
from tools.queries.protocol import Answer, Query

LOCK_FILE = "supervisor.lock"


@dataclass(frozen=True)
class Wanted:
    """What a command asks for."""

    queries: str
    """A file, or `starter`."""
    answers: tuple[str, ...]
    out: Path
    settings: Settings
    form: str | None = None
    mapping: str | None = None
    filters: tuple[str, ...] = ()
    limit: int | None = None
    sample: Sample = "first"
    trials: int = 1
    jobs: int | None = None
    """Evaluations at once at most; None: one a processor."""
    database: str | None = None
    ray: str | None = None
    store: str = ""
    keep_free_mb: float = DISK_SPARE_MB
    policy: Policy = field(default_factory=Policy)
    generate: tuple[str, ...] = ()
    """Models that are asked for the apps."""
    generate_as: generating.AppForm = "html"
    asking: ModelSettings = field(default_factory=ModelSettings)
    """How those are reached and what they may cost; no part of how the apps are evaluated."""


@dataclass(frozen=True)
class Chosen:
    """What a command comes to."""

    queries: tuple[Query, ...]
    jobs: tuple[Job, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The jobs' keys."""
        return tuple(job.key for job in self.jobs)


def choose_queries(wanted: Wanted) -> tuple[tuple[Query, ...], tuple[Query, ...]]:
    """The whole set, and the queries chosen from it. Raises `UserError` with file and line."""
    from tools.queries.choosing import choose  # noqa: PLC0415 - readers of Parquet are heavy
    from tools.queries.reading import read_queries  # noqa: PLC0415

    every = read_queries(wanted.queries, form=wanted.form, mapping=wanted.mapping)
    chosen = choose(every, filters=wanted.filters, limit=wanted.limit, sample=wanted.sample, seed=wanted.settings.seed)
    return tuple(every), tuple(chosen)


def choose_jobs(wanted: Wanted, *, write: bool = True, generated: Sequence[Answer] = ()) -> Chosen:
    """Read queries and answers and make the jobs of them, of generated answers too. Raises `UserError` with file and line."""
    from tools.queries.answers import read_answers  # noqa: PLC0415 - readers of Parquet are heavy

    every, queries = choose_queries(wanted)
    answers = (*(read_answers(wanted.answers, every) if wanted.answers else ()), *generated)
    jobs = make_jobs(queries, answers, wanted.settings, wanted.out.resolve(), trials=wanted.trials, write=write)
    return Chosen(queries, jobs)


def plan(wanted: Wanted) -> Estimate:
    """What the command would do. Writes nothing, asks nobody and starts nothing."""
    answers: list[Answer] = []
    missing: dict[str, int] = {}
    for model in wanted.generate:
        there, missing[model] = generating.planned(model, choose_queries(wanted)[1], wanted.out, wanted.asking)
        answers += there
    chosen = choose_jobs(wanted, write=False, generated=answers)
    entries: list[Entry] = []
    if wanted.database or (wanted.out / "jobs.sqlite").is_file():
        table = Table.in_folder(wanted.out, wanted.database)
        entries = table.entries()
        table.close()
    made = estimate(chosen.jobs, entries, chosen.queries, wanted.jobs or default_most())
    costs = [generating.most_usd([model], count, wanted.asking) for model, count in missing.items()]
    usd = None if None in costs else sum(cost for cost in costs if cost is not None)
    return replace(made, to_generate=sum(missing.values()), generate_usd=usd)


@dataclass(frozen=True)
class Batch:
    """How a batch stands when its command ends."""

    closing: Closing
    added: Added
    entries: tuple[Entry, ...]
    """The chosen jobs."""
    out: Path
    generated: tuple[generating.Generated, ...] = ()

    @property
    def states(self) -> dict[str, int]:
        """How many of the chosen jobs are in each state."""
        return {str(state): count for state in State if (count := sum(entry.state is state for entry in self.entries))}

    @property
    def rows(self) -> tuple[Scored, ...]:
        """The results of those that ended."""
        return tuple(Scored.model_validate_json(entry.result) for entry in self.entries if entry.result)

    @property
    def done(self) -> int:
        """Jobs in a terminal state."""
        return sum(entry.state in TERMINAL for entry in self.entries)


Watched = Callable[[Sequence[Entry]], "contextlib.AbstractContextManager[Any]"]
"""Makes what follows a batch, from its entries: called with events, and with an evaluation's own through `step`."""


async def run(wanted: Wanted, watched: Watched, told: generating.OnProgress | None = None) -> Batch:
    """Do what is not done yet. The first SIGINT or SIGTERM lets what runs come to its end, the second ends it at once.

    Models that are to generate are asked first, `told` hears of each answer. Raises `UserError`, and `ModelTrouble` where none of
    them answers anything.
    """
    from agent.access.access import read_access  # noqa: PLC0415 - as above

    read_access(wanted.settings)  # what is missing is said once, not by each evaluation
    home = wanted.out.resolve()
    with alone(home):
        made = await _generate(wanted, home, told)
        answers = [answer for page in made for answer in page.answers]
        chosen = await asyncio.to_thread(choose_jobs, wanted, generated=answers)
        table = Table.in_folder(home, wanted.database)
        try:
            added = table.add(chosen.jobs)
            keys, there = frozenset(chosen.keys), table.entries()
            with watched([entry for entry in there if entry.job.key in keys]) as progress:
                closing = await _supervise(wanted, home, table, None if len(there) == len(keys) else chosen.keys, progress)
            return Batch(closing, added, tuple(entry for entry in table.entries() if entry.job.key in keys), home, made)
        finally:
            table.close()


async def _generate(wanted: Wanted, home: Path, told: generating.OnProgress | None) -> tuple[generating.Generated, ...]:
    """The answers of all models that are to be asked, model by model."""
    if not wanted.generate:
        return ()
    generating.check(wanted.generate, wanted.asking)
    queries = (await asyncio.to_thread(choose_queries, wanted))[1]
    made = [
        await generating.generate(model, queries, home, wanted.asking, form=wanted.generate_as, told=told)
        for model in wanted.generate
    ]
    trouble = generating.nothing_came(made)
    if trouble is not None and not wanted.answers:
        raise trouble
    return tuple(made)


async def _supervise(wanted: Wanted, home: Path, table: Table, keys: Sequence[str] | None, progress: Any) -> Closing:
    capacity = Capacity(home, wanted.jobs or default_most(), spare_disk_mb=wanted.keep_free_mb)
    crew = _crew(wanted, home, capacity, progress)
    try:
        supervisor = Supervisor(table, crew, capacity, home, wanted.policy, progress)
        with _interruptible(supervisor):
            return await supervisor.run(keys)
    finally:
        await crew.close()


def _crew(wanted: Wanted, home: Path, capacity: Capacity, progress: Any) -> Crew:
    if wanted.ray is not None:
        from agent.batch.ray_crew import RayCrew  # noqa: PLC0415 - an extra

        return RayCrew(wanted.ray)

    def told(folder: str, event: dict[str, Any]) -> None:
        if event.get("event") == "rate_limited":
            capacity.throttled(float(event.get("retry_after_s") or 10.0))
        progress.step(folder, event)

    return LocalCrew(home / "crews" / "here", told)


@contextlib.contextmanager
def alone(home: Path) -> Iterator[None]:
    """The folder is this process's on this machine. The kernel lets it go whatever ends the process."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / LOCK_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UserError(
                f"Another assay is working in {home}.", hint="Wait for it, stop it, or name another --out."
            ) from error
        yield


@contextlib.contextmanager
def _interruptible(supervisor: Supervisor) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    handled = (signal.SIGINT, signal.SIGTERM)
    for number in handled:
        loop.add_signal_handler(number, supervisor.interrupt)
    try:
        yield
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def as_data(batch: Batch) -> dict[str, Any]:
    """For `--json`."""
    return {
        "out": str(batch.out),
        "ended": batch.closing.why,
        "jobs": len(batch.entries),
        "done": batch.done,
        "states": batch.states,
        "added": asdict(batch.added),
        "generated": [
            {
                "model": page.model,
                "folder": str(page.folder),
                "answers": len(page.answers),
                "cost_usd": page.cost_usd,
                "unanswered": {asked.query_id: asked.trouble for asked in page.unanswered},
            }
            for page in batch.generated
        ],
    }
