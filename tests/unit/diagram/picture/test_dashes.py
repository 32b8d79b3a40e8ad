"""Dashed and dotted lines: followed through others, through texts, and told from patterned grounds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.model.blackboard import Agent, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape, Stroke
from tools.diagram.net.tracer import trace
from tools.diagram.picture.dashes import made_whole
from tools.diagram.picture.surfaces import prepare
from tools.diagram.text.spotter import is_dash
from tools.media.image import Picture

BLACK = (0, 0, 0)
Point = tuple[int, int]


def _sheet() -> Picture:
    """White, with a column of words at the right rim, which tell how high letters are."""
    picture = np.full((400, 700, 3), 255, np.uint8)
    for row in range(5):
        cv2.putText(picture, "words", (620, 40 + 30 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, BLACK, 2)
    return picture


def _box(picture: Picture, name: str, at: Point) -> NodeNote:
    left, top = at
    right, bottom = left + 90, top + 44
    cv2.rectangle(picture, at, (right, bottom), BLACK, 2)
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    frame = Frame(x=left, y=top, width=90, height=44)
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=Shape.rectangle, outline=outline)


def _arrow(picture: Picture, start: Point, tip: Point, on: float = 0.0, off: float = 0.0) -> None:
    """A line with a filled head at its tip, dashed if a length of dashes is told."""
    a, b = np.array(start, float), np.array(tip, float)
    way = (b - a) / np.hypot(*(b - a))
    across, base = np.array([-way[1], way[0]]), b - 12 * way
    length = float(np.hypot(*(base - a)))
    for begin in np.arange(0.0, length, on + off) if on else (0.0,):
        end = min(begin + on, length) if on else length
        p, q = (np.round(a + at * way).astype(int).tolist() for at in (begin, end))
        cv2.line(picture, p, q, BLACK, 2)
    cv2.fillPoly(picture, [np.round([b, base + 5 * across, base - 5 * across]).astype(np.int32)], BLACK)


@pytest.mark.parametrize(("on", "off", "stroke"), [(8, 8, Stroke.dashed), (1, 8, Stroke.dotted)])
def test_a_broken_line_goes_on_through_others_and_a_text(on: float, off: float, stroke: Stroke) -> None:
    """It crosses two lines at a small angle and runs through a text that took dashes along; all of them keep their ends."""
    picture = _sheet()
    nodes = [_box(picture, "a", (20, 40)), _box(picture, "b", (480, 320)), _box(picture, "c", (20, 200))]
    nodes += [_box(picture, "d", (480, 130)), _box(picture, "e", (240, 20)), _box(picture, "f", (300, 340))]
    _arrow(picture, (112, 80), (478, 330), on, off)
    _arrow(picture, (112, 220), (478, 152))
    _arrow(picture, (285, 66), (345, 338))
    text = written(picture, "over it", (370, 250))
    traced = trace(prepare(picture), nodes, [], {}, [text], [])
    assert sorted((line.source, line.target, line.target_head) for line in traced.lines) == [
        ("a", "b", Head.arrow),
        ("c", "d", Head.arrow),
        ("e", "f", Head.arrow),
    ]
    assert {line.source: line.stroke for line in traced.lines} == {"a": stroke, "c": Stroke.solid, "e": Stroke.solid}


def test_a_patterned_ground_is_no_dotted_line() -> None:
    """Dots in rows and columns stay dots."""
    ink = np.zeros((200, 200), np.uint8)
    for y in range(10, 190, 12):
        for x in range(10, 190, 12):
            ink[y : y + 2, x : x + 2] = 1
    assert not made_whole(ink, np.zeros_like(ink), np.zeros_like(ink), 2.0, 14.0).any()


def test_dotted_lines_that_cross_at_a_small_angle_stay_two() -> None:
    """Each goes on over the dots of the other, which lie in its way at no pace of its own."""
    ink = np.zeros((160, 620), np.uint8)
    for slope in (-0.2, 0.2):
        for x in range(20, 600, 16):
            cv2.circle(ink, (x + int(slope > 0) * 5, round(80 + slope * (x - 310))), 1, (1,), cv2.FILLED)
    drawn = made_whole(ink, np.zeros_like(ink), np.zeros_like(ink), 2.0, 15.0)
    for slope in (-0.2, 0.2):
        spots = [(round(80 + slope * (x - 310)), x) for x in range(60, 560, 4)]
        assert np.mean([drawn[y - 2 : y + 3, x - 2 : x + 3].any() for y, x in spots]) > 0.95


def test_pairs_of_dots_are_no_line() -> None:
    """Two that stand close together are signs of something else, though there are many such pairs."""
    ink = np.zeros((200, 400), np.uint8)
    for x in range(20, 380, 90):
        for y in range(20, 180, 70):
            cv2.circle(ink, (x, y), 1, (1,), cv2.FILLED)
            cv2.circle(ink, (x + 9, y), 1, (1,), cv2.FILLED)
    assert not made_whole(ink, np.zeros_like(ink), np.zeros_like(ink), 2.0, 14.0).any()


def test_dashes_that_face_nothing_are_not_joined() -> None:
    """Between two broken lines on one height with blank paper between them nothing is drawn."""
    ink = np.zeros((60, 400), np.uint8)
    for x in (*range(10, 130, 16), *range(230, 390, 16)):
        ink[30:32, x : x + 8] = 1
    drawn = made_whole(ink, np.zeros_like(ink), np.zeros_like(ink), 2.0, 14.0)
    assert drawn[30, 20:110].all()
    assert not drawn[:, 140:220].any()


@pytest.mark.parametrize("read", ["一", "I", "|"])
def test_a_dash_that_was_read_as_a_letter_is_none(read: str) -> None:
    """An upright dash turned on its side is a numeral in some scripts; what is read as a word stays one."""
    picture = _sheet()
    cv2.rectangle(picture, (300, 100), (302, 112), BLACK, cv2.FILLED)
    frame = Frame(x=296, y=98, width=10, height=17)
    corners = ((296.0, 98.0), (306.0, 98.0), (306.0, 115.0), (296.0, 115.0))
    note = TextNote(writer=Agent.text_spotter, pixels=frame, id="t1", text=read, corners=corners, turned=90)
    scene = prepare(picture)
    assert is_dash(scene, note)
    assert is_dash(scene, note.model_copy(update={"text": "- - -"}))
    assert not is_dash(scene, note.model_copy(update={"text": "no"}))


@pytest.mark.parametrize(("foot", "dash"), [(12, False), (4, True)])
def test_a_slanting_dash_is_no_numeral(foot: int, dash: bool) -> None:
    """Its rims are soft, so it fills its box no better than a one with a foot does; but it slants."""
    large = np.full((800, 1400, 3), 255, np.uint8)
    if dash:
        cv2.line(large, (600, 224), (608, 200), BLACK, foot)
    else:
        cv2.line(large, (604, 200), (604, 224), BLACK, 4)
        cv2.line(large, (596, 206), (604, 200), BLACK, 4)
        cv2.line(large, (604 - foot // 2, 224), (604 + foot // 2, 224), BLACK, 4)
    picture = np.asarray(cv2.resize(large, (700, 400), interpolation=cv2.INTER_AREA), np.uint8)
    frame = Frame(x=294, y=97, width=14, height=18)
    corners = ((294.0, 97.0), (308.0, 97.0), (308.0, 115.0), (294.0, 115.0))
    note = TextNote(writer=Agent.text_spotter, pixels=frame, id="t1", text="1", corners=corners, turned=0)
    assert is_dash(prepare(picture), note) is dash


def test_a_line_goes_on_as_it_turned_though_dashes_are_hidden() -> None:
    """The step over a hidden dash is twice as long as the next; the line's last piece has grown together with a head."""
    ink = np.zeros((120, 300), np.uint8)
    for x in range(20, 220, 16):
        y = 60 - (x - 20) // 8
        ink[y : y + 2, x : x + 8] = 1
    ink[20:60, 165:185] = 1
    ink[34:36, 228:236] = 1
    ink[25:45, 236:250] = 1
    drawn = made_whole(ink, np.zeros_like(ink), np.zeros_like(ink), 2.0, 12.0)
    assert drawn[:, 224].any()
    assert drawn[30:45, 226].any()


def test_two_dashes_and_a_head_between_nodes_are_a_line() -> None:
    """The first dash sticks out of its node's border, the second was read as no letter, the head stands at the other node."""
    picture = _sheet()
    nodes = [_box(picture, "a", (20, 40)), _box(picture, "b", (150, 40))]
    for left in (112, 124):
        cv2.rectangle(picture, (left, 61), (left + 6, 62), BLACK, cv2.FILLED)
    cv2.fillPoly(picture, [np.array([(149, 61), (135, 56), (135, 67)], np.int32)], BLACK)
    (line,) = trace(prepare(picture), nodes, [], {}, [], []).lines
    assert (line.source, line.target, line.target_head) == ("a", "b", Head.arrow)
