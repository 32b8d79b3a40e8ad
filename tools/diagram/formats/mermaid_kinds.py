"""Writes Mermaid's state, class and entity-relationship diagrams, and reads them (`read_*`), as far as a `Diagram` holds them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tools.diagram.formats.mermaid_text import Ids, bare, plain, quoted
from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Head, Node, Shape, Stroke

_SPECIAL_STATES = {Shape.bar: "fork", Shape.diamond: "choice"}


def write_state(diagram: Diagram) -> str:
    """A state machine. Unlabelled points and double circles are start and end; bars are forks; groups are composite states."""
    ids = Ids([thing.id for thing in (*diagram.nodes, *diagram.groups)])
    ends = {node.id for node in diagram.nodes if not node.label and node.shape in {Shape.point, Shape.double_circle}}
    lines = ["stateDiagram-v2"]
    if diagram.flow is not Flow.none:
        lines.append(f"    direction {diagram.flow.value}")
    lines += _states(diagram, None, ids, ends, 1)
    for edge in diagram.edges:
        source = "[*]" if edge.source in ends else ids[edge.source]
        target = "[*]" if edge.target in ends else ids[edge.target]
        lines.append(f"    {source} --> {target}" + (f" : {bare(edge.label)}" if edge.label else ""))
    return "\n".join(lines) + "\n"


def _states(diagram: Diagram, parent: str | None, ids: Ids, ends: set[str], depth: int) -> list[str]:
    pad, lines = "    " * depth, []
    for node in diagram.nodes:
        if node.parent != parent or node.id in ends:
            continue
        if node.shape in _SPECIAL_STATES and not node.label:
            lines.append(f"{pad}state {ids[node.id]} <<{_SPECIAL_STATES[node.shape]}>>")
        else:
            lines.append(f"{pad}state {quoted(node.label)} as {ids[node.id]}")
    for group in diagram.groups:
        if group.parent == parent:
            inside = _states(diagram, group.id, ids, ends, depth + 1)
            lines += [f"{pad}state {quoted(group.label)} as {ids[group.id]} {{", *inside, f"{pad}}}"]
    return lines


_CLASS_SOURCE = {Head.triangle: "<|", Head.diamond: "o", Head.filled_diamond: "*", Head.arrow: "<"}
_CLASS_TARGET = {Head.triangle: "|>", Head.diamond: "o", Head.filled_diamond: "*", Head.arrow: ">"}


def write_class(diagram: Diagram) -> str:
    """Classes with their members (`rows`), relations with heads, roles at the ends and labels."""
    ids = Ids([node.id for node in diagram.nodes])
    lines = ["classDiagram"]
    if diagram.flow is not Flow.none:
        lines.append(f"    direction {diagram.flow.value}")
    for node in diagram.nodes:
        opened = " {" if node.rows else ""
        lines.append(f"    class {ids[node.id]}[{quoted(node.label)}]{opened}")
        lines += [f"        {member}" for row in node.rows for member in row.split("\n")]
        lines += ["    }"] if node.rows else []
    for edge in diagram.edges:
        # The general class or the whole comes first, as people write it and as Mermaid then draws it: above.
        whole_last = edge.source_head is Head.none and edge.target_head not in {Head.none, Head.arrow}
        lines.append(f"    {_relation(_exchanged(edge) if whole_last else edge, ids)}")
    return "\n".join(lines) + "\n"


def _relation(edge: Edge, ids: Ids) -> str:
    line = ".." if edge.stroke in {Stroke.dashed, Stroke.dotted} else "--"
    link = _CLASS_SOURCE.get(edge.source_head, "") + line + _CLASS_TARGET.get(edge.target_head, "")
    roles = [f' "{role}"' if role else "" for role in (edge.source_label, edge.target_label)]
    label = f" : {bare(edge.label)}" if edge.label else ""
    return f"{ids[edge.source]}{roles[0]} {link}{roles[1]} {ids[edge.target]}{label}"


_ER_SOURCE = {Head.bar: "||", Head.circle: "|o", Head.crow_foot: "}o"}
_ER_TARGET = {Head.bar: "||", Head.circle: "o|", Head.crow_foot: "o{"}


def write_er(diagram: Diagram) -> str:
    """Entities with attributes (`rows`: "type name") and relations; a bar is exactly one, a circle none or one, a foot many."""
    ids = Ids([node.id for node in diagram.nodes])
    lines = ["erDiagram"]
    if diagram.flow is not Flow.none:
        lines.append(f"    direction {diagram.flow.value}")
    for node in diagram.nodes:
        lines.append(f"    {ids[node.id]}[{quoted(node.label)}]" + (" {" if node.rows else ""))
        lines += [f"        {row}" for row in node.rows]
        lines += ["    }"] if node.rows else []
    for edge in diagram.edges:
        line = ".." if edge.stroke in {Stroke.dashed, Stroke.dotted} else "--"
        link = _ER_SOURCE.get(edge.source_head, "||") + line + _ER_TARGET.get(edge.target_head, "||")
        lines.append(f"    {ids[edge.source]} {link} {ids[edge.target]} : {quoted(edge.label)}")
    return "\n".join(lines) + "\n"


@dataclass
class _Found:
    """What a reader has met so far."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    flow: Flow = Flow.down

    def node(self, name: str, shape: Shape, label: str | None = None, **more: object) -> None:
        known = self.nodes.get(name)
        if known is None:
            self.nodes[name] = Node.model_validate(
                {"id": name, "label": name if label is None else label, "shape": shape, **more}
            )
        elif label is not None:
            self.nodes[name] = known.model_copy(update={"label": label, "shape": shape, **more})

    def done(self) -> Diagram:
        nodes = tuple(node for name, node in self.nodes.items() if name not in self.groups)
        return Diagram(flow=self.flow, nodes=nodes, edges=tuple(self.edges), groups=tuple(self.groups.values()))


