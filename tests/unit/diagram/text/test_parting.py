"""Texts read across the borders of shapes are cut there, and pieces of lines taken off their ends."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.model.blackboard import Agent, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene, prepare
from tools.diagram.shapes.hunter import hunt
from tools.diagram.text.parting import cut_at_shapes

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
    parts = cut_at_shapes(scene, [], (_text("-ab", 150, 180), _text("▶ ab", 210, 240), _text("—", 60, 90)))
    assert [part.text for part in parts] == ["ab", "ab"]


def test_a_dash_of_its_own_stays(scene: Scene) -> None:
    """A sign with no ink beyond it belongs to the text."""
    text = _text("-Label", 100, 180, top=125, bottom=150)
    assert cut_at_shapes(scene, [], (text,)) == (text,)


def test_marks_up_to_a_box_are_the_lines(scene: Scene) -> None:
    """A text that begins at a box's border with the marks of a cardinality: they are no letters."""
    parts = cut_at_shapes(scene, list(hunt(scene)), (_text("calls0+", 210, 299),))
    assert [part.text for part in parts] == ["calls"]


def test_what_stands_beside_a_patch_is_no_letter_of_its_label() -> None:
    """The bars at the end of a line were read together with the label that stands on a patch of its own."""
    picture = np.full((180, 520, 3), 255, np.uint8)
    cv2.rectangle(picture, (200, 70), (260, 100), (232, 240, 220), cv2.FILLED)
    cv2.putText(picture, "5 ml", (206, 92), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    for x in (150, 158):
        cv2.line(picture, (x, 75), (x, 95), (0, 0, 0), 2)
    cv2.line(picture, (100, 85), (200, 85), (0, 0, 0), 2)
    (part,) = cut_at_shapes(prepare(picture), [], (_text("HII5 ml", 140, 260),))
    assert part.text == "5 ml"
    assert part.pixels.x >= 198
    # The box of what was read with signs that are higher than letters ends where the patch does, too.
    (low,) = cut_at_shapes(prepare(picture), [], (_text("5 ml", 202, 258, top=58, bottom=112),))
    assert 68 <= low.pixels.y <= 73
    assert 97 <= low.pixels.bottom <= 102


def test_a_round_letter_on_a_patch_is_a_label() -> None:
    """Its hollow is round as a drawn ring's is; but rings stand on the ground that everything stands on."""
    picture = np.full((180, 520, 3), 255, np.uint8)
    cv2.rectangle(picture, (200, 68), (226, 104), (232, 240, 220), cv2.FILLED)
    cv2.putText(picture, "Q", (204, 94), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    cv2.circle(picture, (400, 86), 9, (0, 0, 0), 2)
    scene = prepare(picture)
    label, ring = _text("Q", 202, 224, top=72, bottom=100), _text("O", 388, 412, top=72, bottom=100)
    assert [part.text for part in cut_at_shapes(scene, list(hunt(scene)), (label, ring))] == ["Q"]


def test_the_rim_of_a_disc_is_no_bracket_and_a_word_keeps_its_first_letter() -> None:
    """Names that stand right beside discs are read with the rim; a round letter before others is one of the word."""
    picture = np.full((180, 520, 3), 255, np.uint8)
    cv2.circle(picture, (60, 85), 22, (60, 120, 220), cv2.FILLED)
    cv2.circle(picture, (60, 85), 22, (0, 0, 0), 2)
    cv2.putText(picture, "Ocean", (92, 92), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    scene = prepare(picture)
    (part,) = cut_at_shapes(scene, list(hunt(scene)), (_text(")Ocean", 80, 152),))
    assert part.text == "Ocean"


def test_a_word_of_two_letters_keeps_its_round_one(scene: Scene) -> None:
    """Right beside a box stands the mark of a cardinality, or a word: a letter after it tells."""
    (part,) = cut_at_shapes(scene, list(hunt(scene)), (_text("on foot", 442, 508),))
    assert part.text == "on foot"
    (rest,) = cut_at_shapes(scene, list(hunt(scene)), (_text("o foot", 442, 508),))
    assert rest.text.strip() == "foot"


def test_the_far_end_of_a_loop_is_no_letter() -> None:
    """Two arms come in where the first letter was read; at a letter that stands free, or that one line runs into, none do."""
    picture = np.full((180, 520, 3), 255, np.uint8)
    cv2.ellipse(picture, (100, 90), (60, 12), 0, -90, 90, (0, 0, 0), 2)
    cv2.line(picture, (20, 150), (130, 150), (0, 0, 0), 2)
    cv2.putText(picture, "Label", (300, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    scene = prepare(picture)
    (loop,) = cut_at_shapes(scene, [], (_text("Don foot", 140, 260, top=74, bottom=106),))
    (line,) = cut_at_shapes(scene, [], (_text("Door", 126, 190, top=134, bottom=166),))
    assert (loop.text, line.text) == ("on foot", "Door")
