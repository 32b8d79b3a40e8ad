"""Large pointed heads: their barbs are no lines, and they are heads though they reach farther than usual ones."""

from __future__ import annotations

import cv2
import numpy as np

from tests.unit.diagram.drawing import written
from tools.diagram.lines.barbs import without_barbs
from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.tracer import trace
from tools.diagram.picture.skeleton import Arc, Net
from tools.diagram.picture.surfaces import prepare
from tools.media.image import Picture

BLACK = (0, 0, 0)


def _net(turns: tuple[tuple[int, int], ...]) -> tuple[Net, dict[int, int]]:
    """A line from the left to a knee, a tip right of it at a port, and loose ends that lead from the knee to those places."""
    net = Net()
    start, knee, tip = net.vertex((0.0, 100.0)), net.vertex((200.0, 100.0)), net.vertex((215.0, 100.0))
    for a, b in ((start, knee), (knee, tip)):
        net.add(Arc(np.array([net.places[a], net.places[b]]), (a, b)))
    for x, y in turns:
        end = net.vertex((float(x), float(y)))
        net.add(Arc(np.array([net.places[knee], net.places[end]]), (knee, end)))
    return net, {start: 1, tip: 2}


def test_two_loose_ends_that_lean_back_are_barbs() -> None:
    """To either side of the line and as long as each other; the port ahead is the tip of a head."""
    net, ports = _net(((182, 84), (182, 116)))
    knees, tips = without_barbs(net, ports, 12.0)
    assert (len(knees), [net.places[v] for v in tips]) == (1, [(215.0, 100.0)])
    assert len(net.arcs) == 2


def test_one_loose_end_or_two_of_unlike_lengths_are_none() -> None:
    """A line that branches off stays, and so do two on one side."""
    for turns in (((182, 84),), ((182, 84), (195, 105)), ((182, 84), (180, 88))):
        net, ports = _net(turns)
        assert without_barbs(net, ports, 12.0) == ([], frozenset())
        assert len(net.arcs) == 2 + len(turns)


def _box(picture: Picture, name: str, left: int) -> NodeNote:
    cv2.rectangle(picture, (left, 130), (left + 90, 180), BLACK, 2)
    outline = ((left, 130), (left + 90, 130), (left + 90, 180), (left, 180))
    frame = Frame(x=left, y=130, width=90, height=50)
    return NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=Shape.rectangle, outline=outline)


def test_a_head_much_larger_than_letters_is_seen() -> None:
    """Thick lines have heads with barbs twice as long as letters are high."""
    picture = np.full((300, 600, 3), 255, np.uint8)
    nodes = [_box(picture, "a", 40), _box(picture, "b", 420)]
    texts = [written(picture, "words", (240 + 60 * (row % 2), 10 + 22 * row)) for row in range(4)]
    cv2.line(picture, (132, 155), (400, 155), BLACK, 4)
    cv2.fillPoly(picture, [np.array([(417, 155), (380, 137), (398, 155), (380, 173)], np.int32)], BLACK)
    (line,) = trace(prepare(picture), nodes, [], {}, texts, []).lines
    assert (line.source, line.target, line.target_head) == ("a", "b", Head.arrow)


def test_a_name_that_a_large_open_head_points_at_is_no_label() -> None:
    """One line ends at the name with a head twice as long as letters are high, another leaves it."""
    picture = np.full((300, 600, 3), 255, np.uint8)
    nodes = [_box(picture, "a", 40), _box(picture, "b", 480)]
    texts = [written(picture, "words", (240 + 60 * (row % 2), 10 + 22 * row)) for row in range(4)]
    name = written(picture, "stop", (280, 149))
    cv2.line(picture, (132, 155), (262, 155), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(268, 155), (241, 143), (253, 155), (241, 167)], np.int32)], BLACK)
    cv2.line(picture, (336, 155), (470, 155), BLACK, 2)
    cv2.fillPoly(picture, [np.array([(479, 155), (467, 150), (467, 160)], np.int32)], BLACK)
    traced = trace(prepare(picture), nodes, [], {}, [*texts, name], [])
    (named,) = traced.nodes
    assert sorted((line.source, line.target) for line in traced.lines) == [("a", named.id), (named.id, "b")]
