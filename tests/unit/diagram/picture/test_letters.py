"""The height of letters is that of letters, though few larger things have a letter's form."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.picture.letters import glyph_height
from tools.diagram.picture.surfaces import prepare

RED = (168, 0, 54)


def test_a_row_of_figures_is_no_row_of_letters() -> None:
    """Four stick figures, and few small letters: the figures are in each other's company and weigh more than all letters."""
    picture = np.full((260, 460, 3), 255, np.uint8)
    for x in (60, 170, 280, 390):
        cv2.circle(picture, (x, 18), 9, RED, 3)
        for begin, end in (((x, 25), (x, 46)), ((x - 8, 32), (x + 8, 32)), ((x, 46), (x - 8, 66)), ((x, 46), (x + 8, 66))):
            cv2.line(picture, begin, end, RED, 3)
    cv2.putText(picture, "Album of dates", (160, 240), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1)
    assert glyph_height((picture.min(axis=2) < 128).astype(np.uint8)) > 50
    scene = prepare(picture)
    assert (scene.scale, 7 <= scene.glyph <= 14) == (1.0, True)
