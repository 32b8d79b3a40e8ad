"""The job table: who has what, until when, and how it ended. SQLite in the batch's folder, or PostgreSQL by its URL.

Every change is one conditional UPDATE, so that it happens once whoever else tries (SQLite locks the file, PostgreSQL the row
and then looks at the condition again). A job that is taken carries a token; whoever lost it – the lease ran out and another
took over – can no longer end it. Several batches may share a database.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy import exc as sa_exc
from sqlalchemy.engine import Connection, Engine

from agent.batch.jobs import TERMINAL, Job, Lease, State
from evaluator.verdict.taxonomy import Blame
from tools.errors import EnvironmentFault, UserError
from tools.queries.protocol import Answer, Query

BUSY_S = 30.0
"""Longest wait for another writer of the database."""
_CLAIMS = 8
"""Attempts at taking a job while others take theirs."""

_META = sa.MetaData()
JOBS = sa.Table(
    "assay_jobs",
    _META,
    sa.Column("batch", sa.String(200), primary_key=True),
    sa.Column("key", sa.String(200), primary_key=True),
    sa.Column("position", sa.Integer, nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("settings", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("not_before", sa.Float, nullable=False, default=0.0),
    sa.Column("token", sa.String(32)),
    sa.Column("owner", sa.String(200)),
    sa.Column("lease_until", sa.Float),
    sa.Column("added_at", sa.Float, nullable=False),
    sa.Column("started_at", sa.Float),
    sa.Column("ended_at", sa.Float),
    sa.Column("wall_s", sa.Float),
    sa.Column("peak_mb", sa.Float),
    sa.Column("blame", sa.String(16)),
    sa.Column("reason", sa.Text, nullable=False, default=""),
    sa.Column("notes", sa.Text, nullable=False, default="[]"),
    sa.Column("result", sa.Text),
    sa.Index("assay_jobs_by_state", "batch", "state", "position"),
)


class DiskFull(EnvironmentFault):
    """The disk that holds the batch is full; the same command goes on once there is room."""

    kind = "disk_full"


@dataclass(frozen=True)
class Entry:
    """One row of the table as it stands. Times are seconds since 1970."""

    job: Job
    position: int
    state: State
    attempts: int
    owner: str
    lease_until: float | None
    added_at: float
    started_at: float | None
    ended_at: float | None
    wall_s: float | None
    peak_mb: float | None
    blame: Blame | None
    reason: str
    notes: tuple[str, ...]
    result: str
    """The row of results as JSON; empty before there is one."""

    @property
    def fingerprint(self) -> str:
        """Of what was or will be evaluated."""
        return self.job.fingerprint


@dataclass(frozen=True)
class Added:
    """What adding jobs to the table changed."""

    new: int
    changed: int
    """Known, but with another brief, subject or settings: to be evaluated anew."""
    kept: int


class Table:
    """The jobs of one batch."""

    def __init__(self, url: str, batch: str) -> None:
        self.batch = batch
        self._engine = _engine(url)
        with self._begin() as connection:
            _META.create_all(connection)

    @classmethod
    def in_folder(cls, folder: Path, url: str | None = None) -> Table:
        """The table of a batch's folder, in a file there or in the database at `url` (under the folder's name)."""
        folder.mkdir(parents=True, exist_ok=True)
        return cls(url or f"sqlite:///{folder / 'jobs.sqlite'}", "" if url is None else folder.resolve().name)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    # ---- what there is to do --------------------------------------------------------------------------------------------------

    def add(self, jobs: Sequence[Job], *, at_end: bool = False) -> Added:
        """Put jobs in, those already there untouched; one that changed waits again from its first attempt.

        `at_end`: behind everything that is there, for jobs that come one by one.
        """
        new = changed = 0
        now = time.time()
        with self._begin() as connection:
            mine = JOBS.c.batch == self.batch
            fingerprints = sa.select(JOBS.c.key, JOBS.c.fingerprint).where(mine)
            known = {row.key: row.fingerprint for row in connection.execute(fingerprints)}
            first = (connection.scalar(sa.select(sa.func.max(JOBS.c.position)).where(mine)) or 0) + 1 if at_end else 0
            for position, job in enumerate(jobs, first):
                if known.get(job.key) == job.fingerprint:
                    continue
                values = self._values(job, position, now)
                if job.key in known:
                    changed += 1
                    connection.execute(sa.update(JOBS).where(mine, JOBS.c.key == job.key).values(**values, **_CLEARED))
                else:
                    new += 1
                    connection.execute(sa.insert(JOBS).values(batch=self.batch, key=job.key, **values))
        return Added(new, changed, len(jobs) - new - changed)

    def _values(self, job: Job, position: int, now: float) -> dict[str, Any]:
        return {
            "position": position,
            "query": job.query.model_dump_json(),
            "answer": job.answer.model_dump_json(),
            "settings": json.dumps(job.settings, sort_keys=True),
            "fingerprint": job.fingerprint,
            "state": State.waiting,
            "attempts": 0,
            "added_at": now,
        }

    # ---- taking and keeping ---------------------------------------------------------------------------------------------------

    def claim(self, owner: str, lease_s: float, keys: Sequence[str] | None = None) -> Lease | None:
        """Take the next job that waits, or whose lease has run out; None when there is none. `keys`: only among these."""
        for _ in range(_CLAIMS):
            now, token = time.time(), secrets.token_hex(8)
            free = sa.or_(
                sa.and_(JOBS.c.state == State.waiting, JOBS.c.not_before <= now),
                sa.and_(JOBS.c.state == State.running, JOBS.c.lease_until < now),
            )
            if keys is not None:
                free = sa.and_(free, JOBS.c.key.in_(keys))
            with self._begin() as connection:
                chosen = connection.scalar(
                    sa.select(JOBS.c.key).where(JOBS.c.batch == self.batch, free).order_by(JOBS.c.position).limit(1)
                )
                if chosen is None:
                    return None
                taken = connection.execute(
                    sa.update(JOBS)
                    .where(JOBS.c.batch == self.batch, JOBS.c.key == chosen, free)
                    .values(
                        state=State.running,
                        token=token,
                        owner=owner,
                        lease_until=now + lease_s,
                        started_at=now,
                        attempts=JOBS.c.attempts + 1,
                    )
                )
                if taken.rowcount == 1:
                    row = connection.execute(self._mine(chosen)).mappings().one()
                    return Lease(_job(row), token, row["attempts"], tuple(json.loads(row["notes"])))
        return None

    def beat(self, leases: Sequence[Lease], lease_s: float) -> frozenset[str]:
        """Keep the leases of running jobs; returns the tokens of those that are not ours any more."""
        lost: set[str] = set()
        with self._begin() as connection:
            for lease in leases:
                kept = connection.execute(self._held(lease).values(lease_until=time.time() + lease_s))
                if kept.rowcount != 1:
                    lost.add(lease.token)
        return frozenset(lost)

    def free_dead(self, alive: frozenset[str], machine: str) -> int:
        """Give back what owners on this machine took that no longer live; returns how many. Owners are `machine/process`."""
        with self._begin() as connection:
            running = sa.and_(JOBS.c.batch == self.batch, JOBS.c.state == State.running)
            owners = connection.scalars(sa.select(JOBS.c.owner).where(running).distinct()).all()
            dead = [owner for owner in owners if owner.startswith(f"{machine}/") and owner not in alive]
            if not dead:
                return 0
            # A supervisor that was killed says nothing about its jobs: these tries don't count.
            freed = connection.execute(
                sa.update(JOBS).where(running, JOBS.c.owner.in_(dead)).values(**_WAITS, attempts=_ONE_LESS)
            )
            return freed.rowcount

    # ---- endings --------------------------------------------------------------------------------------------------------------

    def finish(
        self,
        lease: Lease,
        state: State,
        *,
        result: str,
        reason: str = "",
        blame: Blame | None = None,
        wall_s: float | None = None,
        peak_mb: float | None = None,
    ) -> bool:
        """Put a job into its terminal state; False if it was not ours any more, and then nothing has changed."""
        if state not in TERMINAL:
            raise ValueError(f"{state} is no terminal state")
        values = {"state": state, "result": result, "reason": reason, "blame": blame.value if blame else None}
        figures = {"ended_at": time.time(), "wall_s": wall_s, "peak_mb": peak_mb}
        return self._change(lease, {**values, **figures, "token": None, "owner": None, "lease_until": None})

    def again(self, lease: Lease, why: str, *, after_s: float) -> bool:
        """Let a job wait for another attempt; the one that ended counts."""
        notes = json.dumps([*lease.notes, why], ensure_ascii=False)
        return self._change(lease, {**_WAITS, "notes": notes, "not_before": time.time() + after_s})

    def release(self, lease: Lease) -> bool:
        """Give a job back as if it had never been taken."""
        return self._change(lease, {**_WAITS, "attempts": _ONE_LESS})

    def cancel(self, key: str) -> bool:
        """End a job that has not ended yet; False if there is no such job, or it has ended. Whoever works on it loses it."""
        open_states = (State.waiting, State.running)
        with self._begin() as connection:
            changed = connection.execute(
                sa.update(JOBS)
                .where(JOBS.c.batch == self.batch, JOBS.c.key == key, JOBS.c.state.in_(open_states))
                .values(state=State.cancelled, ended_at=time.time(), reason="cancelled", token=None, owner=None, lease_until=None)
            )
            return changed.rowcount == 1

    # ---- looking --------------------------------------------------------------------------------------------------------------

    def counts(self, keys: Sequence[str] | None = None) -> dict[State, int]:
        """How many jobs are in each state."""
        chosen = JOBS.c.batch == self.batch if keys is None else sa.and_(JOBS.c.batch == self.batch, JOBS.c.key.in_(keys))
        with self._begin() as connection:
            found = connection.execute(sa.select(JOBS.c.state, sa.func.count()).where(chosen).group_by(JOBS.c.state)).all()
        return {State(state): count for state, count in found}

    def waiting_before(self, position: int) -> int:
        """How many jobs wait before that position."""
        ahead = sa.and_(JOBS.c.batch == self.batch, JOBS.c.state == State.waiting, JOBS.c.position < position)
        with self._begin() as connection:
            return connection.scalar(sa.select(sa.func.count()).where(ahead)) or 0

    def entry(self, key: str) -> Entry | None:
        """One job."""
        with self._begin() as connection:
            row = connection.execute(self._mine(key)).mappings().one_or_none()
        return None if row is None else _entry(row)

    def entries(self, *, state: State | None = None, after: int = -1, limit: int | None = None) -> list[Entry]:
        """All jobs in their order; of one state, behind a position, at most so many."""
        chosen = sa.select(JOBS).where(JOBS.c.batch == self.batch, JOBS.c.position > after).order_by(JOBS.c.position)
        if state is not None:
            chosen = chosen.where(JOBS.c.state == state)
        with self._begin() as connection:
            return [_entry(row) for row in connection.execute(chosen.limit(limit)).mappings()]

    # ---- within ---------------------------------------------------------------------------------------------------------------

    def _mine(self, key: str) -> sa.Select[Any]:
        return sa.select(JOBS).where(JOBS.c.batch == self.batch, JOBS.c.key == key)

    def _held(self, lease: Lease) -> sa.Update:
        return sa.update(JOBS).where(
            JOBS.c.batch == self.batch,
            JOBS.c.key == lease.job.key,
            JOBS.c.state == State.running,
            JOBS.c.token == lease.token,
        )

    def _change(self, lease: Lease, values: dict[str, Any]) -> bool:
        with self._begin() as connection:
            return connection.execute(self._held(lease).values(**values)).rowcount == 1

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except sa_exc.OperationalError as error:
            raise _fault(error, self._engine) from error


_ONE_LESS = sa.case((JOBS.c.attempts > 0, JOBS.c.attempts - 1), else_=0)
_WAITS: dict[str, Any] = {"state": State.waiting, "token": None, "owner": None, "lease_until": None}
_CLEARED: dict[str, Any] = {
    **dict.fromkeys(("token", "owner", "lease_until", "started_at", "ended_at", "wall_s", "peak_mb", "blame", "result")),
    "not_before": 0.0,
    "reason": "",
    "notes": "[]",
}


def _engine(url: str) -> Engine:
    try:
        parsed = sa.make_url(url)
        if parsed.get_backend_name() != "sqlite":
            return sa.create_engine(parsed, pool_pre_ping=True)
        engine = sa.create_engine(parsed, connect_args={"timeout": BUSY_S, "check_same_thread": False})
    except sa_exc.ArgumentError as error:
        raise UserError(f"{url} is no database's URL.", hint="For example postgresql+psycopg://user@host/name") from error
    except ModuleNotFoundError as error:
        raise UserError(
            f"The driver {error.name} is not installed.", hint="PostgreSQL's comes with the extra: assay[postgres]"
        ) from error

    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")

    def begin(connection: Connection) -> None:
        # Reading first and writing then would find the file locked by another who did the same.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _fault(error: sa_exc.OperationalError, engine: Engine) -> EnvironmentFault:
    text = str(error.orig).strip().splitlines()[0] if error.orig is not None else "no answer"
    if "full" in text or "disk I/O" in text:
        return DiskFull(
            f"The disk that holds {engine.url.database} is full.", hint="Free some space, then give the same command again."
        )
    return EnvironmentFault(
        f"The job table can't be used: {text}.", hint=f"It is at {engine.url.render_as_string(hide_password=True)}"
    )


def _job(row: Any) -> Job:
    return Job(
        key=row["key"],
        query=Query.model_validate_json(row["query"]),
        answer=Answer.model_validate_json(row["answer"]),
        fingerprint=row["fingerprint"],
        settings=json.loads(row["settings"]),
    )


def _entry(row: Any) -> Entry:
    return Entry(
        job=_job(row),
        position=row["position"],
        state=State(row["state"]),
        attempts=row["attempts"],
        owner=row["owner"] or "",
        lease_until=row["lease_until"],
        added_at=row["added_at"],
        started_at=row["started_at"],
        ended_at=row["ended_at"],
        wall_s=row["wall_s"],
        peak_mb=row["peak_mb"],
        blame=Blame(row["blame"]) if row["blame"] else None,
        reason=row["reason"],
        notes=tuple(json.loads(row["notes"])),
        result=row["result"] or "",
    )
