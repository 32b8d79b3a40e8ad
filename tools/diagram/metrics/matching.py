"""Which predicted node is which true one: one-to-one, the best sum of agreements (Hungarian), ties by place and neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy
from scipy.optimize import linear_sum_assignment

from tools.diagram.metrics.labels import agreement
from tools.diagram.model.graph import Diagram, Frame, Group, Node
from tools.encoder import Encoder

_PLACE, _NEIGHBOURS, _SHAPE = 0.004, 0.003, 0.001
"""Too little together (0.008) to outweigh a wrong letter in a label of a hundred."""


def match_nodes(predicted: Diagram, truth: Diagram, encoder: Encoder | None = None) -> dict[str, str]:
    """True id of each predicted node that has one."""
    agreements = numpy.array(
        [[node_agreement(each_node, other, encoder) for other in truth.nodes] for each_node in predicted.nodes], dtype=float
    ).reshape(len(predicted.nodes), len(truth.nodes))
    around, around_truth = _neighbours(predicted), _neighbours(truth)
    value = agreements.copy()
    for at, node in enumerate(predicted.nodes):
        for index, other in enumerate(truth.nodes):
            if agreements[at, index] > 0:
                value[at, index] += _PLACE * overlap(node.box, other.box) + _SHAPE * (node.shape is other.shape)
                value[at, index] += _NEIGHBOURS * _alike(around[node.id], around_truth[other.id])
    return _assigned(predicted.nodes, truth.nodes, value, agreements)


def match_groups(predicted: Diagram, truth: Diagram, encoder: Encoder | None = None) -> dict[str, str]:
    """True id of each predicted group that has one; groups without a title by their place."""
    agreements = numpy.zeros((len(predicted.groups), len(truth.groups)))
    value = agreements.copy()
    for at, group in enumerate(predicted.groups):
        for index, other in enumerate(truth.groups):
            place = overlap(group.box, other.box)
            same = agreement(group.label, other.label, encoder)
            if not group.label and not other.label and group.box is not None and other.box is not None:
                same = place if place > 0.5 else 0.0
            agreements[at, index] = same
            value[at, index] = same + _PLACE * place if same else 0.0
    return _assigned(predicted.groups, truth.groups, value, agreements)


def node_agreement(first: Node, other: Node, encoder: Encoder | None) -> float:
    """Agreement of the labels; of two unlabelled nodes by their places, or where there are none by their shapes."""
    if not first.label.strip() and not other.label.strip():
        if first.box is not None and other.box is not None:
            return 1.0 if overlap(first.box, other.box) > 0.2 else 0.0
        return 1.0 if first.shape is other.shape else 0.5
    best = agreement(first.label, other.label, encoder)
    if best < 1 and (first.rows or other.rows):
        # Whether a compartment is the title or a row is a matter of reading.
        whole = [" ".join((node.label, *node.rows)) for node in (first, other)]
        best = max(best, agreement(whole[0], whole[1], encoder))
    return best


def _assigned(
    predicted: Sequence[Node | Group], truth: Sequence[Node | Group], value: numpy.ndarray, allowed: numpy.ndarray
) -> dict[str, str]:
    if value.size == 0:
        return {}
    rows, columns = linear_sum_assignment(value, maximize=True)
    return {predicted[row].id: truth[column].id for row, column in zip(rows, columns, strict=True) if allowed[row, column] > 0}


def overlap(first: Frame | None, other: Frame | None) -> float:
    """Shared area over joint area, 0–1; 0 where a place is unknown."""
    if first is None or other is None:
        return 0.0
    wide = min(first.right, other.right) - max(first.x, other.x)
    high = min(first.bottom, other.bottom) - max(first.y, other.y)
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    return shared / (first.area + other.area - shared)


def _neighbours(diagram: Diagram) -> Mapping[str, frozenset[tuple[str, str]]]:
    """For each node the labels of its neighbours, with the side they are on."""
    labels = {thing.id: " ".join(thing.label.casefold().split()) for thing in (*diagram.nodes, *diagram.groups)}
    found: dict[str, set[tuple[str, str]]] = {name: set() for name in labels}
    for edge in diagram.edges:
        found[edge.source].add(("to", labels[edge.target]))
        found[edge.target].add(("from", labels[edge.source]))
    return {name: frozenset(around) for name, around in found.items()}


def _alike(first: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    joint = first | other
    return len(first & other) / len(joint) if joint else 1.0
