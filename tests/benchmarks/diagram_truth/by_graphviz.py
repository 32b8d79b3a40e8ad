"""Diagrams drawn by Graphviz. The gold comes from Graphviz's own layout, written in the same run as the picture.

Picture and layout are one process's output (`dot -Tpng … -Tjson …`), so boxes and paths are exact. One point is
`dpi / 72` pixels, the picture has a margin of four points, and Graphviz counts upwards.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.topology import GENRES, sketch
from tools.app.programs import cache_dir
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Group, Head, Node, Shape, Stroke
from tools.errors import MissingProgram

EXAMPLES = Path("/usr/share/doc/graphviz/examples/graphs")
MARGIN_PT = 4.0
RENDER_S = 60.0

_SHAPES = {
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
    Shape.cylinder: "cylinder",
    Shape.subroutine: "box",
    Shape.point: "point",
    Shape.text: "plaintext",
}
_READ_SHAPES = {
    **dict.fromkeys(("box", "rect", "rectangle", "square", "box3d", "component", "tab", "folder", "signature"), Shape.rectangle),
    **dict.fromkeys(("", "ellipse", "oval", "egg"), Shape.ellipse),
    **dict.fromkeys(("trapezium", "invtrapezium"), Shape.trapezium),
    **dict.fromkeys(("triangle", "invtriangle"), Shape.triangle),
    **dict.fromkeys(
        ("polygon", "house", "invhouse", "pentagon", "septagon", "octagon", "doubleoctagon", "tripleoctagon"), Shape.polygon
    ),
    **dict.fromkeys(("circle", "Mcircle"), Shape.circle),
    **dict.fromkeys(("diamond", "Mdiamond"), Shape.diamond),
    **dict.fromkeys(("plaintext", "plain", "none"), Shape.text),
    "Msquare": Shape.rectangle,
    "doublecircle": Shape.double_circle,
    "parallelogram": Shape.parallelogram,
    "hexagon": Shape.hexagon,
    "cylinder": Shape.cylinder,
    "note": Shape.note,
    "point": Shape.point,
    "underline": Shape.text,
}
_HEADS = {
    Head.none: "none",
    Head.arrow: "normal",
    Head.triangle: "empty",
    Head.diamond: "odiamond",
    Head.filled_diamond: "diamond",
    Head.circle: "odot",
    Head.bar: "tee",
    Head.crow_foot: "crow",
}
_READ_HEADS = {
    **dict.fromkeys(("normal", "vee", "open", "halfopen", "inv", "lnormal", "rnormal", "lvee", "rvee"), Head.arrow),
    **dict.fromkeys(("empty", "onormal", "oinv", "invempty"), Head.triangle),
    **dict.fromkeys(("dot", "odot", "invdot", "invodot"), Head.circle),
    **dict.fromkeys(("tee", "box", "obox", "curve", "icurve"), Head.bar),
    **dict.fromkeys(("crow", "lcrow", "rcrow"), Head.crow_foot),
    "diamond": Head.filled_diamond,
    "ediamond": Head.diamond,
    "odiamond": Head.diamond,
    "none": Head.none,
}
_FONTS = ("DejaVu Sans", "Liberation Sans", "Liberation Serif", "Liberation Sans Narrow", "DejaVu Serif", "Liberation Mono")
_LIGHT_FILLS = ("#dbe9ff", "#e3f5e1", "#fff2cc", "#fde2e2", "#eee5ff", "#f2f2f2", "#d5f0f0", "#ffffff")
_DARK_FILLS = ("#2d3b55", "#2f4a35", "#4d432a", "#512f33", "#3c3357", "#333333", "#274747")
_LIGHT_INKS = ("black", "black", "gray30", "#1f4e79", "#7a1f1f", "#3b6e22", "gray50")
_DARK_INKS = ("white", "gray85", "#9cc3ff", "#ffb0a0", "#a8e6a3")


def version() -> str:
    """What `dot` calls itself. Raises `MissingProgram` if it is not installed."""
    if shutil.which("dot") is None:
        raise MissingProgram("Graphviz is not installed.", hint="Run: apt-get install -y graphviz")
    told = subprocess.run(["dot", "-V"], capture_output=True, text=True, timeout=RENDER_S, check=True)
    return (told.stderr or told.stdout).strip()


def random_sample(index: int, *, dark: bool) -> Sample:
    """The diagram of that number: 5–40 nodes, all genres in turn. Its graph and its layout are the same in both themes."""
    rng = Random(f"graphviz-{index}")
    genre = list(GENRES)[index % len(GENRES)]
    diagram, domain = sketch(rng, genre, rng.choice((5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 36)))
    engine = rng.choice(("neato", "fdp", "circo", "dot")) if genre == "network" else "dot"
    if genre == "tree" and rng.random() < 0.2:
        engine = "circo"
    text, dpi = _styled(rng, diagram, genre, engine, dark=dark)
    picture, layout = render(text, engine, dpi)
    facts = {
        "family": "graphviz",
        "genre": genre,
        "domain": domain,
        "engine": engine,
        "dpi": dpi,
        "theme": "dark" if dark else "light",
    }
    return Sample(f"graphviz-{index:04d}", picture, gold_of(layout, dpi), facts)


def _styled(rng: Random, diagram: Diagram, genre: str, engine: str, *, dark: bool) -> tuple[str, int]:
    """DOT text in a style drawn by chance, and the resolution to draw it at."""
    look = Random(rng.random())
    fills, inks = (_DARK_FILLS, _DARK_INKS) if dark else (_LIGHT_FILLS, _LIGHT_INKS)
    at_light, at_fill = look.randrange(len(inks) if dark else len(_LIGHT_INKS)), look.random()
    ink, text = inks[at_light % len(inks)], "white" if dark else "black"
    mode = look.choices(("none", "one", "by shape", "each"), (4, 3, 2, 1))[0]
    font, size = look.choice(_FONTS), look.choice((11, 12, 13, 14, 14, 16))
    splines = look.choices(("spline", "polyline", "line", "ortho"), (7, 1.5, 1, 1))[0]
    labelled = any(edge.label for edge in diagram.edges)
    if engine != "dot" or (splines == "ortho" and (labelled or genre != "tree")):
        splines = "spline"
    arrow = look.choices(("normal", "vee", "open"), (7, 2, 1))[0]
    way = diagram.flow.value if diagram.flow is not Flow.none else "TB"
    lines = [
        "digraph {",
        f"graph [rankdir={way} splines={splines} overlap=false compound=true"
        f' fontname="{font}" fontsize={size} fontcolor={text} bgcolor="{"#1e1e1e" if dark else "white"}"'
        f' nodesep={look.choice((0.25, 0.35, 0.5))} ranksep={look.choice((0.4, 0.5, 0.7))} sep="+14" mindist=1.2]',
        f'node [fontname="{font}" fontsize={size} fontcolor={text} color="{ink}" penwidth={look.choice((1, 1, 1.5, 2))}]',
        f'edge [fontname="{font}" fontsize={size - 1} fontcolor={text} color="{look.choice((ink, ink, inks[0]))}"'
        f" penwidth={look.choice((1, 1, 1.3, 2))} arrowsize={look.choice((0.7, 1, 1))}]",
    ]
    start = int(at_fill * 97)

    def fill(index: int, shape: Shape) -> str:
        if mode == "none":
            return ""
        turn = {"one": start, "by shape": start + list(Shape).index(shape), "each": start + index}[mode]
        return fills[turn % len(fills)]

    lines += _body(diagram, fill, arrow, ink)
    return "\n".join([*lines, "}"]), look.choice((72, 96, 96, 96, 120, 144))


def _body(diagram: Diagram, fill: Any, arrow: str, ink: str) -> list[str]:
    lines = [_group(diagram, group, ink) for group in diagram.groups if group.parent is None]
    groups = {group.id for group in diagram.groups}
    for index, node in enumerate(diagram.nodes):
        styles = [{Shape.rounded: "rounded", Shape.stadium: "rounded"}.get(node.shape, "")]
        tint = fill(index, node.shape) if node.shape not in {Shape.point, Shape.text} else ""
        styles += ["filled"] if tint else []
        attributes = {
            "label": node.label,
            "shape": _SHAPES[node.shape],
            "style": ",".join(filter(None, styles)),
            "fillcolor": tint,
        }
        if node.shape is Shape.subroutine:
            attributes["peripheries"] = "2"
        lines.append(f"{node.id} [{_attributes(attributes)}]")
    for edge in diagram.edges:
        ends, extra = [], {}
        for end, key in ((edge.source, "ltail"), (edge.target, "lhead")):
            ends.append(_inner(diagram, end) if end in groups else end)
            extra |= {key: f"cluster_{end}"} if end in groups else {}
        head = arrow if edge.target_head is Head.arrow else _HEADS[edge.target_head]
        tail = arrow if edge.source_head is Head.arrow else _HEADS[edge.source_head]
        both = edge.source_head is not Head.none
        extra |= {"label": edge.label, "arrowhead": head, "arrowtail": tail, "dir": "both" if both else "forward"}
        extra["style"] = {Stroke.dashed: "dashed", Stroke.dotted: "dotted", Stroke.thick: "bold"}.get(edge.stroke, "")
        lines.append(f"{ends[0]} -> {ends[1]} [{_attributes(extra)}]")
    return lines


def _attributes(values: dict[str, str]) -> str:
    return " ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value or key == "label")


def _group(diagram: Diagram, group: Group, ink: str) -> str:
    inner = " ".join(_group(diagram, other, ink) for other in diagram.groups if other.parent == group.id)
    nodes = " ".join(node.id for node in diagram.nodes if node.parent == group.id)
    return f'subgraph cluster_{group.id} {{ label={json.dumps(group.label, ensure_ascii=False)} color="{ink}" {inner} {nodes} }}'


def _inner(diagram: Diagram, group_id: str) -> str:
    return next(node.id for node in diagram.nodes if node.parent == group_id)


def render(text: str, engine: str, dpi: int) -> tuple[Any, dict[str, Any]]:
    """Picture and layout of DOT text. Raises `ValueError` if Graphviz refuses it or takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        png, layout = Path(folder) / "p.png", Path(folder) / "l.json"
        command = ["dot", f"-K{engine}", f"-Gdpi={dpi}", "-Tpng", "-o", str(png), "-Tjson", "-o", str(layout)]
        try:
            done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=RENDER_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise ValueError("Graphviz took too long") from error
        if done.returncode != 0 or not layout.is_file():
            raise ValueError(f"Graphviz: {done.stderr.decode(errors='replace')[:300]}")
        return open_rgb(png.read_bytes()), json.loads(layout.read_text(encoding="utf-8"), strict=False)


