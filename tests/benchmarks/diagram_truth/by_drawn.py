"""Diagrams drawn by ourselves in SVG, in looks that other programs have: pencil, shadows, no borders, pale lines, frames, buses.

Where things lie comes from Graphviz (`scene`); outlines, lines, heads and labels are drawn here and the gold is what was drawn.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import cv2
import numpy

from tests.benchmarks.diagram_truth import scene as scenes
from tests.benchmarks.diagram_truth.chromium import Camera, shot
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.scene import Scene, Spot, Wire
from tests.benchmarks.diagram_truth.topology import sketch
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Head, Node, Shape, Stroke

LOOKS = ("pencil", "shadow", "borderless", "pale", "on the line", "framed", "bus", "dashed", "dark", "wide")
EDGE_PX = 30.0
_FONTS = ("Liberation Sans", "DejaVu Sans", "Liberation Serif", "DejaVu Serif", "Liberation Mono")
_PAIRS = (("#ffffff", "#000000"), ("#dae8fc", "#6c8ebf"), ("#d5e8d4", "#82b366"), ("#fff2cc", "#d6b656"), ("#f5f5f5", "#666666"))
_DEEP = ("#4e79a7", "#59a14f", "#e15759", "#7b6fd0", "#2f6f73", "#555555")
_TOLD = ("flowchart", "states", "layered")
"""Genres whose lines have labels."""
_GENRES = (*_TOLD, *_TOLD, "pipeline", "dependency", "tree")
_HEADS = ("filled", "filled", "swept", "barbs", "barbs", "hollow")
_ROUND = {Shape.ellipse, Shape.circle, Shape.double_circle}


@dataclass(frozen=True)
class Style:
    """How one picture is drawn. `tint`: fill, border and text of a node by its number."""

    tint: Callable[[int], tuple[str, str, str]]
    font: str
    ground: str = "#ffffff"
    wire: str = "#000000"
    words: str = "#000000"
    size: float = 14
    stroke: float = 1.5
    border: float = 1.5
    head: str = "filled"
    reach: float = 10
    radius: float = 0
    dash: str = ""
    shadow: str = ""
    pencil: bool = False
    label: str = "patch"
    frame: bool = False


def drawn_sample(index: int, camera: Camera) -> Sample:
    """The diagram of that number, looks in turn."""
    rng = Random(f"drawn-{index}")
    look = LOOKS[index % len(LOOKS)]
    genre = "tree" if look == "bus" else rng.choice(_TOLD if look == "on the line" else _GENRES)
    diagram, domain = sketch(rng, genre, rng.choice((5, 7, 9, 12)))
    style = _style(rng, look)
    scene = _scene(rng, look, _shaped(rng, look, diagram), style)
    scale = rng.choice((1.0, 1.0, 1.0, 1.5, 2.0))
    page = camera.page(scale)
    page.evaluate("h => { document.getElementById('place').innerHTML = h; }", _page(rng, scene, style))
    data, _ = shot(page, "#stage", 0)
    theme = "dark" if look == "dark" else "light"
    facts = {"family": "drawn", "genre": look, "domain": domain, "dpi": int(96 * scale), "theme": theme}
    return Sample(f"drawn-{index:04d}", open_rgb(data), _gold(scene, scale), facts)


def _style(rng: Random, look: str) -> Style:
    pairs = rng.sample(_PAIRS, rng.choice((1, 2, 3)))
    deep, one = rng.sample(_DEEP, 3), rng.random() < 0.5
    wide = rng.choice((1, 1, 1.5, 2))
    style = Style(
        tint=lambda at: (*pairs[0 if one else at % len(pairs)], "#000000"),
        font=rng.choice(_FONTS),
        size=rng.choice((11, 12, 14, 16)),
        stroke=wide,
        border=rng.choice((1, wide, 2)),
        head=rng.choice(_HEADS),
        reach=rng.choice((7, 9, 11, 14)),
        radius=rng.choice((0, 0, 5, 12)),
        wire=rng.choice(("#000000", "#000000", "#333333", "#666666", pairs[0][1])),
    )
    filled = replace(style, tint=lambda at: (deep[at % 3 if not one else 0], "none", "#ffffff"), radius=rng.choice((0, 4, 8)))
    grey = rng.choice(("#999999", "#aaaaaa", "#b1b1b7", "#8a8a8a"))
    night = rng.choice((("#1e1e1e", "#2d2d30"), ("#0d1117", "#161b22"), ("#282a36", "#44475a"), ("#000000", "#000000")))
    light = rng.choice(("#e6e6e6", "#8be9fd", "#58a6ff", "#c9d1d9"))
    return {
        "pencil": replace(style, pencil=True, head=rng.choice(("barbs", "filled")), label="halo"),
        "shadow": replace(style, shadow=rng.choice(("0,3,0.2", "3,3,0", "4,6,0.15", "2,2,0.5", "0,1,0.4"))),
        "borderless": replace(filled, wire=rng.choice((deep[0], deep[0], "#000000", "#777777"))),
        "pale": replace(
            style, wire=grey, stroke=rng.choice((0.8, 1, 1)), border=1, head=rng.choice(("barbs", "swept", "filled"))
        ),
        "on the line": replace(style, label=rng.choice(("patch", "halo", "bare"))),
        "framed": replace(style, frame=True),
        "dashed": replace(style, dash=rng.choice(("6 4", "4 3", "2 2", "1 3", "8 3"))),
        "dark": replace(
            style,
            ground=night[0],
            tint=lambda _: (night[1], light, "#f0f0f0"),
            words="#f0f0f0",
            wire=rng.choice((light, "#8b949e")),
        ),
    }.get(look, style)


def _shaped(rng: Random, look: str, diagram: Diagram) -> Diagram:
    """Only what is drawn here: no groups, no loops, no heads but plain ones, and the shapes of this look."""
    wide = (Shape.diamond, Shape.diamond, Shape.ellipse, Shape.hexagon, Shape.parallelogram)
    known = {Shape.rectangle, Shape.rounded, Shape.diamond, Shape.ellipse, Shape.circle, Shape.hexagon, Shape.parallelogram}
    nodes = [
        node.model_copy(update={
            "parent": None,
            "shape": rng.choice(wide) if look == "wide" else node.shape if node.shape in known else Shape.rectangle,
        })
        for node in diagram.nodes
        if node.label
    ]  # fmt: skip
    ids = {node.id for node in nodes}
    edges = [_plain(edge) for edge in diagram.edges if {edge.source, edge.target} <= ids and edge.source != edge.target]
    return diagram.model_copy(update={"nodes": tuple(nodes), "edges": tuple(edges), "groups": ()})


def _plain(edge: Edge) -> Edge:
    heads = [head if head is Head.none else Head.arrow for head in (edge.source_head, edge.target_head)]
    return edge.model_copy(update={"source_head": heads[0], "target_head": heads[1]})


def _scene(rng: Random, look: str, diagram: Diagram, style: Style) -> Scene:
    stretch = rng.choice((1.0, 1.6, 2.4)) if look == "wide" else 1.0
    cards = scenes.card_sizes(diagram, style.size, (rng.choice((10, 18)), rng.choice((6, 12))))
    sizes = {name: (wide * stretch, high) for name, (wide, high) in cards.items()}
    for node in diagram.nodes:
        if node.shape is Shape.circle:
            sizes[node.id] = max(sizes[node.id]), max(sizes[node.id])
    if look == "bus":
        diagram = diagram.model_copy(update={"flow": Flow.down})
        if rng.random() < 0.5:
            bare = tuple(edge.model_copy(update={"target_head": Head.none}) for edge in diagram.edges)
            diagram = diagram.model_copy(update={"edges": bare})
        return scenes.org_chart(diagram, sizes)
    scene, layout = scenes.laid_out(diagram, sizes, gaps=(36, 60), splines=rng.choice(("spline", "polyline")))
    if rng.random() < 0.6:
        scenes.routed(scene, layout)
    else:
        scenes.wired(scene, rng.choice(("bezier", "smoothstep", "straight")), sideways=diagram.flow is Flow.right)
    return scene


def _outline(node: Node, box: Frame, radius: float) -> list[Spot]:
    """The corners of a node's border, close together where it is round."""
    (x, y), (a, b) = box.centre, (box.width / 2, box.height / 2)
    if node.shape in _ROUND:
        return [(x + a * math.cos(math.tau * t / 72), y + b * math.sin(math.tau * t / 72)) for t in range(72)]
    if node.shape is Shape.diamond:
        return [(x, y - b), (x + a, y), (x, y + b), (x - a, y)]
    if node.shape is Shape.hexagon:
        return [(x - a + b, y - b), (x + a - b, y - b), (x + a, y), (x + a - b, y + b), (x - a + b, y + b), (x - a, y)]
    lean = 0.4 * b if node.shape is Shape.parallelogram else 0.0
    corners = [(x - a + lean, y - b), (x + a, y - b), (x + a - lean, y + b), (x - a, y + b)]
    r = min(radius or (6 if node.shape is Shape.rounded else 0), a, b)
    if lean or not r:
        return corners
    turns = ((a - r, b - r, 0), (r - a, b - r, 1), (r - a, r - b, 2), (a - r, r - b, 3))
    return [
        (x + dx + r * math.cos(math.pi / 2 * (turn + t / 6)), y + dy + r * math.sin(math.pi / 2 * (turn + t / 6)))
        for dx, dy, turn in turns
        for t in range(7)
    ]


