"""What a model replies in each stage of a judging, as schemas. Their descriptions are sent along.

Lengths are not part of the schemas: a reply that says too much is cut here, not refused. Figures are checked in code.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from evaluator.verdict.taxonomy import Blame, Category, Severity

Ids = list[str]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Suspicion(_Reply):
    """A problem suspected from the untouched page and its source."""

    category: Category
    severity: Severity
    what: str = Field(description="What is probably wrong, in one sentence")
    where: str = Field("", description="The control, text or region it concerns, as a user finds it")
    requirement: str = Field("", description="Id of the requirement that it breaks, if any")
    evidence: Ids = Field(description="Ids that show it: source, screenshot, finding rows")


class StaticReply(_Reply):
    """The first impression."""

    summary: str = Field(description="What the app is and how it looks, three sentences at most")
    functionality: Literal[0, 1, 3, 5, 7, 8] = Field(description="First reading on the scale of functionality")
    aesthetics: Literal[0, 1, 3, 5, 6, 7, 8] = Field(description="First reading on the scale of aesthetics")
    suspicions: list[Suspicion]


class Problem(_Reply):
    """One defect that the recording shows."""

    category: Category
    severity: Severity
    blame: Blame = Field(description="Whose failing it is; only app can cost anything")
    title: str = Field(description="One sentence a developer can act on")
    expected: str
    observed: str
    evidence: Ids = Field(description="Ids of what shows it: pictures, trials, acts, assertions, findings, log rows, tracks")
    steps: Ids = Field(description="Ids of the acts that lead to it, in order; empty if none are needed")
    target: str = Field("", description="Selector or name of the control concerned")
    answers: str = Field("", description="S3 or f-1a2b3c if it is that suspicion or measured failure; else empty")
    promise: str = Field("", description="Id of the promise it breaks, if any")
    cause_file: str = ""
    cause_line: int = Field(0, ge=0)
    confidence: float = Field(ge=0, le=1)


class Answered(_Reply):
    """What became of one suspicion or measured failure."""

    ref: str = Field(description="S3 or f-1a2b3c")
    finding: Literal["stands", "refuted", "cannot tell"]
    reason: str
    evidence: Ids = Field([], description="Ids that show it; needed for refuted")
    same: str = Field("", description="f-1a2b3c if a suspicion is that measured failure; else empty")


class FinderReply(_Reply):
    """What the recording shows."""

    problems: list[Problem]
    answered: list[Answered] = Field(description="One for each suspicion and each measured failure")


class Item(_Reply):
    """One deduction."""

    ref: str = Field(description="P2 or f-1a2b3c")
    points: float = Field(ge=0, le=8, description="What it takes off, as a positive number")
    reason: str = ""


class FunctionalityReply(_Reply):
    """The scale of functionality."""

    level: Literal[0, 1, 3, 5, 7, 8] = Field(description="The anchor that fits the app as a whole")
    deductions: list[Item]
    score: float = Field(description="8 minus all deductions, not below 0")
    confidence: float = Field(ge=0, le=1)


class Craft(_Reply):
    """One thing that is better than clean and professional."""

    what: str
    points: float = Field(ge=0, le=3)
    evidence: Ids = Field(description="Ids of pictures that show it")


class AestheticsReply(_Reply):
    """The scale of aesthetics."""

    baseline: Literal[0, 1, 3, 5] = Field(description="5 clean and professional, 3 unpolished, 1 raw elements, 0 fails to render")
    reason: str
    evidence: Ids = Field(description="Ids of pictures it rests on")
    craft: list[Craft]
    deductions: list[Item]
    score: float = Field(description="baseline plus craft minus all deductions, between 0 and 8")
    confidence: float = Field(ge=0, le=1)


class ScorerReply(_Reply):
    """Both scales."""

    functionality: FunctionalityReply
    aesthetics: AestheticsReply
    summary: str = Field(description="The verdict in three sentences at most")


class MarkReply(_Reply):
    """Points for one item of a checklist."""

    item: int = Field(ge=1, description="Number of the item")
    points: float = Field(ge=0, le=10)
    reason: str = ""


class ChecklistReply(_Reply):
    """Points for every item."""

    marks: list[MarkReply]
    total: float = Field(description="The sum of all points")
    confidence: float = Field(0.5, ge=0, le=1)


class SingleReply(_Reply):
    """A judgement on one look."""

    functionality: float = Field(ge=0, le=8)
    functionality_reason: str
    aesthetics: float = Field(ge=0, le=8)
    aesthetics_reason: str
    problems: list[str] = []
    confidence: float = Field(0.5, ge=0, le=1)
