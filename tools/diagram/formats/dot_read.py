"""Reads DOT without Graphviz: scopes of defaults, ports, subgraphs as operands, clusters, records, HTML labels as text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tools.diagram.formats.dot_write import HEADS, WRITTEN
from tools.diagram.formats.mermaid_kinds import ordered
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Group, Head, Node, Shape, Stroke
from tools.errors import UserError

MAX_CHARACTERS = 5_000_000
MAX_DEPTH = 60


class DotError(UserError):
    """The text is not DOT."""

    kind = "dot"


READ: dict[str, Shape] = {
    **{name: shape for shape, name in WRITTEN.items() if name != "box"},
    **dict.fromkeys(("box", "rect", "rectangle", "square", "Msquare", "component", "tab", "folder", "box3d"), Shape.rectangle),
    **dict.fromkeys(("oval", "egg"), Shape.ellipse),
    **dict.fromkeys(("record", "Mrecord"), Shape.table),
    **dict.fromkeys(("plain", "none", "underline"), Shape.text),
    **dict.fromkeys(("house", "invhouse", "pentagon", "septagon", "octagon", "doubleoctagon", "tripleoctagon"), Shape.polygon),
    "Mdiamond": Shape.diamond,
    "Mcircle": Shape.circle,
    "invtrapezium": Shape.trapezium,
    "invtriangle": Shape.triangle,
}
_READ_HEADS = {name: head for head, name in HEADS.items() if head is not Head.cross} | {
    **dict.fromkeys(("vee", "open", "inv"), Head.arrow),
    **dict.fromkeys(("onormal", "oinv"), Head.triangle),
    **dict.fromkeys(("dot", "invdot", "invodot"), Head.circle),
    "ediamond": Head.diamond,
    "box": Head.bar,
    "obox": Head.bar,
}

_TOKEN = re.compile(
    r"""\s+ | //[^\n]* | /\*.*?\*/ | \#[^\n]*
      | (?P<id>[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]* | -?(?:\.\d+|\d+(?:\.\d*)?))
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<edge>->|--)
      | (?P<sign>[{}\[\];,=:+])
      | (?P<html><)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def _tokens(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise DotError(f"{text[at : at + 30]!r} is no DOT.")
        at = match.end()
        if match.lastgroup == "html":
            depth, start = 1, at
            while at < len(text) and depth:
                depth += {"<": 1, ">": -1}.get(text[at], 0)
                at += 1
            found.append(
                ("string", re.sub(r"<[^>]*>", "", re.sub(r"<BR\s*/?>", "\n", text[start : at - 1], flags=re.IGNORECASE)))
            )
        elif match.lastgroup == "string":
            found.append(("string", match.group("string")[1:-1].replace("\\\n", "").replace('\\"', '"')))
        elif match.lastgroup:
            found.append((match.lastgroup, match.group(match.lastgroup)))
    return found


@dataclass
class _Scope:
    """Defaults in force within one pair of braces, and the cluster it is, if it is one."""

    node: dict[str, str] = field(default_factory=dict)
    edge: dict[str, str] = field(default_factory=dict)
    cluster: str | None = None


@dataclass
class _Reader:
    tokens: list[tuple[str, str]]
    at: int = 0
    directed: bool = True
    graph: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    clusters: dict[str, dict[str, str]] = field(default_factory=dict)
    above: dict[str, str | None] = field(default_factory=dict)
    member_of: dict[str, str] = field(default_factory=dict)
    edges: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def peek(self, text: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] == ("sign", text)

    def word(self) -> str:
        if self.at >= len(self.tokens) or self.tokens[self.at][0] not in {"id", "string"}:
            raise DotError("A name is missing.")
        kind, text = self.tokens[self.at]
        self.at += 1
        while kind == "string" and self.peek("+"):
            self.at += 1
            text += self.word()
        return text

    def take(self, sign: str) -> None:
        if not self.peek(sign):
            raise DotError(f"{sign!r} is missing.")
        self.at += 1

    def read(self) -> None:
        told = self.word().lower()
        if told == "strict":
            told = self.word().lower()
        if told not in {"graph", "digraph"}:
            raise DotError("A DOT text begins with graph or digraph.")
        self.directed = told == "digraph"
        if not self.peek("{"):
            self.word()
        self.take("{")
        self.statements(_Scope(), 0)

    def statements(self, scope: _Scope, depth: int) -> list[str]:
        """Statements up to the closing brace; the nodes met in them."""
        if depth > MAX_DEPTH:
            raise DotError("The subgraphs are nested too deep.")
        met: list[str] = []
        while not self.peek("}"):
            if self.at >= len(self.tokens):
                raise DotError("A closing brace is missing.")
            if self.peek(";") or self.peek(","):
                self.at += 1
                continue
            met += self.statement(scope, depth)
        self.at += 1
        return met

    def statement(self, scope: _Scope, depth: int) -> list[str]:
        kind, text = self.tokens[self.at]
        following = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else ("", "")
        if kind == "id" and text.lower() in {"graph", "node", "edge"} and following == ("sign", "["):
            self.at += 1
            given = self.attributes()
            {"graph": self.about(scope), "node": scope.node, "edge": scope.edge}[text.lower()].update(given)
            return []
        if kind in {"id", "string"} and following == ("sign", "="):
            self.word()
            self.at += 1
            self.about(scope)[text] = self.word()
            return []
        ends = [self.operand(scope, depth)]
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "edge":
            self.at += 1
            ends.append(self.operand(scope, depth))
        given = self.attributes()
        if len(ends) == 1:
            for name in ends[0]:
                if given:
                    self.nodes[name].update(given)
        else:
            self.join(ends, scope.edge | given)
        return [name for group in ends for name in group]

    def join(self, ends: list[list[str]], about: dict[str, str]) -> None:
        for sources, targets in pairwise(ends):
            self.edges += [(source, target, about) for source in sources for target in targets]
        if len(self.edges) > 100_000:
            raise DotError("There are more than 100,000 edges.")

    def about(self, scope: _Scope) -> dict[str, str]:
        return self.graph if scope.cluster is None else self.clusters[scope.cluster]

    def operand(self, scope: _Scope, depth: int) -> list[str]:
        """A node (with its port passed over) or a subgraph; the nodes it stands for."""
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        if (kind, text) == ("sign", "{") or (kind == "id" and text.lower() == "subgraph"):
            name = ""
            if text != "{":
                self.at += 1
                name = "" if self.peek("{") else self.word()
            inner = replace(scope, node=dict(scope.node), edge=dict(scope.edge))
            if name.startswith("cluster"):
                self.clusters.setdefault(name, {})
                self.above.setdefault(name, scope.cluster)
                inner.cluster = name
            if not self.peek("{"):
                return []
            self.at += 1
            return list(dict.fromkeys(self.statements(inner, depth + 1)))
        name = self.word()
        while self.peek(":"):
            self.at += 1
            self.word()
        if name not in self.nodes:
            self.nodes[name] = dict(scope.node)
        if scope.cluster is not None:
            self.member_of[name] = scope.cluster
        return [name]

    def attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        while self.peek("["):
            self.at += 1
            while not self.peek("]"):
                if self.peek(";") or self.peek(","):
                    self.at += 1
                    continue
                key = self.word()
                value = "true"
                if self.peek("="):
                    self.at += 1
                    value = self.word()
                found[key] = value
            self.at += 1
        return found


def read_dot(text: str) -> Diagram:
    """The graph a DOT text says; invisible things are left out. Raises `DotError` if it is none."""
    if len(text) > MAX_CHARACTERS:
        raise DotError(f"The text has {len(text):,} characters.", hint=f"At most {MAX_CHARACTERS:,} are read.")
    reader = _Reader(_tokens(text))
    reader.read()
    names = {name: name.removeprefix("cluster_") for name in reader.clusters}
    if len(set(names.values())) < len(names) or set(names.values()) & set(reader.nodes):
        names = {name: name for name in reader.clusters}
    groups = tuple(
        Group(
            id=names[name],
            label=_label(about.get("label", ""), name),
            kind="lane" if about.get("assay_kind") == "lane" else "frame",
            parent=names.get(reader.above[name] or ""),
            box=_read_box(about),
        )
        for name, about in reader.clusters.items()
    )
    nodes = [
        _read_node(name, about, names.get(reader.member_of.get(name, "")))
        for name, about in reader.nodes.items()
        if "invis" not in about.get("style", "") and name not in names.values()
    ]
    known = {thing.id for thing in (*nodes, *groups)}
    edges = []
    for number, (source, target, about) in enumerate(reader.edges, start=1):
        ends = names.get(about.get("ltail", ""), source), names.get(about.get("lhead", ""), target)
        if "invis" not in about.get("style", "") and set(ends) <= known:
            edges.append(_read_edge(f"e{number}", ends, about, directed=reader.directed))
    if len({edge.id for edge in edges}) < len(edges):
        edges = [edge.model_copy(update={"id": f"e{number}"}) for number, edge in enumerate(edges, start=1)]
    way = reader.graph.get("rankdir", "TB" if reader.directed else "")
    flow = Flow(way) if way in set(Flow) and reader.graph.get("assay_flow") != "none" else Flow.none
    title = _label(reader.graph.get("label", ""), "")
    return Diagram(flow=flow, title=title, nodes=tuple(nodes), edges=tuple(edges), groups=groups)


def _label(text: str, name: str) -> str:
    """DOT's escapes: line ends of three kinds, the thing's own name, a sign by itself."""
    text = text.replace("\\N", name).replace("\\G", name)
    for ending in ("\\l", "\\r"):
        # These end a line rather than part two.
        text = text.removesuffix(ending)
    return re.sub(r"\\(.)", lambda match: "\n" if match.group(1) in "nlr" else match.group(1), text)


def _read_node(name: str, about: dict[str, str], parent: str | None) -> Node:
    shape = READ.get(about.get("shape", "ellipse"), Shape.unknown)
    if shape is Shape.rectangle and "rounded" in about.get("style", ""):
        shape = Shape.rounded
    if about.get("assay_shape") in set(Shape):
        shape = Shape(about["assay_shape"])
    label = _label(about.get("label", "\\N"), name)
    rows: tuple[str, ...] = ()
    if about.get("shape") in {"record", "Mrecord"} and "assay_rows" not in about:
        fields = [re.sub(r"<[^>]*>", "", part).strip() for part in re.split(r"(?<!\\)[|{}]", label)]
        fields = [part for part in fields if part]
        label, rows = (fields[0], tuple(fields[1:])) if fields else ("", ())
    elif about.get("assay_rows", "").isdigit():
        lines = label.split("\n")
        cut = max(0, len(lines) - int(about["assay_rows"]))
        label, rows = "\n".join(lines[:cut]), tuple(lines[cut:])
    if shape is Shape.point and "label" not in about:
        label = ""
    return Node(id=name, label=label, shape=shape, box=_read_box(about), parent=parent, rows=rows)


def _read_edge(edge_id: str, ends: tuple[str, str], about: dict[str, str], *, directed: bool) -> Edge:
    way, style = about.get("dir", "forward" if directed else "none"), about.get("style", "")
    stroke = next((named for named in (Stroke.dashed, Stroke.dotted) if named.value in style), Stroke.solid)
    return ordered(
        Edge(
            id=about.get("assay_id", edge_id),
            source=ends[0],
            target=ends[1],
            label=_label(about.get("label", ""), ""),
            source_label=_label(about.get("taillabel", ""), ""),
            target_label=_label(about.get("headlabel", ""), ""),
            source_head=_READ_HEADS.get(about.get("arrowtail", "normal"), Head.arrow) if way in {"back", "both"} else Head.none,
            target_head=_READ_HEADS.get(about.get("arrowhead", "normal"), Head.arrow)
            if way in {"forward", "both"}
            else Head.none,
            stroke=Stroke.thick if "bold" in style else stroke,
        )
    )


def _read_box(about: dict[str, str]) -> Frame | None:
    try:
        x, y, width, height = json.loads(about.get("assay_box", ""))
        return Frame(x=x, y=y, width=width, height=height)
    except (ValueError, TypeError):
        return None
