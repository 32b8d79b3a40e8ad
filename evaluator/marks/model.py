"""What a reader says of a run's failures and suspicions: right, wrong or a duplicate, with a word. What `marks.json` holds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MARKS_VERSION = 1
WORD_CHARS = 500
"""A reader's word is at most so long."""

Opinion = Literal["right", "wrong", "duplicate"]
"""`right`: the app fails there as it is said · `wrong`: it does not · `duplicate`: it does, and another failure says so."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReaderMark(_Frozen):
    """What one reader says of one failure or suspicion."""

    failure: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:-]{1,80}$")]
    """The failure's id in the run's verdict."""
    opinion: Opinion
    word: Annotated[str, Field(max_length=WORD_CHARS)] = ""
    title: Annotated[str, Field(max_length=1000)] = ""
    """The failure's title when it was marked: the run may be judged again by other rules."""
    counts: bool
    """Whether it took points then; otherwise it was only suspected."""
    reader: Annotated[str, Field(max_length=80)] = ""
    at: str
    """When, UTC, ISO 8601."""


class Marks(_Frozen):
    """All marks of a run, one a failure."""

    version: Literal[1] = MARKS_VERSION
    seal: str
    """Of the record that was judged: marks that lie beside another run say nothing of it."""
    marks: Annotated[tuple[ReaderMark, ...], Field(max_length=5000)] = ()

    def by_failure(self) -> dict[str, ReaderMark]:
        """Each mark by its failure's id."""
        return {mark.failure: mark for mark in self.marks}

    def counted(self) -> dict[Opinion, int]:
        """How many there are of each opinion that was given."""
        found: dict[Opinion, int] = {}
        for mark in self.marks:
            found[mark.opinion] = found.get(mark.opinion, 0) + 1
        return found
