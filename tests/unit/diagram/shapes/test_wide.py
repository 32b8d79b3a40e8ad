"""Wide diamonds whose ground or name does not reach their tips' end, low fills with a border, final states."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.dashed import dashed_outlines
from tools.diagram.shapes.hunter import hunt
from tools.diagram.shapes.outlines import classify
from tools.diagram.shapes.targets import targets
from tools.media.image import Picture

BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def _page(width: int = 640, height: int = 300) -> Picture:
    """A white picture with four words in a corner, which tell how high letters are."""
    picture = np.full((height, width, 3), 255, np.uint8)
    for row in range(4):
        written(picture, "words", (width - 100, 20 + 30 * row))
    return picture


def _diamond(middle: tuple[int, int], half: tuple[int, int]) -> np.ndarray:
    (x, y), (wide, high) = middle, half
    return np.array([(x, y - high), (x + wide, y), (x, y + high), (x - wide, y)], np.int32)


def test_a_flat_diamond_may_end_before_its_tips() -> None:
    """What is seen of its ground has blunt ends; a hexagon has, too, but no tips above and below."""
    mask = np.zeros((200, 600), np.uint8)
    cv2.fillPoly(mask, [_diamond((300, 100), (240, 22))], (1,))
    mask[:, :90] = mask[:, 510:] = 0
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = classify(np.asarray(contours[0], np.int32))
    assert (outline.shape, outline.fit > 0.94) == (Shape.diamond, True)
    assert min(x for x, _ in outline.corners) < 85


def test_letters_from_border_to_border_part_no_diamond() -> None:
    """A name as long as its diamond leaves two faces, none of them plain."""
    picture = _page()
    cv2.polylines(picture, [_diamond((260, 150), (230, 24))], isClosed=True, color=BLACK, thickness=2)
    name = written(picture, "is it whole", (190, 144))
    picture[138:163, 372:376] = 0  # the last letter, as high as the diamond is there
    scene = prepare(picture)
    found = hunt(scene)
    assert any(note.shape is Shape.diamond and note.pixels.width > 400 for note in found)
    nodes, _, _ = ground(scene, found, (name,), reading=False)
    assert [(node.label, node.shape) for node in nodes if node.label] == [("is it whole", Shape.diamond)]


def test_a_dashed_border_at_the_rim_stays_in_the_picture() -> None:
    """Where the corner of two sides would lie beyond it the outline ends at the rim."""
    ink = np.zeros((200, 300), np.uint8)
    for turn in range(0, 360, 15):
        cv2.ellipse(ink, (118, 100), (118, 40), 0, turn, turn + 9, (1,), 2)
    for outline in dashed_outlines(ink, 2.0, 12.0):
        assert outline.min() >= 0
        assert outline[..., 0].max() < 300


@pytest.mark.parametrize("tint", [(254, 254, 206), (218, 232, 252)])
def test_small_and_low_fills_with_borders_are_grounds(tint: tuple[int, int, int]) -> None:
    """A junction's diamond and a low hexagon with its name, both in a pale colour."""
    picture = _page()
    junction = _diamond((100, 60), (17, 17))
    low = np.array([(200, 60), (212, 46), (330, 46), (342, 60), (330, 74), (212, 74)], np.int32)
    for points in (junction, low):
        cv2.fillPoly(picture, [points], tint)
        cv2.polylines(picture, [points], isClosed=True, color=BLACK, thickness=2)
    written(picture, "is it so", (224, 52))
    shapes = {note.shape for note in hunt(prepare(picture)) if note.fit > 0.85}
    assert {Shape.diamond, Shape.hexagon} <= shapes


def test_a_dot_in_a_ring_is_one_round_thing() -> None:
    """A line may come to it; a dot alone, and a ring alone, are none."""
    ink = np.zeros((120, 260), np.uint8)
    cv2.circle(ink, (60, 60), 14, (1,), 2)
    cv2.circle(ink, (60, 60), 8, (1,), cv2.FILLED)
    cv2.line(ink, (60, 10), (60, 46), (1,), 2)
    cv2.circle(ink, (140, 60), 8, (1,), cv2.FILLED)
    cv2.circle(ink, (210, 60), 14, (1,), 2)
    (outline,) = targets(ink, 14.0)
    x, y, wide, high = cv2.boundingRect(outline)
    assert (abs(x - 45) <= 2, abs(y - 45) <= 2, abs(wide - 31) <= 3, abs(high - 31) <= 3) == (True,) * 4
