"""What is no node and no head: controls, grounds of labels, rings on lines, lines that part; and frames that lines cross."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.fusion.grounds import is_dot_read
from tools.diagram.fusion.naming import notes_of
from tools.diagram.fusion.piece import Piece
from tools.diagram.model.blackboard import Agent, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import trace
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

BLACK = (0, 0, 0)
Box = tuple[int, int, int, int]


def _sheet() -> Picture:
    """White, with a column of words at the right rim, which tell how high letters are."""
    picture = np.full((420, 800, 3), 255, np.uint8)
    for row in range(4):
        cv2.putText(picture, "words here", (660, 40 + 30 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, BLACK, 2)
    return picture


def _node(picture: Picture, name: str, box: Box) -> NodeNote:
    left, top, right, bottom = box
    cv2.rectangle(picture, (left, top), (right, bottom), BLACK, 2)
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=Shape.rectangle, outline=outline)


def _labels(picture: Picture, texts: list[TextNote]) -> list[str]:
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    return sorted(node.label for node in nodes)


def test_a_label_on_a_ground_of_its_own_is_no_node() -> None:
    """A patch without a border, as tight as its text, is the ground of a label; the same text in a drawn box is a node."""
    picture = _sheet()
    cv2.rectangle(picture, (96, 96), (196, 122), (222, 222, 240), cv2.FILLED)
    cv2.rectangle(picture, (96, 216), (226, 262), (222, 222, 240), cv2.FILLED)
    cv2.rectangle(picture, (96, 216), (226, 262), BLACK, 2)
    texts = [written(picture, "rejected", (101, 102)), written(picture, "accepted", (116, 232))]
    assert _labels(picture, texts) == ["accepted"]


def test_a_panel_of_controls_is_no_part_of_the_diagram() -> None:
    """Three equal squares on each other are buttons; a square by itself is a node."""
    picture = _sheet()
    for top in (200, 224, 248):
        cv2.rectangle(picture, (20, top), (44, top + 24), BLACK, 1)
    cv2.rectangle(picture, (200, 200), (224, 224), BLACK, 1)
    scene = prepare(picture)
    nodes, groups, _ = ground(scene, hunt(scene), (), reading=False)
    assert [round(node.pixels.x / 10) for node in nodes] == [20]
    assert groups == []


def test_a_hollow_ring_on_a_line_is_no_node() -> None:
    """The ring of a cardinality is none, a circle of the size of a node is."""
    picture = _sheet()
    cv2.line(picture, (60, 200), (300, 200), BLACK, 2)
    cv2.circle(picture, (100, 200), 8, (255, 255, 255), cv2.FILLED)
    cv2.circle(picture, (100, 200), 8, BLACK, 2)
    cv2.circle(picture, (400, 200), 30, BLACK, 2)
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), (), reading=False)
    assert [round(node.pixels.centre[0] / 10) for node in nodes] == [40]


def test_a_frame_is_found_where_lines_run_along_it() -> None:
    """A group's frame that a flat line crosses stays one rectangle; two boxes on each other make none."""
    picture = _sheet()
    cv2.rectangle(picture, (60, 60), (520, 330), BLACK, 1)
    cv2.line(picture, (20, 52), (560, 70), BLACK, 1)
    for top in (120, 200):
        cv2.rectangle(picture, (100, top), (220, top + 40), BLACK, 1)
    boxes = [note.pixels for note in hunt(prepare(picture)) if note.fit >= 0.9]
    assert any(abs(box.x - 60) < 4 and abs(box.y - 60) < 4 and abs(box.bottom - 330) < 4 for box in boxes)
    assert not any(abs(box.y - 120) < 4 and abs(box.bottom - 240) < 4 for box in boxes)