def gold_of(layout: dict[str, Any], dpi: int) -> Diagram:
    """The graph as Graphviz drew it. Labels are what was set in type, line by line; what is invisible is left out."""
    scale = dpi / 72
    _, _, _, top = (float(value) for value in layout["bb"].split(","))

    def place(x: float, y: float) -> tuple[float, float]:
        return (x + MARGIN_PT) * scale, (top - y + MARGIN_PT) * scale

    def frame(bb: str) -> Frame:
        left, low, right, high = (float(value) for value in bb.split(","))
        x, y = place(left, high)
        return Frame(x=x, y=y, width=(right - left) * scale, height=(high - low) * scale)

    objects = layout.get("objects", [])
    clusters = [thing for thing in objects if "nodes" in thing or thing["name"].startswith("cluster")]
    clusters = [thing for thing in clusters if thing["name"].startswith("cluster") and "bb" in thing]
    parents: dict[int, str] = {}
    for cluster in sorted(clusters, key=lambda thing: -len(thing.get("nodes", []))):
        for member in (*cluster.get("nodes", []), *cluster.get("subgraphs", [])):
            parents[member] = cluster["name"]
    groups = [
        Group(id=thing["name"], label=_typeset(thing), box=frame(thing["bb"]), parent=parents.get(thing["_gvid"]))
        for thing in clusters
    ]
    nodes = [
        _gold_node(thing, place, scale, parents) for thing in objects if "pos" in thing and "invis" not in thing.get("style", "")
    ]
    names = {thing["_gvid"]: thing["name"] for thing in objects}
    known = {node.id for node in nodes} | {group.id for group in groups}
    edges = []
    for number, line in enumerate(layout.get("edges", []), start=1):
        edge = _gold_edge(f"e{number}", line, names, place, directed=bool(layout.get("directed")))
        if edge is not None and edge.source in known and edge.target in known:
            edges.append(edge)
    flow = Flow(layout.get("rankdir", "TB")) if layout.get("directed") else Flow.none
    return Diagram(flow=flow, title=_typeset(layout), nodes=tuple(nodes), edges=tuple(edges), groups=tuple(groups))


