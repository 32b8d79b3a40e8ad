"""From prepared pixels to a diagram: what the Line Tracer adds to the grounded nodes, in the original picture's pixels."""

from __future__ import annotations

import numpy as np

from tools.diagram.model.blackboard import GroupNote, LineNote, NodeNote, ShapeNote
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Group, Head, Node
from tools.diagram.picture.skeleton import Points


def outlines(groups: list[GroupNote], shapes: tuple[ShapeNote, ...]) -> dict[str, Points]:
    """Outline (n, 2) of each group by its id."""
    by_id = {shape.id: shape for shape in shapes}
    return {group.id: np.array(by_id[group.shapes[0]].outline, dtype=float) for group in groups}


def assemble(nodes: list[NodeNote], groups: list[GroupNote], lines: list[LineNote], scale: float) -> Diagram:
    """The notes as a diagram, in pixels of the original picture."""
    made = [
        Node(
            id=note.id,
            label=note.label,
            shape=note.shape,
            box=original(note.pixels, scale),
            parent=note.parent,
            rows=note.rows,
            confidence=note.confidence,
        )
        for note in nodes
    ]
    framed = [
        Group(
            id=note.id,
            label=note.label,
            kind="lane" if note.lane else "frame",
            box=original(note.pixels, scale),
            parent=note.parent,
            confidence=note.confidence,
        )
        for note in groups
    ]
    edges = [
        Edge(
            id=f"e{i}", source=line.source, target=line.target, label=line.label, source_label=line.source_label,
            target_label=line.target_label, source_head=line.source_head, target_head=line.target_head, stroke=line.stroke,
            path=tuple((x / scale, y / scale) for x, y in line.path), confidence=line.confidence,
        )
        for i, line in enumerate(lines, start=1)
    ]  # fmt: skip
    return Diagram(flow=flow_of(lines), nodes=tuple(made), edges=tuple(edges), groups=tuple(framed))


def original(frame: Frame, scale: float) -> Frame:
    """A frame of the working picture in pixels of the original."""
    return Frame(x=frame.x / scale, y=frame.y / scale, width=frame.width / scale, height=frame.height / scale)


def flow_of(lines: list[LineNote]) -> Flow:
    """The way most headed lines run; none if less than 60 % of them agree."""
    votes = dict.fromkeys((Flow.down, Flow.up, Flow.right, Flow.left), 0)
    counted = 0
    for line in lines:
        if line.target_head is Head.none or line.source_head is not Head.none or line.source == line.target:
            continue
        dx, dy = line.path[-1][0] - line.path[0][0], line.path[-1][1] - line.path[0][1]
        counted += 1
        if abs(dx) > abs(dy):
            votes[Flow.right if dx > 0 else Flow.left] += 1
        else:
            votes[Flow.down if dy > 0 else Flow.up] += 1
    best = max(votes, key=lambda way: votes[way])
    return best if counted and votes[best] >= 0.6 * counted else Flow.none
