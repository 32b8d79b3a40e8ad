"""Dashed and dotted lines: followed through others, through texts, and told from patterned grounds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.blackboard import Agent, NodeNote, TextNote
from tools.diagram.dashes import made_whole
from tools.diagram.graph import Frame, Head, Shape, Stroke
from tools.diagram.lines import trace
from tools.diagram.surfaces import prepare
from tools.diagram.texts import is_dash
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
