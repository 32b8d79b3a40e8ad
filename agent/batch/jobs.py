"""The values of a batch: what is to be evaluated, how a try at it ended, and the state a job is in.

waiting ──claim──▶ running ──▶ scored · incomplete (whose failing it is) · failed (the user's mistake)
   ▲                  │
   └──released, retried, lease run out
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from evaluator.verdict.taxonomy import Blame
from tools.browser.faults import BROWSER_GONE
from tools.queries.protocol import Answer, Query


class State(StrEnum):
    """Where a job is. The last four are terminal: nothing leaves them but a change of what is to be evaluated."""

    waiting = "waiting"
    running = "running"
    scored = "scored"
    incomplete = "incomplete"
    failed = "failed"
    cancelled = "cancelled"


TERMINAL = frozenset({State.scored, State.incomplete, State.failed, State.cancelled})


@dataclass(frozen=True)
class Job:
    """One evaluation of a batch."""

    key: str
    """Unique in its batch and safe as a folder's name."""
    query: Query
    answer: Answer
    """Its subject is an absolute path or an address: texts have been put into files."""
    fingerprint: str
    """Changes with brief, subject and settings, and with nothing else."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Of the evaluation, as JSON."""

    @property
    def folder(self) -> str:
        """Name of the run's folder: another subject under the same name gets another one."""
        return f"{self.key}-{self.fingerprint[:8]}"


@dataclass(frozen=True)
class Lease:
    """A job that somebody has taken, and the word by which it is theirs."""

    job: Job
    token: str
    attempt: int
    """Counted from 1."""
    notes: tuple[str, ...] = ()
    """Why the attempts before were not the last."""


How = Literal["judged", "user_error", "environment", "limit", "crashed", "hung", "disk_full", "stopped"]
"""How one try ended.

`judged`: there is a verdict · `user_error`: nothing was evaluated · `environment`, `limit`: Assay said so itself · `crashed`,
`hung`: the process died or had to be ended · `disk_full`, `stopped`: no fault of the job; it does not count as a try.
"""


@dataclass(frozen=True)
class Ending:
    """How one try at a job ended, and what it took."""

    how: How
    reason: str = ""
    blame: Blame | None = None
    retryable: bool = False
    wall_s: float = 0.0
    peak_mb: float | None = None
    """Largest memory of the job's processes together (proportional share, PSS); None: not measured."""
    stored: str = ""
    """Where the run was copied to, where it was."""

    def as_data(self) -> dict[str, Any]:
        """For a file or another machine."""
        return asdict(self)

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Ending:
        """The inverse of `as_data`. Raises `ValueError` or `TypeError` for what is none."""
        blame = data.get("blame")
        return cls(**{**data, "blame": Blame(blame) if blame else None})


@dataclass(frozen=True)
class Order:
    """Everything a process needs to evaluate one job; JSON on its way there."""

    run_dir: str
    log_dir: str
    """Where order, events, beats, output and ending of this try lie."""
    given: str
    variety: str
    brief: str
    language: str
    settings: dict[str, Any]
    deadline_s: float
    """Wall seconds after which the try is ended whatever it says."""
    hang_s: float
    """Wall seconds without a sign of life after which it is taken for hung."""
    store: str = ""
    """An fsspec URL the run is copied to afterwards; empty: nowhere."""


ENDED_OUTSIDE = "the evaluation was ended from outside"


def from_outside(why: str) -> bool:
    """Whether a try was broken off by something that can hardly be the app's doing: its process or its browser was killed."""
    return ENDED_OUTSIDE in why or BROWSER_GONE in why


EVENTS_FILE = "events.jsonl"
BEAT_FILE = "beat"
ENDING_FILE = "ending.json"
ORDER_FILE = "order.json"
SLACK_S = 120.0
LOG_FILE = "output.log"


def deadline_s(settings: Mapping[str, Any]) -> float:
    """Wall seconds after which an evaluation with these settings is ended from outside: far above all limits of its own."""
    budget, waits = settings["budget"], settings["timeouts"]
    own_s = budget["watchdog_s"] + budget["prove_watchdog_s"] + waits["install_s"] + waits["server_start_s"] + waits["launch_s"]
    return own_s + SLACK_S


def order_for(lease: Lease, home: Path, *, hang_s: float, store: str = "") -> Order:
    """The order of a try, with folders under `home`. Its deadline is far above the evaluation's own limits."""
    job = lease.job
    return Order(
        run_dir=str(home / "runs" / job.folder),
        log_dir=str(home / "logs" / job.folder),
        given=job.answer.subject,
        variety={"text": "answer", "url": "url", "path": ""}[job.answer.kind],
        brief=job.query.brief,
        language=job.query.language,
        settings=job.settings,
        deadline_s=deadline_s(job.settings),
        hang_s=hang_s,
        store=f"{store.rstrip('/')}/{job.folder}" if store else "",
    )
