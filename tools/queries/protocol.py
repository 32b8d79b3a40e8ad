"""The two values every reader gives and every batch takes: a query and one model's answer to it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

SubjectKind = Literal["path", "text", "url"]


class CheckItem(BaseModel):
    """One line of a checklist."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    title: str = ""
    text: str
    points: float = Field(default=10.0, gt=0)
    """What it is worth when fully met."""


class Query(BaseModel):
    """One thing models are asked to build."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = Field(min_length=1)
    """Unique within its set; safe to show, not necessarily safe as a file name."""
    brief: str = Field(min_length=1)
    """What the app was asked to be."""
    language: str = ""
    """ISO 639-1 code of the brief; empty where it is not known."""
    difficulty: str = ""
    """`easy`, `medium`, `hard` for our own sets; others keep their own words in lower case. Empty: not known."""
    domain: tuple[str, ...] = ()
    """From general to special, for example `("games", "puzzle")`."""
    checklist: tuple[CheckItem, ...] = ()
    meta: dict[str, Any] = Field(default={})
    """What the source holds besides; JSON values."""

    @property
    def field(self) -> str:
        """The most general part of the domain; empty where it is not known."""
        return self.domain[0] if self.domain else ""


class Answer(BaseModel):
    """What one model gave for one query in one trial: what is to be evaluated."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query_id: str = Field(min_length=1)
    model: str = Field(min_length=1)
    trial: int = Field(default=1, ge=1)
    kind: SubjectKind
    subject: str = Field(min_length=1)
    """An absolute path (file or folder), the text of a raw answer, or an address, as `kind` says."""
    source: str = ""
    """Where it was read from, for messages: `file:line` or a path."""

    @property
    def key(self) -> tuple[str, str, int]:
        """What is unique within a batch: query, model, trial."""
        return self.query_id, self.model, self.trial
