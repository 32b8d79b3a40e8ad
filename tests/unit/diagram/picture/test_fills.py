"""Fills of nodes, and what is drawn in their colours: heads and thick lines are ink, title rows are their node's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.arbiter import ground
from tools.diagram.lines.remains import _over_border
from tools.diagram.model.blackboard import Agent, GroupNote, NodeNote, ShapeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import Traced, trace
from tools.diagram.picture import surfaces
from tools.diagram.picture.arms import arms_of, is_line
from tools.diagram.picture.discs import is_bulging
from tools.diagram.picture.masks import pieces
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

Colour = tuple[int, int, int]
BLACK, WHITE, GREY = (0, 0, 0), (255, 255, 255), (150, 150, 150)


def _sheet() -> Picture:
    """A sheet with a few words on it, which tell how high letters are."""
    picture = np.full((420, 700, 3), 255, np.uint8)
    for row in range(3):
        written(picture, "some words", (540, 330 + 30 * row))
    return picture


def _box(picture: Picture, name: str, at: tuple[int, int], fill: Colour, border: Colour | None = None) -> TextNote:
    """A box of 120 by 50 pixels with its upper left corner there, and the note of its name."""
    x, y = at
    cv2.rectangle(picture, (x, y), (x + 120, y + 50), fill, cv2.FILLED)
    if border is not None:
        cv2.rectangle(picture, (x, y), (x + 120, y + 50), border, 2)
    return written(picture, name, (x + 34, y + 18))


def _arrow(picture: Picture, start: tuple[int, int], tip: tuple[int, int], colour: Colour, size: int = 12) -> None:
    """A thin smooth line with a filled head at its tip."""
    way = np.array(tip, float) - np.array(start, float)
    way /= np.hypot(*way)
    across, base = np.array([-way[1], way[0]]), np.array(tip) - size * way
    cv2.line(picture, start, (round(base[0]), round(base[1])), colour, 1, cv2.LINE_AA)
    corners = np.round([tip, base + 0.45 * size * across, base - 0.45 * size * across]).astype(np.int32)
    cv2.fillPoly(picture, [corners], colour, cv2.LINE_AA)


def _nodes(picture: Picture, texts: list[TextNote]) -> tuple[list[NodeNote], list[GroupNote], list[TextNote]]:
    scene = prepare(picture)
    return ground(scene, hunt(scene), tuple(texts), reading=False)


def _traced(picture: Picture, texts: list[TextNote]) -> tuple[dict[str, str], Traced]:
    """Names of the nodes by id, and the lines between them."""
    nodes, groups, free = _nodes(picture, texts)
    return {node.id: node.label for node in nodes}, trace(prepare(picture), nodes, groups, {}, free, [])


def _edges(picture: Picture, texts: list[TextNote]) -> list[tuple[str, str, Head, Head]]:
    names, traced = _traced(picture, texts)
    return sorted((names[line.source], names[line.target], line.source_head, line.target_head) for line in traced.lines)


@pytest.mark.parametrize("colour", [(170, 200, 240), (250, 205, 205), (60, 140, 90)])
def test_heads_in_the_colour_of_a_fill_without_a_border_are_ink(colour: Colour) -> None:
    """They are flat and of the nodes' colour, but the paper is what they lie on."""
    picture = _sheet()
    texts = [_box(picture, name, at, colour) for name, at in (("one", (40, 40)), ("two", (40, 220)), ("six", (300, 220)))]
    _arrow(picture, (100, 90), (100, 219), colour, 15)
    _arrow(picture, (160, 245), (299, 245), colour, 15)
    assert _edges(picture, texts) == [("one", "two", Head.none, Head.arrow), ("two", "six", Head.none, Head.arrow)]


