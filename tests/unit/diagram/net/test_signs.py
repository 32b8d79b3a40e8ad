"""Signs of how many at the ends of relations."""

from __future__ import annotations

import numpy as np

from tools.diagram.ends.heads import Ending
from tools.diagram.model.blackboard import Agent, NodeNote
from tools.diagram.model.graph import Frame, Head, Shape
from tools.diagram.net.routes import Route
from tools.diagram.net.signs import settle_signs

PORTS = {1: "a", 2: "b", 3: "b", 4: "c", 5: "c", 6: "d"}


def _nodes(shape: Shape) -> list[NodeNote]:
    frame = Frame(x=0, y=0, width=10, height=10)
    outline = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    return [
        NodeNote(writer=Agent.fusion_arbiter, pixels=frame, id=name, label=name, shape=shape, outline=outline) for name in "abcd"
    ]


def _settled(shape: Shape, heads: tuple[Head, ...]) -> list[dict[int, Ending]]:
    routes = [Route(start, start + 1, (start,), np.zeros((2, 2)), 0.0) for start in (1, 3, 5)]
    endings = {end: Ending(head, 0.9) for end, head in enumerate(heads, start=1)}
    return settle_signs(routes, PORTS, endings, _nodes(shape))


def test_a_relation_of_tables_has_two_signs() -> None:
    """One sign was seen: the other is there. Of a line with none nothing is said."""
    heads = (Head.bar, Head.none, Head.circle, Head.bar, Head.none, Head.none)
    assert _settled(Shape.table, heads) == [{2: Ending(Head.bar, 0.4)}, {}, {}]


def test_most_lines_signed_at_both_ends_tell_the_rest() -> None:
    """No table is needed where two of three have two."""
    heads = (Head.bar, Head.arrow, Head.circle, Head.bar, Head.none, Head.bar)
    assert _settled(Shape.rectangle, heads) == [{}, {}, {5: Ending(Head.bar, 0.4)}]


def test_signs_that_look_like_arrows_are_told_by_the_tables() -> None:
    """Most lines between tables have two heads and one of them is a sign: so are the others'."""
    heads = (Head.bar, Head.arrow, Head.arrow, Head.arrow, Head.none, Head.arrow)
    assert _settled(Shape.table, heads) == [{}, {}, {5: Ending(Head.bar, 0.4)}]
    assert _settled(Shape.rectangle, heads) == [{}, {}, {}]


def test_arrows_stay_one_way() -> None:
    """Round heads at one end of lines between boxes are heads."""
    heads = (Head.none, Head.circle, Head.none, Head.circle, Head.none, Head.circle)
    assert _settled(Shape.rectangle, heads) == [{}, {}, {}]
    assert _settled(Shape.table, (Head.none, Head.arrow) * 3) == [{}, {}, {}]