_DIRECTION = re.compile(r"direction\s+(TB|TD|BT|LR|RL)\Z")
_STATE_AS = re.compile(r'state\s+"([^"]*)"\s+as\s+(\w+)\s*(\{?)\Z')
_STATE_KIND = re.compile(r"state\s+(\w+)\s*(?:<<(\w+)>>|\[\[(\w+)\]\])\Z")
_STATE_OPEN = re.compile(r"state\s+(\w+)\s*\{\Z")
_STATE_EDGE = re.compile(r"(\[\*\]|\w[\w-]*)(?::::?\w+)?\s*-->\s*(\[\*\]|\w[\w-]*)(?::::?\w+)?\s*(?::\s*(.*))?\Z")
_STATE_TEXT = re.compile(r"(?:state\s+)?(\w+)\s*:\s*(.+)\Z")


def read_state(lines: list[str]) -> Diagram:
    """States, composite states (groups), forks, choices, starts and ends. `lines` come after the head line."""
    found, open_groups, in_note = _Found(), [], False
    for line in (raw.strip() for raw in lines):
        parent = open_groups[-1] if open_groups else None
        if in_note or line.startswith("note "):
            in_note = (in_note or ":" not in line) and line != "end note"
        elif direction := _DIRECTION.match(line):
            found.flow = found.flow if parent else _flow(direction.group(1))
        elif line == "}":
            open_groups = open_groups[:-1]
        elif match := _STATE_AS.match(line):
            label, name, opens = match.groups()
            if opens:
                found.groups[name] = Group(id=name, label=plain(label), parent=parent)
                open_groups.append(name)
            else:
                found.node(name, Shape.rounded, plain(label), parent=parent)
        elif match := _STATE_KIND.match(line):
            kind = (match.group(2) or match.group(3)).lower()
            shape = {"fork": Shape.bar, "join": Shape.bar, "choice": Shape.diamond}.get(kind, Shape.rounded)
            found.node(match.group(1), shape, "", parent=parent)
        elif match := _STATE_OPEN.match(line):
            name = match.group(1)
            known = found.nodes.pop(name, None)
            found.groups[name] = Group(id=name, label=known.label if known else name, parent=parent)
            open_groups.append(name)
        elif match := _STATE_EDGE.match(line):
            source, target, label = match.groups()
            ends = [_state_end(found, name, at, parent) for at, name in enumerate((source, target))]
            number = f"e{len(found.edges) + 1}"
            found.edges.append(Edge(id=number, source=ends[0], target=ends[1], label=plain(label or "")))
        elif match := _STATE_TEXT.match(line):
            found.node(match.group(1), Shape.rounded, plain(match.group(2)), parent=parent)
        elif re.fullmatch(r"(?:state\s+)?(\w+)", line) and line != "--":
            found.node(line.split()[-1], Shape.rounded, parent=parent)
    return found.done()


def _state_end(found: _Found, name: str, at: int, parent: str | None) -> str:
    if name != "[*]":
        if name not in found.groups:
            found.node(name, Shape.rounded, parent=parent)
        return name
    own = f"{'start' if at == 0 else 'end'}_{parent or 'root'}"
    found.node(own, Shape.point if at == 0 else Shape.double_circle, "", parent=parent)
    return own


_CLASS_OPEN = re.compile(r'class\s+([\w~`-]+)(?:\["((?:[^"])*)"\])?(?::::?\w+)?\s*(\{?)\s*(\}?)\Z')
_CLASS_EDGE = re.compile(
    r'([\w~`-]+?)\s*(?:"([^"]*)"\s*)?(<\||\*|o|<|\(\))?(--|\.\.)(\|>|\*|o|>|\(\))?\s*(?:"([^"]*)"\s*)?([\w~`-]+)\s*(?::\s*(.*))?\Z'
)
_CLASS_HEADS = {
    "<|": Head.triangle,
    "|>": Head.triangle,
    "*": Head.filled_diamond,
    "o": Head.diamond,
    "<": Head.arrow,
    ">": Head.arrow,
    "()": Head.circle,
}
_CLASS_MEMBER = re.compile(r"([\w~`-]+)\s*:\s*(.+)\Z")


