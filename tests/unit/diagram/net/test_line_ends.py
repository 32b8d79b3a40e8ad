"""Where lines end that reach no border: at texts, behind labels, at the box around a shape, beneath nodes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.model.blackboard import Agent, GroupNote, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import Traced, _real_texts, trace
from tools.diagram.picture.surfaces import prepare
from tools.media.image import Picture

Box = tuple[int, int, int, int]
BLACK = (0, 0, 0)


def _sheet() -> Picture:
    return np.full((360, 700, 3), 255, np.uint8)


def _box(picture: Picture, name: str, box: Box) -> NodeNote:
    """A box drawn with its name in it, and its note."""
    left, top, right, bottom = box
    cv2.rectangle(picture, (left, top), (right, bottom), (255, 255, 255), cv2.FILLED)
    cv2.rectangle(picture, (left, top), (right, bottom), BLACK, 2)
    cv2.putText(picture, name, (left + 16, (top + bottom) // 2 + 7), cv2.FONT_HERSHEY_SIMPLEX, 0.6, BLACK, 2)
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    return _node(name, Shape.rectangle, outline)


def _node(name: str, shape: Shape, outline: tuple[tuple[float, float], ...]) -> NodeNote:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    frame = Frame(x=min(xs), y=min(ys), width=max(xs) - min(xs), height=max(ys) - min(ys))
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=shape, outline=outline)


def _arrow(picture: Picture, start: tuple[int, int], tip: tuple[int, int]) -> None:
    """A line with a filled head at its tip."""
    way = np.array(tip, float) - np.array(start, float)
    way /= np.hypot(*way)
    across, base = np.array([-way[1], way[0]]), np.array(tip) - 13 * way
    cv2.line(picture, start, (round(base[0]), round(base[1])), BLACK, 2)
    cv2.fillPoly(picture, [np.round([tip, base + 6 * across, base - 6 * across]).astype(np.int32)], BLACK)


def _ends(traced: Traced) -> list[tuple[str, str]]:
    return sorted((line.source, line.target) for line in traced.lines)


def _traced(picture: Picture, nodes: list[NodeNote], texts: list[TextNote]) -> Traced:
    return trace(prepare(picture), nodes, [], {}, texts, [])


def _traced_in_a_group(picture: Picture, nodes: list[NodeNote]) -> Traced:
    """The same with a group's frame drawn around the left half of the sheet."""
    frame = Frame(x=8, y=8, width=420, height=320)
    corners = np.array([(frame.x, frame.y), (frame.right, frame.y), (frame.right, frame.bottom), (frame.x, frame.bottom)])
    cv2.polylines(picture, [corners.astype(np.int32)], isClosed=True, color=BLACK, thickness=1)
    group = GroupNote(writer=Agent.fusion_arbiter, pixels=frame, id="g1", label="", lane=False)
    return trace(prepare(picture), nodes, [group], {"g1": corners}, [], [])


def _two_columns(picture: Picture, left: int = 250) -> list[NodeNote]:
    """Two boxes one above the other, and two more with a third between them, which begins at `left`."""
    return [
        _box(picture, "start", (20, 250, 120, 300)),
        _box(picture, "end", (20, 40, 120, 90)),
        _box(picture, "under", (250, 260, 350, 310)),
        _box(picture, "over", (250, 40, 350, 90)),
        _box(picture, "bridge", (left, 150, left + 100, 200)),
    ]


def test_a_text_that_an_arrow_ends_at_is_a_node() -> None:
    """Arrows lead into a text and out of it on the far side: two lines, though they lie on one."""
    picture = _sheet()
    nodes = [_box(picture, "first", (20, 120, 120, 170)), _box(picture, "third", (560, 120, 660, 170))]
    _arrow(picture, (122, 145), (290, 145))
    _arrow(picture, (390, 145), (558, 145))
    traced = _traced(picture, nodes, [written(picture, "second", (302, 138), on_white=True)])
    assert [node.label for node in traced.nodes] == ["second"]
    name = traced.nodes[0].id
    assert _ends(traced) == [("first", name), (name, "third")]


@pytest.mark.parametrize("headed", [True, False])
def test_a_label_that_interrupts_its_line_is_none(*, headed: bool) -> None:
    """One line with a label, whether it has a head or not."""
    picture = _sheet()
    nodes = [_box(picture, "first", (20, 120, 120, 170)), _box(picture, "third", (560, 120, 660, 170))]
    cv2.line(picture, (122, 145), (290, 145), BLACK, 2)
    if headed:
        _arrow(picture, (390, 145), (558, 145))
    else:
        cv2.line(picture, (390, 145), (558, 145), BLACK, 2)
    traced = _traced(picture, nodes, [written(picture, "second", (302, 138), on_white=True)])
    assert traced.nodes == ()
    assert [(*sorted((line.source, line.target)), line.label) for line in traced.lines] == [("first", "third", "second")]


