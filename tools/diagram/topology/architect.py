"""Graph Architect: reads the Mermaid code back and grounds every id in the picture: boxes, paths, confidences."""

from __future__ import annotations

from tools.diagram.formats.mermaid_read import read_mermaid
from tools.diagram.model.graph import Canvas, Diagram, Edge, Frame, Group, Node
from tools.diagram.topology.coder import LEAST_CONFIDENCE


def build(code: str, seen: Diagram, canvas: Canvas, remarks: tuple[str, ...]) -> Diagram:
    """The graph that the code says, with the geometry of what was seen.

    Raises `ValueError` if the code names things that were not seen: then the coder invented them.
    """
    told = read_mermaid(code)
    nodes = {node.id: node for node in seen.nodes}
    groups = {group.id: group for group in seen.groups}
    sure = [edge for edge in seen.edges if edge.confidence >= LEAST_CONFIDENCE]
    if len(sure) != len(told.edges) or {n.id for n in told.nodes} != set(nodes) or {g.id for g in told.groups} != set(groups):
        raise ValueError("the code does not say what was seen")
    return Diagram(
        canvas=canvas,
        flow=told.flow,
        title=told.title,
        nodes=tuple(_grounded(node, nodes[node.id]) for node in sorted(told.nodes, key=lambda n: list(nodes).index(n.id))),
        edges=tuple(_traced(edge, line) for edge, line in zip(told.edges, sure, strict=True)),
        groups=tuple(_framed(group, groups[group.id]) for group in sorted(told.groups, key=lambda g: list(groups).index(g.id))),
        remarks=remarks,
    )


def _grounded(told: Node, seen: Node) -> Node:
    return told.model_copy(update={"box": seen.box, "confidence": seen.confidence})


def _framed(told: Group, seen: Group) -> Group:
    return told.model_copy(update={"box": seen.box, "confidence": seen.confidence})


def _traced(told: Edge, seen: Edge) -> Edge:
    if (told.source, told.target) != (seen.source, seen.target):
        raise ValueError("the code joins what was not seen joined")
    return told.model_copy(update={"id": seen.id, "path": seen.path, "confidence": seen.confidence})


def stretched(diagram: Diagram, factor: float) -> Diagram:
    """The diagram with all lengths multiplied: a picture that was worked on at a smaller scale."""

    def frame(box: Frame | None) -> Frame | None:
        if box is None:
            return None
        return Frame(x=box.x * factor, y=box.y * factor, width=box.width * factor, height=box.height * factor)

    return diagram.model_copy(
        update={
            "nodes": tuple(node.model_copy(update={"box": frame(node.box)}) for node in diagram.nodes),
            "groups": tuple(group.model_copy(update={"box": frame(group.box)}) for group in diagram.groups),
            "edges": tuple(
                edge.model_copy(update={"path": tuple((round(x * factor, 1), round(y * factor, 1)) for x, y in edge.path)})
                for edge in diagram.edges
            ),
        }
    )
