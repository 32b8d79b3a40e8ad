"""Writes GraphML and reads it, through networkx. Parts of things are attributes; groups are nodes of class `group`."""

from __future__ import annotations

import json
from typing import Any

import networkx

from tools.diagram.formats.mermaid_kinds import ordered
from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Head, Node
from tools.errors import UserError

MAX_CHARACTERS = 20_000_000


class GraphMLError(UserError):
    """The text is not GraphML."""

    kind = "graphml"


def write_graphml(diagram: Diagram) -> str:
    """The diagram as GraphML; paths and confidences are kept too."""
    graph = networkx.MultiDiGraph(flow=diagram.flow.value, title=diagram.title)
    for group in diagram.groups:
        graph.add_node(group.id, **_flat({"class": "group", **group.model_dump(mode="json", exclude={"id"})}))
    for node in diagram.nodes:
        graph.add_node(node.id, **_flat({"class": "node", **node.model_dump(mode="json", exclude={"id"})}))
    for edge in diagram.edges:
        about = edge.model_dump(mode="json", exclude={"id", "source", "target"})
        graph.add_edge(edge.source, edge.target, key=edge.id, **_flat(about))
    return "\n".join(networkx.generate_graphml(graph)) + "\n"


def _flat(values: dict[str, Any]) -> dict[str, str | float]:
    """GraphML holds texts and numbers: lists and boxes become JSON, what is empty is left out."""
    found: dict[str, str | float] = {}
    for key, value in values.items():
        if value is None or value in ("", [], ()):
            continue
        found[key] = value if isinstance(value, str | float) else json.dumps(value)
    return found


def read_graphml(text: str) -> Diagram:
    """The graph a GraphML text says; of files of others, labels are taken from `label`, `name` or `Label`, or are the ids.

    Raises `GraphMLError` if it is none. Documents with entities of their own are refused: they can be made to grow without end.
    """
    if len(text) > MAX_CHARACTERS or "<!ENTITY" in text or "<!DOCTYPE" in text:
        raise GraphMLError(
            "This GraphML is too long or declares entities.", hint="Give plain GraphML of at most 20 million signs."
        )
    try:
        graph = networkx.parse_graphml(text, force_multigraph=True)
    except (networkx.NetworkXError, ValueError, KeyError, SyntaxError) as error:
        raise GraphMLError(f"The text can't be read as GraphML: {str(error)[:200]}") from error
    nodes, groups, edges = [], [], []
    try:
        for name, about in graph.nodes(data=True):
            kind = about.get("class", "node")
            fields = {"id": str(name), **_structured(about, Group if kind == "group" else Node)}
            if kind == "group":
                groups.append(Group.model_validate(fields))
            else:
                fields.setdefault("label", _title(about, str(name)) if "class" not in about else "")
                nodes.append(Node.model_validate(fields))
        for number, (source, target, key, about) in enumerate(graph.edges(keys=True, data=True), start=1):
            fields = {"source": str(source), "target": str(target), **_structured(about, Edge)}
            if not graph.is_directed():
                fields.setdefault("target_head", Head.none)
            edges.append(ordered(Edge.model_validate({"id": str(key) if isinstance(key, str) else f"e{number}", **fields})))
        flow = graph.graph.get("flow", "none")
        if len({edge.id for edge in edges}) < len(edges):
            edges = [edge.model_copy(update={"id": f"e{number}"}) for number, edge in enumerate(edges, start=1)]
        return Diagram(
            flow=Flow(flow) if flow in set(Flow) else Flow.none,
            title=str(graph.graph.get("title", "")),
            nodes=tuple(nodes),
            edges=tuple(edges),
            groups=tuple(groups),
        )
    except ValueError as error:
        raise GraphMLError(f"The GraphML holds what no diagram can: {str(error)[:300]}") from error


def _structured(about: dict[str, Any], model: type[Node | Edge | Group]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in about.items():
        if key not in model.model_fields or key in {"id", "source", "target"}:
            continue
        if key in {"box", "rows", "path"} and isinstance(value, str):
            try:
                found[key] = json.loads(value)
            except ValueError:
                continue
        else:
            found[key] = value
    return found


def _title(about: dict[str, Any], name: str) -> str:
    return str(next((about[key] for key in ("label", "Label", "name") if key in about), name))
