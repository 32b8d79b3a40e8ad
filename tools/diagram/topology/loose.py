"""Ink at a node's border that no line read there explains: the sign that a line was missed, or taken for another's."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import GroupNote, LineNote, NodeNote, Note, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene

APART, LEAST_WIDE = 3, 5
"""Working pixels between a node and the ring around it, and the least width of the ring."""
LEAST_INK = 4
"""Working pixels of ink from which on something is there."""

Mask = NDArray[np.uint8]


def loose_nodes(scene: Scene, notes: tuple[Note, ...]) -> tuple[str, ...]:
    """Ids of the nodes around which ink lies that is neither text, nor another thing's, nor near a line that ends at them."""
    nodes = [note for note in notes if isinstance(note, NodeNote)]
    lines = [note for note in notes if isinstance(note, LineNote)]
    free = (np.asarray(scene.ink) > 0).astype(np.uint8)
    for note in notes:
        if isinstance(note, TextNote):
            _fill(free, note.pixels, 2, 0)
        elif isinstance(note, GroupNote):
            box = note.pixels
            cv2.rectangle(free, (int(box.x), int(box.y)), (int(box.right), int(box.bottom)), (0,), 2 * APART + 3)
    wide = max(LEAST_WIDE, round(scene.glyph * 0.5))
    return tuple(node.id for node in nodes if _is_loose(free, node, nodes, lines, wide, max(scene.glyph, 8.0)))


def _is_loose(free: Mask, node: NodeNote, nodes: list[NodeNote], lines: list[LineNote], wide: int, reach: float) -> bool:
    """Whether a piece of ink in the ring around a node is farther than `reach` from every line that ends at it."""
    height, width = free.shape
    box, out = node.pixels, APART + wide
    left, top = max(int(box.x) - out, 0), max(int(box.y) - out, 0)
    right, bottom = min(int(box.right) + out + 1, width), min(int(box.bottom) + out + 1, height)
    ring = free[top:bottom, left:right].copy()
    if not ring.size:
        return False
    for other in nodes:
        _fill(ring, _moved(other.pixels, left, top), APART, 0)
    for line in lines:
        if node.id not in (line.source, line.target):
            continue
        for begin, end in pairwise(line.path):
            places = [(round(x - left), round(y - top)) for x, y in (begin, end)]
            cv2.line(ring, places[0], places[1], (0,), 2 * round(reach))
    return int(np.count_nonzero(ring)) >= LEAST_INK


def _fill(mask: Mask, box: Frame, more: int, value: int) -> None:
    top, left = max(int(box.y) - more, 0), max(int(box.x) - more, 0)
    mask[top : max(int(box.bottom) + more + 1, 0), left : max(int(box.right) + more + 1, 0)] = value


def _moved(box: Frame, left: int, top: int) -> Frame:
    return Frame(x=box.x - left, y=box.y - top, width=box.width, height=box.height)
