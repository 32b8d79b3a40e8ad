"""Which of several writers' claims about the same pixels count: the Fusion Arbiter's first decision.

The surer claim wins; of equally sure ones the deterministic. What a model says it sees must lie on something drawn, or it does
not count at all: a text on ink, an outline on ink or on the border of a surface.
"""

from __future__ import annotations

import numpy as np

from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene

SAME = 0.5
"""Intersection over union from which two claims are about one thing."""
_LEAST_INK = 0.02
_LEAST_BORDER = 0.6


def settled(
    scene: Scene, shapes: tuple[ShapeNote, ...], texts: tuple[TextNote, ...]
) -> tuple[tuple[ShapeNote, ...], tuple[TextNote, ...]]:
    """The claims that count, in their order."""
    if all(note.by == "deterministic" for note in (*shapes, *texts)):
        return shapes, texts
    kept_shapes = tuple(note for note in shapes if _stands(scene, note, shapes))
    kept_texts = tuple(note for note in texts if _stands(scene, note, texts))
    return kept_shapes, kept_texts


def _stands(scene: Scene, note: ShapeNote | TextNote, rivals: tuple[ShapeNote, ...] | tuple[TextNote, ...]) -> bool:
    if not supported(scene, note):
        return False
    for rival in rivals:
        contested = rival is not note and rival.by != note.by and alike(rival.pixels, note.pixels) >= SAME
        if contested and supported(scene, rival) and _rank(rival) > _rank(note):
            return False
    return True


def _rank(note: ShapeNote | TextNote) -> tuple[float, bool, str]:
    return note.confidence, note.by == "deterministic", note.id


def supported(scene: Scene, note: ShapeNote | TextNote) -> bool:
    """A deterministic note comes from pixels; a model's must lie on some."""
    if note.by == "deterministic":
        return True
    height, width = scene.ink.shape
    if isinstance(note, TextNote):
        x, y = max(int(note.pixels.x), 0), max(int(note.pixels.y), 0)
        window = scene.ink[y : int(note.pixels.bottom) + 1, x : int(note.pixels.right) + 1]
        return window.size > 0 and float(window.mean()) >= _LEAST_INK
    points = np.array(note.outline, dtype=float)
    if len(points) < 3:
        return False
    rim = np.vstack([np.linspace(a, b, 24, endpoint=False) for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)])
    drawn = 0
    for px, py in np.round(rim).astype(int):
        window = scene.surfaces[max(py - 4, 0) : min(py + 5, height), max(px - 4, 0) : min(px + 5, width)]
        drawn += int(window.size > 0 and (window == 0).any())
    return drawn / len(rim) >= _LEAST_BORDER


def alike(a: Frame, b: Frame) -> float:
    """Intersection over union of two frames."""
    w = min(a.right, b.right) - max(a.x, b.x)
    h = min(a.bottom, b.bottom) - max(a.y, b.y)
    both = max(w, 0.0) * max(h, 0.0)
    return both / max(a.area + b.area - both, 1e-9)
