"""Shadows behind nodes are paper; grey lines, heads and letters are not."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.graph import Shape
from tools.diagram.picture.shadows import without_shadows
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

RED, CREAM = (168, 0, 54), (254, 254, 206)


def _shaded(picture: Picture, left: int, top: int, right: int, bottom: int) -> None:
    """A box with a border and a soft shadow that ends in a step, to its right and below."""
    for level, off in ((218, 8), (189, 7), (170, 6), (161, 5), (160, 4)):
        cv2.rectangle(picture, (left + 4, top + 4), (right + off, bottom + off), (level, level, level), cv2.FILLED)
    cv2.rectangle(picture, (left, top), (right, bottom), CREAM, cv2.FILLED)
    cv2.rectangle(picture, (left, top), (right, bottom), RED, 1)


def _sheet() -> Picture:
    return np.full((300, 500, 3), 255, np.uint8)


def test_a_shadow_becomes_paper_on_both_sides_of_a_line_that_leaves_through_it() -> None:
    """The line and the border stay."""
    picture = _sheet()
    _shaded(picture, 60, 60, 180, 120)
    cv2.line(picture, (100, 120), (100, 220), RED, 1)
    plain = without_shadows(picture, 9.0)
    assert (plain[124:130, 70:95] == 255).all()
    assert (plain[124:130, 105:180] == 255).all()
    assert (plain[70:110, 184:190] == 255).all()
    assert (plain[130:218, 100] == RED).all()
    assert (plain[60:121, 60:181] == picture[60:121, 60:181]).all()


def test_a_grey_line_that_leaves_through_a_shadow_stays() -> None:
    """Its rims are steeper than a shadow's grades."""
    picture = _sheet()
    _shaded(picture, 60, 60, 180, 120)
    cv2.line(picture, (100, 120), (100, 220), (150, 150, 150), 3)
    plain = without_shadows(picture, 9.0)
    assert (plain[135:218, 99:102] == 150).all()
    assert (plain[124:130, 70:95] == 255).all()


def test_what_is_grey_without_being_graded_stays() -> None:
    """Thick lines that turn a corner, with smooth rims, and a box filled with grey."""
    picture = _sheet()
    cv2.polylines(picture, [np.array([(60, 60), (200, 60), (200, 160)], np.int32)], False, (170, 170, 170), 7, cv2.LINE_AA)
    cv2.rectangle(picture, (300, 60), (400, 120), (190, 190, 190), cv2.FILLED)
    written(picture, "grey", (320, 80))
    assert (without_shadows(picture, 9.0) == picture).all()


def _rounded(picture: Picture, left: int, top: int, size: int, radius: int) -> None:
    """A square box with rounded corners."""
    right, bottom = left + size, top + size
    near, far, high, low = left + radius, right - radius, top + radius, bottom - radius
    cv2.rectangle(picture, (near, top), (far, bottom), CREAM, cv2.FILLED)
    cv2.rectangle(picture, (left, high), (right, low), CREAM, cv2.FILLED)
    for start, end in (((near, top), (far, top)), ((near, bottom), (far, bottom))):
        cv2.line(picture, start, end, RED, 1)
    for start, end in (((left, high), (left, low)), ((right, high), (right, low))):
        cv2.line(picture, start, end, RED, 1)
    for x, y, turn in ((near, high, 180), (far, high, 270), (far, low, 0), (near, low, 90)):
        cv2.ellipse(picture, (x, y), (radius, radius), turn, 0, 90, CREAM, cv2.FILLED)
        cv2.ellipse(picture, (x, y), (radius, radius), turn, 0, 90, RED, 1, cv2.LINE_AA)


def test_compartments_with_round_corners_are_one_node() -> None:
    """A small state with a line under its name: its halves have the corners of hexagons."""
    picture = _sheet()
    for row in range(3):
        written(picture, "some words", (300, 200 + 24 * row))
    _rounded(picture, 60, 60, 49, 9)
    name = written(picture, "Id", (72, 66))
    cv2.line(picture, (60, 86), (109, 86), RED, 1)
    scene = prepare(picture)
    nodes, groups, _ = ground(scene, hunt(scene), (name,), reading=False)
    assert [(node.label, node.shape) for node in nodes] == [("Id", Shape.table)]
    assert groups == []
