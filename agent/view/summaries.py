"""What the list says of each run, read from its folder and kept until the folder changes."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from agent.view.folder import RunsFolder
from evaluator.marks.file import MARKS_FILE, marks_on
from evaluator.reports.facts import VERDICT_FILE
from evaluator.reports.wording import is_known, seen
from evaluator.verdict.model import Score as VerdictScore
from evaluator.verdict.model import Verdict
from tools.errors import RunError
from tools.evidence.blobs import BlobStore
from tools.evidence.ledger import LEDGER_FILE
from tools.evidence.rows import Row, RunStarted, Screenshot
from tools.processes import owner_of

Status = Literal["complete", "not_enough_seen", "incomplete", "no_artifact", "running", "interrupted", "unreadable"]
STATUSES: dict[Status, str] = {
    "complete": "complete",
    "not_enough_seen": "not enough seen",
    "incomplete": "incomplete",
    "no_artifact": "no app",
    "running": "running",
    "interrupted": "interrupted",
    "unreadable": "not readable",
}
HEAD_BYTES = 4_000_000
"""Of a ledger, read in search of the first picture, which comes early."""


@dataclass(frozen=True)
class Score:
    """A score with its interval, 0–8. `known` False: too little was seen for the value to stand without it."""

    value: float
    low: float
    high: float
    known: bool


@dataclass(frozen=True)
class Summary:
    """One run in the list."""

    name: str
    subject: str = ""
    brief: str = ""
    began: datetime | None = None
    status: Status = "unreadable"
    told: str = ""
    """How much was seen, or why there is no score."""
    functionality: Score | None = None
    aesthetics: Score | None = None
    failures: int = 0
    suspected: int = 0
    titles: tuple[str, ...] = ()
    """Of all that is accused."""
    right: int = 0
    wrong: int = 0
    duplicates: int = 0
    """How many a reader marked so."""
    picture: str = ""
    """The app's first picture, a path in the run's folder; empty: there is none."""
    has_report: bool = False
    problem: str = ""
    """What in the folder can't be read."""

    @property
    def group(self) -> str:
        """The folder it lies in, below the folder of runs; a batch's `runs` stand for the batch."""
        parent = self.name.rpartition("/")[0]
        return parent.removesuffix("/runs") if parent != "runs" else parent

    @property
    def label(self) -> str:
        """Its folder's own name."""
        return self.name.rpartition("/")[2]

    @property
    def marked(self) -> int:
        """How many of its failures and suspicions bear a mark."""
        return self.right + self.wrong + self.duplicates


@dataclass
class _Kept:
    state: tuple[Any, ...] = ()
    summary: Summary = field(default_factory=lambda: Summary(""))
    head: Summary | None = None
    """What the ledger's beginning says; it does not change."""


class Summaries:
    """Summaries of runs, each made anew when its files have changed. Safe to use from several threads."""

    def __init__(self, folder: RunsFolder) -> None:
        self._folder = folder
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def all(self) -> list[Summary]:
        """Of every run in the folder, by name."""
        names = [found.name for found in self._folder.found() if found.kind == "run"]
        with self._lock:
            for gone in self._kept.keys() - set(names):
                del self._kept[gone]
        return [self.of(name) for name in names]

    def of(self, name: str) -> Summary:
        """Of one run; never raises for what lies in it."""
        path = self._folder.root / name
        if strange := self._folder.strange(name):
            return Summary(name, problem=strange, told=strange)
        with self._lock:
            kept = self._kept.setdefault(name, _Kept())
            running = owner_of(path) is not None
            state = (running, *(_stamp(path / file) for file in (VERDICT_FILE, MARKS_FILE, "report.html")))
            if kept.head is None or not kept.head.picture:
                kept.head = _head(path, name)
                kept.state = ()
            if state != kept.state or running:
                kept.summary, kept.state = _summary(path, kept.head, running=running), state
            return kept.summary


def _stamp(path: Path) -> tuple[int, int]:
    try:
        about = path.lstat()
    except OSError:
        return 0, 0
    return about.st_mtime_ns, about.st_size


def _head(path: Path, name: str) -> Summary:
    """What the beginning of the ledger says: subject, brief, when, and the first picture."""
    try:
        with (path / LEDGER_FILE).open("rb") as stream:
            lines = stream.read(HEAD_BYTES).split(b"\n")
    except OSError as error:
        return Summary(name, problem=f"the ledger can't be read: {error.strerror}")
    try:
        first = Row.model_validate_json(lines[0])
        started = first.body
        began = datetime.fromisoformat(first.wall_time)
    except (ValidationError, ValueError):
        return Summary(name, problem="its ledger is of another version of Assay, or damaged")
    if not isinstance(started, RunStarted):
        return Summary(name, problem="its ledger does not begin with a run")
    return Summary(name, started.subject, started.brief, began, picture=_first_picture(path, lines))


def _first_picture(path: Path, lines: list[bytes]) -> str:
    for line in lines:
        if b'"kind":"screenshot"' not in line:
            continue
        try:
            row = Row.model_validate_json(line)
        except ValidationError:
            continue
        if isinstance(row.body, Screenshot) and row.blob is not None:
            return BlobStore(path / "blobs").path(row.blob).relative_to(path).as_posix()
    return ""


def _summary(path: Path, head: Summary, *, running: bool) -> Summary:
    found = replace(head, has_report=(path / "report.html").is_file())
    if running:
        return replace(found, status="running", told="being evaluated now")
    if head.problem:
        return replace(found, told=head.problem)
    try:
        verdict = Verdict.model_validate_json((path / VERDICT_FILE).read_bytes())
    except FileNotFoundError:
        return replace(found, status="interrupted", told="It ended before its verdict; assay eval --resume may go on with it.")
    except (OSError, ValidationError):
        return replace(found, problem="its verdict can't be read", told="its verdict can't be read")
    told = verdict.reason if not verdict.scored else seen(verdict.coverage) + (f"; {verdict.reason}" if verdict.reason else "")
    found = replace(
        found,
        status=verdict.status,
        told=told,
        functionality=_score(verdict, verdict.functionality),
        aesthetics=_score(verdict, verdict.aesthetics),
        failures=len(verdict.failures),
        suspected=len(verdict.suspected),
        titles=tuple(failure.title for failure in verdict.accused),
    )
    try:
        opinions = [mark.opinion for mark in marks_on(path, verdict).values()]
    except RunError as error:
        return replace(found, problem=error.message)
    return replace(found, right=opinions.count("right"), wrong=opinions.count("wrong"), duplicates=opinions.count("duplicate"))


def _score(verdict: Verdict, score: VerdictScore | None) -> Score | None:
    return Score(score.value, score.low, score.high, is_known(verdict)) if score is not None else None


def promises_of(path: Path) -> list[dict[str, Any]]:
    """The requirements as the run's `report.json` has them: `text`, `status`; none where there is no such file."""
    try:
        told = json.loads((path / "report.json").read_bytes()).get("promises", [])
    except (OSError, ValueError, AttributeError):
        return []
    rows = told if isinstance(told, list) else []
    return [
        {"text": str(row["text"])[:500], "status": str(row["status"])}
        for row in rows
        if isinstance(row, dict) and {"text", "status"} <= row.keys()
    ]
