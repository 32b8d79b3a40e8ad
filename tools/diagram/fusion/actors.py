"""Stick figures with their name beneath: UML's actors. A disc on a stem with arms and legs alike on both sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.diagram.fusion.piece import Piece, inside, union
from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import Scene

_LEAST_HEAD_GLYPHS, _MOST_HEAD_GLYPHS = 0.7, 4.0
_ROUND = 1.25
"""Longer side of a head in shorter ones, at the most."""
_LEAST_STEM, _MOST_STEM = 0.5, 3.0
"""Length of the stem in heads."""
_LEAST_ARM, _MOST_ARM = 0.55, 2.5
"""How far an arm reaches from the stem, in heads; legs reach no farther."""
_LEAST_LEG = 0.25
"""How far below its stem two legs stand apart alike, and for how many rows, in heads."""
_MOST_UNLIKE = 0.3
"""Heads by which one arm may be longer than the other, and one leg."""
_NAME_GLYPHS = 1.6
"""Widest gap between the feet and the name, in heights of letters."""


@dataclass(frozen=True)
class _Figure:
    """Where a stick figure's box is: middle, half its width, top and feet."""

    x: float
    half: float
    top: float
    feet: float

    @property
    def frame(self) -> Frame:
        return Frame(x=self.x - self.half, y=self.top, width=2 * self.half, height=self.feet - self.top)


def find_actors(scene: Scene, pieces: list[Piece], free: list[TextNote]) -> list[TextNote]:
    """Makes nodes of the heads of stick figures that a name stands under (in place); returns the texts that are left."""
    left = list(free)
    for piece in pieces:
        figure = _figure(scene, piece) if piece.role == "candidate" and not _is_named(piece) else None
        if figure is None:
            continue
        # Within a group its name was given to the frame.
        around = [other for other in pieces if other is not piece and other.texts and inside(figure.frame, other.note.pixels)]
        given = [text for other in around for text in other.texts]
        name = [text for text in (*left, *given) if _stands_under(text, figure, scene.glyph)]
        if not name:
            continue
        title = min(name, key=lambda text: text.pixels.y)
        for other in around:
            other.texts = [text for text in other.texts if text is not title and not inside(text.pixels, figure.frame)]
        box = union([figure.frame, title.pixels])
        corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
        piece.note = piece.note.model_copy(update={"shape": Shape.actor, "pixels": box, "outline": corners, "clean": True})
        piece.texts, piece.role = [title], "node"
        # Limbs are read as letters, and what they enclose is taken for shapes.
        left = [text for text in left if text is not title and not inside(text.pixels, figure.frame, scene.glyph)]
        for other in pieces:
            if other is not piece and other.role == "candidate" and inside(other.note.pixels, figure.frame):
                other.role = "nothing"
    return left


def _is_named(piece: Piece) -> bool:
    return any(len(text.text) > 1 for text in piece.texts)


def _figure(scene: Scene, piece: Piece) -> _Figure | None:
    """The stick figure whose head the piece is; `None` if it is none."""
    box = piece.note.pixels
    size = max(box.width, box.height)
    round_enough = size <= _ROUND * min(box.width, box.height)
    if not round_enough or not _LEAST_HEAD_GLYPHS * scene.glyph <= size <= _MOST_HEAD_GLYPHS * scene.glyph:
        return None
    x, ink, first = round(box.centre[0]), scene.ink, round(box.bottom)
    # With its border.
    above = ink[max(round(box.y - 0.5 * size), 0) : round(box.y), x]
    size += 2.0 * int(above.sum())
    last = min(first + round((_MOST_STEM + _MOST_ARM) * size), ink.shape[0])
    reach = min(round(_MOST_ARM * size), x - 1, ink.shape[1] - 2 - x)
    if min(reach, last - first) < _LEAST_STEM * size:
        return None
    x += int(ink[first:last, x - 1 : x + 2].sum(axis=0).argmax()) - 1
    stem = np.asarray(ink[first:last, x - 1 : x + 2].any(axis=1))
    ends = np.flatnonzero(~stem[3:])
    length = 3 + int(ends[0]) if len(ends) else len(stem)
    if not _LEAST_STEM * size <= length <= _MOST_STEM * size:
        return None
    arms = [_reach_of(ink[row], x, reach) for row in range(first, first + length)]
    arm = max((min(pair) for pair in arms if abs(pair[0] - pair[1]) <= _MOST_UNLIKE * size), default=0)
    legs = _legs(ink[first + length : last, x - reach : x + reach + 1], reach, size)
    if arm < _LEAST_ARM * size or legs is None:
        return None
    return _Figure(float(x), float(max(arm, legs[0])), box.y, float(first + length + legs[1]))


def _reach_of(row: NDArray[np.uint8], x: int, most: int) -> tuple[int, int]:
    """How far ink leads from the column to the left and to the right without a gap."""
    sides = row[x - most : x + 1][::-1], row[x : x + most + 1]
    left, right = (int(np.argmin(np.append(side, 0))) for side in sides)
    return left, right


def _legs(below: NDArray[np.uint8], middle: int, size: float) -> tuple[int, int] | None:
    """How far the legs stand apart at the feet (half of it), and how many rows down they reach; `None` without two of a kind."""
    half, rows = 0, 0
    for index, row in enumerate(below):
        near = legs_apart(row[:middle][::-1], row[middle + 1 :], _MOST_UNLIKE * size)
        if near is None or near < half - 2 or near > half + 0.5 * size:
            break
        half, rows = max(half, near), index + 1
    return (half, rows) if min(half, rows) >= _LEAST_LEG * size else None


def legs_apart(left: NDArray[np.uint8], right: NDArray[np.uint8], most: float) -> int | None:
    """How far off their middle the two legs are in a row of ink, that of either side from the middle on; `None` if not alike.

    A shadow beside the legs makes one thicker to its inside and the other to its outside.
    """
    sides = []
    for side in (left, right):
        spots = np.flatnonzero(side)
        if not len(spots):
            return None
        inner = int(spots[0])
        sides.append((inner, inner + int(np.argmin(np.append(side[inner:], 0))) - 1))
    (near, far), (other_near, other_far) = sides
    alike = [pair for pair in ((near, other_near), (far, other_near), (near, other_far)) if abs(pair[0] - pair[1]) <= most]
    return min(alike[0]) if alike else None


def _stands_under(text: TextNote, figure: _Figure, glyph: float) -> bool:
    box = text.pixels
    gap = box.y - figure.feet
    return -0.6 * glyph <= gap <= _NAME_GLYPHS * glyph and abs(box.centre[0] - figure.x) <= max(0.2 * box.width, figure.half)
