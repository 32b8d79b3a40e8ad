"""What a ledger row can say: one class a kind, and the header every row carries.

A row is `header + body`. The header answers *which, when, where, by whom*; the body's `kind` says what happened. Bodies hold
small values; anything large (a picture, a DOM) is a blob named by its SHA-256 in the header.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from tools.evidence.code_rows import CodeRan, CodeSeen
from tools.evidence.film_rows import MotionTrack, Recorded, SoundTrack
from tools.evidence.frozen import Frozen
from tools.evidence.model_rows import ModelCalled
from tools.evidence.page_rows import ConsoleMessage, DialogShown, LibraryServed, NetworkFailure, PageError, PageEvent
from tools.evidence.stage_rows import ClockKept, ConsentAnswered, LetIn, Resumed, RunStarted, SiteServed, StageOpened
from tools.evidence.trial_rows import (
    ActDone,
    AssertionJudged,
    Noted,
    PageModelSeen,
    ReadFirst,
    TrialBegun,
    TrialEnded,
    WayKnown,
    Withdrawn,
)

SCHEMA_VERSION = 3
"""What rows are written in. 3: all that was tried is a trial."""
OLDEST_READ = 3
"""Rows of this version and later ones fit what is read here."""


class Phase(StrEnum):
    """The stage of a run in which a row was written (the nodes of the state machine, loops folded)."""

    launch = "launch"
    perceive = "perceive"
    plan = "plan"
    explore = "explore"
    seal = "seal"
    prove = "prove"
    score = "score"


class BlobRef(Frozen):
    """A blob in the run's store: content address, size in bytes and media type."""

    sha256: str
    size: int
    media_type: str


class Box(Frozen):
    """A rectangle in CSS pixels of the top-level viewport, origin top left."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the box."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def area(self) -> float:
        """Square CSS pixels; 0 for a box turned inside out."""
        return max(self.width, 0.0) * max(self.height, 0.0)

    def meets(self, other: Box, by_px: float = 0.0) -> bool:
        """Whether the two are no further apart than that; boxes without an area count as points and lines."""
        across = self.x <= other.x + other.width + by_px and other.x <= self.x + self.width + by_px
        return across and self.y <= other.y + other.height + by_px and other.y <= self.y + self.height + by_px


class SourceFile(Frozen):
    """One file of the app as it was served or found in the subject (blob)."""

    kind: Literal["source"] = "source"
    path: str
    language: str


class Screenshot(Frozen):
    """A picture of the page (blob, PNG). `label` names the occasion: `first`, `full`, `mobile`, `trial`."""

    kind: Literal["screenshot"] = "screenshot"
    label: str
    width: int
    height: int
    full_page: bool = False


class DomSnapshot(Frozen):
    """The serialised DOM, shadow roots included (blob, HTML)."""

    kind: Literal["dom"] = "dom"
    nodes: int
    text_length: int


class AccessibilityTree(Frozen):
    """The accessibility tree (blob, JSON)."""

    kind: Literal["accessibility"] = "accessibility"
    nodes: int


class ServerLog(Frozen):
    """Lines the app's own server printed since the last such row (blob, text)."""

    kind: Literal["server_log"] = "server_log"
    lines: int
    excerpt: str


class Finding(Frozen):
    """One symptom a deterministic probe measured on the page. Says what is, never whose fault or how grave."""

    kind: Literal["finding"] = "finding"
    probe: str
    symptom: str
    """Stable dotted word, `<probe>.<what>`: `contrast.low`, `layout.overlap`, `media.broken`, `axe.button-name`."""
    message: str
    selector: str = ""
    box: Box | None = None
    viewport: str = "desktop"
    measured: dict[str, float | int | str | bool] = Field(default={})
    """The figures the symptom rests on, with units in the names (`ratio`, `overlap_px2`)."""
    state: str = ""
    """In which later state of the page, in words: `dark theme`; empty for the page as it was opened."""
    after: str = ""
    """Id of the row of the trial after which the page was in that state."""


class Audited(Frozen):
    """A probe ran over the page (or could not, and why); its findings are the rows whose parent this is."""

    kind: Literal["audit"] = "audit"
    probe: str
    viewport: str
    measured: bool
    reason: str = ""
    findings: int = 0
    values: dict[str, float | int | str | bool] = Field(default={})
    """Measures that are not defects: language found, share of blank pixels, number of colours."""
    state: str = ""
    """As in `Finding`; its parent is then the trial's row."""


