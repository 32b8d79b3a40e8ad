"""Writes Mermaid flowcharts, valid for Mermaid 11: all shapes, strokes and heads it has, groups, edges that end at a group."""

from __future__ import annotations

from tools.diagram.formats.mermaid_text import Ids, note, quoted
from tools.diagram.model.graph import Diagram, Edge, Flow, Head, Node, Shape, Stroke

BRACKETS: dict[Shape, tuple[str, str]] = {
    Shape.rectangle: ("[", "]"),
    Shape.rounded: ("(", ")"),
    Shape.stadium: ("([", "])"),
    Shape.circle: ("((", "))"),
    Shape.double_circle: ("(((", ")))"),
    Shape.diamond: ("{", "}"),
    Shape.parallelogram: ("[/", "/]"),
    Shape.trapezium: ("[/", "\\]"),
    Shape.hexagon: ("{{", "}}"),
    Shape.cylinder: ("[(", ")]"),
    Shape.subroutine: ("[[", "]]"),
}
"""Shapes with brackets of their own."""

NAMED: dict[Shape, str] = {
    Shape.triangle: "tri",
    Shape.cloud: "cloud",
    Shape.document: "doc",
    Shape.point: "f-circ",
    Shape.bar: "fork",
    Shape.text: "text",
}
"""Shapes that Mermaid knows by name: `n1@{ shape: doc }`."""

_LINES = {Stroke.solid: "--", Stroke.dashed: "-.-", Stroke.dotted: "-.-", Stroke.thick: "=="}
_PLAIN = {Stroke.solid: "---", Stroke.dashed: "-.-", Stroke.dotted: "-.-", Stroke.thick: "==="}
_ENDS = {Head.arrow: (">", "<"), Head.circle: ("o", "o"), Head.cross: ("x", "x")}


def write_flowchart(diagram: Diagram) -> str:
    """The diagram as Mermaid text, ending in a line break.

    Positions are not kept; everything else is, some of it in comments.
    """
    ids = Ids([thing.id for thing in (*diagram.nodes, *diagram.groups)])
    lines = [f"flowchart {diagram.flow.value if diagram.flow is not Flow.none else 'TB'}"]
    if diagram.flow is Flow.none:
        lines.append(note("flow", "none", {}))
    if diagram.title:
        lines.append(note("title", "is", {"text": diagram.title}))
    lines += _members(diagram, None, ids, 1)
    for number, edge in enumerate(diagram.edges, start=1):
        lines += _edge(edge, number, ids)
    return "\n".join(lines) + "\n"


def _members(diagram: Diagram, parent: str | None, ids: Ids, depth: int) -> list[str]:
    pad, lines = "    " * depth, []
    for node in diagram.nodes:
        if node.parent == parent:
            lines += [pad + line for line in _node(node, ids)]
    for group in diagram.groups:
        if group.parent != parent:
            continue
        extra = {"id": group.id} if ids.changed(group.id) else {}
        extra |= {"kind": group.kind} if group.kind != "frame" else {}
        inside = _members(diagram, group.id, ids, depth + 1)
        if not inside:
            # Mermaid takes a group without members for a node.
            extra |= {"empty": "yes"}
        lines += [pad + note("group", ids[group.id], extra)] if extra else []
        lines += [f"{pad}subgraph {ids[group.id]}[{quoted(group.label or ' ')}]", *inside, f"{pad}end"]
    return lines


def _node(node: Node, ids: Ids) -> list[str]:
    name, extra = ids[node.id], ({"id": node.id} if ids.changed(node.id) else {})
    label = "\n".join((node.label, *node.rows)) if node.rows else node.label
    if node.rows:
        extra |= {"rows": str(sum(row.count("\n") + 1 for row in node.rows))}
    if not label:
        # Mermaid shows the id where there is no label.
        extra |= {"label": ""}
    if node.shape in BRACKETS:
        left, right = BRACKETS[node.shape]
        text = f"{name}{left}{quoted(label or ' ')}{right}"
    elif node.shape in NAMED:
        text = f"{name}@{{ shape: {NAMED[node.shape]}, label: {quoted(label or ' ')} }}"
    else:
        extra |= {"shape": node.shape.value}
        text = f"{name}([{quoted(label or ' ')}])" if node.shape is Shape.ellipse else f"{name}[{quoted(label or ' ')}]"
    return ([note("node", name, extra)] if extra else []) + [text]


def _edge(edge: Edge, number: int, ids: Ids) -> list[str]:
    extra: dict[str, str] = {}
    if edge.target_head not in {Head.none, *_ENDS}:
        extra["target_head"] = edge.target_head.value
    if edge.source_head is not Head.none and (edge.source_head not in _ENDS or edge.source_head is not edge.target_head):
        extra["source_head"] = edge.source_head.value
    if edge.stroke is Stroke.dotted:
        extra["stroke"] = edge.stroke.value
    for key, value in (("source_label", edge.source_label), ("target_label", edge.target_label)):
        extra |= {key: value} if value else {}
    label = f"|{quoted(edge.label)}|" if edge.label else ""
    text = f"    {ids[edge.source]} {_link(edge)}{label} {ids[edge.target]}"
    return ([note("edge", str(number), extra)] if extra else []) + [text]


def _link(edge: Edge) -> str:
    """The line with its heads. Mermaid draws two heads only if they are of one kind, and none at the source alone."""
    if edge.target_head is Head.none and edge.source_head is Head.none:
        return _PLAIN[edge.stroke]
    line = _LINES[edge.stroke]
    right, left = _ENDS.get(edge.target_head, (">", "<"))
    return (left if edge.source_head is not Head.none else "") + line + right
