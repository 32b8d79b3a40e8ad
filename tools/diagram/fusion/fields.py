"""Fields: pieces of ground that lines and the nodes they join enclose: no shapes of their own, whatever is in them."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.model.blackboard import ShapeNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import Scene

_PLAIN = frozenset({Shape.rectangle, Shape.rounded, Shape.stadium, Shape.circle, Shape.ellipse})
_MOST_NODE_GLYPHS = 16.0
_LEAST_NODE_GLYPHS = 1.1
_LEAST_TIMES = 3.0
"""How many times larger than the nodes at its rim a field is."""
_LEAST_NODES = 2
_REACH_GLYPHS = 0.8


def without_fields(scene: Scene, shapes: tuple[ShapeNote, ...]) -> list[ShapeNote]:
    """The shapes that are no fields between nodes."""
    nodes = [note for note in shapes if _may_be_node(scene, note)]
    return [note for note in shapes if note.filled or note.shape in _PLAIN or not _at_nodes(scene, note, nodes)]


def _may_be_node(scene: Scene, note: ShapeNote) -> bool:
    sides = note.pixels.width, note.pixels.height
    fitting = min(sides) >= _LEAST_NODE_GLYPHS * scene.glyph and max(sides) <= _MOST_NODE_GLYPHS * scene.glyph
    return fitting and note.filled and note.fit >= 0.85 and note.shape in _PLAIN


def _at_nodes(scene: Scene, field: ShapeNote, nodes: list[ShapeNote]) -> bool:
    """At least two nodes stand on the outline, their middles outside of it."""
    outline = np.array(field.outline, np.float32)
    found = 0
    for node in nodes:
        if field.pixels.area < _LEAST_TIMES * node.pixels.area:
            continue
        half = 0.5 * max(node.pixels.width, node.pixels.height)
        off = -cv2.pointPolygonTest(outline, node.pixels.centre, measureDist=True)
        found += 0 < off <= half + _REACH_GLYPHS * scene.glyph
    return found >= _LEAST_NODES
