"""The rubric's figures, read once from `configs/rubric.toml` and versioned by what they say."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from evaluator.verdict.taxonomy import Category, Scale, Severity

SOURCES = ("rubric.toml", "taxonomy.toml", "libraries.toml")
"""Files of `configs/` that decide about a verdict; their content is the rubric's version."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScaleFigures(_Frozen):
    """Where the two scales begin and end."""

    top: float = Field(gt=0)
    functionality: float
    aesthetics: float
    bonus_limit: float = Field(ge=0)


class Points(_Frozen):
    """What one failure takes off, by severity."""

    critical: float
    critical_least: float
    critical_worst: float
    major: float
    minor: float


class LanguagePoints(_Frozen):
    """What a page in another language than the brief's loses."""

    brief_english: float
    brief_other: float


class CategoryLimit(_Frozen):
    """What the failures of some categories take off together at most."""

    words: str
    points: float = Field(gt=0)
    categories: tuple[Category, ...]


class Anchors(_Frozen):
    """Floors and ceilings of the scale."""

    renders_floor: float
    blank_functionality: float
    blank_aesthetics: float
    absent_functionality: float
    absent_aesthetics: float
    code_aesthetics: float
    hung_at_once: float


class ShareAnchor(_Frozen):
    """A ceiling on functionality when at most this share of what was tried works."""

    share_at_most: float = Field(ge=0, lt=1)
    tried_at_least: int = Field(ge=1)
    ceiling: float
    words: str


class Confidence(_Frozen):
    """How sure a failure is, 0–1, by what it rests on."""

    static: float
    weak: float
    outcome: float
    repeated: float
    event: float
    mixed: float
    confirmed: float


class DoubtFigures(_Frozen):
    """How far missing evidence can move a score, in points."""

    unproved_share: float
    untested_central: float
    untested_other: float
    untested_limit: float
    not_delivered: float
    not_delivered_limit: float
    unfinished: float
    incomplete_past: float
    dependence_limit: float
    without_brief: float
    nothing_tried: float
    unmeasured_probe: float
    taste_down: float


class SeenFigures(_Frozen):
    """Shares (0–1) of an app that must have been seen for its score to mean something."""

    requirements: float = Field(ge=0, le=1)
    controls: float = Field(ge=0, le=1)
    code: float = Field(ge=0, le=1)


class CraftMeasure(_Frozen):
    """One measure of craft, 0–1: no points at `usual`, `+up` from `fine` on, `-down` from `poor` down, linear between.

    Linear, so that a change that hardly moves the measure hardly moves the score: there is no mark to fall short of.
    """

    key: str
    poor: float
    usual: float
    fine: float
    up: float = Field(gt=0)
    down: float = Field(gt=0)
    words: str

    def worth(self, value: float) -> float:
        """Points for a measured value, to a twentieth."""
        if value >= self.usual:
            points = self.up * min((value - self.usual) / (self.fine - self.usual), 1.0)
        else:
            points = -self.down * min((self.usual - value) / (self.usual - self.poor), 1.0)
        return round(points * 20) / 20


class Craft(_Frozen):
    """Where measured craft is found, and how far poor craft can lower the score."""

    probe: str
    down_limit: float = Field(ge=0)
    measure: tuple[CraftMeasure, ...]

    @model_validator(mode="after")
    def _rises(self) -> Craft:
        wrong = [
            craft_measure.key
            for craft_measure in self.measure
            if not craft_measure.poor < craft_measure.usual < craft_measure.fine
        ]
        if wrong:
            raise ValueError(f"poor, usual and fine must rise; look at: {', '.join(wrong)}")
        return self


class Rubric(_Frozen):
    """Everything that turns failures into points."""

    edition: int
    version: str
    scale: ScaleFigures
    points: Points
    language: LanguagePoints
    limit: tuple[CategoryLimit, ...]
    anchor: Anchors
    share_anchor: tuple[ShareAnchor, ...]
    confidence: Confidence
    doubt: DoubtFigures
    gap: dict[str, float]
    seen: SeenFigures
    craft: Craft

    @model_validator(mode="after")
    def _whole(self) -> Rubric:
        named = [category for limit in self.limit for category in limit.categories]
        wrong = [each_category.value for each_category in Category if named.count(each_category) != 1]
        if wrong:
            raise ValueError(f"each category needs exactly one limit; look at: {', '.join(wrong)}")
        if not self.points.minor <= self.points.major <= self.points.critical_least <= self.points.critical:
            raise ValueError("points must rise with severity")
        return self

    def baseline(self, scale: Scale) -> float:
        """Where a scale begins before anything was seen."""
        return self.scale.functionality if scale is Scale.functionality else self.scale.aesthetics

    def limit_of(self, category: Category) -> CategoryLimit:
        """The limit that a category falls under."""
        return next(limit for limit in self.limit if category in limit.categories)

    def points_of(self, severity: Severity) -> float:
        """What a failure of that severity takes off."""
        return {
            Severity.critical: self.points.critical,
            Severity.major: self.points.major,
            Severity.minor: self.points.minor,
        }[severity]

    def severity_of(self, points: float) -> Severity:
        """The severity that a sum of points amounts to."""
        if points >= self.points.critical_least:
            return Severity.critical
        return Severity.major if points >= self.points.major else Severity.minor


def read_config(name: str) -> dict[str, Any]:
    """One TOML file of `configs/`."""
    return tomllib.loads((files("configs") / name).read_text(encoding="utf-8"))


@cache
def load_rubric() -> Rubric:
    """The rubric that ships with Assay. Raises pydantic's `ValidationError` if its file is wrong."""
    digest = hashlib.sha256()
    for name in SOURCES:
        digest.update((files("configs") / name).read_bytes())
    values = read_config("rubric.toml")
    return Rubric.model_validate({**values, "version": f"{values['edition']}-{digest.hexdigest()[:12]}"})
