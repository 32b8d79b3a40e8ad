"""Environment Curator: what the drawing lies on, how large its letters are, and how its parts are laid out."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tools.diagram.model.blackboard import Agent, SceneNote
from tools.diagram.model.graph import Flow, Frame
from tools.diagram.picture.surfaces import Scene


def curate(scene: Scene) -> SceneNote:
    """The scene's note; the flow is a first guess from the drawing's proportions, which the lines' heads overrule later."""
    height, width = scene.ink.shape
    paper = tuple(round(float(255 - v if scene.dark else v)) for v in scene.colours[scene.paper])
    layout, flow = _layout(scene)
    return SceneNote(
        writer=Agent.environment_curator,
        pixels=Frame(x=0, y=0, width=width, height=height),
        confidence=0.5 if flow is Flow.none else 0.7,
        dark=scene.dark,
        glyph_px=scene.glyph,
        noise_levels=round(scene.noise, 2),
        paper=(paper[0], paper[1], paper[2]),
        layout=layout,
        flow=flow,
    )


def _layout(scene: Scene) -> tuple[Literal["rows", "columns", "grid", "free"], Flow]:
    """Whether enclosed surfaces line up in rows, columns or both; rows stacked under each other suggest a flow downwards."""
    boxes = scene.boxes[1:]
    large = (np.minimum(boxes[:, 2], boxes[:, 3]) > 1.5 * scene.glyph) & (boxes[:, 4] > 0.5 * boxes[:, 2] * boxes[:, 3])
    boxes = boxes[large]
    if len(boxes) < 4:
        return "free", Flow.none
    rows = _aligned(boxes[:, 1] + boxes[:, 3] / 2, scene.glyph)
    columns = _aligned(boxes[:, 0] + boxes[:, 2] / 2, scene.glyph)
    if rows > 0.6 and columns > 0.6:
        return "grid", Flow.none
    if rows > 0.6:
        return "rows", Flow.down
    return ("columns", Flow.right) if columns > 0.6 else ("free", Flow.none)


def _aligned(places: np.ndarray, glyph: float) -> float:
    """Share of places that have another one within a third of a letter's height."""
    gaps = np.abs(places[:, None] - places[None, :]) + np.eye(len(places)) * 1e9
    return float((gaps.min(axis=1) < glyph / 3).mean())