def test_the_ground_between_two_groups_is_no_node() -> None:
    """Lines from one coloured group to the other part the paper between them into plain rectangles."""
    picture = _sheet()
    for left, right in ((20, 200), (240, 480)):
        cv2.rectangle(picture, (left, 30), (right, 330), (222, 255, 255), cv2.FILLED)
        cv2.rectangle(picture, (left, 30), (right, 330), (51, 170, 170), 1)
    for y in (110, 180, 250):
        way = np.array([(140, 180), (200, y), (240, y), (300, 180)], np.int32)
        cv2.polylines(picture, [way], isClosed=False, color=BLACK)
    texts = []
    for name, box in (("one", (60, 100, 140, 260)), ("two", (300, 100, 380, 260))):
        cv2.rectangle(picture, box[:2], box[2:], (255, 236, 236), cv2.FILLED)
        cv2.rectangle(picture, box[:2], box[2:], (219, 112, 147), 1)
        texts.append(written(picture, name, (box[0] + 20, 172)))
    assert sorted(_labels(picture, texts)) == ["one", "two"]


def test_ground_that_lines_cut_off_beside_a_node_is_no_part_of_it() -> None:
    """A strip as high as the node, between it, two lines and its group's frame."""
    picture = _sheet()
    cv2.rectangle(picture, (40, 40), (330, 330), (222, 255, 255), cv2.FILLED)
    cv2.rectangle(picture, (40, 40), (330, 330), (51, 170, 170), 1)
    cv2.rectangle(picture, (140, 150), (306, 210), (255, 236, 236), cv2.FILLED)
    cv2.rectangle(picture, (140, 150), (306, 210), (219, 112, 147), 1)
    for y, bend in ((158, 150), (202, 210)):
        way = np.array([(306, y), (330, bend), (420, bend)], np.int32)
        cv2.polylines(picture, [way], isClosed=False, color=BLACK)
    text = written(picture, "node", (190, 174))
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), (text,), reading=False)
    (node,) = (node for node in nodes if node.label)
    assert max(x for x, _ in node.outline) < 312


def test_a_box_that_was_found_twice_is_one_node() -> None:
    """By its ground, and by its border, which a head has dented: of the two the one that has the name is the node."""
    picture = _sheet()
    cv2.rectangle(picture, (100, 100), (220, 170), BLACK, 2)
    text = written(picture, "read", (135, 125))
    scene = prepare(picture)
    (whole,) = (note for note in hunt(scene) if abs(note.pixels.x - 100) < 4)
    frame = Frame(x=96, y=109, width=128, height=64)
    corners = ((96.0, 109.0), (224.0, 109.0), (224.0, 173.0), (96.0, 173.0))
    dented = whole.model_copy(
        update={"id": "s99", "pixels": frame, "outline": corners, "fit": 0.95, "filled": False, "clean": True}
    )
    nodes, _, _ = ground(scene, (whole, dented), (text,), reading=False)
    assert [node.label for node in nodes] == ["read"]


def test_boxes_that_hold_each_other_are_in_no_group() -> None:
    """What was put together out of overlapping cells may hold what holds it: that ends, and both are nodes."""
    picture = _sheet()
    cv2.rectangle(picture, (100, 100), (220, 170), BLACK, 2)
    scene = prepare(picture)
    note = next(note for note in hunt(scene) if abs(note.pixels.x - 100) < 4)
    pieces = [Piece(note, role="node"), Piece(note, role="node")]
    pieces[0].parent, pieces[1].parent = pieces[1], pieces[0]
    nodes, groups, _ = notes_of(scene, pieces, [])
    assert ([node.parent for node in nodes], groups) == ([None, None], [])


