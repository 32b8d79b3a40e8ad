"""Nodes that lines run over stay whole; what lines merely enclose, and tables, stay what they are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.blackboard import NodeNote, TextNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

DARK = (60, 40, 40)
Color = tuple[int, int, int]


def _sheet() -> Picture:
    """White, with a column of words at the right rim, which tell how high letters are."""
    picture = np.full((420, 700, 3), 255, np.uint8)
    for row in range(5):
        cv2.putText(picture, "words", (600, 40 + 30 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    return picture


def _nodes(picture: Picture, texts: list[TextNote]) -> list[NodeNote]:
    scene = prepare(picture)
    assert scene.scale == 1
    return ground(scene, hunt(scene), tuple(texts), reading=False)[0]


@pytest.mark.parametrize("fill", [(255, 255, 255), (250, 240, 220)])
@pytest.mark.parametrize("way", [((240, 20), (240, 400)), ((60, 60), (430, 330)), ((20, 186), (500, 190))])
def test_a_box_that_a_line_runs_over_is_one_node(fill: Color, way: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """Upright, slanting and level lines; a box with the ground's colour and one with its own."""
    picture = _sheet()
    cv2.rectangle(picture, (160, 150), (330, 226), fill, cv2.FILLED)
    cv2.rectangle(picture, (160, 150), (330, 226), DARK, 2)
    text = written(picture, "run over it", (185, 180))
    cv2.line(picture, way[0], way[1], (0, 0, 0), 2)
    nodes = _nodes(picture, [text])
    assert [(node.label, node.shape) for node in nodes if node.label] == [("run over it", Shape.rectangle)]
    assert abs(nodes[0].pixels.width - 170) < 12


def test_an_ellipse_that_a_line_runs_over_is_one_node() -> None:
    """The line parts it into two halves."""
    picture = _sheet()
    cv2.ellipse(picture, (260, 190), (110, 42), 0, 0, 360, (225, 240, 250), cv2.FILLED)
    cv2.ellipse(picture, (260, 190), (110, 42), 0, 0, 360, DARK, 2)
    text = written(picture, "run over it", (195, 182))
    cv2.line(picture, (262, 20), (258, 400), (0, 0, 0), 2)
    nodes = _nodes(picture, [text])
    assert [(node.label, node.shape) for node in nodes if node.label] == [("run over it", Shape.ellipse)]


def test_a_label_that_a_line_runs_over_is_no_node() -> None:
    """Its ground has no border."""
    picture = _sheet()
    cv2.rectangle(picture, (176, 165), (312, 189), (232, 232, 250), cv2.FILLED)
    text = written(picture, "run over it", (180, 170))
    cv2.line(picture, (60, 60), (430, 300), (0, 0, 0), 2)
    assert [node.label for node in _nodes(picture, [text])] == []


def test_lines_that_come_to_a_table_at_its_rule_leave_it_a_table() -> None:
    """They meet the rule between two compartments from both sides: the rule is no line that runs over."""
    picture = _sheet()
    cv2.rectangle(picture, (160, 120), (340, 240), DARK, 2)
    cv2.line(picture, (160, 160), (340, 160), DARK, 2)
    cv2.line(picture, (20, 160), (160, 160), DARK, 2)
    cv2.line(picture, (340, 160), (500, 160), DARK, 2)
    rows = (("Name", (210, 132)), ("row one", (180, 180)), ("row two", (180, 208)))
    texts = [written(picture, words, at) for words, at in rows]
    nodes = _nodes(picture, texts)
    assert [(node.label, node.shape) for node in nodes if node.label] == [("Name", Shape.table)]
