"""Lines whose heads cannot be told by their form: settled by what the picture's other lines look like, and decided together."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.ends.heads import Ending
from tools.diagram.lines.remains import remains
from tools.diagram.model.blackboard import Agent, NodeNote, TextNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.assignment import assigned
from tools.diagram.net.oneway import _at_spike, _give_back
from tools.diagram.net.routes import Route
from tools.diagram.net.tracer import Traced, trace
from tools.diagram.picture.skeleton import Arc, Net
from tools.diagram.picture.surfaces import prepare
from tools.media.image import Picture

BLACK = (0, 0, 0)
Point = tuple[int, int]


def _sheet() -> Picture:
    picture = np.full((520, 760, 3), 255, np.uint8)
    for row in range(4):
        cv2.putText(picture, "words", (690, 40 + 30 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 1)
    return picture


def _box(picture: Picture, name: str, at: Point) -> NodeNote:
    left, top = at
    right, bottom = left + 110, top + 44
    cv2.rectangle(picture, at, (right, bottom), (255, 255, 255), cv2.FILLED)
    cv2.rectangle(picture, at, (right, bottom), BLACK, 2)
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    frame = Frame(x=left, y=top, width=110, height=44)
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=Shape.rectangle, outline=outline)


def _arrow(picture: Picture, start: Point, tip: Point, shown: float = 1.0) -> None:
    """A line with a filled head of which only the hind part is shown, as much as told."""
    cv2.line(picture, start, tip, BLACK, 2)
    base = 14
    front = round(base * (1 - shown))
    for step in range(front, base):
        half = round(6 * step / base)
        cv2.line(picture, (tip[0] - step, tip[1] - half), (tip[0] - step, tip[1] + half), BLACK, 1)


def _four(last: float) -> tuple[Picture, list[NodeNote]]:
    """Four lines from left to right; of the last one's head only a part is shown."""
    picture, nodes = _sheet(), []
    for row in range(5):
        nodes += [_box(picture, f"a{row}", (40, 20 + 96 * row)), _box(picture, f"b{row}", (420, 20 + 96 * row))]
        _arrow(picture, (152, 42 + 96 * row), (418, 42 + 96 * row), last if row == 4 else 1.0)
    return picture, nodes


def _traced(picture: Picture, nodes: list[NodeNote], titles: list[TextNote]) -> Traced:
    return trace(prepare(picture), nodes, [], {}, [], titles)


def test_a_crippled_head_is_told_by_the_others() -> None:
    """Ink beside the line at one end, too little for any head's form: the head is there, as on every other line."""
    picture, nodes = _four(0.0)
    cv2.rectangle(picture, (404, 422), (412, 425), BLACK, cv2.FILLED)
    traced = _traced(picture, nodes, [])
    last = next(line for line in traced.lines if {line.source, line.target} == {"a4", "b4"})
    assert (last.source, last.target, last.target_head) == ("a4", "b4", Head.arrow)


def test_little_is_left_of_a_head_but_more_than_plain_ends_have() -> None:
    """A name covers most of a head: what is seen of it is little, but no end without a head has as much."""
    picture, nodes = _four(0.0)
    cv2.rectangle(picture, (409, 423), (412, 423), BLACK, cv2.FILLED)
    traced = _traced(picture, nodes, [])
    last = next(line for line in traced.lines if {line.source, line.target} == {"a4", "b4"})
    assert (last.source, last.target, last.target_head) == ("a4", "b4", Head.arrow)


def test_a_plain_line_among_arrows_stays_plain() -> None:
    """Where nothing is drawn there is no head."""
    picture, nodes = _four(1.0)
    nodes += [_box(picture, "c", (420, 20)), _box(picture, "d", (560, 220))]
    cv2.line(picture, (615, 40), (615, 219), BLACK, 2)
    nodes.append(_box(picture, "e", (560, 20)))
    traced = _traced(picture, nodes, [])
    plain = next(line for line in traced.lines if {line.source, line.target} == {"d", "e"})
    assert (plain.source_head, plain.target_head) == (Head.none, Head.none)


def test_a_name_beside_its_node_may_hide_the_head() -> None:
    """A line that goes on beneath a name ends at the node behind it, with the head that all lines have."""
    picture, nodes = _four(1.0)
    disc = (620, 300)
    cv2.line(picture, (532, 430), disc, BLACK, 2)
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    outline = tuple((disc[0] + 14 * float(np.cos(t)), disc[1] + 14 * float(np.sin(t))) for t in turns)
    cv2.circle(picture, disc, 14, (60, 120, 200), cv2.FILLED)
    frame = Frame(x=606, y=286, width=28, height=28)
    node = NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id="disc", label="disc", shape=Shape.circle, outline=outline)
    title = written(picture, "name", (575, 318), on_white=True)
    traced = _traced(picture, [*nodes, node], [title])
    found = [line for line in traced.lines if "disc" in {line.source, line.target}]
    assert [(line.source, line.target, line.target_head) for line in found] == [("b4", "disc", Head.arrow)]


def test_every_stretch_of_ink_is_a_lines() -> None:
    """Two lines share a trunk: cheapest pairs alone would leave one branch to nobody."""
    lengths = {1: 80.0, 2: 90.0, 3: 100.0}
    ways = {(1, 2): (0.2, (1, 2)), (1, 3): (0.4, (1, 3)), (2, 3): (9.0, (2, 3))}
    assert assigned([1, 2, 3], ways, {2, 3}, lengths, 12.0) == [(1, 2), (1, 3)]


