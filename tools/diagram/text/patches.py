"""Texts on a ground of their own: a patch of colour without a border, set under a label so that it can be read across its line.

A node without an outline stands on the ground that everything stands on.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene

_LEAST_CONTRAST = 3.0
"""Levels by which a patch differs from the ground around it."""
_ROOM_GLYPHS = (2.2, 0.9)
"""How much wider and higher than its text a patch may be."""
_MOST_LINE_GLYPHS = 1.9, 1.3
"""Height of a line of text in heights of its letters, at the most; the same of signs that fill the line's height."""
FIRST_FULL = "\u2e80"
"""From this character on (Chinese, Japanese, Korean) signs do so."""
_MOST_WIDER = 0.35
_LEAST_HIGH = 1.1
"""Least height of a patch in heights of letters, where it tells where its text ends."""
_RING = 3
"""Pixels around the patch at which the ground around it begins."""
_GAP_GLYPHS, _MOST_PIECE_GLYPHS = 0.6, 30.0
"""Widest gap that a line or a letter parts a patch with, and longest side of what may be a piece of one."""
_MOST_PIECES = 150
"""Pieces that the letters of a label leave of its patch."""
_LEAST_SQUARE = 0.94
"""Share of its box that the hull of a patch covers, which is a rectangle."""
_MOST_PART = 0.93
"""Share of a patch that a shape is at the most that is a part of it only."""


@dataclass(frozen=True)
class Patch:
    """A ground of its own beneath a label: its box, the numbers of its surfaces, and the names of the texts on it."""

    box: Frame
    pieces: NDArray[np.int64]
    texts: frozenset[str]


def lettered(text: TextNote, glyph: float) -> Frame:
    """The text's box, no higher than a line of text is: where little is written, the detector's boxes have much air."""
    box, full = text.pixels, any(sign >= FIRST_FULL for sign in text.text)
    spare = 0.0 if text.turned else max(box.height - _MOST_LINE_GLYPHS[full] * glyph, 0.0)
    return Frame(x=box.x, y=box.y + spare / 2, width=box.width, height=box.height - spare)


def parted_patches(scene: Scene, texts: list[TextNote]) -> list[Patch]:
    """Patches that a line shows through, which parts them: pieces of one colour side by side that make a rectangle together."""
    found: list[Patch] = []
    for text in texts:
        seed = _beneath(scene, text)
        if not seed or seed == scene.paper or any(text.id in patch.texts for patch in found):
            continue
        pieces = _beside_each_other(scene, seed)
        box = _around(scene, pieces)
        members = [other for other in texts if _stands_in(other.pixels, box)]
        if len(pieces) < 2 or not members or not _hardly_larger(box, members, scene.glyph):
            continue
        if _is_rectangle(scene, pieces, box) and _differs(scene, pieces):
            found.append(Patch(box, pieces, frozenset(member.id for member in members)))
    return found


def without_parts(scene: Scene, shapes: tuple[ShapeNote, ...], texts: tuple[TextNote, ...]) -> tuple[ShapeNote, ...]:
    """The shapes without those that are only parts of the patch of a label: no name is cut where they end."""
    patches = parted_patches(scene, list(texts))
    return tuple(note for note in shapes if not any(_is_part(note.pixels, patch.box) for patch in patches))


def _is_part(part: Frame, whole: Frame) -> bool:
    return part.area < _MOST_PART * whole.area and _stands_in(part, whole) and part.height <= whole.height + 2 * _RING


def _stands_in(inner: Frame, outer: Frame) -> bool:
    x, y = inner.centre
    return outer.x <= x <= outer.right and outer.y <= y <= outer.bottom


def _beside_each_other(scene: Scene, seed: int) -> NDArray[np.int64]:
    """The surfaces of the seed's colour that lie beside it, or beside one that does, no farther than a stroke parts them."""
    boxes, reach = scene.boxes, _GAP_GLYPHS * scene.glyph
    alike = np.abs(scene.colours - scene.colours[seed]).max(axis=1) <= _LEAST_CONTRAST
    alike &= boxes[:, 2:4].max(axis=1) <= _MOST_PIECE_GLYPHS * scene.glyph
    alike[[0, scene.paper]] = False
    alike[seed] = False
    left = np.flatnonzero(alike)
    near_x, near_y = boxes[left, 0], boxes[left, 1]
    far_x, far_y = near_x + boxes[left, 2], near_y + boxes[left, 3]
    taken = np.zeros(len(left), np.bool_)
    found, fresh = [seed], [seed]
    # Of more pieces than letters leave of a ground, or farther apart, no label is set on.
    while fresh and len(found) <= _MOST_PIECES:
        x, y, w, h = (int(v) for v in boxes[fresh.pop(), :4])
        near = ~taken & (near_x <= x + w + reach) & (far_x >= x - reach) & (near_y <= y + h + reach) & (far_y >= y - reach)
        taken |= near
        found += left[near].tolist()
        fresh += left[near].tolist()
    return np.array(sorted(found), np.int64) if len(found) <= _MOST_PIECES else np.array([seed], np.int64)


