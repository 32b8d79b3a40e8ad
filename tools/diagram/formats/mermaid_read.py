"""Reads Mermaid: flowcharts whole, state, class and entity diagrams as far as a `Diagram` holds them.

Nothing is rendered and no JavaScript runs. What has no place in a graph (styles, classes, clicks) is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from tools.diagram.formats import mermaid_kinds as kinds
from tools.diagram.formats.mermaid_text import plain, read_note
from tools.diagram.formats.mermaid_write import BRACKETS, NAMED
from tools.diagram.model.graph import Diagram, Edge, Flow, Group, Head, Node, Shape, Stroke
from tools.errors import UserError

MAX_CHARACTERS = 2_000_000
"""Longer texts are refused: no diagram is that long."""


class MermaidError(UserError):
    """The text is not a Mermaid diagram of a kind that is read here."""

    kind = "mermaid"


# Longest openers first. A few spellings mean one shape.
_OPENERS: tuple[tuple[str, str, Shape], ...] = (
    *((left, right, shape) for shape, (left, right) in BRACKETS.items() if shape is not Shape.trapezium),
    ("[/", "\\]", Shape.trapezium),
    ("[\\", "/]", Shape.trapezium),
    ("[\\", "\\]", Shape.parallelogram),
    (">", "]", Shape.polygon),
    ("(-", "-)", Shape.ellipse),
    ("[|", "]", Shape.rectangle),
)
_BY_LENGTH = sorted(_OPENERS, key=lambda opener: -len(opener[0]))

_NAMES: dict[str, Shape] = {
    **{name: shape for shape, name in NAMED.items()},
    **dict.fromkeys(("rect", "rectangle", "proc", "process", "manual-file", "delay", "display"), Shape.rectangle),
    **dict.fromkeys(("rounded", "event"), Shape.rounded),
    **dict.fromkeys(("stadium", "pill", "terminal"), Shape.stadium),
    **dict.fromkeys(("circle", "circ", "cross-circ", "summary"), Shape.circle),
    **dict.fromkeys(("dbl-circ", "double-circle"), Shape.double_circle),
    **dict.fromkeys(("diam", "diamond", "decision", "question"), Shape.diamond),
    **dict.fromkeys(("lean-r", "lean-right", "in-out", "lean-l", "lean-left", "out-in"), Shape.parallelogram),
    **dict.fromkeys(
        ("trap-b", "trap-t", "trapezoid", "trapezoid-bottom", "trapezoid-top", "inv-trapezoid", "priority", "manual"),
        Shape.trapezium,
    ),
    **dict.fromkeys(("hex", "hexagon", "prepare"), Shape.hexagon),
    **dict.fromkeys(("cyl", "cylinder", "db", "database", "h-cyl", "das", "lin-cyl", "disk", "datastore"), Shape.cylinder),
    **dict.fromkeys(("subproc", "subprocess", "subroutine", "fr-rect", "framed-rectangle"), Shape.subroutine),
    **dict.fromkeys(("tri", "triangle", "extract", "flip-tri", "flipped-triangle"), Shape.triangle),
    **dict.fromkeys(
        ("doc", "docs", "document", "documents", "lin-doc", "tag-doc", "st-doc", "flag", "paper-tape"), Shape.document
    ),
    **dict.fromkeys(("f-circ", "junction", "filled-circle", "sm-circ", "small-circle", "start"), Shape.point),
    **dict.fromkeys(("fr-circ", "framed-circle", "stop"), Shape.double_circle),
    **dict.fromkeys(("fork", "join"), Shape.bar),
    **dict.fromkeys(("brace", "brace-r", "braces", "comment", "card", "notch-rect"), Shape.note),
    **dict.fromkeys(("odd", "bow-rect", "notch-pent", "loop-limit", "sl-rect", "hourglass", "bolt", "curv-trap"), Shape.polygon),
    **dict.fromkeys(("cloud",), Shape.cloud),
    **dict.fromkeys(("text",), Shape.text),
    **dict.fromkeys(("win-pane", "window-pane", "internal-storage", "div-rect", "divided-rectangle", "div-proc"), Shape.table),
}

_LINK = re.compile(
    r"""\s*(?:(?P<id>\w[\w-]*)@)?
        (?P<left>[<ox](?=[-=.]))?
        (?:(?P<line>--+|==+|-\.+-|~~~+))
        (?P<right>[>ox])?""",
    re.VERBOSE,
)
_TEXT_LINK = re.compile(
    r"""\s*(?:(?P<id>\w[\w-]*)@)?
        (?P<left>[<ox])?(?P<open>--|==|-\.)\s+(?P<text>"[^"]*"|[^|>]+?)\s*
        (?P<line>--+|==+|\.+-)(?P<right>[>ox])?(?=\s|$|[\w("\[{])""",
    re.VERBOSE,
)
_NODE_ID = re.compile(r"\s*([^\W_](?:\w|[-./](?=\w)(?!-))*|_\w+)", re.UNICODE)
_AT = re.compile(r"@\{(.*?)\}", re.DOTALL)
_PROPERTY = re.compile(r'(\w+)\s*:\s*("(?:[^"])*"|[^,}\n]+)')
_PASSED_OVER = re.compile(r"(?:style|linkStyle|classDef|class|click|accTitle|accDescr)\b")
_HEADS = {">": Head.arrow, "<": Head.arrow, "o": Head.circle, "x": Head.cross}


def read_mermaid(text: str) -> Diagram:
    """The graph a Mermaid text says.

    Raises `MermaidError` where it is of no kind that is known, or a line of a flowchart makes no sense.
    """
    if len(text) > MAX_CHARACTERS:
        raise MermaidError(f"The text has {len(text):,} characters.", hint=f"At most {MAX_CHARACTERS:,} are read.")
    title, lines = _front_matter(text.replace("\r\n", "\n").split("\n"))
    lines = [line for line in lines if not line.strip().startswith("%%{")]
    at = next((index for index, line in enumerate(lines) if line.strip() and not line.strip().startswith("%%")), None)
    if at is None:
        raise MermaidError("The text is empty.")
    head, _, rest = lines[at].strip().partition(";")
    words = head.split()
    body = ([rest] if rest.strip() else []) + lines[at + 1 :]
    readers = {"stateDiagram": kinds.read_state, "classDiagram": kinds.read_class, "erDiagram": kinds.read_er}
    for name, reader in readers.items():
        if words[0] in {name, f"{name}-v2"}:
            diagram = reader([line for line in body if not line.strip().startswith("%%")])
            return diagram.model_copy(update={"title": title}) if title else diagram
    if words[0] not in {"flowchart", "graph", "flowchart-elk"}:
        raise MermaidError(
            f"A Mermaid diagram can't begin with {words[0][:40]!r}.",
            hint="flowchart, stateDiagram, classDiagram and erDiagram are read.",
        )
    way = words[1] if len(words) > 1 else "TB"
    flow = {"TD": Flow.down, "v": Flow.down, ">": Flow.right, "<": Flow.left, "^": Flow.up}.get(way)
    reader = _Flowchart(flow if flow is not None else Flow(way) if way in set(Flow) else Flow.down, title)
    return reader.read(body)


def _front_matter(lines: list[str]) -> tuple[str, list[str]]:
    """The title of a `---` block at the top, and the lines below it; fences of Markdown are taken away."""
    lines = [line for line in lines if not line.strip().startswith("```")]
    start = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    if start < len(lines) and lines[start].strip() == "---":
        end = next((index for index in range(start + 1, len(lines)) if lines[index].strip() == "---"), None)
        if end is not None:
            told = next((line.partition(":")[2].strip() for line in lines[start:end] if line.startswith("title:")), "")
            return told.strip("\"'"), lines[end + 1 :]
    return "", lines


@dataclass
class _Flowchart:
    """Reads a flowchart's lines one by one."""

    flow: Flow
    title: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    notes: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    open_groups: list[str] = field(default_factory=list)

    def read(self, lines: list[str]) -> Diagram:
        """The whole graph."""
        for number, line in enumerate(_joined(lines), start=1):
            note = read_note(line)
            if note is not None:
                self.notes.append(note)
                continue
            for statement in _statements(line):
                self._statement(statement, number)
        return self._done()

    def _statement(self, statement: str, number: int) -> None:
        if _PASSED_OVER.match(statement) and not re.match(r"\w+\s*(?:[-=<~]|@|\[|\(|\{|$)", statement):
            return
        if statement.startswith("direction ") or statement in {"direction TB", "direction LR"}:
            return
        if re.match(r"subgraph\b", statement):
            self._open_group(statement[8:].strip())
        elif statement == "end":
            if not self.open_groups:
                raise MermaidError(f"Line {number}: an `end` without a subgraph.")
            self.open_groups.pop()
        else:
            self._chain(statement, number)

    def _open_group(self, told: str) -> None:
        match = re.match(r'([^\s\["]+)\s*\[(.*)\]\s*\Z', told, re.DOTALL)
        if match:
            name, label = match.group(1), plain(match.group(2))
        elif told.startswith('"') or " " in told:
            name, label = f"subgraph{len(self.groups) + 1}", plain(told)
        else:
            name, label = told or f"subgraph{len(self.groups) + 1}", told
        parent = self.open_groups[-1] if self.open_groups else None
        self.groups[name] = Group(id=name, label=label.strip(), parent=parent)
        self.open_groups.append(name)

    def _chain(self, text: str, number: int) -> None:
        """`A --> B & C -.-> D`: nodes and links in turn."""
        at, before = self._operands(text, 0, number)
        while at < len(text):
            made = _link(text, at)
            if made is None:
                raise MermaidError(f"Line {number}: {text[at : at + 30].strip()!r} is neither a node nor a link.")
            at, link, label = made
            at, after = self._operands(text, at, number)
            if link is not None:
                for source in before:
                    for target in after:
                        self._edge(source, target, link, label)
            before = after

    def _operands(self, text: str, at: int, number: int) -> tuple[int, list[str]]:
        """The nodes at a place, joined by `&`; where they end and their ids."""
        names: list[str] = []
        while True:
            at, name = self._node(text, at, number)
            if name:
                names.append(name)
            ampersand = re.compile(r"\s*&\s*").match(text, at)
            if ampersand is None:
                return at, names
            at = ampersand.end()

    def _node(self, text: str, at: int, number: int) -> tuple[int, str]:
        match = _NODE_ID.match(text, at)
        if match is None:
            raise MermaidError(f"Line {number}: a node is missing at {text[at : at + 30].strip()!r}.")
        name, at = match.group(1), match.end()
        shape, label = None, None
        about = _AT.match(text, at)
        if about is not None:
            found = {key: value.strip() for key, value in _PROPERTY.findall(about.group(1))}
            at = about.end()
            if name not in self.nodes and set(found) <= {"animate", "animation", "curve"}:
                return at, ""
            told = found.get("shape", "").strip("\"'")
            shape = _NAMES.get(told, Shape.unknown) if told else Shape.icon if "icon" in found or "img" in found else None
            label = plain(found["label"]) if "label" in found else None
        else:
            at, shape, label = _bracketed(text, at, number)
        klass = re.compile(r":::[\w-]+").match(text, at)
        self._know(name, shape, label)
        return (klass.end() if klass else at), name

    def _know(self, name: str, shape: Shape | None, label: str | None) -> None:
        known = self.nodes.get(name) or Node(id=name, label=name, shape=Shape.rectangle)
        change = {key: value for key, value in (("shape", shape), ("label", label)) if value is not None}
        self.nodes[name] = known.model_copy(update=change)
        if self.open_groups:
            self.members.setdefault(name, self.open_groups[-1])

    def _edge(self, source: str, target: str, link: dict[str, object], label: str) -> None:
        make = partial(Edge, id=f"e{len(self.edges) + 1}", source=source, target=target, label=label)
        self.edges.append(kinds.ordered(make(**link)))  # pyright: ignore[reportArgumentType]

    def _done(self) -> Diagram:
        about = {(kind, subject): values for kind, subject, values in self.notes}
        if ("flow", "none") in about:
            self.flow = Flow.none
        title = about.get(("title", "is"), {}).get("text", self.title)
        names = {
            subject: values["id"] for (kind, subject), values in about.items() if kind in {"node", "group"} and "id" in values
        }
        nodes = []
        for name, node in self.nodes.items():
            if name in self.groups:
                continue
            parent = self.members.get(name)
            change: dict[str, object] = {"parent": names.get(parent or "", parent), "id": names.get(name, name)}
            nodes.append(_with_notes(node, about.get(("node", name), {}), change))
        groups = [
            group.model_copy(
                update={
                    "id": names.get(group.id, group.id),
                    "parent": names.get(group.parent or "", group.parent),
                    "kind": "lane" if about.get(("group", group.id), {}).get("kind") == "lane" else "frame",
                }
            )
            for group in self.groups.values()
        ]
        edges = []
        for number, edge in enumerate(self.edges, start=1):
            change = {"source": names.get(edge.source, edge.source), "target": names.get(edge.target, edge.target)}
            edges.append(_edge_with_notes(edge.model_copy(update=change), about.get(("edge", str(number)), {})))
        return Diagram(flow=self.flow, title=title, nodes=tuple(nodes), edges=tuple(edges), groups=tuple(groups))


def _with_notes(node: Node, told: dict[str, str], change: dict[str, object]) -> Node:
    label = told.get("label", node.label)
    if told.get("rows", "").isdigit():
        lines = label.split("\n")
        count = min(int(told["rows"]), len(lines))
        change |= {"rows": tuple(lines[len(lines) - count :])}
        label = "\n".join(lines[: len(lines) - count])
    if told.get("shape") in set(Shape):
        change["shape"] = Shape(told["shape"])
    return node.model_copy(update={**change, "label": label})


def _edge_with_notes(edge: Edge, told: dict[str, str]) -> Edge:
    change: dict[str, object] = {key: Head(told[key]) for key in ("source_head", "target_head") if told.get(key) in set(Head)}
    if told.get("stroke") in set(Stroke):
        change["stroke"] = Stroke(told["stroke"])
    change |= {key: told[key] for key in ("source_label", "target_label") if key in told}
    return edge.model_copy(update=change)


def _joined(lines: list[str]) -> list[str]:
    """Lines whose string or `@{ … }` goes on in the next one are put together; comments other than ours are left out."""
    found: list[str] = []
    for line in lines:
        if found and _unclosed(found[-1]):
            found[-1] += "\n" + line
        elif read_note(line) is not None or not line.strip().startswith("%%"):
            found.append(line)
    return [line.strip() for line in found if line.strip()]


def _unclosed(line: str) -> bool:
    if read_note(line) is not None or len(line) > 20_000:
        return False
    return line.count('"') % 2 == 1 or line.count("@{") > len(_AT.findall(line))


def _statements(line: str) -> list[str]:
    """A line's statements; `;` parts them outside of strings, brackets and entities."""
    parts, start, quoted, depth = [], 0, False, 0
    for at, sign in enumerate(line):
        if sign == '"':
            quoted = not quoted
        elif not quoted and sign in "[({":
            depth += 1
        elif not quoted and sign in "])}":
            depth -= 1
        elif not quoted and line.startswith("%%", at):
            line = line[:at]
            break
        elif sign == ";" and not quoted and depth <= 0:
            parts.append(line[start:at])
            start = at + 1
    parts.append(line[start:])
    return [part.strip() for part in parts if part.strip()]


def _bracketed(text: str, at: int, number: int) -> tuple[int, Shape | None, str | None]:
    """Shape and label behind an id, if there are any, and where they end."""
    for left, right, shape in _BY_LENGTH:
        if not text.startswith(left, at):
            continue
        start = at + len(left)
        end = _closing(text, start, right)
        if end is None:
            continue
        return end + len(right), shape, plain(text[start:end])
    if at < len(text) and text[at] in "[({":
        raise MermaidError(f"Line {number}: the bracket {text[at : at + 20]!r} is not closed.")
    return at, None, None


def _closing(text: str, start: int, right: str) -> int | None:
    """Where a label ends: behind its string, or at the first closing bracket of that kind."""
    opened = re.compile(r'\s*"').match(text, start)
    if opened is not None:
        close = text.find('"', opened.end())
        if close < 0:
            return None
        behind = re.compile(r"\s*").match(text, close + 1)
        end = behind.end() if behind else close + 1
        return end if text.startswith(right, end) else None
    end = text.find(right, start)
    return end if end >= 0 and not any(sign in text[start:end] for sign in "[{(") else None


def _link(text: str, at: int) -> tuple[int, dict[str, object] | None, str] | None:
    """A link at a place: where it ends, its heads and stroke (`None` for an invisible one), its label."""
    with_text = _TEXT_LINK.match(text, at)
    match = with_text or _LINK.match(text, at)
    if match is None:
        return None
    line, end = match.group("line"), match.end()
    if line.startswith("~~~"):
        return end, None, ""
    label = plain(match.group("text")) if with_text else ""
    behind = re.compile(r'\s*\|\s*("[^"]*"|[^|]*)\|').match(text, end)
    if behind is not None:
        label, end = plain(behind.group(1)), behind.end()
    opening = with_text.group("open") if with_text else line
    stroke = Stroke.thick if opening.startswith("=") else Stroke.dashed if opening.startswith("-.") else Stroke.solid
    right, left = match.group("right"), match.group("left")
    heads = {"source_head": _HEADS.get(left or "", Head.none), "target_head": _HEADS.get(right or "", Head.none)}
    return end, {"stroke": stroke, **heads}, label
