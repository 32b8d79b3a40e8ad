"""Nodes that a line cuts a corner or a sliver off: put together again with what was cut off.

Layouts let lines pass over the border of what stands in their way. The larger part is no plain shape then, and lines run on from
its corners, as from what lines enclose by chance; with the smaller part it is a plain shape, and the line runs between them.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from tools.diagram.model.blackboard import ShapeNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene
from tools.diagram.shapes.halves import PLAIN, is_run_over
from tools.diagram.shapes.outlines import Contour

_MOST_GLYPHS = 30.0
_LEAST_GLYPHS = 1.2
_LEAST_FIT = 0.8
_LEAST_WHOLE = 0.96
"""How well the larger part fits a shape at the least, and the whole."""
_BESIDE = 6.0
"""Pixels between the two parts: a line's width, and its soft rims."""
_MOST_PART = 0.5
"""The smaller part in the larger one."""
_LEAST_PART = 6
"""Pixels of the smallest part."""
_MOST_TRIED = 12


def put_together(scene: Scene, notes: list[ShapeNote], noted: Callable[[Contour], ShapeNote]) -> list[ShapeNote]:
    """The shapes, those that a line has clipped replaced by the whole. `noted`: makes a shape of an outline."""
    least, most = _LEAST_GLYPHS * scene.glyph, _MOST_GLYPHS * scene.glyph
    result: list[ShapeNote] = []
    wholes: list[Frame] = []
    for note in notes:
        box = note.pixels
        good = note.clean and note.shape in PLAIN and note.fit >= _LEAST_WHOLE
        doubtful = note.source == "face" and note.fit >= _LEAST_FIT and not good
        fits = min(box.width, box.height) >= least and max(box.width, box.height) <= most
        whole = _whole(scene, note, noted) if doubtful and fits else None
        result.append(whole or note)
        wholes += [whole.pixels] if whole else []
    return [note for note in result if not any(_is_cut_off(note.pixels, whole) for whole in wholes)]


def _is_cut_off(part: Frame, whole: Frame) -> bool:
    """It lies in the whole, and is not the whole itself."""
    within = part.x >= whole.x - 1 and part.y >= whole.y - 1 and part.right <= whole.right + 1 and part.bottom <= whole.bottom + 1
    return within and part.area <= _MOST_PART * whole.area


def _whole(scene: Scene, note: ShapeNote, noted: Callable[[Contour], ShapeNote]) -> ShapeNote | None:
    """What the face makes with one of the smaller faces beside it, if that is a plain shape that a line runs over."""
    box = note.pixels
    boxes = scene.boxes
    near = (boxes[:, 0] <= box.right + _BESIDE) & (boxes[:, 0] + boxes[:, 2] >= box.x - _BESIDE)
    near &= (boxes[:, 1] <= box.bottom + _BESIDE) & (boxes[:, 1] + boxes[:, 3] >= box.y - _BESIDE)
    own = label_of(scene, note)
    near &= (boxes[:, 4] >= _LEAST_PART) & (boxes[:, 4] <= _MOST_PART * box.area)
    near[[0, own, scene.paper]] = False
    order = sorted(np.flatnonzero(near).tolist(), key=lambda label: -int(boxes[label, 4]))
    best: ShapeNote | None = None
    for label in order[:_MOST_TRIED]:
        contour = _union(scene, own, label)
        if contour is None:
            continue
        whole = noted(contour)
        grown = whole.pixels.area > box.area + 2 * _LEAST_PART or whole.fit > note.fit
        if not (whole.fit >= _LEAST_WHOLE and whole.clean and whole.shape in PLAIN and grown):
            continue
        x, y, w, h = (float(v) for v in boxes[label, :4])
        parts = [box, Frame(x=x, y=y, width=w, height=h)]
        if (best is None or whole.fit > best.fit) and is_run_over(scene, whole, parts):
            best = whole
    return best


def label_of(scene: Scene, note: ShapeNote) -> int:
    """The surface with most pixels in the outline."""
    x, y, w, h = (int(v) for v in (note.pixels.x, note.pixels.y, note.pixels.width, note.pixels.height))
    mask = np.zeros((h, w), np.uint8)
    cv2.fillPoly(mask, [np.round(np.array(note.outline) - np.array([x, y])).astype(np.int32)], (1,))
    counts = np.bincount(scene.surfaces[y : y + h, x : x + w][mask > 0], minlength=1)
    counts[0] = 0
    return int(counts.argmax())


def _union(scene: Scene, first: int, other: int) -> Contour | None:
    """Outline of two surfaces and the stroke between them; `None` if more than a stroke parts them."""
    boxes = scene.boxes[[first, other]]
    left, top = int(boxes[:, 0].min()), int(boxes[:, 1].min())
    right, bottom = int((boxes[:, 0] + boxes[:, 2]).max()), int((boxes[:, 1] + boxes[:, 3]).max())
    pad = round(_BESIDE) + 1
    height, width = scene.surfaces.shape
    x0, y0, x1, y1 = max(left - pad, 0), max(top - pad, 0), min(right + pad, width), min(bottom + pad, height)
    window = scene.surfaces[y0:y1, x0:x1]
    members = np.isin(window, (first, other)).astype(np.uint8)
    side = round(_BESIDE) | 1
    joint = np.asarray(cv2.morphologyEx(members, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(joint, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if len(contours) != 1:
        return None
    return np.asarray(contours[0] + np.array([x0, y0]), np.int32)