def test_a_label_may_cover_the_rest_of_its_line() -> None:
    """The label reaches up to the node: the line goes on behind it."""
    picture = _sheet()
    nodes = [_box(picture, "first", (20, 120, 120, 170)), _box(picture, "third", (400, 120, 500, 170))]
    cv2.line(picture, (122, 145), (310, 145), BLACK, 2)
    traced = _traced(picture, nodes, [written(picture, "second", (316, 138), on_white=True)])
    assert traced.nodes == ()
    assert [(line.source, line.target, line.label) for line in traced.lines] == [("first", "third", "second")]


def test_a_line_may_end_at_the_box_around_a_diamond() -> None:
    """The line stops in the corner of the diamond's box, well off its side, and points at it."""
    picture = _sheet()
    tips = ((300.0, 40.0), (460.0, 120.0), (300.0, 200.0), (140.0, 120.0))
    cv2.polylines(picture, [np.array(tips, np.int32)], isClosed=True, color=BLACK, thickness=2)
    nodes = [_node("choice", Shape.diamond, tips), _box(picture, "other", (580, 200, 680, 250))]
    _arrow(picture, (458, 180), (578, 222))
    assert _ends(_traced(picture, nodes, [])) == [("choice", "other")]


def test_a_line_goes_on_beneath_a_node() -> None:
    """In a diagram with groups a line without a head at a node comes out straight behind it."""
    picture = _sheet()
    _arrow(picture, (70, 250), (70, 92))
    cv2.line(picture, (300, 260), (300, 92), BLACK, 2)
    _arrow(picture, (300, 180), (300, 92))
    nodes = _two_columns(picture)
    assert _ends(_traced_in_a_group(picture, nodes)) == [("start", "end"), ("under", "over")]


def test_a_line_that_is_drawn_over_a_node_passes_it() -> None:
    """Without groups, too, if its ink is seen all the way across the node."""
    picture = _sheet()
    nodes = [_box(picture, "start", (20, 250, 120, 300)), _box(picture, "end", (20, 40, 120, 90))]
    nodes += [_box(picture, "under", (250, 260, 350, 310)), _box(picture, "over", (250, 40, 350, 90))]
    nodes.append(_box(picture, "passed", (250, 150, 350, 200)))
    _arrow(picture, (70, 250), (70, 92))
    _arrow(picture, (300, 260), (300, 92))
    assert _ends(_traced(picture, nodes, [])) == [("start", "end"), ("under", "over")]


@pytest.mark.parametrize(("left", "headed", "passes"), [(220, False, True), (250, False, False), (220, True, False)])
def test_a_line_goes_on_beneath_a_node_it_does_not_aim_at(*, left: int, headed: bool, passes: bool) -> None:
    """Without groups, where nothing is seen across the node: not where the line aims at its middle, nor where a head is there."""
    picture = _sheet()
    _arrow(picture, (70, 250), (70, 92))
    (_arrow if headed else lambda p, a, b: cv2.line(p, a, b, BLACK, 2))(picture, (300, 260), (300, 202))
    _arrow(picture, (300, 150), (300, 92))
    nodes = _two_columns(picture, left)
    found = _ends(_traced(picture, nodes, []))
    assert (("under", "over") in found) is passes
    assert (("bridge", "over") in found) is not passes


def test_a_dashed_line_does_not_go_on_as_a_solid_one() -> None:
    """With groups, too: what is drawn otherwise is another line, whose head was not seen."""
    picture = _sheet()
    _arrow(picture, (70, 250), (70, 92))
    for y in range(204, 258, 8):
        cv2.line(picture, (300, y), (300, y + 3), BLACK, 2)
    _arrow(picture, (300, 150), (300, 92))
    nodes = _two_columns(picture)
    found = _ends(_traced_in_a_group(picture, nodes))
    assert ("bridge", "over") in found
    assert ("under", "over") not in found


@pytest.mark.parametrize("above", [True, False])
def test_a_head_lies_on_the_border_that_its_line_runs_along(*, above: bool) -> None:
    """A stepped line comes level with the node's border: half of the line and of its head lies beneath the node."""
    picture = _sheet()
    y = 149 if above else 201
    _arrow(picture, (70, 250), (70, 92))
    cv2.line(picture, (220, 60 if above else 290), (220, y), BLACK, 2)
    _arrow(picture, (220, y), (340, y))
    nodes = [
        _box(picture, "start", (20, 250, 120, 300)),
        _box(picture, "end", (20, 40, 120, 90)),
        _box(picture, "node", (300, 150, 420, 200)),
        _box(picture, "from", (180, 10, 280, 60) if above else (180, 290, 280, 340)),
    ]
    assert _ends(_traced(picture, nodes, [])) == [("from", "node"), ("start", "end")]


