"""Graphviz with all it can draw shuffled: shapes, borders, fills, heads, fonts, engines, records, tables, clusters, resolutions.

What each picture is about (`LOOKS`) is drawn by chance from the whole of Graphviz's own lists; the rest of its style is, too. The
gold comes from Graphviz's layout of the same run.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from random import Random

from tests.benchmarks.diagram_truth.by_graphviz import gold_of, render
from tests.benchmarks.diagram_truth.sample import Sample
from tests.benchmarks.diagram_truth.topology import sketch
from tools.diagram.model.graph import Diagram, Edge, Group, Head, Node, Stroke

LOOKS = ("shapes", "heads", "records", "tables", "clusters", "engines", "borders", "fills")
MOST_PIXELS = 5_000_000
_SHAPES = (
    *("box", "ellipse", "circle", "diamond", "egg", "trapezium", "invtrapezium", "parallelogram", "house", "invhouse", "hexagon"),
    *("pentagon", "septagon", "octagon", "doubleoctagon", "doublecircle", "square", "note", "tab", "folder", "box3d"),
    *("component", "cylinder", "plaintext", "Mdiamond", "Msquare", "rect", "oval"),
)
_PLAIN = ("box", "box", "ellipse", "ellipse", "circle", "rect")
_HEADS = (
    *("normal", "normal", "vee", "open", "empty", "onormal", "dot", "odot", "diamond", "odiamond", "ediamond", "box", "obox"),
    *("crow", "tee", "inv", "halfopen", "invempty", "lnormal", "rvee", "normalnormal", "dotnormal"),
)
_POINTED = ("normal", "normal", "normal", "vee", "open", "empty")
_BORDERS = ("solid", "dashed", "dotted", "bold", "rounded", "rounded,dashed", "diagonals")
_FONTS = ("DejaVu Sans", "Liberation Sans", "Liberation Serif", "Liberation Sans Narrow", "DejaVu Serif", "Liberation Mono")
_INKS = ("black", "black", "black", "gray40", "gray60", "navy", "firebrick", "#1f77b4", "darkgreen", "#999999", "purple")
_TINTS = ("lightblue", "#dae8fc", "#ffe6cc", "#d5e8d4", "lightgrey", "gold", "#f8cecc", "white", "palegreen", "orange", "#e0e0ff")
_DEEP = ("#1f77b4", "#2ca02c", "#d62728", "steelblue", "#444444", "darkslateblue", "#8c564b")
_GENRES = ("flowchart", "layered", "states", "dependency", "tree", "pipeline")


def shuffled_sample(index: int) -> Sample | None:
    """The diagram of that number, looks in turn; `None` where it would be too large. Raises `ValueError` if Graphviz refuses."""
    rng = Random(f"shuffled-{index}")
    look = LOOKS[index % len(LOOKS)]
    genre = "architecture" if look == "clusters" else "network" if look == "engines" else rng.choice(_GENRES)
    diagram, domain = sketch(rng, genre, rng.choice((5, 7, 8, 9, 12, 15)))
    engine = rng.choice(("neato", "fdp", "circo", "twopi")) if look == "engines" else "dot"
    dpi = rng.choice((72, 96, 96, 96, 120, 150))
    dark = look != "tables" and rng.random() < 0.12
    text = "\n".join([f"digraph {{ {_defaults(rng, look, diagram, dark=dark)}", *_body(rng, look, diagram, dark=dark), "}"])
    picture, layout = render(text, engine, dpi)
    if picture.width * picture.height > MOST_PIXELS:
        return None
    theme = "dark" if dark else "light"
    facts = {"family": "shuffled", "genre": look, "domain": domain, "engine": engine, "dpi": dpi, "theme": theme}
    return Sample(f"shuffled-{index:04d}", picture, gold_of(layout, dpi), facts)


def _defaults(rng: Random, look: str, diagram: Diagram, *, dark: bool) -> str:
    font, size = rng.choice(_FONTS), rng.choice((10, 12, 14, 14, 14, 16))
    ink = "white" if dark else rng.choice(_INKS)
    wire = ink if rng.random() < 0.6 else "gray80" if dark else rng.choice(_INKS)
    words = "white" if dark else "black"
    way = rng.choice(("TB", "TB", "LR", "LR", "BT", "RL"))
    # Orthogonal lines lie on each other in denser graphs: there nobody could tell them apart.
    single = len(diagram.edges) < len(diagram.nodes) and not any(edge.label for edge in diagram.edges)
    splines = rng.choice(("spline", "ortho") if single else ("spline", "spline", "polyline", "line", "curved"))
    arrow = rng.choice(_HEADS if look == "heads" else _POINTED)
    ground = rng.choice(("#1e1e1e", "#0d1117", "black") if dark else ("white", "white", "white", "#fffff0", "#f4f4f4"))
    graph = {"fontname": font, "rankdir": way, "splines": splines, "compound": "true", "overlap": "false", "bgcolor": ground}
    graph |= {"fontcolor": words, "nodesep": rng.choice(("0.25", "0.5")), "ranksep": rng.choice(("0.5", "0.8"))}
    node = {"fontname": font, "fontsize": str(size), "color": ink, "fontcolor": words, "penwidth": rng.choice("1112")}
    edge = {"fontname": font, "fontsize": str(size - rng.choice((0, 2))), "color": wire, "fontcolor": words, "arrowhead": arrow}
    edge |= {"arrowsize": rng.choice(("0.5", "0.7", "1", "1", "1.4")), "penwidth": rng.choice(("0.7", "1", "1", "2"))}
    return f"graph [{_said(graph)}] node [{_said(node)}] edge [{_said(edge)}]"


def _said(values: dict[str, str]) -> str:
    return " ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in values.items())


def _body(rng: Random, look: str, diagram: Diagram, *, dark: bool) -> list[str]:
    draw = _drawers(rng, look, dark=dark)
    lines = [line for group in diagram.groups if group.parent is None for line in _cluster(rng, diagram, group)]
    lines += [f"{node.id} [{draw(node)}]" for node in diagram.nodes]
    groups = {group.id for group in diagram.groups}
    return lines + [_edge(rng, look, edge) for edge in diagram.edges if not {edge.source, edge.target} & groups]


def _drawers(rng: Random, look: str, *, dark: bool) -> Callable[[Node], str]:
    """How a node of this picture is drawn."""
    shapes = rng.sample(_SHAPES, 4) if look == "shapes" else rng.sample(_PLAIN, 2)
    border = rng.choice(_BORDERS)
    tints = rng.sample(_DEEP if dark or rng.random() < 0.3 else _TINTS, 3)
    pale = not dark and tints[0] in _TINTS

    def plain(node: Node) -> str:
        values = {"label": node.label, "shape": rng.choice(shapes)}
        if look == "borders" and rng.random() < 0.8:
            values |= {"style": border if values["shape"] == "box" else border.replace("rounded", "").strip(",") or "solid"}
        if look == "fills" or (look in {"shapes", "heads", "engines"} and rng.random() < 0.4):
            tint = rng.choice(tints)
            values |= {"style": "filled", "fillcolor": tint, "fontcolor": "black" if pale else "white"}
            values |= rng.choice(({}, {"color": tint}, {"fillcolor": f"{tint}:{'white' if pale else tint}"}))
        return _said(values)

    def record(node: Node) -> str:
        rows = [f"{rng.choice('+-#')} {word}" for word in rng.sample(("name", "total", "count", "open()", "close()", "id"), 2)]
        parts = "|".join([node.label.replace("\n", " "), *rows[: rng.choice((1, 2))]])
        return _said({"shape": rng.choice(("record", "Mrecord")), "label": f"{{{parts}}}" if rng.random() < 0.7 else parts})

    return {"records": record, "tables": lambda node: _table(rng, node, tints)}.get(look, plain)


def _table(rng: Random, node: Node, tints: Sequence[str]) -> str:
    """A node as a table of HTML: a title row on its own ground, rows beneath."""
    title = html.escape(node.label).replace("\n", "<br/>")
    dark = rng.random() < 0.3
    ground, ink = ("black", "white") if dark else (tints[0] if tints[0] in _TINTS else "white", "black")
    words = rng.sample(("key", "owner: text", "amount", "valid: bool"), rng.choice((1, 2, 3)))
    rows = "".join(f'<tr><td align="left">{word}</td></tr>' for word in words)
    inner = f'<td bgcolor="{ground}"><font color="{ink}">{title}</font></td>'
    look = f'border="1" cellborder="{rng.choice("01")}" cellspacing="0" cellpadding="4"'
    return f"shape=plaintext label=<<table {look}><tr>{inner}</tr>{rows}</table>>"


def _cluster(rng: Random, diagram: Diagram, group: Group) -> list[str]:
    style = rng.choice(
        ({}, {"style": "dashed"}, {"style": "rounded"}, {"style": "filled", "color": "lightgrey"}, {"color": "blue"})
    )
    inner = [line for item in diagram.groups if item.parent == group.id for line in _cluster(rng, diagram, item)]
    inner += [f"{node.id};" for node in diagram.nodes if node.parent == group.id]
    return [f"subgraph cluster_{group.id} {{ graph [{_said({'label': group.label, **style})}]", *inner, "}"]


def _edge(rng: Random, look: str, edge: Edge) -> str:
    values = {"label": edge.label} if edge.label else {}
    values |= {"style": edge.stroke.value} if edge.stroke in {Stroke.dashed, Stroke.dotted} else {}
    if edge.target_head is Head.none:
        values |= {"dir": "none"}
    elif edge.source_head is not Head.none or (look == "heads" and rng.random() < 0.1):
        values |= {"dir": "both", "arrowtail": rng.choice(_POINTED)}
    return f"{edge.source} -> {edge.target} [{_said(values)}]"
