"""S_image: a picture against its prompt and its model. 0.4 CLIP + 0.4 visual flow + 0.2 (1 − LPIPS); each needs a model.

No weights for any of the three ship with Assay: without a configured model the part, and so the score, is *not measured*.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from tools.diagram.metrics.score import Measure, unmeasured, weighted


class TextPictureModel(Protocol):
    """CLIP or its like."""

    name: str

    def alike(self, picture: Path, text: str) -> float:
        """Cosine scaled to 0–1. Long texts are its own business; it raises rather than cutting them in silence."""
        ...


class FlowJudge(Protocol):
    """A vision model that says whether the drawn flow is the one asked for."""

    name: str

    def flow(self, picture: Path, text: str) -> float:
        """0–1."""
        ...


class PerceptualDistance(Protocol):
    """LPIPS or its like."""

    name: str

    def distance(self, picture: Path, reference: Path) -> float:
        """0 is the same; values above 1 count as 1."""
        ...


class PictureScore(BaseModel):
    """The three parts and their sum."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    clip: Measure
    flow: Measure
    nearness: Measure
    total: Measure


def score_picture(
    picture: Path,
    *,
    prompt: str = "",
    reference: Path | None = None,
    clip: TextPictureModel | None = None,
    judge: FlowJudge | None = None,
    lpips: PerceptualDistance | None = None,
) -> PictureScore:
    """Scores a picture by the models that are given."""
    asked = Measure(value=clip.alike(picture, prompt)) if clip and prompt else unmeasured("no text-picture model is configured")
    flow = Measure(value=judge.flow(picture, prompt)) if judge and prompt else unmeasured("no judge model is configured")
    nearness = unmeasured("no perceptual distance is configured")
    if lpips is not None:
        nearness = (
            Measure(value=1 - min(1.0, max(0.0, lpips.distance(picture, reference))))
            if reference
            else unmeasured("no reference picture")
        )
    total = weighted({"clip": (0.4, asked), "visual flow": (0.4, flow), "1 − LPIPS": (0.2, nearness)})
    return PictureScore(clip=asked, flow=flow, nearness=nearness, total=total)


def overall(graph: float | None, text: Measure, picture: Measure) -> Measure:
    """S_overall = 0.4 S_graph + 0.3 S_text + 0.3 S_image."""
    first = Measure(value=graph) if graph is not None else unmeasured("there is no true graph")
    return weighted({"S_graph": (0.4, first), "S_text": (0.3, text), "S_image": (0.3, picture)})
