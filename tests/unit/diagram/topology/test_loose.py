"""Ink that no line explains: a line that was drawn and not read leaves it at the node it ends at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.model.blackboard import Agent, LineNote, NodeNote, Note
from tools.diagram.model.graph import Frame, Head, Shape, Stroke
from tools.diagram.picture.surfaces import prepare
from tools.diagram.topology.loose import loose_nodes

BOXES = {"n1": Frame(x=40, y=60, width=120, height=50), "n2": Frame(x=360, y=60, width=120, height=50)}


def _line(*path: tuple[float, float]) -> LineNote:
    whole = Frame(x=0, y=0, width=1, height=1)
    return LineNote(
        writer=Agent.line_tracer, pixels=whole, id="e1", source="n1", target="n2", source_head=Head.none,
        target_head=Head.arrow, stroke=Stroke.solid, path=path,
    )  # fmt: skip


def _node(name: str, box: Frame, scale: float) -> NodeNote:
    pixels = Frame(x=box.x * scale, y=box.y * scale, width=box.width * scale, height=box.height * scale)
    corners = ((pixels.x, pixels.y), (pixels.right, pixels.y), (pixels.right, pixels.bottom), (pixels.x, pixels.bottom))
    return NodeNote(
        writer=Agent.fusion_arbiter, pixels=pixels, id=name, label=name, shape=Shape.rectangle, outline=corners
    )  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "read", "loose"),
    [
        ([(160, 85, 358, 85)], [_line((160, 85), (358, 85))], ()),
        ([(160, 85, 358, 85)], [], ("n1", "n2")),
        ([(160, 85, 358, 85), (100, 112, 300, 180)], [_line((160, 85), (358, 85))], ("n1",)),
    ],
)
def test_a_line_that_was_not_read_leaves_ink(
    drawn: list[tuple[int, int, int, int]], read: list[LineNote], loose: tuple[str, ...]
) -> None:
    """At both nodes, at the one it touches, or at none where it was read."""
    picture = np.full((240, 520, 3), 255, np.uint8)
    for box in BOXES.values():
        cv2.rectangle(picture, (int(box.x), int(box.y)), (int(box.right), int(box.bottom)), (40, 40, 40), 2)
    for x, y, right, bottom in drawn:
        cv2.line(picture, (x, y), (right, bottom), (40, 40, 40), 2)
    scene = prepare(picture)
    nodes: list[Note] = [_node(name, box, scene.scale) for name, box in BOXES.items()]
    scaled = [note.model_copy(update={"path": tuple((x * scene.scale, y * scene.scale) for x, y in note.path)}) for note in read]
    assert loose_nodes(scene, (*nodes, *scaled)) == loose
