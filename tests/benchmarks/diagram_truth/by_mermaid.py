"""Diagrams drawn by Mermaid in Chromium: flowcharts, state machines, classes, entities, in all its themes.

The graph is known before the picture; boxes and paths are read from the drawn SVG.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy
from playwright.sync_api import FloatRect
from scipy.optimize import linear_sum_assignment

from tests.benchmarks.diagram_truth.chromium import Camera, shot
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.topology import classes, entities, machine, sketch
from tools.diagram.formats.mermaid_kinds import write_class, write_er, write_state
from tools.diagram.formats.mermaid_write import write_flowchart
from tools.diagram.model.graph import Diagram, Edge, Frame, Group, Head, Node, Shape, Stroke

KINDS = ("flowchart", "flowchart", "flowchart", "state", "class", "er")
_GENRES = ("flowchart", "tree", "layered", "architecture", "pipeline", "dependency")
_LIGHT = ("default", "neutral", "forest", "base")
# Steps of edges that don't belong together lie on each other in denser graphs: there nobody could tell them apart.
_CURVES: dict[str, tuple[str, ...]] = dict.fromkeys(("tree", "pipeline"), ("basis", "basis", "linear", "stepBefore"))
_WRITERS = {"flowchart": write_flowchart, "state": write_state, "class": write_class, "er": write_er}
_KNOWN = {
    *(Shape.rectangle, Shape.rounded, Shape.stadium, Shape.circle, Shape.double_circle, Shape.diamond, Shape.parallelogram),
    *(Shape.trapezium, Shape.hexagon, Shape.cylinder, Shape.subroutine, Shape.text, Shape.cloud, Shape.document, Shape.triangle),
}

_DRAW = """async ([text, config]) => {
  mermaid.initialize({startOnLoad: false, securityLevel: 'strict', ...config});
  const place = document.getElementById('place');
  place.innerHTML = '';
  document.body.style.background = config.ground;
  const drawn = await mermaid.render('d', text);
  place.style.cssText = 'display:inline-block;padding:20px';
  place.innerHTML = drawn.svg;
  const svg = place.querySelector('svg');
  const view = svg.viewBox.baseVal;
  svg.removeAttribute('style');
  svg.setAttribute('width', view.width);
  svg.setAttribute('height', view.height);
  await document.fonts.ready;
}"""

_READ = """() => {
  const frame = thing => { const b = thing.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; };
  const outline = node => {
    const inner = node.querySelector('.label-container, .basic, .outer-path, .divider') || node;
    return frame(inner.closest('g.node') === node || inner === node ? inner : node);
  };
  const svg = document.querySelector('#place svg');
  const line = path => {
    const total = path.getTotalLength(), matrix = path.getScreenCTM(), points = [];
    const steps = Math.max(2, Math.min(60, Math.round(total / 8)));
    for (let i = 0; i <= steps; i++) {
      const at = path.getPointAtLength(total * i / steps).matrixTransform(matrix);
      points.push([at.x, at.y]);
    }
    return points;
  };
  const strip = id => id.replace(/^d-/, '');
  return {
    nodes: [...svg.querySelectorAll('g.node')].map(n => ({id: strip(n.id), outline: outline(n), whole: frame(n)})),
    groups: [...svg.querySelectorAll('g.cluster, g.statediagram-cluster')].map(
      n => ({id: strip(n.id), box: frame(n.querySelector('rect') || n)})),
    paths: [...svg.querySelectorAll('path.flowchart-link, path.transition, path.relation, path.relationshipLine')].map(
      p => ({id: p.dataset.id || strip(p.id), points: line(p)})),
  };
}"""


def mermaid_sample(index: int, camera: Camera, *, dark: bool) -> Sample:
    """The diagram of that number, 4–30 nodes; half of them flowcharts.

    Raises `ValueError` if what was drawn is not what was meant.
    """
    rng = Random(f"mermaid-{index}")
    kind = KINDS[index % len(KINDS)]
    diagram, domain, genre = _meant(rng, kind, index // len(KINDS))
    text = _WRITERS[kind](diagram)
    theme = "dark" if dark else rng.choice(_LIGHT)
    scale = rng.choices((1.0, 1.5, 2.0), (7, 1, 2))[0]
    config: dict[str, Any] = {
        "theme": theme,
        "ground": "#1e1e1e" if dark else "white",
        "flowchart": {"curve": rng.choice(_CURVES.get(genre, ("basis", "basis", "linear"))), "htmlLabels": rng.random() < 0.8},
    }
    page = camera.page(scale, mermaid=True)
    page.set_viewport_size({"width": 1400, "height": 900})
    page.evaluate(_DRAW, [text, config])
    data, clip = shot(page, "#place", 0)
    read = page.evaluate(_READ)
    gold = _placed(diagram, read, clip, scale)
    facts = {"family": "mermaid", "genre": genre, "domain": domain, "engine": kind, "scale": scale, "theme": theme}
    return Sample(f"mermaid-{index:04d}", open_rgb(data), gold, facts)


def text_of(index: int) -> str:
    """The Mermaid text of that number."""
    rng, kind = Random(f"mermaid-{index}"), KINDS[index % len(KINDS)]
    return _WRITERS[kind](_meant(rng, kind, index // len(KINDS))[0])


def _meant(rng: Random, kind: str, turn: int) -> tuple[Diagram, str, str]:
    if kind == "flowchart":
        genre = _GENRES[turn % len(_GENRES)]
        diagram, domain = sketch(rng, genre, rng.choice((5, 7, 9, 12, 15, 18, 22, 26, 30)))
        return _drawable(diagram), domain, genre
    make = {"state": machine, "class": classes, "er": entities}[kind]
    diagram, domain = make(rng, rng.choice((4, 5, 6, 8, 10, 12)))
    return diagram, domain, kind


def _drawable(diagram: Diagram) -> Diagram:
    """Only what Mermaid can draw: other shapes become rectangles, heads it lacks plain arrows, dots dashes."""
    nodes = [node if node.shape in _KNOWN else node.model_copy(update={"shape": Shape.rectangle}) for node in diagram.nodes]
    edges = []
    for edge in diagram.edges:
        heads = {
            "target_head": edge.target_head if edge.target_head in {Head.none, Head.circle, Head.cross} else Head.arrow,
            "source_head": Head.none if edge.source_head is Head.none else Head.arrow,
        }
        edges.append(edge.model_copy(update={**heads, "stroke": Stroke.dashed if edge.stroke is Stroke.dotted else edge.stroke}))
    return diagram.model_copy(update={"nodes": tuple(nodes), "edges": tuple(edges)})


def _placed(diagram: Diagram, read: dict[str, Any], clip: FloatRect, scale: float) -> Diagram:
    def frame(box: list[float]) -> Frame:
        return Frame(x=(box[0] - clip["x"]) * scale, y=(box[1] - clip["y"]) * scale, width=box[2] * scale, height=box[3] * scale)

    drawn = {_name(node["id"]): node for node in read["nodes"]}
    groups = {_name(group["id"]): group for group in read["groups"]}
    nodes: list[Node] = []
    for node in diagram.nodes:
        name = node.id
        if not node.label and node.shape in {Shape.point, Shape.double_circle}:
            name = "root_start" if node.shape is Shape.point else "root_end"
        if name not in drawn:
            raise ValueError(f"Mermaid drew no node {name}; there are {sorted(drawn)}")
        box = drawn[name]["outline"] if node.shape is not Shape.text else drawn[name]["whole"]
        nodes.append(node.model_copy(update={"box": frame(box)}))
    placed_groups = [
        group.model_copy(update={"box": frame(groups[group.id]["box"])}) if group.id in groups else group
        for group in diagram.groups
    ]
    edges = _paths(diagram, read["paths"], clip, scale, nodes, placed_groups)
    return diagram.model_copy(update={"nodes": tuple(nodes), "edges": edges, "groups": tuple(placed_groups)})


def _name(drawn_id: str) -> str:
    """Our id in Mermaid's: `flowchart-n1-0`, `state-n1-3`, `classId-n1-2`, `entity-n1-0`, `g1`, `state-root_start-0`."""
    parts = drawn_id.split("-")
    return parts[1] if len(parts) >= 3 and parts[0] in {"flowchart", "state", "classId", "entity"} else drawn_id


