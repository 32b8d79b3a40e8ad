"""A predicted diagram against the true one, in three modes.

`strict`  one-to-one matching of nodes by label; an edge is right if the true diagram has one between the matched ends, in
          the same direction, each true edge counted once. This is what Assay's own figures are in.
`path`    the paper's definition, mended: a true node is recovered if any predicted one matches; a predicted edge is right if a
          *directed* path joins what its ends match; a true edge is recovered if one joins what matches it in the prediction.
`compat`  what the paper's released code computes: paths without direction, recall counted in pairs and not limited to 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import networkx

from tools.diagram.metrics.labels import agreement, squeezed
from tools.diagram.metrics.matching import match_groups, match_nodes
from tools.diagram.metrics.score import EdgeDetail, GraphScore, Tally
from tools.diagram.model.graph import Diagram, Edge
from tools.encoder import Encoder

COMPAT_COSINE = 0.5
MODES = ("strict", "path", "compat")

_Key = tuple[str, str, bool]


def score_graph(predicted: Diagram, truth: Diagram, *, mode: str = "strict", encoder: Encoder | None = None) -> GraphScore:
    """Compares two diagrams.

    Raises `ValueError` for an unknown mode, or in `compat` without an encoder, which has no other measure.
    """
    if mode == "strict":
        return _strict(predicted, truth, encoder)
    if mode == "path":
        return _loose(predicted, truth, mode, lambda first, other: agreement(first, other, encoder) > 0, directed=True)
    if mode == "compat":
        if encoder is None:
            raise ValueError("the compatible mode compares labels by an encoder only")
        return _loose(predicted, truth, mode, _by_cosine(encoder, (predicted, truth)), directed=False)
    raise ValueError(f"no mode {mode}; there are: {', '.join(MODES)}")


def _strict(predicted: Diagram, truth: Diagram, encoder: Encoder | None) -> GraphScore:
    nodes, groups = match_nodes(predicted, truth, encoder), match_groups(predicted, truth, encoder)
    true_nodes, found_nodes = {node.id: node for node in truth.nodes}, {node.id: node for node in predicted.nodes}
    pairs = [(found_nodes[first], true_nodes[other]) for first, other in nodes.items()]
    matched, wrong, missed, turned = _match_edges(predicted, truth, nodes | groups)
    exact = sum(squeezed(first.label) == squeezed(other.label) for first, other in pairs)
    shapes = sum(first.shape is other.shape for first, other in pairs)
    parents = sum((groups.get(first.parent or "") if first.parent else None) == other.parent for first, other in pairs)
    return GraphScore(
        mode="strict",
        nodes=_one_to_one(len(pairs), predicted.nodes, truth.nodes),
        edges=_one_to_one(len(matched), predicted.edges, truth.edges),
        groups=_one_to_one(len(groups), predicted.groups, truth.groups),
        detail=_detail(matched, turned),
        exact_labels=exact / len(pairs) if pairs else None,
        shapes=shapes / len(pairs) if pairs else None,
        parents=parents / len(pairs) if pairs else None,
        node_pairs=tuple(nodes.items()),
        missed_nodes=tuple(node.id for node in truth.nodes if node.id not in nodes.values()),
        invented_nodes=tuple(node.id for node in predicted.nodes if node.id not in nodes),
        missed_edges=tuple(missed),
        wrong_edges=tuple(wrong),
    )


def _one_to_one(right: int, found: Iterable[object], wanted: Iterable[object]) -> Tally:
    return Tally(right=right, found=len(list(found)), recovered=right, wanted=len(list(wanted)))


def _key(edge: Edge, names: dict[str, str] | None = None) -> _Key | None:
    """What identifies an edge among its equals: its ends (in the truth's ids) and whether it has one direction."""
    source, target = (edge.source, edge.target) if names is None else (names.get(edge.source, ""), names.get(edge.target, ""))
    if not source or not target:
        return None
    return (source, target, True) if edge.directed else (min(source, target), max(source, target), False)


def _match_edges(
    predicted: Diagram, truth: Diagram, names: dict[str, str]
) -> tuple[list[tuple[Edge, Edge]], list[str], list[str], int]:
    """Matched pairs, ids of wrong predicted edges, ids of missed true ones, and how many wrong ones are only turned round."""
    waiting: dict[_Key, list[Edge]] = defaultdict(list)
    for edge in truth.edges:
        key = _key(edge)
        if key is not None:
            waiting[key].append(edge)
    matched: list[tuple[Edge, Edge]] = []
    left: list[Edge] = []
    for same_label in (True, False):
        # Of parallel edges those with the same label belong together.
        remaining = predicted.edges if same_label else left
        left = []
        for edge in remaining:
            key = _key(edge, names)
            candidates = waiting.get(key, []) if key is not None else []
            chosen = next(
                (candidate for candidate in candidates if not same_label or squeezed(candidate.label) == squeezed(edge.label)),
                None,
            )
            if chosen is None:
                left.append(edge)
            else:
                candidates.remove(chosen)
                matched.append((edge, chosen))
    missed = [edge.id for edge in truth.edges if any(edge is left for group in waiting.values() for left in group)]
    ends = Counter(frozenset((edge.source, edge.target)) for group in waiting.values() for edge in group)
    turned = 0
    for edge in left:
        around = frozenset((names.get(edge.source, ""), names.get(edge.target, "")))
        if ends[around] > 0:
            ends[around] -= 1
            turned += 1
    return matched, [edge.id for edge in left], missed, turned


def _detail(matched: list[tuple[Edge, Edge]], turned: int) -> EdgeDetail:
    heads = 0
    for first, other in matched:
        ends, true_ends = (first.source_head, first.target_head), (other.source_head, other.target_head)
        heads += ends == true_ends or (not other.directed and ends == true_ends[::-1])
    return EdgeDetail(
        matched=len(matched),
        label=sum(squeezed(first.label) == squeezed(other.label) for first, other in matched),
        stroke=sum(first.stroke is other.stroke for first, other in matched),
        heads=heads,
        reversed=turned,
    )


def _by_cosine(encoder: Encoder, diagrams: tuple[Diagram, ...]) -> Callable[[str, str], bool]:
    texts = sorted({thing.label for diagram in diagrams for thing in (*diagram.nodes, *diagram.groups)})
    vectors = dict(zip(texts, encoder.encode(texts), strict=True)) if texts else {}

    def same(first: str, other: str) -> bool:
        if not first or not other:
            return False
        return float(vectors[first] @ vectors[other]) >= COMPAT_COSINE

    return same


def _loose(predicted: Diagram, truth: Diagram, mode: str, same: Callable[[str, str], bool], *, directed: bool) -> GraphScore:
    met: dict[str, set[str]] = {}
    things = (*truth.nodes, *truth.groups)
    for each_node in (*predicted.nodes, *predicted.groups):
        empty = not each_node.label.strip()
        met[each_node.id] = {
            other.id
            for other in things
            if (empty and not other.label.strip() and _kind(each_node) == _kind(other))
            or (not empty and same(each_node.label, other.label))
        }
    back: dict[str, set[str]] = defaultdict(set)
    for first, others in met.items():
        for other in others:
            back[other].add(first)
    found, wanted = [node.id for node in predicted.nodes], [node.id for node in truth.nodes]
    nodes = Tally(
        right=sum(bool(met[found_label]) for found_label in found),
        found=len(found),
        recovered=sum(bool(back[wanted_label]) for wanted_label in wanted),
        wanted=len(wanted),
    )
    edges = _paths(predicted, truth, met, back) if directed else _compat_edges(predicted, truth, met)
    return GraphScore(mode=mode, nodes=nodes, edges=edges)


def _kind(thing: object) -> str:
    return str(getattr(thing, "shape", "group"))


def _reach(diagram: Diagram, *, directed: bool) -> dict[str, set[str]]:
    """For every thing all that a path of at least one edge leads to."""
    graph: networkx.Graph = networkx.DiGraph() if directed else networkx.Graph()
    graph.add_nodes_from(thing.id for thing in (*diagram.nodes, *diagram.groups))
    for edge in diagram.edges:
        graph.add_edge(edge.source, edge.target)
        if not edge.directed:
            graph.add_edge(edge.target, edge.source)
    reach: dict[str, set[str]] = {}
    for start in graph:
        beyond: set[str] = set()
        for neighbour in graph[start]:
            if neighbour not in beyond:
                beyond |= {neighbour, *networkx.descendants(graph, neighbour)}
        reach[start] = beyond
    return reach


def _paths(predicted: Diagram, truth: Diagram, met: dict[str, set[str]], back: dict[str, set[str]]) -> Tally:
    reach, reached = _reach(truth, directed=True), _reach(predicted, directed=True)

    def joined(edge: Edge, names: dict[str, set[str]], ways: dict[str, set[str]]) -> bool:
        """Some path joins what the ends stand for: from source to target, or either way if the edge has no direction."""
        for name in names[edge.source]:
            for other in names[edge.target]:
                if other in ways[name] or (not edge.directed and name in ways[other]):
                    return True
        return False

    return Tally(
        right=sum(joined(edge, met, reach) for edge in predicted.edges),
        found=len(predicted.edges),
        recovered=sum(joined(edge, back, reached) for edge in truth.edges),
        wanted=len(truth.edges),
    )


def _compat_edges(predicted: Diagram, truth: Diagram, met: dict[str, set[str]]) -> Tally:
    reach = _reach(truth, directed=False)
    pairs: set[tuple[str, str]] = set()
    right = 0
    for edge in predicted.edges:
        joined = {(first, other) for first in met[edge.source] for other in met[edge.target] if other in reach[first]}
        right += bool(joined)
        pairs |= {next(iter(sorted(joined)))} if joined else set()
    return Tally(right=right, found=len(predicted.edges), recovered=len(pairs), wanted=len(truth.edges))
