"""What is told of a run while it goes on: one class an event, as `--display json` prints them, one JSON object a line.

Published as `configs/schemas/events.schema.json`. All texts are as the page or the brief had them: whoever shows them makes them
harmless (`agent/console/wording.py`); JSON escapes control characters by itself.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    at_s: float
    """Wall seconds since the run began (an interrupted run: since its first beginning)."""
    app_ms: float | None = None
    """App time, ms since the stage opened; null before that, and for events that have none."""


class Opened(_Event):
    """A run began, was taken up again, or is being looked at."""

    event: Literal["opened"] = "opened"
    run: str
    """The run's folder."""
    subject: str
    brief: str
    max_acts: int
    began: str
    """UTC, ISO 8601."""


class Served(_Event):
    """The subject answers at an address of its own."""

    event: Literal["served"] = "served"
    url: str
    variety: str


class StageUp(_Event):
    """The browser with its instruments is up."""

    event: Literal["stage_up"] = "stage_up"
    clock: str
    capture: str


class Entered(_Event):
    """A node of the state machine began: launch, perceive, plan, explore, seal, score, prove, report."""

    event: Literal["entered"] = "entered"
    node: str


class Left(_Event):
    """A node of the state machine ended."""

    event: Literal["left"] = "left"
    node: str


class PlannedFor(_Event):
    """What the brief promises was read; `domain` is what it says the app is."""

    event: Literal["planned"] = "planned"
    domain: str
    promises: int


class Saw(_Event):
    """An observation. `picture` is the path of its screenshot (PNG)."""

    event: Literal["saw"] = "saw"
    url: str
    title: str
    marks: int
    picture: str


class Trying(_Event):
    """A trial begins: what is done, and what must hold then."""

    event: Literal["trying"] = "trying"
    number: int
    """Of the trial, from 1."""
    by: str
    """The relation, or who else made it."""
    why: str
    what: str
    expects: str


class Did(_Event):
    """One act of a trial: what reached the page and what changed, in words."""

    event: Literal["did"] = "did"
    step: int
    """Of the act, from 1."""
    what: str
    delivered: bool
    problem: str
    changed: tuple[str, ...]
    app_s: float
    """How long the act took, app time."""
    picture: str = ""
    """Path of the picture after it (PNG)."""
    region: tuple[float, float, float, float] | None = None
    """The largest part of the picture that changed: x, y, width, height in CSS pixels."""


class Tried(_Event):
    """A trial ended."""

    event: Literal["tried"] = "tried"
    number: int
    by: str
    result: Literal["held", "violated", "explained", "cannot tell", "stopped"]
    text: str = ""
    """What was seen of the assertion that decided it, or why it went no further."""


class Suspected(_Event):
    """A symptom, not yet judged: a trial that was violated, a probe's finding, an error of the page."""

    event: Literal["suspected"] = "suspected"
    source: Literal["trial", "probe", "page"]
    symptom: str
    text: str
    step: int = 0
    """The act that showed it; 0 for none."""


class Logged(_Event):
    """A line for the log: the page's console, its network, what is missing from the evidence."""

    event: Literal["log"] = "log"
    level: Literal["debug", "info", "warning", "error"]
    source: str
    text: str


class Asked(_Event):
    """One call of a model."""

    event: Literal["model_call"] = "model_call"
    role: str
    model: str
    tokens_in: int
    tokens_out: int
    tokens_cached: int
    cost_usd: float | None
    """null: the price is not known."""
    seconds: float
    outcome: str
    """`answered`, `repaired`, or what went wrong."""


class Coverage(_Event):
    """How much was tried so far; `final` is the record's own account at the end, which alone counts controls."""

    event: Literal["coverage"] = "coverage"
    trials: int = 0
    controls_found: int = 0
    controls_tried: int = 0
    promises: int
    shown: int
    broken: int
    final: bool = False


class Paused(_Event):
    """The run stands; app time, too."""

    event: Literal["paused"] = "paused"


class WentOn(_Event):
    """The run goes on after a pause."""

    event: Literal["went_on"] = "went_on"


class SteeredBy(_Event):
    """A person's wish reached the run."""

    event: Literal["steered"] = "steered"
    wish: Literal["pause", "step", "go_on", "hint", "stop"]
    text: str


class SealedNow(_Event):
    """The evidence is closed."""

    event: Literal["sealed"] = "sealed"
    rows: int
    complete: bool
    stop: str


class Scored(_Event):
    """The judge has spoken; nothing is proved yet."""

    event: Literal["scored"] = "scored"
    failures: int


class Proved(_Event):
    """Failures were met again in fresh browsers."""

    event: Literal["proved"] = "proved"
    confirmed: int
    of: int


class Reported(_Event):
    """The report lies beside the ledger."""

    event: Literal["reported"] = "reported"
    path: str


class Ended(_Event):
    """The run is over. Without a status it was interrupted and can be resumed."""

    event: Literal["ended"] = "ended"
    status: Literal["complete", "not_enough_seen", "incomplete", "no_artifact"] | None
    functionality: float | None = None
    """0–8."""
    aesthetics: float | None = None
    intervals: dict[str, tuple[float, float]] = {}
    """Where the true values may lie, by scale."""
    seen: str = ""
    """How much of the app was seen, in words."""
    failures: int = 0


Event = (
    Opened | Served | StageUp | Entered | Left | PlannedFor | Saw | Trying | Did | Tried | Suspected | Logged | Asked
    | Coverage | Paused | WentOn | SteeredBy | SealedNow | Scored | Proved | Reported | Ended
)  # fmt: skip


def schema() -> dict[str, Any]:
    """JSON Schema of one line of `--display json`."""
    values = TypeAdapter(Annotated[Event, Field(discriminator="event")]).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "One event of an Assay run", **values}
