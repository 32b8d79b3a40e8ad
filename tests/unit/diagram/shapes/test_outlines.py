"""Outlines are told apart by shape, and surfaces from ink by colour, on pictures drawn here."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.outlines import classify


def _contour(mask: np.ndarray) -> np.ndarray:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return np.asarray(contours[0], np.int32)


def _polygon(points: list[tuple[int, int]]) -> np.ndarray:
    mask = np.zeros((200, 300), np.uint8)
    cv2.fillPoly(mask, [np.array(points, np.int32)], (1,))
    return mask


def _ellipse(a: int, b: int) -> np.ndarray:
    mask = np.zeros((200, 300), np.uint8)
    cv2.ellipse(mask, (150, 100), (a, b), 0, 0, 360, (1,), cv2.FILLED)
    return mask


@pytest.mark.parametrize(
    ("mask", "shape"),
    [
        (_polygon([(50, 50), (250, 50), (250, 110), (50, 110)]), Shape.rectangle),
        (_ellipse(60, 60), Shape.circle),
        (_ellipse(110, 40), Shape.ellipse),
        (_polygon([(150, 40), (250, 100), (150, 160), (50, 100)]), Shape.diamond),
        (_polygon([(90, 50), (280, 50), (230, 120), (40, 120)]), Shape.parallelogram),
        (_polygon([(80, 50), (220, 50), (270, 100), (220, 150), (80, 150), (30, 100)]), Shape.hexagon),
        (_polygon([(80, 50), (150, 47), (220, 50), (270, 100), (220, 150), (80, 150), (30, 100)]), Shape.hexagon),
        (_polygon([(150, 30), (260, 170), (40, 170)]), Shape.triangle),
    ],
)
def test_kinds_of_outlines(mask: np.ndarray, shape: Shape) -> None:
    """Each ideal shape is recognised and explains nearly all of itself."""
    found = classify(_contour(mask))
    assert found.shape is shape
    assert found.fit > 0.95


def test_a_crescent_is_no_shape() -> None:
    """What encloses a hollow side is no ideal outline."""
    mask = _ellipse(80, 80)
    cv2.circle(mask, (200, 100), 75, (0,), cv2.FILLED)
    found = classify(_contour(mask))
    assert found.fit < 0.9


@pytest.mark.parametrize("dark", [False, True])
def test_ink_is_what_leaves_its_ground(dark: bool) -> None:
    """Lines and letters are ink on any ground; the seam between a fill and the paper is none."""
    paper, fill, line = (
        ((20, 22, 30), (60, 70, 110), (230, 230, 230)) if dark else ((255, 255, 255), (205, 225, 250), (60, 60, 60))
    )
    picture = np.full((300, 500, 3), paper, np.uint8)
    picture[60:160, 60:240] = fill
    cv2.line(picture, (300, 40), (460, 260), line, 2, cv2.LINE_AA)
    cv2.putText(picture, "Word", (90, 120), cv2.FONT_HERSHEY_SIMPLEX, 0.7, line, 2, cv2.LINE_AA)
    scene = prepare(picture)
    assert scene.dark is dark
    assert scene.ink[145:155, 372:392].any()
    assert scene.ink[100:125, 90:150].any()
    assert not scene.ink[56:66, 100:200].any()
    assert not scene.ink[200:290, 20:250].any()


def test_names_of_one_letter_tell_how_high_letters_are() -> None:
    """Each stands by itself; the corners of the heads between them, which stand in pairs, are no letters."""
    picture = np.full((700, 500, 3), 255, np.uint8)
    for row in range(5):
        for column in range(4):
            x, y = 60 + 110 * column, 60 + 130 * row
            cv2.ellipse(picture, (x, y), (36, 24), 0, 0, 360, (0, 0, 0), 1)
            cv2.putText(picture, "EHKZTFLXNU"[(row + column) % 10], (x - 6, y + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
            cv2.line(picture, (x, y + 24), (x, y + 92), (0, 0, 0), 1)
            cv2.fillPoly(picture, [np.array([(x, y + 105), (x - 5, y + 92), (x + 5, y + 92)], np.int32)], (0, 0, 0))
    scene = prepare(picture)
    assert scene.scale == 1
    assert 12 <= scene.glyph <= 15


def test_a_rectangle_with_a_soft_corner_leans_no_more_than_a_few_pixels() -> None:
    """Two pixels off at one corner are a packed picture's rim; of a small shape they are a quarter, and six are a lean."""

    def leaning(width: int, height: int, by: int) -> Shape:
        points = np.array([(by, 0), (width, 0), (width - by, height), (0, height)], np.int32)
        return classify(points[:, None]).shape

    assert leaning(64, 42, 2) is Shape.rectangle
    assert leaning(64, 42, 9) is Shape.parallelogram
    assert leaning(12, 9, 3) is not Shape.rectangle
