"""What edges enclose between nodes, with their labels in it: the ground between two arrows that go to and fro is no node."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.fusion.piece import Piece
from tools.diagram.model.graph import Shape
from tools.diagram.text.spotter import is_strokes

_BY_CHANCE = frozenset({Shape.polygon, Shape.hexagon, Shape.triangle, Shape.trapezium, Shape.parallelogram, Shape.unknown})
"""Shapes that two nodes and two edges may enclose."""
_WALL = 8.0
"""Pixels between two outlines that share a wall."""
_LEAST_FIT = 0.9
_MOST_OBLONG = 5.0
_LEAST_LONG = 0.3
"""Length of a name in that of the strip it stands in."""


def drop_between(pieces: list[Piece]) -> None:
    """Takes the role of a node from unfilled pieces that share walls with two nodes, and from bare strips.

    They are of no plain form, or nothing is read in them but strokes: lines' own heads.
    """
    nodes = [piece for piece in pieces if piece.role == "node"]
    for piece in nodes:
        texts = piece.everything()
        by_chance = piece.note.shape in _BY_CHANCE or (bool(texts) and all(is_strokes(text) for text in texts))
        if piece.note.filled or not by_chance:
            continue
        others = (n for n in nodes if n is not piece and n.note.fit >= _LEAST_FIT and n.note.shape not in _BY_CHANCE)
        if sum(_adjoin(piece, other) for other in others) > 1 or _is_strip(piece):
            piece.role = "nothing"


def _adjoin(piece: Piece, node: Piece) -> bool:
    """A corner of the piece is at the node's border."""
    a, b = piece.frame, node.frame
    if max(a.x - b.right, b.x - a.right, a.y - b.bottom, b.y - a.bottom) > _WALL:
        return False
    outline = np.array(node.note.outline, np.float32)
    return any(cv2.pointPolygonTest(outline, point, measureDist=True) >= -_WALL for point in piece.note.outline)


def _is_strip(piece: Piece) -> bool:
    """Much longer than wide, and what is read in it fills little of it: a piece of a line was taken for a sign."""
    frame = piece.frame
    longer, shorter = max(frame.width, frame.height), min(frame.width, frame.height)
    texts = [text for text in piece.everything() if not is_strokes(text)]
    long = sum(max(text.pixels.width, text.pixels.height) for text in texts)
    return longer > _MOST_OBLONG * shorter and long < _LEAST_LONG * longer
