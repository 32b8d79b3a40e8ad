"""Names that stand beside small nodes, and the texts that may be such names."""

from __future__ import annotations

import numpy as np

from tools.diagram.blackboard import TextNote
from tools.diagram.graph import Frame
from tools.diagram.piece import Piece
from tools.diagram.surfaces import Scene


def freed(pieces: list[Piece]) -> list[TextNote]:
    """The texts of what turned out to be nothing."""
    texts = []
    for piece in pieces:
        if piece.role == "nothing":
            texts += piece.everything()
            piece.texts, piece.parts = [], []
    return texts


def captioned(scene: Scene, pieces: list[Piece], free: list[TextNote]) -> list[TextNote]:
    """Gives texts just outside to plain nodes without a text of their own, one to one, nearest first; returns the other texts."""
    bare = [piece for piece in pieces if piece.role == "node" and not piece.everything()]
    pairs = []
    for index, piece in enumerate(bare):
        if max(piece.frame.width, piece.frame.height) > 9 * scene.glyph:
            continue
        for text in free:
            apart = gap(piece.frame, text.pixels)
            if apart <= 1.7 * scene.glyph and not text.turned:
                pairs.append((apart, index, text.id, text))
    served: set[int] = set()
    used: set[str] = set()
    for _, index, name, text in sorted(pairs, key=lambda pair: pair[:3]):
        if index not in served and name not in used:
            served.add(index)
            used.add(name)
            bare[index].texts.append(text)
    return [text for text in free if text.id not in used]


def gap(a: Frame, b: Frame) -> float:
    """Distance between two frames; 0 where they meet."""
    dx = max(a.x - b.right, b.x - a.right, 0.0)
    dy = max(a.y - b.bottom, b.y - a.bottom, 0.0)
    return float(np.hypot(dx, dy))
