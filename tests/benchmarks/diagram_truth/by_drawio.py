"""Diagrams as draw.io draws them: its own renderer (npm's `mxgraph`) in Chromium, styles as its users choose them.

Where things lie comes from Graphviz, ways of lines from `scene` (those that would run through a stranger are left out there).
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.benchmarks.diagram_truth.chromium import Camera, shot
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.scene import Scene, Wire, laid_out, text_width, wired
from tests.benchmarks.diagram_truth.topology import sketch
from tools.diagram.model.graph import Flow, Head, Node, Shape, Stroke

_GENRES = ("flowchart", "pipeline", "layered", "tree", "states", "dependency")
_STYLES = {
    Shape.rectangle: "",
    Shape.rounded: "rounded=1;",
    Shape.stadium: "rounded=1;arcSize=50;",
    Shape.diamond: "rhombus;",
    Shape.ellipse: "ellipse;",
    Shape.circle: "ellipse;",
    Shape.double_circle: "ellipse;shape=doubleEllipse;",
    Shape.cylinder: "shape=cylinder;",
    Shape.hexagon: "shape=hexagon;perimeter=hexagonPerimeter;",
    Shape.text: "text;strokeColor=none;fillColor=none;",
}
_PAIRS = (
    "fillColor=#ffffff;strokeColor=#000000;",
    "fillColor=#dae8fc;strokeColor=#6c8ebf;",
    "fillColor=#d5e8d4;strokeColor=#82b366;",
    "fillColor=#ffe6cc;strokeColor=#d79b00;",
    "fillColor=#fff2cc;strokeColor=#d6b656;",
    "fillColor=#f8cecc;strokeColor=#b85450;",
    "fillColor=#e1d5e7;strokeColor=#9673a6;",
    "fillColor=#f5f5f5;strokeColor=#666666;fontColor=#333333;",
    "fillColor=#dae8fc;strokeColor=#6c8ebf;gradientColor=#7ea6e0;",
    "fillColor=#0050ef;strokeColor=#001DBC;fontColor=#ffffff;",
    "fillColor=#647687;strokeColor=#314354;fontColor=#ffffff;",
    "fillColor=#60a917;strokeColor=none;fontColor=#ffffff;",
)
_HEADS = ("endArrow=classic;", "endArrow=classic;", "endArrow=block;endFill=0;", "endArrow=open;", "endArrow=block;endFill=1;")
_DRAWN = """
({vertices, edges, background}) => {
  document.body.style.background = background;
  const place = document.getElementById('place');
  place.innerHTML = '';
  const graph = new mxGraph(place);
  graph.setHtmlLabels(true);
  const cells = {}, parent = graph.getDefaultParent();
  graph.getModel().beginUpdate();
  for (const v of vertices) cells[v.id] = graph.insertVertex(parent, v.id, v.label, v.x, v.y, v.width, v.height, v.style);
  for (const e of edges) {
    const cell = graph.insertEdge(parent, e.id, e.label, cells[e.source], cells[e.target], e.style);
    cell.geometry.points = e.points.map(([x, y]) => new mxPoint(x, y));
  }
  graph.getModel().endUpdate();
}
"""


def drawio_sample(index: int, camera: Camera) -> Sample:
    """The diagram of that number; genres in turn."""
    rng = Random(f"drawio-{index}")
    genre = _GENRES[index % len(_GENRES)]
    diagram, domain = sketch(rng, genre, rng.choice((5, 6, 8, 10, 12, 16)))
    diagram = diagram.model_copy(update={"groups": (), "nodes": tuple(_known(node) for node in diagram.nodes)})
    way = rng.choice(("smoothstep", "smoothstep", "straight"))
    sideways = diagram.flow is Flow.right
    scene, _ = laid_out(diagram, {node.id: _size(node, rng.choice((0, 0, 10))) for node in diagram.nodes}, gaps=(50, 70))
    wired(scene, way, sideways=sideways)
    scale = rng.choice((1.0, 1.0, 1.5))
    page = camera.page(scale, mxgraph=True)
    background = rng.choice(("#ffffff", "#ffffff", "#ffffff", "#f8f9fa"))
    page.evaluate(_DRAWN, {**_orders(rng, scene, sideways=sideways), "background": background})
    picture, clip = shot(page, "#place > svg > g")
    boxes = {
        name: box.model_copy(update={"x": (box.x - clip["x"]) * scale, "y": (box.y - clip["y"]) * scale})
        for name, box in scene.boxes.items()
    }
    nodes = tuple(
        node.model_copy(
            update={
                "box": boxes[node.id].model_copy(
                    update={"width": boxes[node.id].width * scale, "height": boxes[node.id].height * scale}
                )
            }
        )
        for node in scene.diagram.nodes
    )
    facts = {"family": "drawio", "genre": genre, "domain": domain, "dpi": int(96 * scale), "theme": "light"}
    return Sample(f"drawio-{index:04d}", open_rgb(picture), scene.diagram.model_copy(update={"nodes": nodes}), facts)


def _known(node: Node) -> Node:
    node = node.model_copy(update={"parent": None})
    if node.shape is Shape.point:
        return node.model_copy(update={"shape": Shape.circle})
    return node if node.shape in _STYLES else node.model_copy(update={"shape": Shape.rectangle})


def _size(node: Node, more: int) -> tuple[float, float]:
    if not node.label:
        return 30.0, 30.0
    wide = max(80.0, text_width(node.label, 12) + 20 + more)
    if node.shape is Shape.diamond:
        return wide * 1.4, 80.0
    if node.shape in {Shape.circle, Shape.double_circle}:
        return wide, wide
    return wide, 60.0 if node.shape is Shape.cylinder else 40.0 + more


def _orders(rng: Random, scene: Scene, *, sideways: bool) -> dict[str, Any]:
    plain = rng.random() < 0.35
    pairs = [_PAIRS[0]] if plain else rng.sample(_PAIRS, rng.choice((1, 2, 3)))
    shadow = "shadow=1;" if rng.random() < 0.15 else ""
    colour = rng.choice(("#000000", "#000000", "#000000", "#6c8ebf", "#666666", "#b85450"))
    head, wide = rng.choice(_HEADS), rng.choice((1, 1, 1, 2))
    line = f"html=1;strokeColor={colour};strokeWidth={wide};rounded={rng.choice((0, 0, 1))};"
    line += "fontColor=#000000;labelBackgroundColor=#ffffff;"
    vertices = [
        {
            "id": node.id,
            "label": node.label,
            **box.model_dump(include={"x", "y", "width", "height"}),
            "style": f"{_STYLES[node.shape]}html=1;whiteSpace=wrap;fontColor=#000000;{rng.choice(pairs)}{shadow}",
        }
        for node in scene.diagram.nodes
        for box in (scene.boxes[node.id],)
    ]
    for vertex, node in zip(vertices, scene.diagram.nodes, strict=True):
        if node.shape is Shape.text:
            vertex["style"] = _STYLES[Shape.text] + "html=1;fontColor=#000000;"
    edges = [_edge_order(wire, line, head, sideways=sideways) for wire in scene.wires]
    return {"vertices": vertices, "edges": edges}


def _edge_order(wire: Wire, line: str, head: str, *, sideways: bool) -> dict[str, Any]:
    edge = wire.edge
    ends = "exitX=1;exitY=0.5;entryX=0;entryY=0.5;" if sideways else "exitX=0.5;exitY=1;entryX=0.5;entryY=0;"
    style = line + ends + (head if edge.target_head is not Head.none else "endArrow=none;")
    style += "startArrow=classic;" if edge.source_head is not Head.none else "startArrow=none;"
    style += "dashed=1;" if edge.stroke in {Stroke.dashed, Stroke.dotted} else ""
    bends = _corners(wire.points)
    return {"id": edge.id, "source": edge.source, "target": edge.target, "label": edge.label, "style": style, "points": bends}


def _corners(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Where a way turns."""
    return [
        here
        for before, here, after in zip(points, points[1:], points[2:], strict=False)
        if abs((here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])) > 1e-3
    ]
