"""Wide diamonds and ellipses whose name is as long as they are: its letters part the tips from the middle.

Where letters touch the border above and below, the ground falls into faces none of which is a plain shape. The hull of some of
them is one, with its border drawn all round and nothing but letters between them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import cv2
import numpy as np

from tools.diagram.model.blackboard import ShapeNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import Scene
from tools.diagram.shapes.clipped import label_of
from tools.diagram.shapes.halves import PLAIN
from tools.diagram.shapes.outlines import Contour

_POINTED = frozenset({Shape.diamond, Shape.ellipse, Shape.hexagon})
"""Shapes that are low at their ends."""
_GOOD, _LEAST_FIT = 0.96, 0.9
"""How well a face fits that is a node as it is; the same of the whole."""
_CHANCE = 0.03
"""By how much better a face of any form may fit than the whole does."""
_MOST_GAP_GLYPHS = 1.6
"""Widest letter between two parts, in heights of letters."""
_LEAST_ALIKE = 0.8
"""Width of the half below a name as a share of that of the half above."""
_MOST_PARTS = 4
_LEAST_TILED = 0.55
"""Share of the whole that its parts cover: letters are the rest."""
_WITHIN, _MOST_FOREIGN = 0.9, 0.01
"""Share of a small surface (the inside of an o) from which on it is in the whole; share of the whole that may be others'."""
_RIM, _LEAST_RIM = 5, 0.95
"""Pixels around the whole in which its border is, and share of it that is drawn."""
_SAME_COLOUR = 6.0


def reunited(scene: Scene, notes: list[ShapeNote], noted: Callable[[Contour], ShapeNote]) -> list[ShapeNote]:
    """The shapes, faces that only letters part replaced by the whole. `noted`: makes a shape of an outline."""
    gone: set[int] = set()
    wholes: list[ShapeNote] = []
    for at in sorted(range(len(notes)), key=lambda index: -notes[index].pixels.area):
        note = notes[at]
        good = note.clean and note.shape in PLAIN and note.fit >= _GOOD
        if at in gone or good or note.source != "face":
            continue
        beside = [other for other in _beside(scene, notes, at) if other not in gone][:_MOST_PARTS]
        found = [
            (whole.fit, (at, *chosen), whole)
            for count in range(1, len(beside) + 1)
            for chosen in itertools.combinations(beside, count)
            if (whole := _whole(scene, [note, *(notes[other] for other in chosen)], noted)) is not None
        ]
        if found:
            _, members, whole = max(found, key=lambda entry: entry[0])
            gone.update(members)
            wholes.append(whole)
    return [note for index, note in enumerate(notes) if index not in gone] + wholes


def _beside(scene: Scene, notes: list[ShapeNote], at: int) -> list[int]:
    """Smaller faces of the same ground beside the one, a letter away: in its rows, or in its columns; larger ones first."""
    own = notes[at].pixels
    most = _MOST_GAP_GLYPHS * scene.glyph
    found = []
    for index, note in enumerate(notes):
        box = note.pixels
        if index == at or note.source != "face" or box.area > own.area:
            continue
        apart = max(box.x - own.right, own.x - box.right)
        in_rows = -most <= apart <= most and own.y <= box.centre[1] <= own.bottom and box.height <= own.height
        # A name as wide as its node parts what is above it from what is below.
        above = max(box.y - own.bottom, own.y - box.bottom)
        alike = min(box.width, own.width) >= _LEAST_ALIKE * max(box.width, own.width)
        in_columns = 0 <= above <= most and own.x <= box.centre[0] <= own.right and alike
        if in_rows or in_columns:
            found.append(index)
    colour = scene.colours[label_of(scene, notes[at])] if found else None
    alike = [i for i in found if float(np.abs(scene.colours[label_of(scene, notes[i])] - colour).max()) <= _SAME_COLOUR]
    return sorted(alike, key=lambda index: -notes[index].pixels.area)


def _whole(scene: Scene, parts: list[ShapeNote], noted: Callable[[Contour], ShapeNote]) -> ShapeNote | None:
    """The hull of the parts, if it is a pointed shape whose border is drawn and that holds nothing else."""
    points = np.concatenate([np.array(part.outline) for part in parts]).round().astype(np.int32)
    hull = np.asarray(cv2.convexHull(points[:, None]), np.int32)
    area = float(cv2.contourArea(hull))
    covered = sum(float(cv2.contourArea(np.array(part.outline, np.float32))) for part in parts)
    if covered < _LEAST_TILED * area:
        return None
    whole = noted(hull)
    if whole.shape not in _POINTED or whole.fit < max(_LEAST_FIT, parts[0].fit - _CHANCE) or not _is_alone(scene, hull, area):
        return None
    return whole


def _is_alone(scene: Scene, hull: Contour, area: float) -> bool:
    """Ink leads around the hull, and within it lies no ground that goes on outside."""
    x, y, w, h = cv2.boundingRect(hull)
    left, top = max(x - _RIM, 0), max(y - _RIM, 0)
    surfaces = scene.surfaces[top : y + h + _RIM, left : x + w + _RIM]
    mask = np.zeros(surfaces.shape, np.uint8)
    cv2.drawContours(mask, [hull - np.array([left, top])], -1, (1,), cv2.FILLED)
    found = np.bincount(surfaces[mask > 0], minlength=len(scene.boxes))
    found[0] = 0
    if found[found < _WITHIN * scene.boxes[:, 4]].sum() > _MOST_FOREIGN * area:
        return False
    # The way around is drawn if, right outside of it, no ground that lies beyond is reached.
    around = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8) & (1 - mask)
    ink = scene.ink[top : y + h + _RIM, left : x + w + _RIM]
    near = np.asarray(cv2.dilate(ink, np.ones((5, 5), np.uint8)), np.uint8)
    return float(near[around > 0].mean()) >= _LEAST_RIM