def test_a_line_that_leaves_a_node_at_a_small_angle_has_no_head_there() -> None:
    """Where it comes out from beneath the border it is a wedge, steep at one end."""
    picture = _sheet()
    _arrow(picture, (70, 250), (70, 92))
    _arrow(picture, (330, 206), (600, 106))
    _arrow(picture, (360, 290), (360, 202))
    nodes = [
        _box(picture, "start", (20, 250, 120, 300)),
        _box(picture, "end", (20, 40, 120, 90)),
        _box(picture, "node", (300, 150, 420, 200)),
        _box(picture, "from", (310, 290, 410, 340)),
        _box(picture, "to", (602, 80, 690, 130)),
    ]
    traced = _traced(picture, nodes, [])
    assert ("node", "to", Head.none) in [(line.source, line.target, line.source_head) for line in traced.lines]


def test_letters_on_a_patch_may_touch_the_line_they_interrupt() -> None:
    """Two letters that have run together with the line on both sides are its label still."""
    picture = _sheet()
    nodes = [_box(picture, "first", (20, 120, 120, 170)), _box(picture, "third", (400, 120, 500, 170))]
    nodes += [_box(picture, "once more as even", (20, top, 320, top + 50)) for top in (220, 290)]
    _arrow(picture, (122, 145), (398, 145))
    cv2.rectangle(picture, (232, 134), (276, 157), (232, 232, 232), cv2.FILLED)
    label = written(picture, "No", (241, 139))
    cv2.line(picture, (230, 145), (243, 145), BLACK, 2)
    cv2.line(picture, (264, 145), (276, 145), BLACK, 2)
    traced = _traced(picture, nodes, [label])
    assert [(line.source, line.target, line.label) for line in traced.lines] == [("first", "third", "No")]


def test_a_head_that_was_read_with_the_label_above_it_stays() -> None:
    """The text's box reaches down to the node: the line's last piece, head and all, lies within it."""
    picture = _sheet()
    nodes = [_box(picture, "from", (250, 20, 350, 70)), _box(picture, "to", (250, 260, 350, 310))]
    cv2.line(picture, (300, 72), (300, 150), BLACK, 2)
    label = written(picture, "No", (287, 158))
    _arrow(picture, (300, 182), (300, 258))
    tall = Frame(x=284, y=154, width=34, height=104)
    corners = ((tall.x, tall.y), (tall.right, tall.y), (tall.right, tall.bottom), (tall.x, tall.bottom))
    text = label.model_copy(update={"pixels": tall, "corners": corners})
    traced = _traced(picture, nodes, [text])
    assert [(line.source, line.target, line.label) for line in traced.lines] == [("from", "to", "No")]


def test_a_line_may_bend_where_it_crosses_a_frame() -> None:
    """It comes slanting to a group's frame and goes on level behind it: one line, though the frame was taken out between."""
    picture = _sheet()
    cv2.rectangle(picture, (10, 10), (200, 340), BLACK, 1)
    nodes = [_box(picture, "in", (40, 250, 140, 300)).model_copy(update={"parent": "g1"})]
    nodes.append(_box(picture, "out", (400, 75, 500, 125)))
    cv2.line(picture, (110, 248), (197, 103), BLACK, 2)
    _arrow(picture, (203, 100), (398, 100))
    corners = np.array([(10, 10), (200, 10), (200, 340), (10, 340)], float)
    frame = Frame(x=10, y=10, width=190, height=330)
    group = GroupNote(writer=Agent.fusion_arbiter, pixels=frame, id="g1", label="", lane=False)
    assert _ends(trace(prepare(picture), nodes, [group], {"g1": corners}, [], [])) == [("in", "out")]


def test_a_line_broken_off_at_a_label_makes_it_no_node() -> None:
    """Where nodes have outlines, one plain end near a text proves nothing."""
    picture = _sheet()
    nodes = [_box(picture, "a", (20, 20, 120, 70)), _box(picture, "b", (400, 20, 500, 70))]
    nodes += [_box(picture, "c", (20, 200, 120, 250)), _box(picture, "d", (560, 280, 660, 330))]
    _arrow(picture, (122, 45), (398, 45))
    cv2.line(picture, (122, 225), (290, 225), BLACK, 2)
    traced = _traced(picture, nodes, [written(picture, "label", (300, 218))])
    assert traced.nodes == ()
    assert _ends(traced) == [("a", "b")]


