"""Scores of graphs: strict one-to-one, paths with directions, and the released code's faults in the compatible mode."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy
import pytest

from tests.benchmarks.diagram_truth.topology import GENRES, sketch
from tools.diagram.metrics.graphs import score_graph
from tools.diagram.model.graph import Diagram, Edge, Frame, Group, Head, Node, Shape


class Letters:
    """An encoder that knows equal texts only: each first letter has a dimension of its own."""

    name = "letters"

    def encode(self, texts: Sequence[str]) -> numpy.ndarray:
        """One-hot rows."""
        return numpy.eye(26)[[ord(text[0].upper()) - 65 for text in texts]]


def graph(*edges: str, extra: str = "", head: Head = Head.arrow) -> Diagram:
    """`graph("AB", "BC")`: nodes by letter, edges by pairs."""
    names = sorted(set("".join(edges) + extra))
    nodes = tuple(Node(id=name, label=name, shape=Shape.rectangle) for name in names)
    lines = tuple(Edge(id=f"e{at}", source=pair[0], target=pair[1], target_head=head) for at, pair in enumerate(edges))
    return Diagram(nodes=nodes, edges=lines)


def test_a_diagram_agrees_with_itself() -> None:
    """All genres, both modes without a model: everything is 1 and nothing is missed."""
    for seed in range(24):
        diagram, _ = sketch(Random(seed), list(GENRES)[seed % 8], 6 + seed)
        for mode in ("strict", "path"):
            score = score_graph(diagram, diagram, mode=mode)
            assert (score.nodes.f1, score.edges.f1, score.s_graph) == (1, 1, 1)
        assert score_graph(diagram, diagram).missed_edges == ()


def test_reversed_edges_are_wrong_except_in_the_released_code() -> None:
    """A → B → C against B → A, C → B: 0 in strict and path, 1 in compat."""
    gold, turned = graph("AB", "BC"), graph("BA", "CB")
    strict = score_graph(turned, gold)
    assert strict.edges.f1 == 0
    assert strict.detail is not None
    assert strict.detail.reversed == 2
    assert score_graph(turned, gold, mode="path").edges.f1 == 0
    assert score_graph(turned, gold, mode="compat", encoder=Letters()).edges.f1 == 1


def test_recall_stays_below_one_except_in_the_released_code() -> None:
    """Two true edges, all six pairs predicted: the released code says P 1, R 3, F1 1.5."""
    gold, full = graph("AB", "BC"), graph("AB", "AC", "BA", "BC", "CA", "CB")
    compat = score_graph(full, gold, mode="compat", encoder=Letters()).edges
    assert (compat.precision, compat.recall, compat.f1) == (1, 3, 1.5)
    strict, path = score_graph(full, gold).edges, score_graph(full, gold, mode="path").edges
    assert (strict.precision, strict.recall) == (pytest.approx(1 / 3), 1)
    assert (path.precision, path.recall) == (0.5, 1)


def test_paths_forgive_a_node_left_out() -> None:
    """A → C where the truth has A → B → C is right by paths and wrong strictly."""
    gold, short = graph("AB", "BC"), graph("AC")
    assert score_graph(short, gold, mode="path").edges.precision == 1
    assert score_graph(short, gold, mode="path").edges.recall == 0
    assert score_graph(short, gold).edges.f1 == 0


def test_an_undirected_edge_is_not_a_directed_one() -> None:
    """Lines without heads match either way round, but neither stands for an arrow."""
    plain, turned, arrow = graph("AB", head=Head.none), graph("BA", head=Head.none), graph("AB")
    assert score_graph(turned, plain).edges.f1 == 1
    assert score_graph(arrow, plain).edges.f1 == 0
    assert score_graph(plain, arrow).edges.f1 == 0


def test_every_true_edge_counts_once() -> None:
    """Parallel edges: two true ones are met by two, not by one; labels decide which is which."""
    two = Diagram(
        nodes=graph("AB").nodes,
        edges=(Edge(id="e1", source="A", target="B", label="x"), Edge(id="e2", source="A", target="B", label="y")),
    )
    first = two.model_copy(update={"edges": (two.edges[1],)})
    assert (score_graph(first, two).edges.precision, score_graph(first, two).edges.recall) == (1, 0.5)
    assert score_graph(first, two).missed_edges == ("e1",)
    assert (score_graph(two, first).edges.precision, score_graph(two, first).wrong_edges) == (0.5, ("e1",))
    assert score_graph(two, two).detail == score_graph(two, two).detail


def test_splitting_a_node_does_not_pay() -> None:
    """The same label twice: one of them is invented."""
    gold = graph("AB")
    split = Diagram(nodes=(*gold.nodes, Node(id="A2", label="A")), edges=gold.edges)
    score = score_graph(split, gold)
    assert (score.nodes.precision, score.nodes.recall, score.invented_nodes) == (pytest.approx(2 / 3), 1, ("A2",))


def test_equal_labels_are_told_apart_by_place_and_neighbours() -> None:
    """Two nodes of one name: boxes decide, and without boxes what they are joined to."""
    names = ("Start", "Copy", "Copy", "End")
    nodes = tuple(Node(id=f"n{at}", label=name, box=Frame(x=100 * at, y=0, width=50, height=20)) for at, name in enumerate(names))
    gold = Diagram(nodes=nodes, edges=(Edge(id="e1", source="n0", target="n1"), Edge(id="e2", source="n2", target="n3")))
    order = (nodes[3], nodes[2], nodes[1], nodes[0])
    assert score_graph(gold.model_copy(update={"nodes": order}), gold).edges.f1 == 1
    bare = [node.model_copy(update={"box": None}) for node in order]
    assert score_graph(gold.model_copy(update={"nodes": tuple(bare)}), gold).edges.f1 == 1


def test_edges_at_groups_need_the_group() -> None:
    """An edge that ends at a group's frame is another than one that ends at a node in it."""
    nodes = (Node(id="a", label="A"), Node(id="b", label="B", parent="g"))
    gold = Diagram(nodes=nodes, groups=(Group(id="g", label="Box"),), edges=(Edge(id="e", source="a", target="g"),))
    inside = gold.model_copy(update={"edges": (Edge(id="e", source="a", target="b"),)})
    assert score_graph(gold, gold).edges.f1 == 1
    assert score_graph(inside, gold).edges.f1 == 0


def test_nothing_against_nothing_is_one_and_against_something_nought() -> None:
    """Empty sides."""
    assert score_graph(Diagram(), Diagram()).s_graph == 1
    assert score_graph(Diagram(), graph("AB")).s_graph == 0
    assert score_graph(graph("AB"), Diagram()).s_graph == 0


def test_modes_are_checked() -> None:
    """An unknown mode, and the compatible one without an encoder."""
    with pytest.raises(ValueError, match="no mode"):
        score_graph(Diagram(), Diagram(), mode="best")
    with pytest.raises(ValueError, match="encoder"):
        score_graph(Diagram(), Diagram(), mode="compat")
