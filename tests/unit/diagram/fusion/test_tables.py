"""Boxes that share walls are one table where they are in line; what lines cut out of the ground is no box."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import pytest

from tools.diagram.fusion.arbiter import ground
from tools.diagram.fusion.piece import Piece
from tools.diagram.fusion.tables import rule_tables
from tools.diagram.model.blackboard import Agent, NodeNote, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _sheet() -> Picture:
    picture = np.full((420, 640, 3), 255, np.uint8)
    for row in range(3):
        _word(picture, "words", (560, 40 + 30 * row))
    return picture


def _word(picture: Picture, word: str, at: tuple[int, int]) -> TextNote:
    """Writes it with its lower left corner there."""
    cv2.putText(picture, word, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 1)
    (width, height), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
    x, y = at[0], at[1] - height
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    frame = Frame(x=x, y=y, width=width, height=height)
    return TextNote(writer=Agent.text_spotter, pixels=frame, id=f"t{at}", text=word, corners=corners, turned=0)


def _nodes(picture: Picture, texts: list[TextNote]) -> list[NodeNote]:
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    return nodes


@pytest.mark.parametrize("overlap", [0, 1, 2])
def test_compartments_are_one_node(overlap: int) -> None:
    """A class with its attributes and an empty compartment, whoever of them is said to have the wall."""
    picture = _sheet()
    tops = [60, 100 - overlap, 150 - 2 * overlap]
    for top, bottom in zip(tops, [100, 150 - overlap, 170 - 2 * overlap], strict=True):
        cv2.rectangle(picture, (80, top), (260, bottom), BLACK, 2)
    texts = [_word(picture, "Procurement", (100, 85)), _word(picture, "created", (90, 128))]
    (node,) = _nodes(picture, texts)
    assert node.label == "Procurement"
    assert node.rows == ("created",)


def test_a_frame_around_records_is_no_node() -> None:
    """Three cells in a row make a record; the frame around two such records holds nodes, though a word stands in it."""
    picture = _sheet()
    cv2.rectangle(picture, (20, 20), (500, 380), BLACK, 1)
    texts = [_word(picture, "stray", (300, 220))]
    for at, top in enumerate((60, 260)):
        for left, right in ((80, 104), (104, 134), (134, 158)):
            cv2.rectangle(picture, (left, top), (right, top + 50), BLACK, 1)
        texts.append(_word(picture, str(at + 3), (114, top + 30)))
    assert sorted(node.label for node in _nodes(picture, texts)) == ["3", "4"]


def test_boxes_that_touch_out_of_line_are_two() -> None:
    """A node that stands right on a wider one, at neither of its ends, is no row of it."""
    picture = _sheet()
    cv2.rectangle(picture, (120, 60), (220, 100), BLACK, 2)
    cv2.rectangle(picture, (80, 101), (260, 145), BLACK, 2)
    texts = [_word(picture, "Nucleus", (138, 85)), _word(picture, "Cytoplasm", (125, 128))]
    assert sorted(node.label for node in _nodes(picture, texts)) == ["Cytoplasm", "Nucleus"]


def test_what_lines_cut_out_of_the_ground_is_no_node() -> None:
    """The ground between two frames and two lines that cross both of them; a box alone in the same place is one."""
    crossed = _sheet()
    for x in (200, 300):
        cv2.line(crossed, (x, 40), (x, 380), BLACK, 2)
    for y in (150, 240):
        cv2.line(crossed, (100, y), (420, y), BLACK, 2)
    assert not _nodes(crossed, [])
    alone = _sheet()
    cv2.rectangle(alone, (200, 150), (300, 240), BLACK, 2)
    assert len(_nodes(alone, [])) == 1


def test_cells_with_nothing_in_them_are_a_record_and_no_panel() -> None:
    """An array of pointers: one node without a name; the boxes beside it, with air between them, are in no group."""
    picture = _sheet()
    for top in range(40, 240, 28):
        cv2.rectangle(picture, (20, top), (48, top + 28), BLACK, 1)
    texts = []
    for top, word in ((60, "first"), (104, "second"), (148, "third")):
        cv2.rectangle(picture, (120, top), (260, top + 36), BLACK, 2)
        texts.append(_word(picture, word, (165, top + 24)))
    scene = prepare(picture)
    nodes, groups, _ = ground(scene, hunt(scene), tuple(texts), reading=False)
    assert sorted(node.label for node in nodes) == ["", "first", "second", "third"]
    (record,) = (node for node in nodes if not node.label)
    assert record.pixels.height > 200
    assert groups == []


def _piece(name: str, source: Literal["face", "fill", "frame"], box: tuple[int, int, int, int]) -> Piece:
    """A rectangle at x, y with that width and height."""
    x, y, width, height = box
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    frame = Frame(x=x, y=y, width=width, height=height)
    note = ShapeNote(
        writer=Agent.shape_hunter,
        pixels=frame,
        id=name,
        shape=Shape.rectangle,
        outline=corners,
        fit=0.97,
        filled=True,
        source=source,
        clean=True,
    )
    return Piece(note)


def _class_pieces(frame: tuple[int, int, int, int]) -> tuple[Piece, list[Piece]]:
    """The ground of a class with its three compartments, each with a text, and a frame; smallest first."""
    whole = _piece("whole", "fill", (242, 37, 210, 139))
    rows = [_piece(f"row{n}", "face", box) for n, box in enumerate([(242, 37, 209, 53), (242, 94, 209, 53), (242, 150, 209, 26)])]
    for number, (row, word) in enumerate(zip(rows[:2], ("HeatExchanger", "+string status"), strict=True)):
        row.texts = [_word(_sheet(), word, (260, 70 + 57 * number))]
    drawn = _piece("frame", "frame", frame)
    for row in rows:
        box, outer = row.note.pixels, drawn.note.pixels
        home = drawn if outer.area < whole.note.pixels.area and box.y >= outer.y else whole
        row.parent = home
        home.inside.append(row)
    if drawn.note.pixels.area > whole.note.pixels.area:
        whole.parent = drawn
        drawn.inside.append(whole)
    return whole, sorted([whole, drawn, *rows], key=lambda piece: piece.note.pixels.area)


@pytest.mark.parametrize("frame", [(239, 91, 213, 86), (239, 33, 215, 147)], ids=["around-two-rows", "around-all"])
def test_frames_about_a_table_do_not_part_it(frame: tuple[int, int, int, int]) -> None:
    """A class is one table titled by its first row, whether a frame was seen around its lower rows or around it all."""
    _, pieces = _class_pieces(frame)
    rule_tables(prepare(_sheet()), pieces)
    (table,) = [piece for piece in pieces if piece.role == "table"]
    assert [text.text for text in table.texts] == ["HeatExchanger"]
    assert [piece.note.id for piece in pieces if piece.role == "candidate"] == []


def test_a_frame_that_is_no_table_leaves_its_ground_to_be_one() -> None:
    """The frame around it all fits badly: its ground is the table, each compartment is a part of it once, and itself is none."""
    whole, pieces = _class_pieces((239, 33, 215, 147))
    drawn = next(piece for piece in pieces if piece.note.source == "frame")
    drawn.note = drawn.note.model_copy(update={"fit": 0.5})
    rule_tables(prepare(_sheet()), pieces)
    assert whole.role == "table"
    assert sorted(part.note.id for part in whole.parts) == ["row0", "row1", "row2"]


def test_what_lies_in_a_deeper_frame_is_told_once() -> None:
    """A frame around two rows that lies in another ground of the class: its rows are parts of the table once."""
    whole, pieces = _class_pieces((239, 91, 213, 86))
    drawn, between = (
        next(piece for piece in pieces if piece.note.source == "frame"),
        _piece("ground", "fill", (243, 38, 208, 137)),
    )
    whole.inside.append(between)
    between.parent, drawn.parent = whole, between
    between.inside.append(drawn)
    rule_tables(prepare(_sheet()), [*pieces[:-1], between, pieces[-1]])
    assert sorted(part.note.id for part in whole.parts) == ["ground", "row0", "row1", "row2"]
    assert [text.text for part in whole.parts for text in part.texts] == ["+string status"]


def _rounded(picture: Picture, box: tuple[int, int, int, int], *, wall: int) -> None:
    """A box with rounded corners."""
    left, top, right, bottom = box
    radius, ends = 14, []
    for x, y, turn in (
        (right - radius, bottom - radius, 0), (left + radius, bottom - radius, 90),
        (left + radius, top + radius, 180), (right - radius, top + radius, 270),
    ):  # fmt: skip
        ends += [*cv2.ellipse2Poly((x, y), (radius, radius), turn, 0, 90, 5)]
    cv2.polylines(picture, [np.array(ends, np.int32)], isClosed=True, color=BLACK, thickness=wall)


def test_the_round_ends_of_a_record_are_cells() -> None:
    """A record with rounded corners whose cells stand beside each other is one node, read from the left."""
    picture = _sheet()
    _rounded(picture, (80, 100, 400, 160), wall=2)
    for x in (190, 300):
        cv2.line(picture, (x, 100), (x, 160), BLACK, 2)
    texts = [_word(picture, word, (x, 135)) for word, x in (("Reactor", 100), ("count", 210), ("open", 320))]
    (node,) = _nodes(picture, texts)
    assert " ".join((node.label, *node.rows)) == "Reactor count open"


def test_a_thick_wall_is_one_wall() -> None:
    """Cells parted by all but a letter's height of ink belong together; boxes with ground between them do not."""
    picture = _sheet()
    cv2.rectangle(picture, (80, 100), (300, 160), BLACK, 3)
    cv2.line(picture, (190, 100), (190, 160), BLACK, 3)
    texts = [_word(picture, "left", (110, 135)), _word(picture, "right", (220, 135))]
    assert len(_nodes(picture, texts)) == 1
    apart = _sheet()
    for x in (80, 196):
        cv2.rectangle(apart, (x, 100), (x + 104, 160), BLACK, 2)
    texts = [_word(apart, "left", (100, 135)), _word(apart, "right", (216, 135))]
    assert len(_nodes(apart, texts)) == 2


