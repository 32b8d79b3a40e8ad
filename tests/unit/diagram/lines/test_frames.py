"""Frames of groups: beside each other, crossed by lines, under lines that pass; second borders; and no node where lines cross."""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.lines.frames import without_frame
from tools.diagram.model.blackboard import GroupNote, NodeNote, TextNote
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.corners import cornered
from tools.diagram.shapes.hunter import hunt
from tools.diagram.text.patches import on_patches
from tools.media.image import Picture

DARK = (90, 30, 30)


def _sheet() -> Picture:
    """White, with a column of words at the right rim, which tell how high letters are."""
    picture = np.full((460, 900, 3), 255, np.uint8)
    for row in range(4):
        cv2.putText(picture, "words here", (770, 40 + 30 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 2)
    return picture


def _box(picture: Picture, name: str, at: tuple[int, int], wide: int = 120) -> TextNote:
    left, top = at
    cv2.rectangle(picture, (left, top), (left + wide, top + 44), DARK, 2)
    return written(picture, name, (left + 20, top + 16))


def _grounded(picture: Picture, texts: list[TextNote]) -> tuple[list[NodeNote], list[GroupNote]]:
    scene = prepare(picture)
    assert scene.scale == 1
    nodes, groups, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    return nodes, groups


def test_a_frame_close_beside_another_keeps_its_own_side() -> None:
    """The side of the higher frame next to it runs on beyond its corners: that is not its side."""
    picture = _sheet()
    cv2.rectangle(picture, (30, 40), (300, 430), DARK, 1)
    cv2.rectangle(picture, (308, 220), (640, 430), DARK, 1)
    cv2.line(picture, (560, 20), (540, 450), DARK, 2)
    texts = [_box(picture, "one", (80, 120)), _box(picture, "two", (80, 300)), _box(picture, "three", (360, 300))]
    nodes, groups = _grounded(picture, texts)
    assert sorted(node.label for node in nodes) == ["one", "three", "two"]
    assert sorted((round(group.pixels.x / 5), round(group.pixels.right / 5)) for group in groups) == [(6, 60), (62, 128)]


def test_a_line_through_a_corner_leaves_the_frame_its_side() -> None:
    """It makes the lower side longer, up to the frame beside this one, whose side is no nearer to the upper side's end."""
    picture = _sheet()
    cv2.rectangle(picture, (30, 40), (300, 430), DARK, 1)
    cv2.rectangle(picture, (316, 42), (640, 260), DARK, 1)
    cv2.polylines(picture, [np.array([(240, 380), (298, 260), (420, 260), (440, 400)], np.int32)], False, DARK, 3)
    cv2.polylines(picture, [np.array([(560, 20), (555, 42), (600, 300)], np.int32)], False, DARK, 3)
    cv2.line(picture, (400, 10), (380, 120), DARK, 3)
    texts = [_box(picture, "one", (80, 120)), _box(picture, "two", (80, 200)), _box(picture, "three", (380, 140))]
    nodes, groups = _grounded(picture, texts)
    assert sorted(node.label for node in nodes) == ["one", "three", "two"]
    assert sorted((round(group.pixels.x / 5), round(group.pixels.right / 5)) for group in groups) == [(6, 60), (63, 128)]


def test_a_line_along_a_frame_makes_no_cylinder_of_it() -> None:
    """A line that runs close above a frame, and one of a node's own frame close below it, are no lids."""
    picture = _sheet()
    cv2.rectangle(picture, (60, 120), (560, 330), DARK, 1)
    cv2.line(picture, (20, 112), (640, 108), DARK, 2)
    inside = _box(picture, "inner", (120, 274))
    title = written(picture, "title", (280, 130))
    nodes, groups = _grounded(picture, [inside, title])
    assert [(node.label, node.shape) for node in nodes if node.label] == [("inner", Shape.rectangle)]
    assert nodes[0].pixels.bottom < 322
    assert [(round(group.pixels.y / 5), round(group.pixels.bottom / 5)) for group in groups] == [(24, 66)]


def test_a_lid_is_still_a_lid() -> None:
    """A cylinder's lid belongs to it."""
    picture = _sheet()
    cv2.ellipse(picture, (180, 140), (80, 7), 0, 0, 360, DARK, 2)
    cv2.line(picture, (100, 140), (100, 210), DARK, 2)
    cv2.line(picture, (260, 140), (260, 210), DARK, 2)
    cv2.ellipse(picture, (180, 210), (80, 7), 0, 0, 180, DARK, 2)
    nodes, groups = _grounded(picture, [written(picture, "store", (150, 175))])
    assert [node.shape for node in nodes] == [Shape.cylinder]
    assert nodes[0].pixels.y < 137
    assert not groups


def test_a_second_border_is_no_group() -> None:
    """However many outlines its two lines are taken for."""
    picture = _sheet()
    cv2.rectangle(picture, (100, 100), (330, 190), DARK, 3)
    cv2.rectangle(picture, (109, 109), (321, 181), DARK, 3)
    nodes, groups = _grounded(picture, [written(picture, "sample", (180, 136))])
    assert [node.label for node in nodes] == ["sample"]
    assert not groups


def test_lines_that_cross_around_a_label_are_no_node() -> None:
    """Three lines that run on beyond the corners of the field they enclose."""
    picture = _sheet()
    for start, end in (((60, 300), (420, 60)), ((280, 60), (640, 300)), ((40, 270), (660, 270))):
        cv2.line(picture, start, end, DARK, 2)
    nodes, _ = _grounded(picture, [written(picture, "again", (325, 220))])
    assert nodes == []


def test_a_frame_with_lines_along_its_upper_side_is_found_by_its_uprights() -> None:
    """The upper side is thick where lines run along it, so that it is no stroke of its own."""
    picture = _sheet()
    cv2.rectangle(picture, (80, 120), (600, 400), DARK, 1)
    for shift in (1, 3, 5):
        cv2.line(picture, (60 + 40 * shift, 116 - shift), (460 + 20 * shift, 121 + shift), DARK, 2)
    texts = [_box(picture, "one", (120, 300)), _box(picture, "two", (380, 300))]
    _, groups = _grounded(picture, texts)
    assert [(round(g.pixels.x / 5), round(g.pixels.y / 5), round(g.pixels.bottom / 5)) for g in groups] == [(16, 24, 80)]


def test_a_frame_is_taken_out_by_its_rows_and_a_line_across_it_stays() -> None:
    """Only the frame's own rows go, so that a line at a small angle to it loses little."""
    picture = _sheet()
    cv2.rectangle(picture, (60, 100), (640, 380), DARK, 2)
    cv2.line(picture, (300, 20), (310, 240), DARK, 2)
    cv2.line(picture, (100, 90), (260, 112), DARK, 2)
    scene = prepare(picture)
    outline = np.array([(61, 101), (639, 101), (639, 379), (61, 379)], float)
    cut = np.zeros_like(scene.ink)
    left = without_frame(scene, scene.ink, outline, cut)
    assert left[101, 400:600].sum() == 0
    assert left[200:300, 59:63].sum() == 0
    assert left[90:115, 298:312].any(axis=1).all()
    assert left[:97].sum() == scene.ink[:97].sum()
    assert int(cut[:, 400].sum()) <= 2 * 4


def test_ground_between_lines_and_nodes_is_no_node() -> None:
    """Discs joined by lines enclose a field with a name in it; a hexagon drawn around a name is still one."""
    picture = _sheet()
    corners = ((120, 120), (330, 70), (420, 240), (200, 330))
    for start, end in itertools.pairwise((*corners, corners[0])):
        cv2.line(picture, start, end, DARK, 2)
    for corner in corners:
        cv2.circle(picture, corner, 14, (60, 120, 200), cv2.FILLED)
    nodes, _ = _grounded(picture, [written(picture, "middle of all", (210, 190))])
    assert all(node.pixels.width < 60 for node in nodes)
    assert len(nodes) == 4


def test_a_word_on_a_patch_is_told_from_one_on_the_paper() -> None:
    """A patch without a border, hardly larger than the word, whose colour is not that of the paper."""
    picture = _sheet()
    cv2.rectangle(picture, (200, 202), (290, 222), (225, 225, 245), cv2.FILLED)
    cv2.rectangle(picture, (200, 300), (640, 426), (225, 225, 245), cv2.FILLED)
    on_patch, on_paper = written(picture, "patched", (206, 205)), written(picture, "paper", (420, 205))
    in_box = written(picture, "boxed", (400, 350))
    assert on_patches(prepare(picture), [on_patch, on_paper, in_box]) == {"patched"}


def test_a_frame_with_lines_along_its_upper_side_is_one() -> None:
    """Lines come along the side from beyond one corner and leave it beyond the other; the uprights end at the corners."""
    picture = _sheet()
    cv2.rectangle(picture, (200, 120), (560, 360), DARK, 1)
    cv2.line(picture, (100, 119), (700, 121), DARK, 1)
    cv2.line(picture, (120, 122), (690, 119), DARK, 1)
    texts = [_box(picture, "one", (240, 200)), _box(picture, "two", (400, 280))]
    title = written(picture, "title", (330, 135))
    nodes, groups = _grounded(picture, [*texts, title])
    assert sorted(node.label for node in nodes if node.label) == ["one", "two"]
    assert [(round(group.pixels.x / 5), round(group.pixels.right / 5), group.label) for group in groups] == [(40, 112, "title")]


def test_the_darker_row_of_a_frames_own_line_is_no_other_line() -> None:
    """Three sides are spread over a pale and a dark row, the fourth over two pale ones; the dark rows meet at the corners."""
    picture = _sheet()
    pale, dark = (170, 170, 170), (80, 80, 80)
    for step in range(2):
        cv2.rectangle(picture, (100 + step, 100 + step), (600 - step, 400 - step), pale, 1)
    cv2.polylines(picture, [np.array([(100, 102), (100, 400), (600, 400), (600, 102)], np.int32)], isClosed=False, color=dark)
    scene = prepare(picture)
    outline = np.array([(100, 100), (600, 100), (600, 400), (100, 400)], float)
    left = without_frame(scene, scene.ink, outline, np.zeros_like(scene.ink))
    assert left[90:410, 90:610].sum() <= 8


def test_a_nodes_border_is_no_side_of_a_frame() -> None:
    """Under a node as wide as nearly the whole frame the rest of the frame is no frame of its own."""
    picture = _sheet()
    cv2.rectangle(picture, (100, 60), (330, 400), DARK, 1)
    texts = [_box(picture, "one", (113, 120), 204), _box(picture, "two", (150, 300))]
    title = written(picture, "title", (180, 75))
    _, groups = _grounded(picture, [*texts, title])
    assert [(round(group.pixels.y / 5), round(group.pixels.bottom / 5)) for group in groups] == [(12, 80)]


def test_sides_of_different_things_are_no_frame() -> None:
    """A node's lower side, another one's upper side and the walls of two groups stand like a box around the second's title."""
    picture = _sheet()
    cv2.rectangle(picture, (30, 20), (496, 184), DARK, 1)
    cv2.rectangle(picture, (364, 190), (496, 440), DARK, 1)
    texts = [_box(picture, "above", (370, 130)), _box(picture, "below", (370, 240)), _box(picture, "left", (60, 100))]
    title = written(picture, "group", (400, 202))
    nodes, groups = _grounded(picture, [*texts, title])
    assert sorted(node.label for node in nodes) == ["above", "below", "left"]
    assert "group" in [group.label for group in groups]
    assert not cornered(prepare(picture).ink, (364, 174, 496, 240), 14)


def test_a_frame_with_rounded_or_dashed_sides_has_its_corners() -> None:
    """Round a corner ink leads on; dashed sides may have their gaps there."""
    ink = np.zeros((200, 300), np.uint8)
    cv2.rectangle(ink, (40, 30), (240, 150), (1,), 1)
    for x, y, turn in ((40, 30, 180), (240, 30, 270), (240, 150, 0), (40, 150, 90)):
        towards = (x + (10 if x == 40 else -10), y + (10 if y == 30 else -10))
        cv2.rectangle(ink, (min(x, towards[0]), min(y, towards[1])), (max(x, towards[0]), max(y, towards[1])), (0,), cv2.FILLED)
        cv2.ellipse(ink, towards, (10, 10), 0, turn, turn + 90, (1,), 1)
    assert cornered(ink, (40, 30, 240, 150), 12)
    ink[:, ::9] = ink[:, 1::9] = ink[:, 2::9] = 0
    ink[::9] = ink[1::9] = ink[2::9] = 0
    assert cornered(ink, (40, 30, 240, 150), 12)