def test_a_wide_cylinder_is_a_node_though_its_lid_dents_its_side() -> None:
    """The side below the lid is of no plain shape; the fill of both together is, and holds the name."""
    picture = _sheet()
    turns = np.linspace(0, np.pi, 60)
    side = [(220 - 150 * np.cos(t), 120 - 26 * np.sin(t)) for t in turns]
    side += [(220 + 150 * np.cos(t), 200 + 26 * np.sin(t)) for t in turns]
    outline = np.round(side).astype(np.int32)
    cv2.fillPoly(picture, [outline], (220, 243, 255))
    cv2.polylines(picture, [outline], isClosed=True, color=(190, 225, 240), thickness=2)
    cv2.ellipse(picture, (220, 120), (150, 26), 0, 0, 180, (190, 225, 240), 2)
    text = written(picture, "Cancel Purchase Order", (100, 165))
    scene = prepare(picture)
    dented = [
        note if note.shape in {Shape.ellipse, Shape.rounded} else note.model_copy(update={"filled": False})
        for note in hunt(scene)
    ]
    nodes, _, _ = ground(scene, tuple(dented), (text,), reading=False)
    assert [node.label for node in nodes if node.label] == ["Cancel Purchase Order"]


def test_a_dot_in_a_ring_is_no_letter() -> None:
    """What is read of it is told from a letter by its middle, which is filled."""
    picture = _sheet()
    cv2.circle(picture, (100, 100), 8, (200, 60, 140), cv2.FILLED)
    cv2.circle(picture, (200, 100), 8, BLACK, 2)
    scene = prepare(picture)
    for x, dot in ((100, True), (200, False)):
        frame = Frame(x=x - 12, y=88, width=24, height=24)
        corners = ((frame.x, frame.y), (frame.right, frame.y), (frame.right, frame.bottom), (frame.x, frame.bottom))
        note = TextNote(writer=Agent.text_spotter, pixels=frame, id="l1", text="O", corners=corners, turned=0)
        assert is_dot_read(scene, note) is dot


def _fan() -> list[tuple[str, str, Head, Head]]:
    """A node with three lines that meet it at one spot, each to a node below it."""
    picture = _sheet()
    nodes = [_node(picture, "top", (240, 40, 340, 90)), _node(picture, "one", (80, 280, 180, 330))]
    nodes += [_node(picture, "three", (240, 280, 340, 330)), _node(picture, "two", (400, 280, 500, 330))]
    for end in ((130, 278), (290, 278), (450, 278)):
        cv2.line(picture, (290, 92), end, BLACK, 2)
    traced = trace(prepare(picture), nodes, [], {}, [], [])
    return sorted((line.source, line.target, line.source_head, line.target_head) for line in traced.lines)


def test_lines_that_part_at_a_node_have_no_heads() -> None:
    """Lines from one spot are lines without heads, though the ink widens away from it."""
    found = _fan()
    assert sorted(sorted(line[:2]) for line in found) == [["one", "top"], ["three", "top"], ["top", "two"]]
    assert {head for line in found for head in line[2:]} == {Head.none}


def test_long_strokes_do_not_count_as_letters() -> None:
    """The letters' height is theirs, though a few pieces of lines are much higher."""
    picture = _sheet()
    usual = prepare(picture).glyph
    for column in range(6):
        cv2.line(picture, (60 + 80 * column, 200), (90 + 80 * column, 285), BLACK, 2)
    assert abs(prepare(picture).glyph - usual) <= 2


@pytest.mark.parametrize(("lines", "names"), [(2, []), (4, ["first", "second", "third"])])
def test_patches_that_lines_come_to_from_all_around_are_nodes(lines: int, names: list[str]) -> None:
    """Tight grounds of one colour without borders: labels if one line runs through each, nodes if more end at them."""
    picture = _sheet()
    texts = []
    for left, word in ((40, "first"), (260, "second"), (480, "third")):
        for x, y in ((left - 30, 181), (left + 110, 181), (left + 30, 130), (left + 50, 240))[:lines]:
            cv2.line(picture, (left + 40, 181), (x, y), BLACK, 2)
        cv2.rectangle(picture, (left, 169), (left + 82, 193), (222, 222, 240), cv2.FILLED)
        texts.append(written(picture, word, (left + 10, 174)))
    assert _labels(picture, texts) == names