def test_a_black_title_belongs_to_the_rows_beneath() -> None:
    """Rows of which two and two were taken for tables are one table in the end."""
    picture = _sheet()
    for row in range(4):
        cv2.rectangle(picture, (80, 80 + 30 * row), (220, 110 + 30 * row), BLACK, 2)
    picture[82:109, 82:219] = 0
    texts = [_word(picture, word, (90, 130 + 30 * row)) for row, word in enumerate(("owner", "key", "valid"))]
    (node,) = _nodes(picture, texts)
    assert " ".join((node.label, *node.rows)) == "owner key valid"


def test_columns_with_rows_of_their_own_are_read_one_by_one() -> None:
    """A record's band of two cells is a line; below it each column is read from top to bottom, whatever stands beside it."""
    picture = _sheet()
    cv2.rectangle(picture, (80, 60), (400, 240), BLACK, 2)
    cv2.line(picture, (80, 100), (400, 100), BLACK, 2)
    cv2.line(picture, (200, 60), (200, 100), BLACK, 2)
    cv2.line(picture, (240, 100), (240, 240), BLACK, 2)
    cv2.line(picture, (80, 170), (240, 170), BLACK, 2)
    for y in (147, 193):
        cv2.line(picture, (240, y), (400, y), BLACK, 2)
    places = {"Ivars": (100, 85), "Public": (230, 85), "left": (100, 140), "lower": (100, 210)}
    places |= {"one": (260, 128), "two": (260, 175), "three": (260, 222)}
    (node,) = _nodes(picture, [_word(picture, word, at) for word, at in places.items()])
    assert " ".join((node.label, *node.rows)).split() == ["Ivars", "Public", "left", "lower", "one", "two", "three"]