class Promise(Frozen):
    """One thing the brief asks for, with the words it was read from."""

    id: str
    text: str
    aspect: Literal[
        "feature", "control", "content", "language", "sound", "keyboard", "persistence", "responsive", "motion", "theme"
    ]
    central: bool
    keywords: tuple[str, ...] = ()


class Planned(Frozen):
    """What the brief promises and in which order it will be tried."""

    kind: Literal["plan"] = "plan"
    domain: str
    promises: tuple[Promise, ...]
    order: tuple[str, ...]


class Observed(Frozen):
    """What was seen at one instant of app time (blob: the marks as JSON)."""

    kind: Literal["observation"] = "observation"
    url: str
    title: str
    screenshot: str
    """Id of the screenshot row."""
    fingerprint: str
    """Equal for two observations between which nothing that matters changed."""
    marks: int
    text_sha256: str
    dom_sha256: str


class Changes(Frozen):
    """Difference between two looks at the page, each by its own measure; `None` is not measured."""

    url: bool = False
    dom: bool = False
    text: bool = False
    picture: float | None = None
    """Share of pixels that changed noticeably, 0–1, apart from what moves by itself."""
    moving: float | None = None
    """Share of pixels that move by themselves (measured before the action)."""
    network: int = 0
    storage: bool = False
    scroll: bool = False
    focus: bool = False
    value: bool = False
    dialogs: int = 0
    errors: int = 0

    @property
    def any(self) -> bool:
        """Whether anything a person could notice or that has an effect changed."""
        seen = self.picture is not None and self.picture > 0.0005
        return bool(
            self.url or self.text or self.dom or seen or self.network or self.storage or self.scroll or self.dialogs or self.value
        )


class Steered(Frozen):
    """A person who watched took a hand in the run. Advice reaches the decider, never the judge."""

    kind: Literal["steered"] = "steered"
    wish: Literal["pause", "step", "go_on", "hint", "stop"]
    text: str = ""
    """The advice; empty for other wishes."""


class Covered(Frozen):
    """What was and was not tried, and why the exploration ended."""

    kind: Literal["coverage"] = "coverage"
    stop_reason: Literal[
        "covered", "decided", "steps", "time", "stuck", "cycle", "crashed", "hung", "left_site", "no_artifact", "interrupted"
    ]
    controls_found: int
    controls_tried: int
    promises: dict[str, Literal["shown", "broken", "not_tested"]]
    not_tested: tuple[str, ...]
    """One line each: what, and why."""
    states: int = 0
    """States that trials were in: the same things can be done in each."""


class Gap(Frozen):
    """Evidence that should exist and does not, and whose failing that is."""

    kind: Literal["gap"] = "gap"
    what: str
    reason: str
    blame: Literal["app", "agent", "environment", "evaluator", "ambiguous"]
    from_ms: float | None = None
    """Where the gap is a span of app time: its beginning."""
    to_ms: float | None = None


class Sealed(Frozen):
    """Last row: the record is complete. `rows` counts the rows before it."""

    kind: Literal["sealed"] = "sealed"
    rows: int
    blobs: int
    complete: bool
    schema_version: int = 1
    """What the rows were written in; version 1 did not say."""


Body = Annotated[
    RunStarted
    | Resumed
    | SiteServed
    | StageOpened
    | LetIn
    | ConsentAnswered
    | ClockKept
    | SourceFile
    | Screenshot
    | DomSnapshot
    | AccessibilityTree
    | ConsoleMessage
    | PageError
    | NetworkFailure
    | LibraryServed
    | DialogShown
    | PageEvent
    | ServerLog
    | Finding
    | Audited
    | Planned
    | Observed
    | Steered
    | Covered
    | Recorded
    | SoundTrack
    | MotionTrack
    | CodeSeen
    | CodeRan
    | ModelCalled
    | PageModelSeen
    | TrialBegun
    | ActDone
    | AssertionJudged
    | TrialEnded
    | WayKnown
    | Noted
    | ReadFirst
    | Withdrawn
    | Gap
    | Sealed,
    Field(discriminator="kind"),
]


class Row(Frozen):
    """One line of the ledger."""

    id: str
    """`e000042`: what verdicts cite."""
    version: int = SCHEMA_VERSION
    wall_time: str
    """UTC, ISO 8601 with milliseconds."""
    app_ms: float | None
    """App time in ms since the stage opened; None before that."""
    phase: Phase
    producer: str
    parent: str | None = None
    blob: BlobRef | None = None
    body: Body
    previous: str
    """Hash of the row before; 64 zeros for the first."""
    hash: str

    @property
    def kind(self) -> str:
        """The body's kind."""
        return self.body.kind
