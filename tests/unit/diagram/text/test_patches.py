"""Grounds of labels that a line shows through, or that their letters cut up, are one patch and no node."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.blackboard import NodeNote, TextNote
from tools.diagram.net.tracer import trace
from tools.diagram.picture.lettered import lettered_grounds
from tools.diagram.picture.masks import pieces
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.diagram.text.parting import cut_at_shapes
from tools.diagram.text.patches import on_patches, without_parts
from tools.media.image import Picture

GREY = (235, 235, 235)
PALE = (205, 205, 205)


def _sheet() -> Picture:
    """A sheet with a few words on it, which tell how high letters are."""
    picture = np.full((360, 700, 3), 255, np.uint8)
    for row in range(3):
        written(picture, "some words", (540, 40 + 30 * row))
    return picture


def _patch(picture: Picture) -> TextNote:
    """A label on a patch that a curve shows through faintly from its upper right to its lower left."""
    cv2.rectangle(picture, (200, 154), (330, 174), GREY, cv2.FILLED)
    curve = np.array([(290, 154), (272, 160), (260, 168), (256, 174)], np.int32)
    cv2.polylines(picture, [curve], isClosed=False, color=PALE, thickness=2)
    label = written(picture, "made of two", (204, 157))
    places = tuple((at + 0.5) / len(label.text) for at in range(len(label.text)))
    return label.model_copy(update={"positions": places})


def _nodes(picture: Picture, texts: list[TextNote]) -> list[NodeNote]:
    scene = prepare(picture)
    shapes = without_parts(scene, hunt(scene), tuple(texts))
    nodes, _, _ = ground(scene, shapes, cut_at_shapes(scene, list(shapes), tuple(texts)), reading=False)
    return nodes


def test_a_patch_that_a_line_shows_through_is_no_node() -> None:
    """The line parts the patch into two pieces, which are both the label's."""
    picture = _sheet()
    label = _patch(picture)
    assert _nodes(picture, [label]) == []
    assert on_patches(prepare(picture), [label]) == {label.id}


def test_a_wall_within_a_frame_parts_no_patch() -> None:
    """Two cells of one colour side by side have borders: they stay shapes of their own."""
    picture = _sheet()
    cv2.rectangle(picture, (200, 150), (330, 180), GREY, cv2.FILLED)
    cv2.rectangle(picture, (200, 150), (330, 180), (0, 0, 0), 2)
    cv2.line(picture, (262, 150), (262, 180), (0, 0, 0), 2)
    texts = [written(picture, "one", (212, 158)), written(picture, "two", (276, 158))]
    scene = prepare(picture)
    shapes = hunt(scene)
    assert without_parts(scene, shapes, tuple(texts)) == shapes


def test_what_letters_leave_of_a_ground_is_one() -> None:
    """Pieces between letters make a rectangle; the strokes of letters alone, and a disc, do not."""
    flat = np.zeros((120, 400), np.uint8)
    flat[20:44, 20:180] = 1
    for left in range(26, 170, 12):
        flat[24:40, left : left + 8] = 0
        flat[20:44, left + 3 : left + 4] = 0
    for left in range(220, 340, 12):
        flat[20:34, left : left + 2] = 1
    cv2.circle(flat, (80, 90), 14, (1,), cv2.FILLED)
    _, labels, stats = pieces(flat, 4)
    colours = np.full((len(stats), 3), 88.0, np.float32)
    found = lettered_grounds(labels, stats, colours, np.zeros(len(stats), np.bool_), 14.0)
    inside = np.unique(labels[20:44, 20:180])
    assert set(np.flatnonzero(found).tolist()) <= set(inside.tolist())
    assert stats[found, cv2.CC_STAT_AREA].sum() >= 0.9 * flat[20:44, 20:180].sum()


def test_ends_at_one_side_of_a_label_are_two_lines() -> None:
    """Both lines come up to the patch from below: together they would turn back."""
    picture = _sheet()
    boxes = [written(picture, name, at) for name, at in (("left", (120, 280)), ("right", (360, 280)))]
    for box in boxes:
        x, y, w, h = (int(v) for v in (box.pixels.x, box.pixels.y, box.pixels.width, box.pixels.height))
        cv2.rectangle(picture, (x - 20, y - 14), (x + w + 20, y + h + 14), (0, 0, 0), 2)
    cv2.line(picture, (150, 266), (215, 176), (0, 0, 0), 2)
    cv2.line(picture, (380, 266), (315, 176), (0, 0, 0), 2)
    cv2.rectangle(picture, (200, 154), (330, 174), GREY, cv2.FILLED)
    label = written(picture, "crossed lines", (204, 157))
    scene = prepare(picture)
    nodes, groups, free = ground(scene, hunt(scene), (*boxes, label), reading=False)
    traced = trace(scene, nodes, groups, {}, free, [])
    assert sorted(node.label for node in nodes) == ["left", "right"]
    assert [(line.source, line.target) for line in traced.lines if line.source != line.target] == []