def _is_rectangle(scene: Scene, pieces: NDArray[np.int64], box: Frame) -> bool:
    x, y, w, h = (int(v) for v in (box.x, box.y, box.width, box.height))
    rows, columns = np.nonzero(np.isin(scene.surfaces[y : y + h, x : x + w], pieces))
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32))
    covered = float(cv2.contourArea(hull)) + 0.5 * float(cv2.arcLength(hull, closed=True)) + 1
    return covered >= _LEAST_SQUARE * w * h


def on_patches(scene: Scene, texts: list[TextNote]) -> frozenset[str]:
    """Names of the texts that stand on patches; several that share one are taken together."""
    by_patch: dict[int, list[TextNote]] = {}
    for text in texts:
        patch = _beneath(scene, text)
        if patch and patch != scene.paper:
            by_patch.setdefault(patch, []).append(text)
    found = {name for patch in parted_patches(scene, texts) for name in patch.texts}
    for patch, members in by_patch.items():
        pieces = _of_one_colour(scene, patch, members)
        if _hardly_larger(_around(scene, pieces), members, scene.glyph) and _differs(scene, pieces):
            found |= {text.id for text in members}
    return frozenset(found)


def patch_of(scene: Scene, text: TextNote) -> Frame | None:
    """The patch that most of the text stands on, though more than its letters may have been read; `None` if it is on none."""
    patch = _beneath(scene, text, but=scene.paper)
    if not patch:
        return None
    pieces = _of_one_colour(scene, patch, [text])
    box = _around(scene, pieces)
    lower = _LEAST_HIGH * scene.glyph <= box.height <= text.pixels.height + _ROOM_GLYPHS[1] * scene.glyph
    narrower = box.width <= text.pixels.width + _ROOM_GLYPHS[0] * scene.glyph
    return box if lower and narrower and _differs(scene, pieces) else None


def _beneath(scene: Scene, text: TextNote, but: int = 0) -> int:
    """Number of the surface that most of the text stands on, one of them left aside; 0 if there is none."""
    box = text.pixels
    beneath = scene.surfaces[max(int(box.y), 0) : int(box.bottom) + 1, max(int(box.x), 0) : int(box.right) + 1]
    counts = np.bincount(beneath[(beneath > 0) & (beneath != but)], minlength=1)
    return int(counts.argmax()) if counts.sum() else 0


def _of_one_colour(scene: Scene, patch: int, texts: list[TextNote]) -> NDArray[np.int64]:
    """Numbers of the surfaces beneath the texts that have the patch's colour: letters from edge to edge part it."""
    found = [np.array([patch])]
    for text in texts:
        box = text.pixels
        beneath = scene.surfaces[max(int(box.y), 0) : int(box.bottom) + 1, max(int(box.x), 0) : int(box.right) + 1]
        found.append(np.unique(beneath[beneath > 0]))
    numbers = np.unique(np.concatenate(found))
    alike = np.abs(scene.colours[numbers] - scene.colours[patch]).max(axis=1) <= _LEAST_CONTRAST
    return numbers[alike & ((numbers != scene.paper) | (numbers == patch))]


def _around(scene: Scene, pieces: NDArray[np.int64]) -> Frame:
    boxes = scene.boxes[pieces]
    x, y = int(boxes[:, 0].min()), int(boxes[:, 1].min())
    right, bottom = int((boxes[:, 0] + boxes[:, 2]).max()), int((boxes[:, 1] + boxes[:, 3]).max())
    return Frame(x=x, y=y, width=right - x, height=bottom - y)


def _hardly_larger(box: Frame, members: list[TextNote], glyph: float) -> bool:
    left, right = min(text.pixels.x for text in members), max(text.pixels.right for text in members)
    lines = [lettered(text, glyph) for text in members]
    top, bottom = min(line.y for line in lines), max(line.bottom for line in lines)
    room = max(_ROOM_GLYPHS[0] * glyph, _MOST_WIDER * box.width), _ROOM_GLYPHS[1] * glyph
    return box.width - (right - left) <= room[0] and box.height - (bottom - top) <= room[1]


def _differs(scene: Scene, pieces: NDArray[np.int64]) -> bool:
    """The ground around it has another colour, and nothing is drawn along most of its rim."""
    box = _around(scene, pieces)
    pad = 2 * _RING + 2
    part = np.s_[
        max(int(box.y) - pad, 0) : int(box.bottom) + pad,
        max(int(box.x) - pad, 0) : int(box.right) + pad,
    ]
    own = np.isin(scene.surfaces[part], pieces).astype(np.uint8)
    near = np.asarray(cv2.dilate(own, np.ones((2 * _RING + 1, 2 * _RING + 1), np.uint8)), np.uint8)
    far = np.asarray(cv2.dilate(near, np.ones((5, 5), np.uint8)), np.uint8)
    ring = (far > 0) & (near == 0)
    around = scene.surfaces[part][ring]
    counts = np.bincount(around[around > 0], minlength=1)
    if counts.sum() < 0.5 * max(int(ring.sum()), 1):
        return False
    others = np.flatnonzero(counts)
    apart = np.abs(scene.colours[others] - scene.colours[pieces[0]]).max(axis=1) > _LEAST_CONTRAST
    return float(counts[others][apart].sum()) >= 0.8 * float(counts.sum())