def _typeset(thing: dict[str, Any], key: str = "_ldraw_") -> str:
    return "\n".join(operation["text"] for operation in thing.get(key, []) if operation["op"] == "T").strip()


def _gold_node(thing: dict[str, Any], place: Any, scale: float, parents: dict[int, str]) -> Node:
    x, y = place(*(float(value) for value in thing["pos"].rstrip("!").split(",")[:2]))
    width, height = float(thing["width"]) * 72 * scale, float(thing["height"]) * 72 * scale
    shape, label, rows = thing.get("shape", ""), _typeset(thing), ()
    if shape in {"record", "Mrecord"}:
        texts = label.split("\n")
        if len(thing.get("rects", "").split()) > 1:
            kind, label, rows = Shape.table, texts[0], tuple(texts[1:])
        else:
            kind = Shape.rounded if shape == "Mrecord" else Shape.rectangle
    elif shape in {"box", "rect", "rectangle", "square"} and "rounded" in thing.get("style", ""):
        kind = Shape.rounded
    elif shape in {"box", "rect"} and thing.get("peripheries") == "2":
        kind = Shape.subroutine
    else:
        kind = _READ_SHAPES.get(shape, Shape.unknown)
    if kind is Shape.ellipse and abs(width - height) < 1:
        kind = Shape.circle
    if kind is Shape.point:
        label = ""
    box = Frame(x=x - width / 2, y=y - height / 2, width=width, height=height)
    return Node(id=thing["name"], label=label, shape=kind, box=box, parent=parents.get(thing["_gvid"]), rows=rows)