def _reached(points: list[Spot], outline: list[Spot]) -> list[Spot]:
    """The points, drawn on from the last one to the border that lies ahead or towards its middle, or cut where they enter it."""
    ring = numpy.array(outline, numpy.float32)
    first = next((at for at, spot in enumerate(points) if cv2.pointPolygonTest(ring, spot, measureDist=False) >= 0), None)
    if first:
        points = points[: first + 1]
    before, last = points[-2] if len(points) > 1 else points[-1], points[-1]
    middle = tuple(ring.mean(axis=0).tolist())
    for goal, reach in ((last, 60.0), (middle, math.dist(last, middle))):
        start = before if goal == last else last
        size = math.dist(start, goal) or 1.0
        for step in range(1, int(2 * reach)):
            spot = tuple(at + (to - origin) / size * step / 2 for at, to, origin in zip(last, goal, start, strict=True))
            if cv2.pointPolygonTest(ring, spot, measureDist=False) >= 0:
                return [*points, (spot[0], spot[1])]
    return points


def _path(points: list[Spot], *, closed: bool = False) -> str:
    return "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points) + (" Z" if closed else "")


def _pencilled(rng: Random, points: list[Spot], *, closed: bool = False) -> str:
    """Two strokes that tremble about the points."""
    given = scenes.dense([*points, points[0]] if closed else points, 22)
    return " ".join(_path([(x + rng.uniform(-0.9, 0.9), y + rng.uniform(-0.9, 0.9)) for x, y in given]) for _ in range(2))


