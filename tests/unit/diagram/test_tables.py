"""Boxes that share walls are one table where they are in line; what lines cut out of the ground is no box."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.arbiter import ground
from tools.diagram.blackboard import Agent, NodeNote, TextNote
from tools.diagram.graph import Frame
from tools.diagram.shapes import hunt
from tools.diagram.surfaces import prepare
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _sheet() -> Picture:
    picture = np.full((420, 640, 3), 255, np.uint8)
    for row in range(3):
        _word(picture, "words", (560, 40 + 30 * row))
    return picture


def _word(picture: Picture, word: str, at: tuple[int, int]) -> TextNote:
    """Writes it with its lower left corner there."""
    cv2.putText(picture, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 1)
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x, y = at[0], at[1] - height
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    frame = Frame(x=x, y=y, width=width, height=height)
    return TextNote(writer=Agent.text_spotter, pixels=frame, id=f"t{at}", text=word, corners=corners, turned=0)


def _nodes(picture: Picture, texts: list[TextNote]) -> list[NodeNote]:
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    return nodes


@pytest.mark.parametrize("overlap", [0, 1, 2])
def test_compartments_are_one_node(overlap: int) -> None:
    """A class with its attributes and an empty compartment, whoever of them is said to have the wall."""
    picture = _sheet()
    tops = [60, 100 - overlap, 150 - 2 * overlap]
    for top, bottom in zip(tops, [100, 150 - overlap, 170 - 2 * overlap], strict=True):
        cv2.rectangle(picture, (80, top), (260, bottom), BLACK, 2)
    texts = [_word(picture, "Procurement", (100, 85)), _word(picture, "created", (90, 128))]
    (node,) = _nodes(picture, texts)
    assert node.label == "Procurement"
    assert node.rows == ("created",)


def test_boxes_that_touch_out_of_line_are_two() -> None:
    """A node that stands right on a wider one, at neither of its ends, is no row of it."""
    picture = _sheet()
    cv2.rectangle(picture, (120, 60), (220, 100), BLACK, 2)
    cv2.rectangle(picture, (80, 101), (260, 145), BLACK, 2)
    texts = [_word(picture, "Nucleus", (138, 85)), _word(picture, "Cytoplasm", (125, 128))]
    assert sorted(node.label for node in _nodes(picture, texts)) == ["Cytoplasm", "Nucleus"]


def test_what_lines_cut_out_of_the_ground_is_no_node() -> None:
    """The ground between two frames and two lines that cross both of them; a box alone in the same place is one."""
    crossed = _sheet()
    for x in (200, 300):
        cv2.line(crossed, (x, 40), (x, 380), BLACK, 2)
    for y in (150, 240):
        cv2.line(crossed, (100, y), (420, y), BLACK, 2)
    assert not _nodes(crossed, [])
    alone = _sheet()
    cv2.rectangle(alone, (200, 150), (300, 240), BLACK, 2)
    assert len(_nodes(alone, [])) == 1


def test_cells_with_nothing_in_them_are_a_record_and_no_panel() -> None:
    """An array of pointers: one node without a name; the boxes beside it, with air between them, are in no group."""
    picture = _sheet()
    for top in range(40, 240, 28):
        cv2.rectangle(picture, (20, top), (48, top + 28), BLACK, 1)
    texts = []
    for top, word in ((60, "first"), (104, "second"), (148, "third")):
        cv2.rectangle(picture, (120, top), (260, top + 36), BLACK, 2)
        texts.append(_word(picture, word, (165, top + 24)))
    scene = prepare(picture)
    nodes, groups, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["", "first", "second", "third"]
    (record,) = (node for node in nodes if not node.label)
    assert record.pixels.height > 200
    assert groups == []
