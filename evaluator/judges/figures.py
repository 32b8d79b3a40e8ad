"""Figures of the judges that look, read once from `configs/judging.toml`."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from evaluator.verdict.rubric import read_config

FILE = "judging.toml"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BudgetFigures(_Frozen):
    """Tokens of one ask, and how they are estimated."""

    read: int = Field(gt=0)
    find: int = Field(gt=0)
    score: int = Field(gt=0)
    source_share: float = Field(gt=0, lt=1)
    pictures_share: float = Field(gt=0, lt=1)
    latin_characters: float = Field(gt=0)
    other_characters: float = Field(gt=0)
    picture_pixels: int = Field(gt=0)


class PictureFigures(_Frozen):
    """What is shown, and how large."""

    first_width: int
    frame_width: int
    frames_at_most: int
    same_share: float
    peak_apart_ms: float
    peaks_at_most: int
    video_bytes: int
    sound_spans: int
    sound_bytes: int


class WeightFigures(_Frozen):
    """What a model's word weighs; confidences 0–1, points on the scale of 0–8."""

    look: float
    corroborated: float
    mixed: float
    disputed: float
    refutable_below: float
    abstain_below: float
    disagree: float
    bonus_item: float
    bonus_least: float


class Figures(_Frozen):
    """All of them. `version` follows from the file's content."""

    edition: int
    version: str
    budget: BudgetFigures
    pictures: PictureFigures
    weight: WeightFigures

    def tokens(self, text: str) -> int:
        """Estimated tokens of a text: scripts without spaces take one or more a character, everything else a fraction."""
        wide = sum(1 for character in text if character > "\u2e7f")
        return round((len(text) - wide) / self.budget.latin_characters + wide / self.budget.other_characters)

    def characters(self, text: str, tokens: int) -> int:
        """How many characters of a text make so many tokens, at least one."""
        whole = self.tokens(text)
        return len(text) if whole <= tokens else max(len(text) * max(tokens, 0) // whole, 1)


@cache
def load_figures() -> Figures:
    """The figures that ship with Assay. Raises pydantic's `ValidationError` if their file is wrong."""
    values = read_config(FILE)
    values.pop("support", None)  # which evidence bears a claim stands with the categories in taxonomy.toml
    digest = hashlib.sha256((files("configs") / FILE).read_bytes()).hexdigest()[:12]
    return Figures.model_validate({**values, "version": f"{values['edition']}-{digest}"})