def _head(points: list[Spot], style: Style, reach: float) -> str:
    """An arrow's head at the last of the points."""
    tip = points[-1]
    back = next((spot for spot in reversed(points) if math.dist(spot, tip) >= reach), points[0])
    size = math.dist(back, tip) or 1.0
    dx, dy = (tip[0] - back[0]) / size, (tip[1] - back[1]) / size
    half = reach * 0.42
    base = tip[0] - dx * reach, tip[1] - dy * reach
    sides = [(base[0] - dy * half, base[1] + dx * half), (base[0] + dy * half, base[1] - dx * half)]
    if style.head == "barbs":
        return f'<path d="{_path([sides[0], tip, sides[1]])}" fill="none" stroke="{style.wire}" stroke-width="{style.stroke}"/>'
    notch = [(tip[0] - dx * reach * 0.65, tip[1] - dy * reach * 0.65)] if style.head == "swept" else []
    fill, rim = (style.ground, style.stroke) if style.head == "hollow" else (style.wire, 0)
    shape = _path([sides[0], tip, sides[1], *notch], closed=True)
    return f'<path d="{shape}" fill="{fill}" stroke="{style.wire}" stroke-width="{rim}"/>'


def _wire(rng: Random, scene: Scene, wire: Wire, style: Style) -> str:
    by_id = {node.id: node for node in scene.diagram.nodes}
    item, other = (_outline(by_id[name], scene.boxes[name], style.radius) for name in (wire.edge.source, wire.edge.target))
    points = _reached(wire.points, other)
    points = _reached(points[::-1], item)[::-1]
    wire.points[:] = points
    dash = {Stroke.dashed: "6 4", Stroke.dotted: "2 3"}.get(wire.edge.stroke, "")
    d = _pencilled(rng, points) if style.pencil else _path(points)
    parts = [f'<path d="{d}" fill="none" stroke="{style.wire}" stroke-width="{style.stroke}" stroke-dasharray="{dash}"/>']
    reach = min(style.reach + 2 * style.stroke, 0.4 * sum(math.dist(a, b) for a, b in pairwise(points)))
    if wire.edge.target_head is not Head.none:
        parts.append(_head(points, style, reach))
    if wire.edge.source_head is not Head.none:
        parts.append(_head(points[::-1], style, reach))
    return "".join(parts)


