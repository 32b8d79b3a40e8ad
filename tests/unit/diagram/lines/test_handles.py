"""Handles at nodes are told from the heads of lines by colour, unless scaling made the difference."""

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.diagram.lines import handles
from tools.diagram.lines.handles import _is_thinned
from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net import tracer as lines
from tools.diagram.net.tracer import Traced, trace
from tools.diagram.picture.surfaces import prepare


@pytest.mark.parametrize(
    ("border", "line", "thinned"),
    [
        ((0, 0, 0), (105, 105, 105), True),
        ((105, 105, 105), (0, 0, 0), True),
        ((85, 85, 85), (200, 200, 205), False),
        ((20, 60, 160), (100, 100, 100), False),
    ],
)
def test_a_paler_line_of_the_borders_colour_was_thinned(border: tuple[int, ...], line: tuple[int, ...], thinned: bool) -> None:
    """It keeps at least half of the contrast; what is far paler, or of another hue, was drawn so."""
    paper = np.full(3, 255.0)
    assert _is_thinned(np.array(border, float), [np.array(line, float)], paper) is thinned


def _small() -> tuple[Traced, float]:
    """Three boxes with thick borders, joined by thin lines with heads, made smaller; and pixels worked on per pixel drawn."""
    picture = np.full((90, 760, 3), 255, np.uint8)
    for x in (20, 300, 580):
        cv2.rectangle(picture, (x, 18), (x + 150, 72), (255, 242, 204), cv2.FILLED)
        cv2.rectangle(picture, (x, 18), (x + 150, 72), (0, 0, 0), 2)
        cv2.putText(picture, "Event Bus", (x + 34, 50), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    for x in (172, 452):
        cv2.line(picture, (x, 45), (x + 118, 45), (0, 0, 0), 1, cv2.LINE_AA)
        cv2.fillPoly(picture, [np.array([(x + 126, 45), (x + 115, 41), (x + 115, 49)])], (0, 0, 0), cv2.LINE_AA)
    small = Image.fromarray(picture).resize((456, 54), Image.Resampling.LANCZOS)
    scene = prepare(np.asarray(small, np.uint8))
    scale = 0.6 * scene.scale
    nodes = []
    for number, x in enumerate((20, 300, 580), start=1):
        left, top, right, bottom = (v * scale for v in (x, 18, x + 150, 72))
        frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
        outline = ((left, top), (right, top), (right, bottom), (left, bottom))
        nodes.append(
            NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=f"n{number}", label="", shape=Shape.rectangle, outline=outline)
        )
    return trace(scene, nodes, [], {}, [], []), scene.scale


def test_heads_that_scaling_left_darker_than_their_lines_are_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lines point to the right; where the borders' darker shade is taken for handles' no rule sees that."""
    traced, scale = _small()
    assert scale == 2
    assert [(line.source_head, line.target_head) for line in traced.lines] == [(Head.none, Head.arrow)] * 2
    monkeypatch.setattr(lines, "seen_ends", lambda *_: {})
    assert [line.target_head for line in _small()[0].lines] == [Head.arrow] * 2
    monkeypatch.setattr(handles, "_is_thinned", lambda *_: False)
    assert Head.arrow not in [line.target_head for line in _small()[0].lines]


def test_black_frames_do_not_hide_the_colour_of_lines() -> None:
    """Red heads at red borders stay heads, also where a black frame that is no group's is fuller than all lines together."""
    picture = np.full((260, 420, 3), 255, np.uint8)
    red = (168, 0, 54)
    cv2.rectangle(picture, (10, 10), (410, 250), (0, 0, 0), 1)
    cv2.rectangle(picture, (40, 90), (160, 150), red, 2)
    cv2.line(picture, (300, 120), (172, 120), (176, 24, 72), 1)
    cv2.fillPoly(picture, [np.array([(162, 120), (174, 115), (174, 125)])], red)
    scene = prepare(picture)
    owners = np.zeros(scene.ink.shape, np.int32)
    owners[88:153, 38:162] = 1
    drawn = scene.ink * (owners == 0)
    assert handles.with_handles(scene, drawn, owners, 1, [])[120, 168] == 0
