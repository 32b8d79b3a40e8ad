"""The colours that pieces and what lies around them have, and whether their outlines are drawn."""

from __future__ import annotations

import itertools
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.fusion.piece import Piece
from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Mask, Scene

_SAME_COLOUR = 3.0
"""Levels within which two grounds have one colour."""
_STANDS_OUT = 40
"""Levels by which a disc differs from the ground around it."""
_RUN_ON = (0.5, 1.5)
"""Heights of letters beyond a corner between which it is seen whether a side runs on."""
_LEAST_ALIKE, _LEAST_CONTACTS = 3, 3
"""Patches of one colour from which on it is told whether they are nodes; lines at each of them if they are, most have more."""
_AROUND = (3, 6)
"""Pixels outside an outline between which lines that come up to it are counted."""
_WALL = 4
"""Pixels that a side's line may stand off the outline."""
_LEAST_RUN, _MOST_RUNNING = 0.8, 4
"""Share of that stretch that is ink if it runs on; number of such stretches, of eight, that no box has."""
_DOTS = frozenset("oO0°•●○◎Q@◯。.·")
"""Characters that a dot in a ring is taken for."""


def bordered(scene: Scene, note: ShapeNote) -> float:
    """Share of the outline that has ink right outside it."""
    x, y, w, h = (round(v) for v in (note.pixels.x, note.pixels.y, note.pixels.width, note.pixels.height))
    pad = 4
    left, top = max(x - pad, 0), max(y - pad, 0)
    ink = scene.ink[top : y + h + pad, left : x + w + pad]
    mask = np.zeros(ink.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(note.outline) - np.array([left, top])).astype(np.int32)], (1,))
    nearby = np.asarray(cv2.dilate(ink & (1 - mask), np.ones((5, 5), np.uint8)), np.uint8)
    rim = mask & (1 - np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), np.uint8))
    return float(nearby[rim > 0].mean()) if rim.any() else 0.0


def without_nodes(scene: Scene, patches: list[Piece]) -> list[Piece]:
    """The patches of colour that labels were set on, without those that are nodes: most of their colour have lines all around.

    A label interrupts one line, which comes up to its patch from two sides.
    """
    kept = []
    for patch in patches:
        alike = [other for other in patches if np.abs(_colour_of(scene, other) - _colour_of(scene, patch)).max() <= _SAME_COLOUR]
        lines = sorted(_contacts(scene, other.note) for other in alike)
        if len(alike) < _LEAST_ALIKE or lines[0] < _LEAST_CONTACTS or lines[len(lines) // 2] <= _LEAST_CONTACTS:
            kept.append(patch)
    return kept


def _contacts(scene: Scene, note: ShapeNote) -> int:
    """How many lines come up to the outline: pieces of the ink in a narrow ring around it."""
    x, y, w, h = (round(v) for v in (note.pixels.x, note.pixels.y, note.pixels.width, note.pixels.height))
    left, top = max(x - _AROUND[1] - 1, 0), max(y - _AROUND[1] - 1, 0)
    ink = scene.ink[top : y + h + _AROUND[1] + 2, left : x + w + _AROUND[1] + 2]
    mask = np.zeros(ink.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(note.outline) - np.array([left, top])).astype(np.int32)], (1,))
    off = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    ring = ((off >= _AROUND[0]) & (off <= _AROUND[1])).astype(np.uint8)
    return int(cv2.connectedComponents(ring & ink, connectivity=8)[0]) - 1


def stands_out(scene: Scene, note: ShapeNote) -> bool:
    """Its inside has a colour of its own: a disc, not the hollow of a letter or of a head."""
    x, y = note.pixels.centre
    inside = scene.picture[round(y), round(x)].astype(np.float64)
    return float(np.abs(inside - scene.colours[scene.paper]).max()) > _STANDS_OUT


def is_ground_beside(scene: Scene, piece: Piece, host: Piece) -> bool:
    """The piece has the colour of the group that the host stands in, and the host another: lines part it from the rest."""
    if host.parent is None or not host.note.filled:
        return False
    own, ground = _colour_at(scene, piece.note.pixels), scene.colours[_ground_of(scene, host.parent)]
    return float(np.abs(own - ground).max()) <= _SAME_COLOUR < float(np.abs(_colour_of(scene, host) - ground).max())


def _colour_at(scene: Scene, frame: Frame) -> NDArray[np.float32]:
    x, y = (round(v) for v in frame.centre)
    return np.asarray(scene.colours[int(scene.surfaces[y, x])] if scene.surfaces[y, x] else scene.picture[y, x], np.float32)


def _colour_of(scene: Scene, piece: Piece) -> NDArray[np.float32]:
    return np.asarray(scene.colours[_ground_of(scene, piece)], np.float32)


def _ground_of(scene: Scene, piece: Piece) -> int:
    """The surface that most of the piece's box is."""
    box = piece.note.pixels
    part = scene.surfaces[int(box.y) : int(box.bottom) + 1, int(box.x) : int(box.right) + 1]
    return int(np.bincount(part[part > 0], minlength=1).argmax())


def is_bare_paper(scene: Scene, piece: Piece) -> bool:
    """It has the colour of the paper that it lies on: the ground between two coloured groups, which lines part."""
    if piece.parent is not None:
        return False
    return float(np.abs(_colour_at(scene, piece.note.pixels) - scene.colours[scene.paper]).max()) <= _SAME_COLOUR


def is_ground(scene: Scene, piece: Piece) -> bool:
    """It has the colour of what it lies on, be that the paper or a group's ground: lines and fills enclose it."""
    beneath = scene.paper if piece.parent is None else _ground_of(scene, piece.parent)
    return float(np.abs(_colour_of(scene, piece) - scene.colours[beneath]).max()) <= _SAME_COLOUR


def is_cut_out(scene: Scene, note: ShapeNote) -> bool:
    """Lines run on beyond its corners: they cut it out of the ground between them (two groups' frames and two edges)."""
    box, offs = note.pixels, np.arange(-_WALL, _WALL + 1)
    reach = np.arange(round(_RUN_ON[0] * scene.glyph), round(_RUN_ON[1] * scene.glyph) + 1)
    sides = ((box.x, -1), (box.right, 1)), ((box.y, -1), (box.bottom, 1))
    running = 0
    for (x, across), (y, along) in itertools.product(*sides):
        level = _ink_at(scene, x + across * reach[None], y + offs[:, None])
        upright = _ink_at(scene, x + offs[:, None], y + along * reach[None])
        running += sum(float(lines.mean(axis=1).max()) > _LEAST_RUN for lines in (level, upright))
    return running >= _MOST_RUNNING


def _ink_at(scene: Scene, xs: NDArray[Any], ys: NDArray[Any]) -> Mask:
    height, width = scene.ink.shape
    columns, rows = np.broadcast_arrays(np.round(xs).astype(int), np.round(ys).astype(int))
    return scene.ink[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]


def is_dot_read(scene: Scene, note: TextNote) -> bool:
    """A round letter whose middle is filled: the dot in the ring that a state machine ends at."""
    if note.text not in _DOTS:
        return False
    (x, y), beside = note.pixels.centre, note.pixels.x
    middle, ground = (scene.picture[round(y), max(round(v), 0)].astype(np.float64) for v in (x, beside))
    return float(np.abs(middle - ground).max()) > _STANDS_OUT