def _gold_edge(edge_id: str, line: dict[str, Any], names: dict[int, str], place: Any, *, directed: bool) -> Edge | None:
    style = line.get("style", "")
    if "invis" in style or "pos" not in line:
        return None
    way = line.get("dir", "forward" if directed else "none")
    target_head = _head(line.get("arrowhead", "normal")) if way in {"forward", "both"} else Head.none
    source_head = _head(line.get("arrowtail", "normal")) if way in {"back", "both"} else Head.none
    stroke = next((stroke for stroke in (Stroke.dashed, Stroke.dotted) if stroke.value in style), Stroke.solid)
    edge = Edge(
        id=edge_id,
        source=line.get("ltail") or names[line["tail"]],
        target=line.get("lhead") or names[line["head"]],
        label=_typeset(line),
        source_label=_typeset(line, "_tldraw_"),
        target_label=_typeset(line, "_hldraw_"),
        source_head=source_head,
        target_head=target_head,
        stroke=Stroke.thick if "bold" in style else stroke,
        path=_path(line["pos"], place),
    )
    return turned(edge) if edge.source_head is not Head.none and edge.target_head is Head.none else edge


def turned(edge: Edge) -> Edge:
    """The same edge with its ends exchanged."""
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


def _head(name: str) -> Head:
    """Head of an arrow type; of a compound one (`crowtee`) the first part that is known."""
    if name in _READ_HEADS:
        return _READ_HEADS[name]
    for known in sorted(_READ_HEADS, key=len, reverse=True):
        if known in name and known != "none":
            return _READ_HEADS[known]
    return Head.arrow


