"""The published form of a run's result: what `report.json` holds. The schema in `configs/schemas` is generated from this.

    Report
    ├── headline      the verdict's status and how much was seen, in words
    ├── run           what was evaluated, when, with which versions and settings, on which stage
    ├── verdict       evaluator.verdict.model.Verdict, unchanged
    ├── promises      what the brief asks for and whether it was seen
    ├── steps         what was done in trials, and what came of it
    ├── spending      what models cost, by role
    ├── recording     the video beside this file
    ├── pictures, audits, logs, gaps
    ├── evidence      one entry for each row of the ledger
    └── marks         what a reader said of failures

Times: `app_ms` is app time in ms since the stage opened, `video_s` the position in the recording in s; both None where unknown.
Files are paths relative to the run's folder.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from evaluator.marks.model import ReaderMark
from evaluator.record.spending import RoleSpent
from evaluator.verdict.model import Verdict
from tools.evidence.film_rows import SoundOffset
from tools.evidence.rows import Box, SiteServed, StageOpened

REPORT_VERSION = 2
"""2: steps are acts of trials, with what each trial came to."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RunFacts(_Frozen):
    """What was evaluated and under which conditions."""

    id: str
    """Name of the run's folder."""
    brief: str
    brief_language: str
    subject: str
    started_at: str
    """UTC, ISO 8601: wall time of the first row."""
    ended_at: str
    """Wall time of the last row."""
    wall_s: float
    settings: dict[str, Any]
    versions: dict[str, str]
    site: SiteServed | None
    stage: StageOpened | None
    let_in: tuple[str, ...]
    """How the browser got into the app, and what was answered to a banner about cookies: one line each."""
    interruptions: tuple[str, ...]
    """One line for each time the run was taken up again."""
    complete: bool
    """False when the sealed evidence is known to have holes."""
    seal: str
    rows: int
    blobs: int


class PromiseFacts(_Frozen):
    """One thing the brief asks for, and what the evidence says of it."""

    id: str
    text: str
    aspect: str
    central: bool
    status: Literal["shown", "broken", "not_tested"]
    steps: tuple[int, ...]
    """Numbers of the steps that end a trial about it that held."""
    failures: tuple[str, ...]


class CheckFacts(_Frozen):
    """What an assertion of a trial, or of its control experiment, found."""

    id: str
    words: str
    seen: str
    result: Literal["held", "violated", "cannot tell"]
    control: bool


class StepChanges(_Frozen):
    """What came of an act, as far as its row says it."""

    address: bool = False
    page: bool = False
    """Something else is shown."""
    storage: bool = False
    requests: int = 0
    dialogs: int = 0
    outside: int = 0
    """Things that left the page: downloads, other tabs, prints."""
    errors: int = 0

    @property
    def any(self) -> bool:
        """Whether anything a person could notice or that has an effect came of it."""
        return bool(self.address or self.page or self.storage or self.requests or self.dialogs or self.outside)


class StepFacts(_Frozen):
    """One act of a trial: why it was done, what was done, what happened; with the last one, what the trial came to."""

    number: int
    id: str
    """The act's row."""
    trial: str
    """The trial's row; empty if it is not on record."""
    by: str
    """The relation that made the trial, or who else did."""
    why: str
    """What the trial tries, in one sentence."""
    result: Literal["", "held", "violated", "explained", "cannot tell", "stopped"]
    """What the trial came to; empty where it was broken off."""
    during: Literal["precondition", "acts", "control"]
    description: str
    action: dict[str, Any]
    delivered: bool
    problem: str
    before: str
    """Row of the screenshot before; empty if there is none."""
    after: str
    changes: StepChanges
    checks: tuple[CheckFacts, ...]
    """With the trial's last act: its assertions as they were judged."""
    failures: tuple[str, ...]
    """Failures that this step shows."""
    started_ms: float
    ended_ms: float
    video_s: float | None
    video_end_s: float | None


class RecordingFacts(_Frozen):
    """The session's recording. `state` tells whether the file is there and is what was sealed."""

    id: str
    file: str
    sha256: str
    size: int
    duration_s: float
    frames: int
    fps: float
    width: int
    height: int
    sound: bool
    holes: tuple[tuple[float, float], ...] = ()
    """From–to in app time, ms, where nothing was filmed."""
    sound_offset: SoundOffset | None = None
    state: Literal["intact", "missing", "altered"]


class PictureFacts(_Frozen):
    """One screenshot."""

    id: str
    label: str
    width: int
    height: int
    full_page: bool
    file: str
    app_ms: float | None


class FindingFacts(_Frozen):
    """One symptom a probe measured."""

    id: str
    symptom: str
    message: str
    selector: str
    box: Box | None
    viewport: str
    measured: dict[str, float | int | str | bool]
    state: str = ""
    """In which later state of the page; empty for the page as it was opened."""
    after: str = ""
    """Id of the row of the trial that led there."""


class AuditFacts(_Frozen):
    """One probe's run over the page, with its findings. `id` is empty for findings whose audit is not on record."""

    id: str
    probe: str
    viewport: str
    measured: bool
    reason: str
    values: dict[str, float | int | str | bool]
    findings: tuple[FindingFacts, ...]
    state: str = ""
    """As in its findings."""

    @property
    def quiet(self) -> bool:
        """Whether it was measured and found nothing."""
        return self.measured and not self.findings


class LogLine(_Frozen):
    """One entry of the console, the network log, the dialogs, the page's events or the server's output."""

    id: str
    kind: Literal["console", "page_error", "network", "dialog", "page_event", "server_log"]
    level: str
    """Console level, HTTP status or `blocked`, sort of dialog, sort of event."""
    text: str
    where: str
    phase: str
    app_ms: float | None
    video_s: float | None


class GapFacts(_Frozen):
    """Evidence that is missing."""

    id: str
    what: str
    reason: str
    blame: str
    app_ms: float | None
    video_s: float | None
    video_end_s: float | None = None
    """Where the gap is a span."""


class EvidenceFacts(_Frozen):
    """One row of the ledger, in short."""

    id: str
    kind: str
    summary: str
    phase: str
    producer: str
    wall_time: str
    app_ms: float | None
    video_s: float | None
    parent: str
    file: str
    """The row's blob; empty if it has none."""
    hash: str


class Report(_Frozen):
    """Everything a run came to."""

    version: int = REPORT_VERSION
    headline: str
    """The verdict's status and how much was seen, in one line: no number means anything without it."""
    run: RunFacts
    verdict: Verdict
    promises: tuple[PromiseFacts, ...]
    steps: tuple[StepFacts, ...]
    spending: tuple[RoleSpent, ...] = ()
    """Each role that a model was asked in, and `all`; empty where none was asked."""
    recording: RecordingFacts | None
    pictures: tuple[PictureFacts, ...]
    audits: tuple[AuditFacts, ...]
    logs: tuple[LogLine, ...]
    gaps: tuple[GapFacts, ...]
    evidence: tuple[EvidenceFacts, ...]
    marks: tuple[ReaderMark, ...] = ()
    """What a reader said of failures and suspicions (`marks.json` beside the run); empty where nobody did."""