@pytest.mark.parametrize("held", [True, False])
def test_a_group_has_no_line_to_what_it_holds(*, held: bool) -> None:
    """A line from a node to a frame that is not its group's ends there; one to its own group's is a remnant of something."""
    picture = _sheet()
    box: Box = (200, 40, 660, 330)
    cv2.rectangle(picture, box[:2], box[2:], BLACK, 2)
    node = _box(picture, "node", (400, 150, 500, 200) if held else (20, 150, 120, 200))
    cv2.line(picture, (398, 175) if held else (122, 175), (203, 175) if held else (199, 175), BLACK, 2)
    corners = np.array([(200, 40), (660, 40), (660, 330), (200, 330)], float)
    frame = Frame(x=box[0], y=box[1], width=box[2] - box[0], height=box[3] - box[1])
    group = GroupNote(writer=Agent.fusion_arbiter, pixels=frame, id="g1", label="", lane=False)
    nodes = [node.model_copy(update={"parent": "g1"}) if held else node]
    found = _ends(trace(prepare(picture), nodes, [group], {"g1": corners}, [], []))
    assert [set(pair) for pair in found] == ([] if held else [{"node", "g1"}])


def test_a_letter_that_touches_its_line_is_no_dot_on_a_stalk() -> None:
    """A label of one letter, away from all nodes, has grown together with the line that it stands beside."""
    picture = _sheet()
    nodes = [_box(picture, "one", (40, 30, 140, 80)), _box(picture, "two", (420, 260, 520, 310))]
    texts = [written(picture, "words", (580, 30 + 40 * row)) for row in range(4)]
    _arrow(picture, (141, 81), (419, 262))
    label = written(picture, "K", (279, 160))
    label = label.model_copy(update={"confidence": 0.99})
    traced = _traced(picture, nodes, [*texts, label])
    assert _ends(traced) == [("one", "two")]
    assert traced.nodes == ()
    assert [line.label for line in traced.lines] == ["K"]


def test_a_name_that_two_lines_lead_away_from_is_a_node() -> None:
    """They leave it to either side as the halves of one line might, but in a sharp bend, and each has a head at its end."""
    picture = _sheet()
    nodes = [_box(picture, "one", (40, 220, 140, 270)), _box(picture, "two", (420, 220, 520, 270))]
    texts = [written(picture, "words", (580, 30 + 40 * row)) for row in range(4)]
    top = written(picture, "root", (258, 60))
    _arrow(picture, (254, 80), (96, 218))
    _arrow(picture, (308, 80), (466, 218))
    traced = _traced(picture, nodes, [*texts, top])
    (named,) = traced.nodes
    assert named.label == "root"
    assert _ends(traced) == [(named.id, "one"), (named.id, "two")]


@pytest.mark.parametrize("base", [227, 229])
def test_handles_over_the_tips_of_heads_are_no_heads(base: int) -> None:
    """A flow editor's dark theme: borders and handles of one grey, lines and heads of another that is not much lighter."""
    picture = np.full((360, 700, 3), 20, np.uint8)
    nodes = []
    for name, (left, top) in {"one": (60, 60), "two": (60, 240)}.items():
        right, bottom = left + 140, top + 60
        cv2.rectangle(picture, (left, top), (right, bottom), (32, 32, 32), cv2.FILLED)
        cv2.rectangle(picture, (left, top), (right, bottom), (85, 85, 85), 1)
        cv2.putText(picture, name, (left + 50, top + 36), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (240, 240, 240), 1, cv2.LINE_AA)
        nodes.append(_node(name, Shape.rectangle, ((left, top), (right, top), (right, bottom), (left, bottom))))
    cv2.line(picture, (130, 124), (130, base), (136, 136, 136), 2)
    cv2.fillPoly(picture, [np.array([(130, 237), (125, base), (135, base)], np.int32)], (136, 136, 136))
    for y in (60, 120, 240, 300):
        cv2.circle(picture, (130, y), 5, (85, 85, 85), cv2.FILLED, cv2.LINE_AA)
    (found,) = _traced(picture, nodes, []).lines
    assert (found.source, found.target, found.source_head, found.target_head) == ("one", "two", Head.none, Head.arrow)


def test_a_head_off_its_line_that_was_read_as_a_doubtful_sign_is_no_text() -> None:
    """A copy's pale line fades out before its dark head, which reads as a letter by itself; a sure one is a letter."""
    picture = _sheet()
    nodes = [_box(picture, "from", (250, 20, 350, 70)), _box(picture, "to", (250, 260, 350, 310))]
    cv2.line(picture, (300, 72), (300, 243), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(300, 257), (293, 248), (307, 248)], np.int32)], BLACK)
    box = Frame(x=291, y=241, width=18, height=18)
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    sign = TextNote(writer=Agent.text_spotter, pixels=box, id="t1", text="中", corners=corners, turned=0, confidence=0.55)
    letter = sign.model_copy(update={"id": "t2", "confidence": 1.0})
    assert _real_texts(prepare(picture), [sign, letter], frozenset(), nodes) == [letter]