def test_lines_that_cross_keep_their_ends() -> None:
    """Of four ends those are joined between which the lines turn least."""
    lengths: dict[int, float] = dict.fromkeys(range(1, 5), 100.0)
    ways = {
        (1, 2): (0.1, (1, 2)), (3, 4): (0.1, (3, 4)), (1, 4): (1.5, (1, 4)), (2, 3): (1.5, (2, 3)),
        (1, 3): (8.0, (1, 3)), (2, 4): (8.0, (2, 4)),
    }  # fmt: skip
    assert assigned([1, 2, 3, 4], ways, {2, 4}, lengths, 12.0) == [(1, 2), (3, 4)]


def test_a_head_may_be_another_line_s() -> None:
    """Three ends with heads and one without: a line whose one head is lent is likelier than a turn."""
    lengths = dict.fromkeys(range(1, 6), 100.0)
    ways = {
        (1, 2): (0.1, (1, 2)), (2, 3): (0.1, (2, 3)), (2, 4): (0.1, (2, 4)), (1, 3): (6.0, (1, 3)), (3, 4): (5.0, (3, 4)),
    }  # fmt: skip
    assert assigned([1, 2, 3, 4], ways, {2, 3, 4}, lengths, 12.0) == [(1, 2), (2, 3), (2, 4)]


def test_a_head_that_is_lent_makes_its_line_lend_the_other() -> None:
    """Of a row of lines each ends where the next one begins: every head is one line's."""
    net, found, ports = Net(), [], {}
    places = [((20.0, 20.0), (200.0, 20.0)), ((200.0, 22.0), (380.0, 20.0)), ((380.0, 22.0), (560.0, 20.0))]
    endings: dict[int, Ending] = {}
    for index, (a, b) in enumerate(places):
        start, stop = net.vertex(a), net.vertex(b)
        number = net.add(Arc(np.array([a, b]), (start, stop)))
        ports |= {start: f"n{index}", stop: f"n{index + 1}"}
        endings |= {start: Ending(Head.arrow if index else Head.none, 0.9), stop: Ending(Head.arrow, 0.9)}
        found.append(Route(start, stop, (number,), np.array([a, b]), 0.0))
    told: list[dict[int, Ending]] = [{} for _ in found]
    _give_back(net, found, told, [found[0].stop], ports, endings, 10.0)
    assert [{end: e.head for end, e in line.items()} for line in told] == [
        {}, {found[1].start: Head.none}, {found[2].start: Head.none}
    ]  # fmt: skip


def _pointed(picture: Picture, start: Point, tip: Point) -> None:
    """A line with a filled head that points along it."""
    way = np.subtract(tip, start) / float(np.hypot(*np.subtract(tip, start)))
    side = 4 * np.array([-way[1], way[0]])
    back = np.array(tip) - 8 * way
    cv2.line(picture, start, (round(float(back[0])), round(float(back[1]))), BLACK, 2)
    cv2.fillPoly(picture, [np.round(np.array([tip, back + side, back - side], np.float64)).astype(np.int32)], BLACK)


def test_a_text_that_a_head_points_at_is_a_node_and_no_line_runs_on_through_it() -> None:
    """Two more lines leave it, to either side: together they would look like one that it interrupts."""
    picture = np.full((420, 640, 3), 255, np.uint8)
    boxes = [_box(picture, "top", (250, 20)), _box(picture, "left", (30, 178)), _box(picture, "right", (480, 178))]
    text = written(picture, "Ticket", (272, 194))
    _pointed(picture, (305, 66), (305, 184))
    _pointed(picture, (262, 201), (142, 201))
    _pointed(picture, (348, 201), (478, 201))
    traced = trace(prepare(picture), boxes, [], {}, [text], [])
    assert [node.label for node in traced.nodes] == ["Ticket"]
    (name,) = (node.id for node in traced.nodes)
    found = {
        (line.source, line.target) if line.target_head is not Head.none else (line.target, line.source) for line in traced.lines
    }
    assert found == {("top", name), (name, "left"), (name, "right")}


def test_an_end_at_a_sharp_corner_is_not_surely_bare() -> None:
    """What sticks out of the border there is taken away, and a head with it; at the sides of the node nothing is."""
    picture = _sheet()
    corners = np.array([(160, 200), (300, 170), (440, 200), (300, 230)], np.int32)
    cv2.polylines(picture, [corners], True, BLACK, 2)
    cv2.line(picture, (40, 200), (150, 200), BLACK, 2)
    outline = tuple((float(x), float(y)) for x, y in corners)
    frame = Frame(x=160, y=170, width=280, height=60)
    node = NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id="n", label="n", shape=Shape.diamond, outline=outline)
    left = remains(prepare(picture), [node], [], {}, [])
    net = Net()
    far, corner, side = net.vertex((40.0, 200.0)), net.vertex((150.0, 200.0)), net.vertex((300.0, 240.0))
    net.add(Arc(np.array([net.places[far], net.places[corner]]), (far, corner)))
    assert _at_spike(net, left, corner, 12.0)
    assert not any(_at_spike(net, left, end, 12.0) for end in (far, side))
