"""The contract: a diagram checks itself and always gives the same bytes."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from tools.diagram.model.graph import Diagram, Edge, Frame, Group, Head, Node


def test_same_diagram_same_bytes() -> None:
    """A diagram survives its JSON, and coordinates are rounded to tenths."""
    node = Node(id="a", label="Größe\n二", box=Frame(x=1.26, y=-0.04, width=3, height=4))
    diagram = Diagram(nodes=(node, Node(id="b")), edges=(Edge(id="e", source="a", target="b", path=((0.11, 2),)),))
    text = diagram.to_json()
    assert Diagram.from_json(text) == diagram
    assert Diagram.from_json(text).to_json() == text
    assert '"x": 1.3' in text


@pytest.mark.parametrize(
    "broken",
    [
        {"nodes": (Node(id="a"), Node(id="a"))},
        {"nodes": (Node(id="a"),), "edges": (Edge(id="e", source="a", target="b"),)},
        {"nodes": (Node(id="a", parent="g"),)},
        {"groups": (Group(id="g", parent="h"), Group(id="h", parent="g"))},
    ],
)
def test_broken_diagrams_are_refused(broken: dict[str, tuple[object, ...]]) -> None:
    """Doubled ids, edges to nowhere, unknown parents and rings of groups raise."""
    with pytest.raises(ValidationError):
        Diagram.model_validate(broken)


def test_direction_is_told_by_heads() -> None:
    """One head directs, two run both ways, none leaves it open."""
    edge = Edge(id="e", source="a", target="b")
    assert edge.directed
    assert not edge.both_ways
    assert edge.model_copy(update={"source_head": Head.arrow}).both_ways
    assert not edge.model_copy(update={"target_head": Head.none}).directed
