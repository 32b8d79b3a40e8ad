"""Nodes drawn with dashes or dots are found, wherever their dashes begin; letters and the dashes of lines are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.picture.masks import Mask
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.dashed import dashed_outlines
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

BLACK = (0, 0, 0)
GLYPH = 12.0


def _dashes(picture: Picture, corners: list[tuple[int, int]], on: int = 9, off: int = 8) -> None:
    """One broken line round the corners: the pattern goes on from side to side."""
    walked = 0
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = int(np.hypot(b[0] - a[0], b[1] - a[1]))
        for step in range(length):
            if (walked + step) % (on + off) < on:
                x, y = (round(p + (q - p) * step / length) for p, q in zip(a, b, strict=True))
                picture[y : y + 2, x : x + 2] = BLACK
        walked += length


def test_a_dashed_box_is_a_node() -> None:
    """Nothing is enclosed, and no side has a dash at each of its ends; lines leave it where dashes are."""
    picture = np.full((300, 520, 3), 255, np.uint8)
    others = [written(picture, "words", (420, 30 + 30 * row)) for row in range(4)]
    _dashes(picture, [(60, 100), (150, 100), (150, 144), (60, 144)])
    cv2.line(picture, (151, 110), (300, 60), BLACK, 2)
    cv2.rectangle(picture, (300, 40), (390, 84), BLACK, 2)
    texts = [written(picture, "plan", (84, 116)), written(picture, "real", (324, 56)), *others]
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["plan", "real"]


def _ellipse(ink: Mask, *, step: int, dash: int) -> None:
    """A dashed ellipse of 120 by 50 pixels. `step`, `dash`: degrees from one dash to the next, and of a dash."""
    for turn in range(0, 360, step):
        cv2.ellipse(ink, (150, 100), (60, 25), 0, turn, turn + dash, (1,), 2)


@pytest.mark.parametrize(("step", "dash"), [(15, 9), (8, 2)])
def test_a_dashed_ellipse_with_its_name_is_found(step: int, dash: int) -> None:
    """A line with a head that comes up to it hides a dash of it at the most."""
    ink = np.zeros((220, 320), np.uint8)
    _ellipse(ink, step=step, dash=dash)
    cv2.putText(ink, "named", (124, 105), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (1,), 1)
    cv2.line(ink, (150, 10), (150, 62), (1,), 1)
    cv2.fillPoly(ink, [np.array([(150, 73), (146, 62), (154, 62)], np.int32)], (1,))
    (outline,) = dashed_outlines(ink, 2.0, GLYPH)
    x, y, w, h = cv2.boundingRect(outline)
    assert abs(x - 90) <= 4
    assert abs(y - 75) <= 4
    assert abs(w - 120) <= 10
    assert abs(h - 50) <= 8


def _sides(ink: Mask, corners: list[tuple[int, int]], pace: int = 14, dash: int = 8) -> None:
    """A border of dashes that begin anew at each corner."""
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        long = float(np.hypot(x2 - x1, y2 - y1))
        for at in np.arange(0.0, long, pace):
            first, last = at / long, min(at + dash, long) / long
            ends = [(round(x1 + (x2 - x1) * t), round(y1 + (y2 - y1) * t)) for t in (first, last)]
            cv2.line(ink, ends[0], ends[1], (1,), 2)


def test_neighbours_in_a_row_are_two_outlines() -> None:
    """A hexagon beside a box of the same height: dashes go on around each, not from one to the other."""
    ink = np.zeros((160, 420), np.uint8)
    _sides(ink, [(40, 40), (150, 40), (150, 90), (40, 90)])
    _sides(ink, [(200, 65), (225, 40), (335, 40), (360, 65), (335, 90), (225, 90)])
    boxes = sorted(tuple(cv2.boundingRect(outline)) for outline in dashed_outlines(ink, 2.0, GLYPH))
    assert len(boxes) == 2
    assert abs(boxes[0][2] - 110) <= 8
    assert abs(boxes[1][2] - 160) <= 8


def test_words_dashed_lines_and_whole_rims_are_none() -> None:
    """Words stand along nothing, a dashed line leads around nothing, and a whole border is left to others."""
    ink = np.zeros((220, 320), np.uint8)
    for row, words in enumerate(("in", "some words", "of it")):
        cv2.putText(ink, words, (100 - 4 * len(words), 60 + 18 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (1,), 1)
    for left in range(20, 300, 12):
        cv2.line(ink, (left, 160), (left + 7, 160), (1,), 2)
    assert dashed_outlines(ink, 2.0, GLYPH) == []
    whole = np.zeros_like(ink)
    cv2.ellipse(whole, (150, 100), (60, 25), 0, 0, 360, (1,), 2)
    cv2.rectangle(whole, (20, 20), (120, 60), (1,), 2)
    assert dashed_outlines(whole, 2.0, GLYPH) == []