def test_heads_fuller_than_their_thin_pale_lines_are_no_handles() -> None:
    """Of a slanting line thinner than a pixel only a tint is seen; its head has the line's colour, not that of the borders."""
    picture = np.full((420, 700, 3), 255, np.uint8)
    texts = [_box(picture, name, at, WHITE, BLACK) for name, at in (("one", (40, 40)), ("two", (180, 220)), ("six", (380, 220)))]
    for start, tip in (((100, 93), (220, 217)), ((140, 93), (420, 217))):
        _arrow(picture, start, tip, GREY)
        # The line itself once more, as thin as to be half as dark.
        cv2.line(picture, start, (tip[0] - 14, tip[1] - 14 * (tip[1] - start[1]) // (tip[0] - start[0]) - 4), WHITE, 3)
        cv2.line(picture, start, tip, (205, 205, 205), 1, cv2.LINE_AA)
        _arrow(picture, (tip[0] - (tip[0] - start[0]) // 10, tip[1] - (tip[1] - start[1]) // 10), tip, GREY)
    assert [edge[2:] for edge in _edges(picture, texts)] == [(Head.none, Head.arrow)] * 2


def test_a_thick_line_that_runs_into_a_fill_of_its_colour_is_parted_from_it() -> None:
    """The fill keeps its corners; a fill that letters cut at its border loses nothing."""
    flat = np.ones((220, 420), np.uint8)
    own = np.zeros_like(flat)
    own[60:110, 40:160] = 1
    cv2.line(own, (150, 85), (380, 180), (1,), 8)
    plain = np.zeros_like(flat)
    plain[150:190, 40:200] = 1
    for left in range(60, 180, 14):
        plain[150:172, left : left + 4] = 0
    flat[(own | plain) > 0] = 0
    labels = own + 2 * plain.astype(np.int32) + 3 * flat.astype(np.int32)
    stats = np.zeros((4, 5), np.int32)
    for number in range(1, 4):
        stats[number] = pieces((labels == number).astype(np.uint8))[2][1]
    colours = np.array([(0, 0, 0), (20, 20, 20), (20, 20, 20), (255, 255, 255)], np.float32)
    arms = arms_of(labels.astype(np.int32), stats, colours, np.array([False, True, True, True]), 12.0)
    assert arms[own > 0].sum() >= 0.8 * own[:, 175:].sum()
    assert arms[60:110, 40:150].sum() == 0
    assert arms[plain > 0].sum() == 0


def test_a_thick_line_with_its_head_is_no_fill() -> None:
    """It covers little of its hull; a box with a dent covers most of it."""
    labels = np.zeros((140, 320), np.int32)
    labels[20:60, 20:120] = 1
    labels[20:30, 60:70] = 0
    cv2.line(labels, (160, 30), (280, 100), (2,), 8)
    cv2.fillPoly(labels, [np.array([(300, 112), (272, 106), (284, 84)], np.int32)], (2,))
    rows = [pieces((labels == number).astype(np.uint8))[2][1] for number in (1, 2)]
    assert not is_line(labels, rows[0], 1)
    assert is_line(labels, rows[1], 2)


def test_a_height_of_letters_that_does_not_hold_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines taken for letters tell of large ones, for which the fills are ink: then what was looked for closely decides."""
    picture = _sheet()
    texts = [_box(picture, name, at, (250, 205, 205)) for name, at in (("one", (40, 40)), ("two", (40, 220)))]
    measured = iter((80.0, 12.0, 12.0, 12.0))
    monkeypatch.setattr(surfaces, "glyph_height", lambda _: next(measured))
    scene = prepare(picture)
    assert sum(int(box[4]) > 2000 for box in scene.boxes[1:]) == 1 + len(texts)


@pytest.mark.parametrize("gap", [6, 14])
def test_a_second_border_may_stand_farther_off_where_letters_are_larger(gap: int) -> None:
    """All of the ring is the node's."""
    ink, mask = np.zeros((300, 300), np.uint8), np.zeros((300, 300), np.uint8)
    for radius in (80, 80 + gap):
        cv2.circle(ink, (150, 150), radius, (1,), 2)
    cv2.circle(mask, (150, 150), 79, (1,), cv2.FILLED)
    left = [float((ink & (1 - _over_border(mask, ink, glyph))).sum()) / float(ink.sum()) for glyph in (24.0, 9.0)]
    assert left[0] < 0.05
    assert (left[1] > 0.4) == (gap > 10)


def test_a_row_of_letters_is_no_side_of_a_frame() -> None:
    """Letters that fill a box from wall to wall, closed like dashes, are not what a frame within it begins at."""
    picture = np.full((300, 500, 3), 255, np.uint8)
    for x in (40, 280):
        cv2.rectangle(picture, (x, 60), (x + 150, 170), BLACK, 2)
        cv2.putText(picture, "EEEEEEE", (x + 5, 100), cv2.FONT_HERSHEY_SIMPLEX, 1.0, BLACK, 2)
    assert [note for note in hunt(prepare(picture)) if note.source == "frame" and note.pixels.height < 104] == []


def test_a_dark_title_row_within_a_box_is_the_boxs() -> None:
    """A bar hardly larger than its word is no ground of a label where it lies in a node."""
    picture = _sheet()
    cv2.rectangle(picture, (40, 40), (200, 130), BLACK, 2)
    cv2.rectangle(picture, (48, 48), (192, 70), BLACK, cv2.FILLED)
    cv2.putText(picture, "Title", (80, 66), cv2.FONT_HERSHEY_SIMPLEX, 0.6, WHITE, 2)
    row = written(picture, "one row", (60, 90))
    title = row.model_copy(update={"text": "Title", "id": "title", "pixels": row.pixels.model_copy(update={"x": 78, "y": 52})})
    (node,) = _nodes(picture, [title, row])[0]
    assert node.label.split() == ["Title", "one", "row"]


@pytest.mark.parametrize(("corners", "bulging"), [(8, True), (12, True), (5, False)])
def test_an_outline_of_many_corners_that_all_bulge_is_drawn(corners: int, bulging: bool) -> None:
    """Few corners may be those of lines that cross by chance; so may many, if one is sharp or points inwards."""
    turns = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    rim = np.stack([100 + 50 * np.cos(turns), 100 + 44 * np.sin(turns)], axis=1)
    note = ShapeNote(
        writer=Agent.shape_hunter, pixels=Frame(x=50, y=70, width=100, height=60), id="s", shape=Shape.polygon,
        outline=tuple((float(x), float(y)) for x, y in rim), fit=0.95, filled=False, source="face", clean=False,
    )  # fmt: skip
    assert is_bulging(note) is bulging
    rim[2] = (100, 100) if bulging else (100, 300)
    assert not is_bulging(note.model_copy(update={"outline": tuple((float(x), float(y)) for x, y in rim)}))
