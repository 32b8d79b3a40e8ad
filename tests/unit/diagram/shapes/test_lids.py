"""The lid of a cylinder belongs to it, however flat; a second frame around a box, and a line that passes, are no lids."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.lids import lid_height
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _lid(draw: str) -> float:
    """What is found over a box 160 wide with its upper side at row 103."""
    picture: Picture = np.full((320, 520, 3), 255, np.uint8)
    for row in range(4):
        written(picture, "words", (400, 30 + 30 * row))
    cv2.rectangle(picture, (100, 99), (260, 160), BLACK, 2)
    if draw == "lid":
        cv2.rectangle(picture, (95, 90), (265, 102), (255, 255, 255), cv2.FILLED)
        cv2.ellipse(picture, (180, 98), (80, 5), 0, 0, 360, BLACK, 2)
    elif draw == "frame":
        cv2.rectangle(picture, (91, 90), (269, 169), BLACK, 2)
    elif draw == "line":
        cv2.line(picture, (40, 90), (340, 90), BLACK, 2)
    return lid_height(prepare(picture), Frame(x=102, y=104 if draw == "lid" else 102, width=156, height=55), upwards=True)


@pytest.mark.parametrize(("draw", "found"), [("lid", True), ("frame", False), ("line", False), ("nothing", False)])
def test_a_flat_lid_is_told_by_its_ends(draw: str, found: bool) -> None:
    """Over most of the side its two lines are equally far apart; at its ends they meet."""
    assert (_lid(draw) > 0) is found
