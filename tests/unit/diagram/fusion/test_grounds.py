"""Labels on grounds of their own colour that were read as one line are parted."""

from __future__ import annotations

import numpy as np

from tools.diagram.model.blackboard import Agent, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.text.parting import cut_at_shapes


def _text(words: str, left: float, right: float, top: float, bottom: float) -> TextNote:
    """A text whose characters stand at equal distances."""
    places = tuple(round((index + 0.5) / len(words), 4) for index in range(len(words)))
    frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    return TextNote(
        writer=Agent.text_spotter, pixels=frame, id="t1", text=words, corners=corners, turned=0, positions=places
    )  # fmt: skip


def _patch(left: float, right: float, top: float, bottom: float) -> ShapeNote:
    """A ground of its own colour."""
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
    return ShapeNote(
        writer=Agent.shape_hunter,
        pixels=frame,
        id="s1",
        shape=Shape.rectangle,
        outline=corners,
        fit=1.0,
        filled=True,
        source="face",
        clean=True,
    )


def test_labels_on_grounds_of_their_own_are_parted() -> None:
    """Two patches hardly as high as the text that was read across both: a label each."""
    scene = prepare(np.full((120, 400, 3), 255, np.uint8))
    high = 1.5 * scene.glyph
    patches = [_patch(100, 190, 40, 40 + high), _patch(220, 310, 40, 40 + high)]
    text = _text("batch batch", 100, 310, 40 - 0.1 * scene.glyph, 40 + high + 0.1 * scene.glyph)
    assert [part.text for part in cut_at_shapes(scene, patches, (text,))] == ["batch", "batch"]
