"""Dashes and dots along the rim of a round shape make a node; letters and the dashes of lines do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.dotted import dotted_rounds
from tools.diagram.masks import Mask

GLYPH = 12.0


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
    (outline,) = dotted_rounds(ink, GLYPH)
    x, y, w, h = cv2.boundingRect(outline)
    assert abs(x - 90) <= 4
    assert abs(y - 75) <= 4
    assert abs(w - 120) <= 8
    assert abs(h - 50) <= 8


def test_words_dashed_lines_and_whole_rims_are_none() -> None:
    """Words fill their hull, a dashed line stands along nothing round, and a whole ellipse encloses its ground itself."""
    ink = np.zeros((220, 320), np.uint8)
    for row, words in enumerate(("in", "some words", "of it")):
        cv2.putText(ink, words, (100 - 4 * len(words), 60 + 18 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (1,), 1)
    for left in range(20, 300, 12):
        cv2.line(ink, (left, 160), (left + 7, 160), (1,), 2)
    assert dotted_rounds(ink, GLYPH) == []
    whole = np.zeros_like(ink)
    cv2.ellipse(whole, (150, 100), (60, 25), 0, 0, 360, (1,), 2)
    assert dotted_rounds(whole, GLYPH) == []
