"""What goes over the wire: submissions, and what is told about an evaluation."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.batch.jobs import State
from agent.batch.table import Entry
from evaluator.results.rows import Scored
from evaluator.verdict.taxonomy import Blame

_PART = r"\.?[^/\\.:\x00-\x1f\x7f][^/\\:\x00-\x1f\x7f]{0,46}"
PATH = rf"^{_PART}(/{_PART}){{0,15}}$"
BASE64 = r"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
ADDRESS = r"^https?://[A-Za-z0-9][A-Za-z0-9.-]{0,250}(:[0-9]{1,5})?([/?#][!-~]{0,1800})?$"
LANGUAGE = r"^([a-z]{2,3}(-[A-Za-z0-9]{2,8})?)?$"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextFile(_Value):
    """A file of the app, as text."""

    path: Annotated[str, Field(pattern=PATH, description="Where it lies in the app, with / between folders.")]
    text: Annotated[str, Field(max_length=8_000_000)]


class BinaryFile(_Value):
    """A file of the app, as base64."""

    path: Annotated[str, Field(pattern=PATH)]
    base64: Annotated[str, Field(pattern=BASE64, max_length=60_000_000)]


class Files(_Value):
    """The app as files: a page with what it needs, or a project with a package.json."""

    kind: Literal["files"]
    files: Annotated[
        list[TextFile | BinaryFile],
        Field(min_length=1, max_length=2000, description="Each path once, and none of them a folder of another; else 409."),
    ]


class RawAnswer(_Value):
    """The raw answer of a language model; the app is taken out of it."""

    kind: Literal["answer"]
    text: Annotated[str, Field(max_length=4_000_000)]


class Address(_Value):
    """An app that is served already."""

    kind: Literal["url"]
    url: Annotated[str, Field(pattern=ADDRESS)]


class Budget(_Value):
    """What the evaluation may spend; the server's own limits cannot be exceeded."""

    max_acts: Annotated[int | None, Field(ge=0, le=1000)] = None
    explore_app_s: Annotated[float | None, Field(gt=0, le=3600)] = None
    prove: bool | None = None


class Submission(_Value):
    """An app to be evaluated against a brief."""

    brief: Annotated[str, Field(min_length=1, max_length=20_000, description="What the app was asked to be.")]
    subject: Annotated[Files | RawAnswer | Address, Field(discriminator="kind")]
    language: Annotated[str, Field(pattern=LANGUAGE, description="The brief's; empty: detected.")] = ""
    name: Annotated[str, Field(max_length=100, description="A label of yours, for example the model's name.")] = ""
    seed: Annotated[int | None, Field(ge=0, le=2**31 - 1)] = None
    budget: Budget = Budget()


class Evaluation(_Value):
    """An evaluation as it stands. Times are seconds since 1970."""

    id: str
    name: str
    state: State
    ahead: int = Field(description="Evaluations that wait before this one.")
    attempts: int
    submitted_at: float
    started_at: float | None
    ended_at: float | None
    wall_s: float | None
    functionality: float | None = Field(description="0–8; null before there is a score.")
    aesthetics: float | None
    enough: bool | None = Field(description="Enough of the app was seen for its scores to mean something; null before.")
    seen: str = Field(description="How much of it was seen, in words.")
    blame: Blame | None = Field(description="Whose failing it is that there is no score.")
    reason: str


class Page(_Value):
    """Some evaluations, in the order they were submitted."""

    evaluations: list[Evaluation]
    next: int | None = Field(description="Give this as `after` for more; null: there are none.")


class Problem(_Value):
    """What is wrong, and what to do about it."""

    detail: Any


class Health(_Value):
    """Whether evaluations are being worked on."""

    status: Literal["ok", "paused"]
    reason: str = ""


def told(entry: Entry, ahead: int) -> Evaluation:
    """An entry of the job table as clients see it."""
    row = Scored.model_validate_json(entry.result) if entry.result else None
    return Evaluation(
        id=entry.job.key,
        name=entry.job.answer.model if entry.job.answer.model != UNNAMED else "",
        state=entry.state,
        ahead=ahead if entry.state is State.waiting else 0,
        attempts=entry.attempts,
        submitted_at=entry.added_at,
        started_at=entry.started_at,
        ended_at=entry.ended_at,
        wall_s=entry.wall_s,
        functionality=row.functionality.value if row and row.functionality else None,
        aesthetics=row.aesthetics.value if row and row.aesthetics else None,
        enough=row.enough if row and row.functionality else None,
        seen=row.seen if row else "",
        blame=entry.blame,
        reason=entry.reason,
    )


UNNAMED = "submitted"
"""Stands for the label where none was given."""