def _labels(scene: Scene, style: Style) -> str:
    """The labels of lines: beside them or, on a patch, in a halo or bare, upon them. Those that would hit a node are left out."""
    parts, size = [], style.size - 1
    for wire in scene.wires:
        if not wire.edge.label or wire.label_at is None:
            continue
        (x, y), wide = wire.label_at, scenes.text_width(wire.edge.label, size)
        mine = Frame(x=x - wide / 2, y=y - size, width=wide, height=2 * size)
        if any(_meet(mine, box) for box in scene.boxes.values()):
            wire.label_at = None
            continue
        if style.label == "patch":
            place = f'x="{x - wide / 2}" y="{y - size * 0.7}" width="{wide}" height="{size * 1.4}"'
            parts.append(f'<rect {place} fill="{style.ground}"/>')
        halo = f' style="paint-order:stroke" stroke="{style.ground}" stroke-width="4"' if style.label == "halo" else ""
        parts.append(_words(wire.edge.label, (x, y), size, style.words, halo))
    return "".join(parts)


def _meet(one: Frame, other: Frame) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _words(text: str, at: Spot, size: float, colour: str, more: str = "") -> str:
    lines, (x, middle) = text.split("\n"), at
    rows = [middle + (row - (len(lines) - 1) / 2) * size * 1.25 for row in range(len(lines))]
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{y:.1f}" dy="0.35em">{html.escape(line)}</tspan>' for y, line in zip(rows, lines, strict=True)
    )
    return f'<text text-anchor="middle" font-size="{size}" fill="{colour}"{more}>{spans}</text>'


def _node(rng: Random, scene: Scene, number: int, node: Node, style: Style) -> str:
    fill, border, words = style.tint(number)
    outline = _outline(node, scene.boxes[node.id], style.radius)
    look = f'stroke="{border}" stroke-width="{style.border}" stroke-dasharray="{style.dash}"'
    look += ' filter="url(#under)"' if style.shadow else ""
    drawn = f'<path d="{_path(outline, closed=True)}" fill="{fill}" {"" if style.pencil else look}/>'
    if style.pencil:
        drawn += f'<path d="{_pencilled(rng, outline, closed=True)}" fill="none" {look}/>'
    return drawn + _words(node.label, scene.boxes[node.id].centre, style.size, words)


def _page(rng: Random, scene: Scene, style: Style) -> str:
    wires = "".join(_wire(rng, scene, wire, style) for wire in scene.wires)
    nodes = "".join(_node(rng, scene, number, node, style) for number, node in enumerate(scene.diagram.nodes))
    width, height = math.ceil(scene.width + 2 * EDGE_PX), math.ceil(scene.height + 2 * EDGE_PX)
    inner = wires + nodes + _labels(scene, style)
    if style.frame:
        inner = f'<rect x="-18" y="-18" width="{width - 24}" height="{height - 24}" fill="none" stroke="{style.wire}"/>' + inner
    if style.shadow:
        dx, blur, faint = style.shadow.split(",")
        drop = f'<feDropShadow dx="{dx}" dy="3" stdDeviation="{blur}" flood-opacity="{float(faint) or 0.5}"/>'
        inner = f'<filter id="under" x="-20%" y="-40%" width="140%" height="200%">{drop}</filter>{inner}'
    view = f'width="{width}" height="{height}" viewBox="{-EDGE_PX} {-EDGE_PX} {width} {height}"'
    svg = f'<svg {view} font-family="{style.font}">{inner}</svg>'
    return f'<div id="stage" style="width:{width}px;height:{height}px;background:{style.ground}">{svg}</div>'


def _gold(scene: Scene, scale: float) -> Diagram:
    def frame(box: Frame) -> Frame:
        return Frame(x=(box.x + EDGE_PX) * scale, y=(box.y + EDGE_PX) * scale, width=box.width * scale, height=box.height * scale)

    nodes = tuple(node.model_copy(update={"box": frame(scene.boxes[node.id])}) for node in scene.diagram.nodes)
    edges = tuple(
        wire.edge.model_copy(update={
            "path": tuple(((x + EDGE_PX) * scale, (y + EDGE_PX) * scale) for x, y in wire.points),
            "label": wire.edge.label if wire.label_at is not None else "",
        })
        for wire in scene.wires
    )  # fmt: skip
    return scene.diagram.model_copy(update={"nodes": nodes, "edges": edges})
