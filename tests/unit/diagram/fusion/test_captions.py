"""Names beside small nodes go to the side that layouts set them to."""

from __future__ import annotations

import numpy as np

from tools.diagram.fusion.captions import captioned
from tools.diagram.fusion.piece import Piece
from tools.diagram.model.blackboard import Agent, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import prepare


def _disc(name: str, x: float, y: float) -> Piece:
    frame = Frame(x=x - 10, y=y - 10, width=20, height=20)
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    outline = tuple((x + 10 * float(np.cos(t)), y + 10 * float(np.sin(t))) for t in turns)
    note = ShapeNote(
        writer=Agent.shape_hunter, pixels=frame, id=name, shape=Shape.circle, outline=outline, fit=1.0, filled=True,
        source="face", clean=True,
    )  # fmt: skip
    piece = Piece(note)
    piece.role = "node"
    return piece


def _text(words: str, left: float, right: float, y: float) -> TextNote:
    frame = Frame(x=left, y=y - 7, width=right - left, height=14)
    corners = ((left, y - 7), (right, y - 7), (right, y + 7), (left, y + 7))
    return TextNote(writer=Agent.text_spotter, pixels=frame, id=words, text=words, corners=corners, turned=0)


def test_a_name_between_two_discs_is_that_of_the_one_that_names_stand_right_of() -> None:
    """It is nearer to the other, which has its own name on the usual side."""
    discs = [_disc("a", 60, 40), _disc("b", 160, 40), _disc("c", 60, 140), _disc("d", 300, 140)]
    texts = [_text("A", 76, 147, 40), _text("B", 174, 240, 40), _text("C", 74, 120, 140), _text("D", 314, 360, 140)]
    scene = prepare(np.full((200, 400, 3), 255, np.uint8))
    assert captioned(scene, discs, texts) == []
    assert [[text.text for text in disc.texts] for disc in discs] == [["A"], ["B"], ["C"], ["D"]]
