"""Names that stand beside small nodes, and the texts that may be such names."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tools.diagram.fusion.piece import Piece
from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene


def freed(pieces: list[Piece]) -> list[TextNote]:
    """The texts of what turned out to be nothing."""
    texts = []
    for piece in pieces:
        if piece.role == "nothing":
            texts += piece.everything()
            piece.texts, piece.parts = [], []
    return texts


def captioned(scene: Scene, pieces: list[Piece], free: list[TextNote]) -> list[TextNote]:
    """Gives texts just outside to plain nodes without a text of their own, one to one; returns the other texts.

    Those on the side that most nodes have their nearest text on come first (layouts set all names to one side), then the nearest.
    """
    bare = [piece for piece in pieces if piece.role == "node" and not piece.everything()]
    pairs = []
    for index, piece in enumerate(bare):
        if max(piece.frame.width, piece.frame.height) > 9 * scene.glyph:
            continue
        for text in free:
            apart = gap(piece.frame, text.pixels)
            if apart <= 1.7 * scene.glyph and not text.turned:
                pairs.append((apart, index, text.id, _side(piece.frame, text.pixels), text))
    pairs.sort(key=lambda pair: pair[:3])
    sides = Counter({pair[1]: pair[3] for pair in reversed(pairs)}.values())
    usual = max(sorted(sides), key=lambda side: sides[side], default="")
    served: set[int] = set()
    used: set[str] = set()
    for _, index, name, _, text in sorted(pairs, key=lambda pair: pair[3] != usual):
        if index not in served and name not in used:
            served.add(index)
            used.add(name)
            bare[index].texts.append(text)
    return [text for text in free if text.id not in used]


def _side(node: Frame, text: Frame) -> str:
    """On which side of the node the text stands."""
    across, along = text.centre[0] - node.centre[0], text.centre[1] - node.centre[1]
    if max(node.y - text.bottom, text.y - node.bottom) >= -0.3 * text.height:
        return "below" if along > 0 else "above"
    return "right" if across > 0 else "left"


def gap(a: Frame, b: Frame) -> float:
    """Distance between two frames; 0 where they meet."""
    dx = max(a.x - b.right, b.x - a.right, 0.0)
    dy = max(a.y - b.bottom, b.y - a.bottom, 0.0)
    return float(np.hypot(dx, dy))
