"""Texts read across the borders of shapes are cut there, and pieces of lines taken off their ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.blackboard import Agent, TextNote
from tools.diagram.graph import Frame
from tools.diagram.parting import cut_at_shapes
from tools.diagram.shapes import hunt
from tools.diagram.surfaces import Scene, prepare

BOX = (300, 60, 440, 110)


@pytest.fixture(scope="module")
def scene() -> Scene:
    """A box with a name in it, a line with a label that runs into it from the left."""
    picture = np.full((180, 520, 3), 255, np.uint8)
    cv2.rectangle(picture, BOX[:2], BOX[2:], (0, 0, 0), 2)
    cv2.line(picture, (40, 85), (300, 85), (0, 0, 0), 2)
    cv2.putText(picture, "name", (330, 92), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    cv2.putText(picture, "Label", (120, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    return prepare(picture)


def _text(words: str, left: float, right: float, *, top: float = 70, bottom: float = 100) -> TextNote:
    """A text whose characters stand at equal distances."""
    places = tuple(round((index + 0.5) / len(words), 4) for index in range(len(words)))
    frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return TextNote(
        writer=Agent.text_spotter, pixels=frame, id="t1", text=words, corners=corners, turned=0, positions=places
    )  # fmt: skip


def test_a_label_and_a_name_are_parted_at_the_border(scene: Scene) -> None:
    """What was read as one line becomes the label outside and the name inside, each with its own place."""
    parts = cut_at_shapes(scene, list(hunt(scene)), (_text("label name", 200, 400),))
    assert [part.text for part in parts] == ["label", "name"]
    assert parts[0].pixels.right <= BOX[0] + 5 < parts[1].pixels.x + 25
    assert len({part.id for part in parts}) == 2


def test_a_text_within_a_box_stays_whole(scene: Scene) -> None:
    """A text that no border crosses is handed on as it is."""
    text = _text("name", 325, 385)
    assert cut_at_shapes(scene, list(hunt(scene)), (text,)) == (text,)


def test_a_piece_of_a_line_is_no_sign(scene: Scene) -> None:
    """A dash whose ink runs on beyond the text is the line's; alone it is no text at all."""
    parts = cut_at_shapes(scene, [], (_text("-ab", 150, 180), _text("—", 60, 90)))
    assert [part.text for part in parts] == ["ab"]


def test_a_dash_of_its_own_stays(scene: Scene) -> None:
    """A sign with no ink beyond it belongs to the text."""
    text = _text("-Label", 100, 180, top=125, bottom=150)
    assert cut_at_shapes(scene, [], (text,)) == (text,)


def test_marks_up_to_a_box_are_the_lines(scene: Scene) -> None:
    """A text that begins at a box's border with the marks of a cardinality: they are no letters."""
    parts = cut_at_shapes(scene, list(hunt(scene)), (_text("calls0+", 210, 299),))
    assert [part.text for part in parts] == ["calls"]