def _path(pos: str, place: Any) -> tuple[tuple[float, float], ...]:
    """Points along all its Bézier pieces, eight a piece, tips included."""
    points: list[tuple[float, float]] = []
    for spline in pos.split(";"):
        start = end = None
        knots: list[tuple[float, float]] = []
        for part in spline.split():
            numbers = re.sub(r"^[se],", "", part).split(",")
            point = float(numbers[0]), float(numbers[1])
            if part.startswith("s,"):
                start = point
            elif part.startswith("e,"):
                end = point
            else:
                knots.append(point)
        points += [start] if start else []
        points += curve(knots)
        points += [end] if end else []
    return tuple(place(*point) for point in points)


def curve(knots: list[tuple[float, float]], steps: int = 8) -> list[tuple[float, float]]:
    """Points of a chain of cubic Béziers given by its 3n + 1 control points."""
    points = knots[:1]
    for at in range(0, len(knots) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = knots[at : at + 4]
        for step in range(1, steps + 1):
            t = step / steps
            u = 1 - t
            weights = u**3, 3 * u * u * t, 3 * u * t * t, t**3
            points.append(
                (
                    sum(w * v for w, v in zip(weights, (ax, bx, cx, dx), strict=True)),
                    sum(w * v for w, v in zip(weights, (ay, by, cy, dy), strict=True)),
                )
            )
    return points


def real_graphs() -> list[Path]:
    """DOT files that Debian ships with Graphviz's documentation, unpacked into the cache where they are not installed.

    Raises `MissingProgram` where there are neither the files nor apt.
    """
    folder = EXAMPLES if EXAMPLES.is_dir() else _unpacked()
    return sorted(path for path in folder.rglob("*") if path.name.endswith((".gv", ".gv.gz")))


def _unpacked() -> Path:
    kept = cache_dir() / "graphviz-doc"
    inside = kept / str(EXAMPLES).lstrip("/")
    if not inside.is_dir():
        if shutil.which("apt-get") is None:
            raise MissingProgram("Graphviz's example graphs are not installed.", hint="Install the package graphviz-doc.")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                ["apt-get", "-o", "APT::Sandbox::User=root", "download", "graphviz-doc"],
                cwd=folder,
                timeout=180,
                check=True,
                capture_output=True,
            )
            package = next(Path(folder).glob("*.deb"))
            subprocess.run(["dpkg", "-x", str(package), str(kept)], timeout=60, check=True)
    return inside


def read_graph(path: Path) -> str:
    """A DOT file's text; the examples are UTF-8 or Latin-1, some are packed."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def real_sample(path: Path, *, dark: bool) -> Sample | None:
    """One of the shipped graphs as its author styled it (on a dark ground: as Graphviz's defaults in light ink would be).

    `None` where it is no fair picture: fewer than 5 or more than 40 nodes, a page of several sheets, merged lines, HTML labels
    whose text is not a node's, or more than 4 megapixels.
    """
    text = read_graph(path)
    if re.search(r"concentrate|label\s*=\s*<|image\s*=|shapefile|\bpage\s*=|\bxlabel|charset", text):
        return None
    text = re.sub(
        r"\b(size|ratio|rotate|orientation|dpi|resolution|center|margin|viewport)\s*=\s*(\"[^\"]*\"|[\w.]+)\s*[;,]?", "", text
    )
    if dark:
        text = text.replace(
            "{",
            '{ bgcolor="#1e1e1e"; fontcolor=white; node [color=white fontcolor=white]; edge [color=white fontcolor=white];',
            1,
        )
    engine = "dot" if "digraph" in text else "neato"
    if engine == "neato":
        text = text.replace("{", "{ overlap=false; splines=true; sep=0.2;", 1)
    try:
        picture, layout = render(text, engine, 96)
        gold = gold_of(layout, 96)
    except ValueError:
        return None
    if not 5 <= len(gold.nodes) <= 40 or picture.width * picture.height > 4_000_000 or not gold.edges:
        return None
    name = path.name.split(".")[0]
    facts = {
        "family": "graphviz",
        "genre": "real",
        "domain": "real",
        "engine": engine,
        "dpi": 96,
        "theme": "dark" if dark else "light",
    }
    return Sample(f"graphviz-real-{path.parent.name}-{name}", picture, gold, facts)
