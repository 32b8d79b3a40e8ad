"""In small copies: pale sides of lines are no ink, thin ink tells the colour of lines, and discs that stand alone are nodes."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from PIL import Image

from tools.diagram import handles, surfaces
from tools.diagram.blackboard import Agent, NodeNote, TextNote
from tools.diagram.discs import copied_discs
from tools.diagram.dots import lone_dots
from tools.diagram.graph import Frame, Head, Shape
from tools.diagram.lines import Traced, _as_beside_latin, trace
from tools.diagram.patches import lettered
from tools.diagram.surfaces import Scene, prepare
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
    assert scene.copied
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


def _rows_of_border(scene: Scene) -> int:
    """Runs of ink from above the box's upper border to a third of the way to its letters, in a column without any."""
    x, y = round((_BOX[0] + 12) * _SIZE * scene.scale), round(_BOX[1] * _SIZE * scene.scale)
    column = np.pad(scene.ink[y - 6 : y + 12, x], 1).astype(np.int8)
    return int((np.diff(column) == 1).sum())


def test_the_pale_side_of_a_dark_border_is_no_second_border(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sharp scaling makes a box's ground lighter beside its border: one line is seen, and two without this."""
    picture = _drawn()
    assert _rows_of_border(_small(picture)) == 1
    monkeypatch.setattr(surfaces, "_without_overshoot", lambda levels, _: levels)
    assert _rows_of_border(_small(picture)) == 2


def test_start_and_end_of_a_small_state_machine() -> None:
    """The dot and the dot in a ring are nodes without a name, and an arrow leads from each thing to the next."""
    traced = _traced(_small(_drawn()))
    start, end = sorted(traced.nodes, key=lambda node: node.pixels.x)
    assert [(line.source, line.target) for line in traced.lines] == [(start.id, "n1"), ("n1", end.id)]
    assert {(line.source_head, line.target_head) for line in traced.lines} == {(Head.none, Head.arrow)}


def test_dots_and_heads_do_not_tell_the_colour_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hairlines are grey in a copy, however black their dots and heads are; with those taken for lines they would be black."""
    scene = _small(_drawn())
    size = _SIZE * scene.scale
    box, owners = _box(scene).pixels, np.zeros(scene.ink.shape, np.int32)
    owners[round(box.y) - 2 : round(box.bottom) + 3, round(box.x) - 2 : round(box.right) + 3] = 1
    names = [_text("names", (0, 140 * size, 480 * size, 40 * size))]
    seen: list[float] = []
    shades = handles._line_shades

    def told(drawn: np.ndarray, paper: np.ndarray, rounds: int) -> list[np.ndarray]:
        found = shades(drawn, paper, rounds)
        seen.append(float(np.max(found[0])))
        return found

    monkeypatch.setattr(handles, "_line_shades", told)
    handles.with_handles(scene, scene.ink, owners, 1, names)
    monkeypatch.setattr(handles, "by_heads", lambda ink, _: np.zeros_like(ink))
    handles.with_handles(scene, scene.ink, owners, 1, names)
    assert seen[0] > 90
    assert seen[1] < 30


def test_a_few_pixels_off_the_node_are_no_handle() -> None:
    """What touches the node is one, however thin, and so is what is broad; the crumb within a head is not."""
    near = np.zeros((30, 30), np.bool_)
    near[:, 2:] = True
    marked = np.zeros_like(near)
    marked[5, 2:6], marked[12:16, 10:14], marked[22, 10:14] = True, True, True
    distance = np.tile(np.arange(30, dtype=np.float32) - 1, (30, 1))
    real = handles._real(near, marked[near], distance, 3.0)
    assert real[5, 2:6].all()
    assert real[12:16, 10:14].all()
    assert not real[22].any()


def test_discs_before_nodes_and_names_are_heads() -> None:
    """Off all nodes and texts both discs are nodes; a drawn picture, whose dots meet their lines, is left to its lines' ends."""
    scene = _small(_drawn())
    box = _box(scene)
    assert len(lone_dots(scene, [box], [])) == 2
    x, y = (value * _SIZE * scene.scale for value in _END)
    named = _text("River", (x + scene.glyph, y - scene.glyph, 4 * scene.glyph, 2 * scene.glyph))
    assert len(lone_dots(scene, [box], [named])) == 1
    beside = box.model_copy(update={"pixels": Frame(x=x + scene.glyph, y=y - 20, width=60, height=40)})
    assert len(lone_dots(scene, [box, beside], [])) == 1
    assert lone_dots(replace(scene, copied=False), [box], []) == []


def test_a_hollow_ring_is_no_dot() -> None:
    """It is a cardinality's sign or a letter."""
    picture = _drawn()
    cv2.circle(picture, _END, 5, (255, 255, 255), cv2.FILLED)
    assert len(lone_dots(_small(picture), [], [])) == 1


@pytest.mark.parametrize(("words", "turned", "high"), [("Logits", 0, 1.9), ("报表", 0, 1.3), ("Logits", 90, 4.0)])
def test_a_line_of_text_is_no_higher_than_its_letters_allow(words: str, turned: int, high: float) -> None:
    """The detector's box may be four times as high as capitals; its middle stays where it is. Turned ones are left alone."""
    text = _text(words, (10, 20, 100, 40), turned)
    frame = lettered(text, 10.0)
    assert frame.height == pytest.approx(10 * high)
    assert frame.centre == pytest.approx(text.pixels.centre)


def test_rounded_boxes_are_no_discs() -> None:
    """Four filled discs are found, four rounded boxes of that size are not."""
    ink = np.zeros((120, 420), np.uint8)
    rounded = ink.copy()
    for x in (50, 150, 250, 350):
        cv2.circle(ink, (x, 60), 14, (1,), 2)
        cv2.rectangle(rounded, (x - 14, 46), (x + 14, 74), (1,), 2)
        rounded[[46, 46, 74, 74], [x - 14, x + 14, x - 14, x + 14]] = 0
    assert copied_discs(ink, 10.0)[0].any()
    assert not copied_discs(rounded, 10.0)[0].any()


@pytest.mark.parametrize(("words", "scale", "share"), [("报表 2", 2.0, 0.78), ("report 报", 2.0, 1.0), ("报表", 1.0, 1.0)])
def test_heads_beside_full_signs_are_measured_as_beside_capitals(words: str, scale: float, share: float) -> None:
    """Chinese signs are higher than capitals of their font size, and heads are not: in enlarged copies that counts."""
    scene = replace(prepare(np.full((60, 90, 3), 255, np.uint8)), scale=scale)
    assert _as_beside_latin(scene, ["", words]).glyph == pytest.approx(share * scene.glyph)


@pytest.mark.parametrize(
    ("shape", "scale", "joined"), [(Shape.table, 2.0, True), (Shape.rectangle, 2.0, False), (Shape.table, 1.0, False)]
)
def test_a_word_between_tables_is_a_label(shape: Shape, scale: float, joined: bool) -> None:
    """Signs that look like heads lead to it from both sides: a line's name between tables, a node of its own elsewhere."""
    picture = np.full((300, 700, 3), 255, np.uint8)
    boxes = [(20, 60, 160, 140), (540, 60, 680, 140), (280, 200, 420, 280)]
    for left, top, right, bottom in boxes:
        cv2.rectangle(picture, (left, top), (right, bottom), (0, 0, 0), 2)
        cv2.putText(picture, "Reception", (left + 18, top + 46), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    cv2.putText(picture, "weekly", (312, 107), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    for end, tip in ((162, 292), (538, 410)):
        back = tip - 14 if tip > end else tip + 14
        cv2.line(picture, (end, 100), (back, 100), (0, 0, 0), 2)
        cv2.fillPoly(picture, [np.array([(tip, 100), (back, 93), (back, 107)])], (0, 0, 0))
    scene = replace(prepare(picture), copied=True, scale=scale)
    nodes = []
    for number, (left, top, right, bottom) in enumerate(boxes, start=1):
        frame = Frame(x=left, y=top, width=right - left, height=bottom - top)
        outline = ((left, top), (right, top), (right, bottom), (left, bottom))
        nodes.append(NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=f"n{number}", label="", shape=shape, outline=outline))
    traced = trace(scene, nodes, [], {}, [_text("weekly", (308, 88, 86, 26))], [])
    ends = sorted(tuple(sorted((line.source, line.target))) for line in traced.lines)
    assert ends == ([("n1", "n2")] if joined else [("n1", "x1"), ("n2", "x1")])
    assert [line.label for line in traced.lines] == (["weekly"] if joined else ["", ""])
