"""In small copies: state machines keep their ends, texts the height of their letters, heads their size beside full signs."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.diagram.model.blackboard import Agent, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import Traced, _as_beside_latin, trace
from tools.diagram.picture.surfaces import Scene, prepare
from tools.media.image import Picture

_SIZE = 0.6
_BOX = (150, 30, 290, 90)
"""Left, top, right, bottom of the box in the drawing."""
_START, _END = (50, 60), (420, 60)


def _text(words: str, box: tuple[float, float, float, float], turned: int = 0) -> TextNote:
    """A text in a box of left, top, width and height."""
    x, y, width, height = box
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    frame = Frame(x=x, y=y, width=width, height=height)
    return TextNote(writer=Agent.text_spotter, pixels=frame, id="t1", text=words, corners=corners, turned=turned)


def _drawn() -> Picture:
    """A grey box with a darker border, a black dot with an arrow to it, and an arrow from it to a dot in a ring."""
    picture = np.full((190, 480, 3), 255, np.uint8)
    left, top, right, bottom = _BOX
    cv2.rectangle(picture, (left, top), (right, bottom), (236, 236, 236), cv2.FILLED)
    # Sharp scaling makes the ground lighter where a border of a pixel and a half ends.
    cv2.rectangle(picture, (16 * left, 16 * top + 12), (16 * right, 16 * bottom + 12), (60, 60, 60), 1, cv2.LINE_AA, 4)
    cv2.putText(picture, "Stock Level", (left + 24, 66), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for x, words in ((40, "Shipping Desk"), (200, "Region Proposal"), (360, "Feature")):
        cv2.putText(picture, words, (x, 160), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for start, stop in ((_START[0], left), (right, _END[0] - 7)):
        cv2.line(picture, (start, 60), (stop - 8, 60), (30, 30, 30), 1, cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([(stop - 1, 60), (stop - 13, 54), (stop - 13, 66)])], (0, 0, 0), cv2.LINE_AA)
    cv2.circle(picture, _START, 6, (0, 0, 0), cv2.FILLED, cv2.LINE_AA)
    cv2.circle(picture, _END, 7, (0, 0, 0), 2, cv2.LINE_AA)
    cv2.circle(picture, _END, 3, (0, 0, 0), cv2.FILLED, cv2.LINE_AA)
    return picture


def _small(picture: Picture) -> Scene:
    size = round(picture.shape[1] * _SIZE), round(picture.shape[0] * _SIZE)
    scene = prepare(np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.LANCZOS), np.uint8))
    assert scene.scale == 2, scene.glyph
    return scene


def _box(scene: Scene) -> NodeNote:
    left, top, right, bottom = (value * _SIZE * scene.scale for value in _BOX)
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
    return NodeNote(
        writer=Agent.fusion_arbiter, pixels=frame, id="n1", label="Stock Level", shape=Shape.rectangle, outline=outline
    )  # fmt: skip


def _traced(scene: Scene) -> Traced:
    return trace(scene, [_box(scene)], [], {}, [], [])


def test_start_and_end_of_a_small_state_machine() -> None:
    """The dot and the dot in a ring are nodes without a name, and an arrow leads from each thing to the next."""
    traced = _traced(_small(_drawn()))
    start, end = sorted(traced.nodes, key=lambda node: node.pixels.x)
    assert [(line.source, line.target) for line in traced.lines] == [(start.id, "n1"), ("n1", end.id)]
    assert {(line.source_head, line.target_head) for line in traced.lines} == {(Head.none, Head.arrow)}


@pytest.mark.parametrize(("words", "scale", "share"), [("报表 2", 2.0, 0.78), ("report 报", 2.0, 1.0), ("报表", 1.0, 1.0)])
def test_heads_beside_full_signs_are_measured_as_beside_capitals(words: str, scale: float, share: float) -> None:
    """Chinese signs are higher than capitals of their font size, and heads are not: in enlarged copies that counts."""
    scene = replace(prepare(np.full((60, 90, 3), 255, np.uint8)), scale=scale)
    assert _as_beside_latin(scene, ["", words]).glyph == pytest.approx(share * scene.glyph)
