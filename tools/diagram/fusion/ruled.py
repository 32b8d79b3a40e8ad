"""Boxes that lines rule from wall to wall: classes and records are told by their ink where letters and signs dent the grounds.

Surfaces of low compartments are cut up by what stands in them; the lines between them are whole.
"""

from __future__ import annotations

import numpy as np

from tools.diagram.fusion.cells import texts_by_cells
from tools.diagram.fusion.piece import Piece, inside
from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import Scene

_BOXES = frozenset({Shape.rectangle, Shape.rounded})
_ROUND = frozenset({Shape.circle, Shape.ellipse})
_LEAST_WHOLE = 0.98
"""Share of the way from wall to wall that a rule is ink."""
_MOST_RULE_GLYPHS = 0.4
"""Thickness of a rule in heights of letters; what is higher is a bar."""
_MOST_BADGE_GLYPHS = 2.6
_MOST_CELL = 0.85
"""Share of its box that a cell fills at most."""


def ruled_boxes(scene: Scene, pieces: list[Piece]) -> None:
    """Makes tables of the boxes that lines rule from wall to wall, the largest first, with everything in them."""
    reach = max(0.45 * scene.glyph, 4.5)
    for piece in reversed(pieces):
        note = piece.note
        if piece.role != "candidate" or note.fit < 0.9 or note.shape not in _BOXES:
            continue
        rules = _rules(scene, note.pixels)
        if not rules:
            continue
        inner = [
            other
            for other in pieces
            if other is not piece and other.role == "candidate" and inside(other.note.pixels, note.pixels, reach)
        ]
        texts = _lines_of([text for part in (piece, *inner) for text in part.texts if not _is_badge(part, scene.glyph)])
        title = [text for text in texts if text.pixels.centre[1] < rules[0]]
        if title and not any(_is_boxed(other, note.pixels) for other in inner):
            cells = [other for other in inner if other.note.shape in _BOXES and other.note.source != "frame"]
            cells = [cell for cell in cells if cell.note.pixels.area < _MOST_CELL * note.pixels.area]
            _tabulate(piece, inner, title, texts_by_cells([text for text in texts if text not in title], cells, reach))


def _rules(scene: Scene, box: Frame) -> list[float]:
    """Rows of the lines that lead from the one upright wall of the box to the other, its own sides left out."""
    left, top, right, bottom = (round(v) for v in (box.x, box.y, box.right, box.bottom))
    margin = max(round(0.5 * scene.glyph), 4)
    part = scene.ink[top + margin : bottom - margin + 1, left:right]
    if part.size == 0:
        return []
    full = np.flatnonzero(np.diff(np.concatenate(([0], (part.mean(axis=1) >= _LEAST_WHOLE).astype(np.int8), [0]))))
    thin = [(int(a), int(b)) for a, b in zip(full[::2], full[1::2], strict=True) if b - a <= _MOST_RULE_GLYPHS * scene.glyph + 2]
    middles = [top + margin + (a + b) / 2 for a, b in thin]
    return [row for row in middles if not all(_runs_on(scene, round(row), at, margin) for at in (left, right))]


def _runs_on(scene: Scene, row: int, wall: int, margin: int) -> bool:
    """There is ink all along the row on both sides of the wall: a line that runs over the box."""
    near = scene.ink[row - 1 : row + 2, max(wall - 2 * margin, 0) : wall + 2 * margin + 1]
    return bool(near.any(axis=0).all())


def _is_boxed(piece: Piece, around: Frame) -> bool:
    """A thing of its own in the box: it has a text and does not reach the walls, as a group's nodes don't."""
    frame = piece.note.pixels
    apart = frame.width < 0.8 * around.width and piece.note.fit >= 0.9 and piece.note.clean
    return bool(piece.texts) and apart and max(len(text.text) for text in piece.texts) > 1


def _is_badge(piece: Piece, glyph: float) -> bool:
    """A small disc with one letter in it, which tells the kind of class."""
    frame = piece.note.pixels
    small = max(frame.width, frame.height) <= _MOST_BADGE_GLYPHS * glyph
    return small and piece.note.shape in _ROUND and all(len(text.text) == 1 for text in piece.texts)


def _lines_of(texts: list[TextNote]) -> list[TextNote]:
    """The texts row by row, each from left to right."""
    found: list[list[TextNote]] = []
    for text in sorted(texts, key=lambda text: text.pixels.centre[1]):
        if found and text.pixels.centre[1] - found[-1][0].pixels.centre[1] < 0.5 * found[-1][0].pixels.height:
            found[-1].append(text)
        else:
            found.append([text])
    return [text for row in found for text in sorted(row, key=lambda text: text.pixels.x)]


def _tabulate(piece: Piece, inner: list[Piece], title: list[TextNote], rows: list[list[TextNote]]) -> None:
    for part in inner:
        part.role, part.texts, part.parts = "part", [], []
    piece.texts, piece.parts = title, inner
    for part, line in zip(inner, rows, strict=False):
        part.texts = line
    if not inner:
        piece.texts = [*title, *(text for line in rows for text in line)]
    box = piece.note.pixels
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    piece.role = "table"
    piece.note = piece.note.model_copy(update={"shape": Shape.table, "outline": corners, "clean": True})
