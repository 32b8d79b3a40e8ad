"""Between a model and the deterministic agents the surer wins, and what a model says must be drawn."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.fusion.claims import settled
from tools.diagram.model.blackboard import Agent, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import Scene, prepare


def _scene() -> Scene:
    picture = np.full((200, 300, 3), 255, np.uint8)
    cv2.rectangle(picture, (50, 50), (200, 120), (0, 0, 0), 2)
    cv2.putText(picture, "Box", (80, 95), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2, cv2.LINE_AA)
    return prepare(picture)


def _text(name: str, by: str, sure: float, x: float = 80, text: str = "Box") -> TextNote:
    corners = ((x, 70.0), (x + 60, 70.0), (x + 60, 100.0), (x, 100.0))
    frame = Frame(x=x, y=70, width=60, height=30)
    return TextNote(
        writer=Agent.text_spotter, by=by, pixels=frame, confidence=sure, id=name, text=text, corners=corners, turned=0
    )


def _shape(name: str, by: str, left: float) -> ShapeNote:
    outline = ((left, 50.0), (left + 150, 50.0), (left + 150, 120.0), (left, 120.0))
    frame = Frame(x=left, y=50, width=150, height=70)
    return ShapeNote(
        writer=Agent.shape_hunter, by=by, pixels=frame, id=name, shape=Shape.rectangle, outline=outline, fit=1, filled=False,
        source="face", clean=True,
    )  # fmt: skip


def test_the_surer_reading_wins() -> None:
    """A model's surer text replaces the deterministic one at the same place, and the other way round."""
    scene = _scene()
    own, other = _text("t1", "deterministic", 0.6, text="Bax"), _text("m1", "a-model", 0.9)
    assert settled(scene, (), (own, other))[1] == (other,)
    surer = own.model_copy(update={"confidence": 0.95})
    assert settled(scene, (), (surer, other))[1] == (surer,)


def test_what_is_not_drawn_does_not_count() -> None:
    """A model's text on blank paper and its outline across blank paper are dropped; outlines on lines stay."""
    scene = _scene()
    invented, real = _shape("m1", "a-model", 130), _shape("m2", "a-model", 50)
    assert settled(scene, (invented, real), (_text("m3", "a-model", 1.0, x=225),)) == ((real,), ())


def test_deterministic_notes_pass_unchanged() -> None:
    """Without a model nothing is decided here."""
    scene, notes = _scene(), (_text("t1", "deterministic", 0.5), _text("t2", "deterministic", 0.9))
    assert settled(scene, (), notes) == ((), notes)
