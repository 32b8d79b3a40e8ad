"""Writes DOT. Boxes are kept in `assay_box`, other things that DOT has no word for likewise (`assay_shape`, `assay_rows`)."""

from __future__ import annotations

import json

from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Head, Node, Shape, Stroke

WRITTEN: dict[Shape, str] = {
    Shape.rectangle: "box",
    Shape.rounded: "box",
    Shape.stadium: "box",
    Shape.circle: "circle",
    Shape.double_circle: "doublecircle",
    Shape.ellipse: "ellipse",
    Shape.diamond: "diamond",
    Shape.parallelogram: "parallelogram",
    Shape.trapezium: "trapezium",
    Shape.hexagon: "hexagon",
    Shape.triangle: "triangle",
    Shape.polygon: "polygon",
    Shape.cylinder: "cylinder",
    Shape.note: "note",
    Shape.point: "point",
    Shape.text: "plaintext",
}
HEADS = {
    Head.none: "none",
    Head.arrow: "normal",
    Head.triangle: "empty",
    Head.diamond: "odiamond",
    Head.filled_diamond: "diamond",
    Head.circle: "odot",
    Head.bar: "tee",
    Head.crow_foot: "crow",
    Head.cross: "normal",
}


def write_dot(diagram: Diagram) -> str:
    """The diagram as DOT, ending in a line break; Graphviz can draw it."""
    way = diagram.flow.value if diagram.flow is not Flow.none else "TB"
    about = {"rankdir": way, "compound": "true", "label": diagram.title} | (
        {"assay_flow": "none"} if diagram.flow is Flow.none else {}
    )
    lines = ["digraph {", f"  graph [{_attributes(about)}]"]
    lines += _members(diagram, None, "  ")
    groups = {group.id for group in diagram.groups}
    for edge in diagram.edges:
        lines.append(f"  {_edge(edge, groups, diagram)}")
    return "\n".join([*lines, "}"]) + "\n"


def _members(diagram: Diagram, parent: str | None, pad: str) -> list[str]:
    lines = [f"{pad}{_quote(node.id)} [{_node(node)}]" for node in diagram.nodes if node.parent == parent]
    for group in diagram.groups:
        if group.parent == parent:
            about = {"label": group.label, "assay_box": _box(group.box), "assay_kind": "lane" if group.kind == "lane" else ""}
            inner = _members(diagram, group.id, pad + "  ")
            lines += [
                f"{pad}subgraph {_quote('cluster_' + group.id)} {{",
                f"{pad}  graph [{_attributes(about)}]",
                *inner,
                f"{pad}}}",
            ]
    return lines


def _node(node: Node) -> str:
    styles = {Shape.rounded: "rounded", Shape.stadium: "rounded"}
    about = {
        "label": "\n".join((node.label, *node.rows)),
        "shape": WRITTEN.get(node.shape, "box"),
        "style": styles.get(node.shape, ""),
    }
    known = WRITTEN.get(node.shape) == about["shape"] and node.shape not in {Shape.stadium, Shape.polygon}
    about |= {"assay_shape": "" if known else node.shape.value, "assay_box": _box(node.box)}
    about["assay_rows"] = str(sum(row.count("\n") + 1 for row in node.rows)) if node.rows else ""
    return _attributes(about)


def _edge(edge: Edge, groups: set[str], diagram: Diagram) -> str:
    about = {"label": edge.label, "taillabel": edge.source_label, "headlabel": edge.target_label, "assay_id": edge.id}
    ends = []
    for end, key in ((edge.source, "ltail"), (edge.target, "lhead")):
        about |= {key: f"cluster_{end}"} if end in groups else {}
        inner = _inner(diagram, end) if end in groups else end
        ends.append(_quote(inner))
    about["dir"] = {(False, False): "none", (False, True): "", (True, True): "both", (True, False): "back"}[
        edge.source_head is not Head.none, edge.target_head is not Head.none
    ]
    about["arrowhead"] = "" if edge.target_head in {Head.none, Head.arrow} else HEADS[edge.target_head]
    about["arrowtail"] = "" if edge.source_head in {Head.none, Head.arrow} else HEADS[edge.source_head]
    about["style"] = {Stroke.dashed: "dashed", Stroke.dotted: "dotted", Stroke.thick: "bold"}.get(edge.stroke, "")
    return f"{ends[0]} -> {ends[1]} [{_attributes(about)}]"


def _inner(diagram: Diagram, group_id: str) -> str:
    """A node within a group: DOT ends lines at nodes and cuts them at the frame. An empty group lends its own name."""
    inside = {group_id}
    for _ in diagram.groups:
        inside |= {group.id for group in diagram.groups if group.parent in inside}
    return next((node.id for node in diagram.nodes if node.parent in inside), group_id)


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f"{key}={_quote(value)}" for key, value in values.items() if value or key == "label")


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _box(box: Frame | None) -> str:
    return json.dumps([box.x, box.y, box.width, box.height]) if box else ""