def _paths(
    diagram: Diagram, paths: list[dict[str, Any]], clip: FloatRect, scale: float, nodes: list[Node], groups: list[Group]
) -> tuple[Edge, ...]:
    """Each edge with its drawn line: the nearest at both ends. Mermaid's order of paths is not that of the text."""
    boxes = {thing.id: thing.box for thing in (*nodes, *groups)}
    lines = [[((x - clip["x"]) * scale, (y - clip["y"]) * scale) for x, y in path["points"]] for path in paths]
    if len(lines) < len(diagram.edges):
        raise ValueError(f"Mermaid drew {len(lines)} lines for {len(diagram.edges)} edges")
    costs = numpy.zeros((len(diagram.edges), len(lines)))
    turned = numpy.zeros(costs.shape, dtype=bool)
    for at, edge in enumerate(diagram.edges):
        item, other = boxes[edge.source], boxes[edge.target]
        for index, line in enumerate(lines):
            straight = _gap(line[0], item) + _gap(line[-1], other)
            reverse = _gap(line[-1], item) + _gap(line[0], other)
            costs[at, index], turned[at, index] = min(straight, reverse), reverse < straight
            ends = paths[index]["id"].split("_")
            if ends[0] == "L" and ends[1:3] != [edge.source, edge.target]:
                costs[at, index] += 1e6
    rows, columns = linear_sum_assignment(costs)
    edges = []
    for at, index in zip(rows, columns, strict=True):
        if costs[at, index] > 40 * scale:
            raise ValueError(
                f"the line of {diagram.edges[at].source}–{diagram.edges[at].target} ends {costs[at, index]:.0f} px off"
            )
        path = tuple(reversed(lines[index])) if turned[at, index] else tuple(lines[index])
        edges.append(diagram.edges[at].model_copy(update={"path": path}))
    return tuple(edges)


def _gap(point: tuple[float, float], box: Frame | None) -> float:
    """How far a point lies from a box's border; from within it counts a fifth."""
    if box is None:
        return 1e6
    x, y = point
    outside = max(box.x - x, 0, x - box.right), max(box.y - y, 0, y - box.bottom)
    if outside != (0, 0):
        return float(outside[0] ** 2 + outside[1] ** 2) ** 0.5
    # A line may end well within the box of a diamond or a circle.
    return 0.2 * min(x - box.x, box.right - x, y - box.y, box.bottom - y)
