"""The state machine's shape."""

from __future__ import annotations

from typing import get_type_hints

from agent.run.graph import build
from agent.run.state import State

ORDER = ("launch", "perceive", "plan", "explore", "seal", "score", "prove", "report")


def test_every_node_of_the_design_is_there() -> None:
    """Nodes and the order of the straight way through."""
    graph = build()
    assert {name for name in graph.nodes if not name.startswith("__")} == set(ORDER)
    assert {("seal", "score"), ("score", "prove"), ("prove", "report")} <= graph.edges


def test_the_state_carries_only_small_values() -> None:
    """Ids, numbers and words: nothing that could make a checkpoint large."""
    for name, kind in get_type_hints(State).items():
        assert kind in {bool, int, str} or "Literal" in str(kind), name