def read_class(lines: list[str]) -> Diagram:
    """Classes with members as rows, namespaces as groups, relations. `lines` come after the head line."""
    found, open_class, space, in_note = _Found(), "", None, False
    for line in (raw.strip() for raw in lines):
        if open_class:
            if line == "}":
                open_class = ""
            elif line:
                node = found.nodes[open_class]
                found.nodes[open_class] = node.model_copy(update={"rows": (*node.rows, plain(line))})
        elif in_note or line.startswith("note "):
            in_note = line.count('"') % 2 == 1 and not in_note
        elif direction := _DIRECTION.match(line):
            found.flow = _flow(direction.group(1))
        elif match := re.match(r"namespace\s+([\w.]+)\s*\{", line):
            space = match.group(1)
            found.groups[space] = Group(id=space, label=space)
        elif line == "}":
            space = None
        elif match := _CLASS_OPEN.match(line):
            name = match.group(1).strip("`")
            label = plain(match.group(2)) if match.group(2) is not None else _generic(name)
            found.node(name, Shape.table, label, parent=space)
            open_class = name if match.group(3) and not match.group(4) else ""
        elif match := _CLASS_EDGE.match(line):
            _class_edge(found, match)
        elif match := _CLASS_MEMBER.match(line):
            name = match.group(1).strip("`")
            found.node(name, Shape.table)
            node = found.nodes[name]
            found.nodes[name] = node.model_copy(update={"rows": (*node.rows, plain(match.group(2)))})
    return found.done()


def _generic(name: str) -> str:
    return re.sub(r"~(.+)~", r"<\1>", name)


def _class_edge(found: _Found, match: re.Match[str]) -> None:
    source, source_label, left, line, right, target_label, target, label = match.groups()
    source, target = source.strip("`"), target.strip("`")
    for name in (source, target):
        found.node(name, Shape.table)
        if found.nodes[name].label == name:
            found.nodes[name] = found.nodes[name].model_copy(update={"label": _generic(name)})
    found.edges.append(
        ordered(
            Edge(
                id=f"e{len(found.edges) + 1}",
                source=source,
                target=target,
                label=plain(label or ""),
                source_label=plain(source_label or ""),
                target_label=plain(target_label or ""),
                source_head=_CLASS_HEADS.get(left or "", Head.none),
                target_head=_CLASS_HEADS.get(right or "", Head.none),
                stroke=Stroke.dashed if line == ".." else Stroke.solid,
            )
        )
    )


_ER_NAME = r'(?:"([^"]+)"|([\w-]+?))'
_ER_OPEN = re.compile(_ER_NAME + r'\s*(?:\[\s*"?([^"\]]*)"?\s*\])?\s*(\{?)\Z')
_ER_EDGE = re.compile(_ER_NAME + r"\s*([|}][|o])(--|\.\.|-\.|\.-)([|o][|{])\s*" + _ER_NAME + r"\s*(?::\s*(.*))?\Z")
_ER_HEADS = {
    "||": Head.bar,
    "|o": Head.circle,
    "o|": Head.circle,
    "}o": Head.crow_foot,
    "o{": Head.crow_foot,
    "}|": Head.crow_foot,
    "|{": Head.crow_foot,
}


def read_er(lines: list[str]) -> Diagram:
    """Entities with attributes as rows, relations with their cardinalities as heads. `lines` come after the head line."""
    found, open_entity = _Found(), ""
    for line in (raw.strip() for raw in lines):
        if open_entity:
            if line == "}":
                open_entity = ""
            elif line:
                node = found.nodes[open_entity]
                row = " ".join(re.sub(r'"[^"]*"', "", line).split())
                found.nodes[open_entity] = node.model_copy(update={"rows": (*node.rows, row)})
        elif direction := _DIRECTION.match(line):
            found.flow = _flow(direction.group(1))
        elif match := _ER_EDGE.match(line):
            groups = match.groups()
            source, target = groups[0] or groups[1], groups[5] or groups[6]
            for name in (source, target):
                found.node(name, Shape.table)
            found.edges.append(
                Edge(
                    id=f"e{len(found.edges) + 1}",
                    source=source,
                    target=target,
                    label=plain(groups[7] or ""),
                    source_head=_ER_HEADS[groups[2]],
                    target_head=_ER_HEADS[groups[4]],
                    stroke=Stroke.solid if groups[3] == "--" else Stroke.dashed,
                )
            )
        elif match := _ER_OPEN.match(line):
            name = match.group(1) or match.group(2)
            found.node(name, Shape.table, plain(match.group(3)) if match.group(3) else name)
            open_entity = name if match.group(4) else ""
    return found.done()


def _flow(word: str) -> Flow:
    return Flow.down if word == "TD" else Flow(word)


def ordered(edge: Edge) -> Edge:
    """The same edge with its ends exchanged if its only head is at the source."""
    lone = edge.source_head is not Head.none and edge.target_head is Head.none
    return _exchanged(edge) if lone else edge


def _exchanged(edge: Edge) -> Edge:
    return edge.model_copy(
        update={
            "source": edge.target,
            "target": edge.source,
            "source_head": edge.target_head,
            "target_head": edge.source_head,
            "source_label": edge.target_label,
            "target_label": edge.source_label,
            "path": tuple(reversed(edge.path)),
        }
    )
