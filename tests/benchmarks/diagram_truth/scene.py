"""Boxes-and-arrows scenes as web apps draw them: where things lie and which way lines run, before any HTML.

Lengths are CSS pixels. A line that would run through a box it does not belong to, or lie upon a stranger's line, is left out of
the scene and of the gold: nobody could tell from the picture what it joins.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

import networkx

from tests.benchmarks.diagram_truth.by_graphviz import curve, render
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Shape

Spot = tuple[float, float]


@dataclass
class Wire:
    """One drawn line: what SVG draws (`d`), points along it, and where its label's middle lies."""

    edge: Edge
    d: str
    points: list[Spot]
    label_at: Spot | None = None


@dataclass
class Scene:
    """Boxes of nodes and groups by id, wires, and the size of the whole."""

    diagram: Diagram
    boxes: dict[str, Frame]
    frames: dict[str, Frame] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)
    width: float = 0
    height: float = 0


def text_width(text: str, size: float) -> float:
    """About how wide a text is; generous."""
    return max(
        sum(size * (1.05 if ord(character) > 0x2E80 else 0.62) for character in line) for line in (text or " ").split("\n")
    )


def rank_way(diagram: Diagram) -> str:
    """The way Graphviz should lay it out."""
    return diagram.flow.value if diagram.flow is not Flow.none else "TB"


def laid_out(
    diagram: Diagram, sizes: dict[str, Spot], *, gaps: Spot = (45, 75), splines: str = "spline"
) -> tuple[Scene, dict[str, Any]]:
    """A scene without wires, placed in layers by Graphviz, and Graphviz's own layout (for those who want its routes)."""
    lines = [
        f"digraph {{ graph [rankdir={rank_way(diagram)} nodesep={gaps[0] / 72} ranksep={gaps[1] / 72}"
        f' splines={splines} compound=true pad=0] node [shape=box fixedsize=true label=""] edge [fontsize=14]'
    ]

    def cluster(parent: str | None) -> list[str]:
        found = []
        for group in diagram.groups:
            if group.parent == parent:
                inner = [*cluster(group.id), *(f"{node.id};" for node in diagram.nodes if node.parent == group.id)]
                found += [f'subgraph cluster_{group.id} {{ margin=24 fontsize=16 label="{group.id}"', *inner, "}"]
        return found

    lines += cluster(None)
    lines += [f"{node.id} [width={sizes[node.id][0] / 72} height={sizes[node.id][1] / 72}]" for node in diagram.nodes]
    ids = {node.id for node in diagram.nodes}
    drawn = [edge for edge in diagram.edges if edge.source in ids and edge.target in ids]
    lines += [f"{edge.source} -> {edge.target} [id={edge.id} label={json.dumps(edge.label)}]" for edge in drawn]
    _, layout = render("\n".join([*lines, "}"]), "dot", 72)
    _, _, width, top = (float(value) for value in layout["bb"].split(","))
    scene = Scene(diagram.model_copy(update={"edges": tuple(drawn)}), {}, width=width, height=top)
    for thing in layout["objects"]:
        if "pos" in thing:
            x, y = (float(value) for value in thing["pos"].split(","))
            wide, high = sizes[thing["name"]]
            scene.boxes[thing["name"]] = Frame(x=x - wide / 2, y=top - y - high / 2, width=wide, height=high)
        elif thing["name"].startswith("cluster_") and "bb" in thing:
            left, low, right, high = (float(value) for value in thing["bb"].split(","))
            scene.frames[thing["name"].removeprefix("cluster_")] = Frame(
                x=left, y=top - high, width=right - left, height=high - low
            )
    return scene, layout


def routed(scene: Scene, layout: dict[str, Any]) -> None:
    """Wires along Graphviz's own routes."""
    by_id = {edge.id: edge for edge in scene.diagram.edges}
    for line in layout.get("edges", []):
        end, knots = None, []
        for part in line["pos"].split():
            x, y = (float(value) for value in part.removeprefix("e,").removeprefix("s,").split(","))
            if part.startswith("e,"):
                end = x, scene.height - y
            elif not part.startswith("s,"):
                knots.append((x, scene.height - y))
        d = f"M{knots[0][0]:.1f},{knots[0][1]:.1f} C" + " ".join(f"{x:.1f},{y:.1f}" for x, y in knots[1:])
        points = curve(knots)
        if end is not None:
            d += f" L{end[0]:.1f},{end[1]:.1f}"
            points.append(end)
        at = None
        if "lp" in line:
            x, y = (float(value) for value in line["lp"].split(","))
            at = x, scene.height - y
        scene.wires.append(Wire(by_id[line["id"]], d, points, at))


def wired(scene: Scene, style: str, *, sideways: bool) -> None:
    """Wires from handle to handle: `bezier`, `smoothstep` or `straight`. Unclear ones are left out."""
    for edge in scene.diagram.edges:
        item, other = scene.boxes[edge.source], scene.boxes[edge.target]
        start = (item.right, item.centre[1]) if sideways else (item.centre[0], item.bottom)
        end = (other.x, other.centre[1]) if sideways else (other.centre[0], other.y)
        ahead = end[0] - start[0] if sideways else end[1] - start[1]
        if ahead < 20:
            continue
        wire = _wire(edge, start, end, style, sideways=sideways)
        if not _through_a_box(wire, scene) and not (style == "smoothstep" and _upon_a_stranger(wire, scene, sideways=sideways)):
            scene.wires.append(wire)
    _keep_wired(scene)


def _keep_wired(scene: Scene) -> None:
    scene.diagram = scene.diagram.model_copy(update={"edges": tuple(wire.edge for wire in scene.wires)})


def _wire(edge: Edge, start: Spot, end: Spot, style: str, *, sideways: bool) -> Wire:
    (x1, y1), (x2, y2) = start, end
    if style == "bezier":
        bend = 0.5 * (x2 - x1 if sideways else y2 - y1)
        knots = [start, (x1 + bend, y1) if sideways else (x1, y1 + bend), (x2 - bend, y2) if sideways else (x2, y2 - bend), end]
        d = f"M{x1:.1f},{y1:.1f} C" + " ".join(f"{x:.1f},{y:.1f}" for x, y in knots[1:])
        points = curve(knots, 24)
        return Wire(edge, d, points, points[12])
    if style == "straight":
        points = [(x1 + (x2 - x1) * t / 24, y1 + (y2 - y1) * t / 24) for t in range(25)]
        return Wire(edge, f"M{x1:.1f},{y1:.1f} L{x2:.1f},{y2:.1f}", points, points[12])
    middle = (x1 + x2) / 2 if sideways else y2 - 30
    corners = [start, (middle, y1), (middle, y2), end] if sideways else [start, (x1, middle), (x2, middle), end]
    return Wire(
        edge, rounded(corners, 6), dense(corners), ((corners[1][0] + corners[2][0]) / 2, (corners[1][1] + corners[2][1]) / 2)
    )


def rounded(corners: list[Spot], radius: float) -> str:
    """SVG path through corners, each cut by a quarter turn."""
    d = f"M{corners[0][0]:.1f},{corners[0][1]:.1f}"
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        item, other = _towards(corner, before, radius), _towards(corner, after, radius)
        d += f" L{item[0]:.1f},{item[1]:.1f} Q{corner[0]:.1f},{corner[1]:.1f} {other[0]:.1f},{other[1]:.1f}"
    return d + f" L{corners[-1][0]:.1f},{corners[-1][1]:.1f}"


def _towards(origin: Spot, goal: Spot, distance: float) -> Spot:
    length = math.dist(origin, goal)
    if length == 0:
        return origin
    share = min(distance, length / 2) / length
    return origin[0] + (goal[0] - origin[0]) * share, origin[1] + (goal[1] - origin[1]) * share


def dense(corners: list[Spot], step: float = 6) -> list[Spot]:
    """Points along a polyline, a few pixels apart."""
    points = corners[:1]
    for (x1, y1), (x2, y2) in pairwise(corners):
        pieces = max(1, int(math.dist((x1, y1), (x2, y2)) / step))
        points += [(x1 + (x2 - x1) * at / pieces, y1 + (y2 - y1) * at / pieces) for at in range(1, pieces + 1)]
    return points


def _through_a_box(wire: Wire, scene: Scene, air: float = 7) -> bool:
    ends = {wire.edge.source, wire.edge.target}
    return any(
        box.x - air < x < box.right + air and box.y - air < y < box.bottom + air
        for name, box in scene.boxes.items()
        if name not in ends
        for x, y in wire.points
    )


def _upon_a_stranger(wire: Wire, scene: Scene, *, sideways: bool) -> bool:
    """Whether the bus this line would join has not one common source or one common target."""
    across = 1 if sideways else 0

    def bus(one: Wire) -> tuple[float, float, float]:
        ends = one.points[0][across], one.points[-1][across]
        level = one.label_at[1 - across] if one.label_at else 0
        return level, min(ends), max(ends)

    level, low, high = bus(wire)
    touching = [wire]
    for other in scene.wires:
        at, left, right = bus(other)
        if abs(at - level) < 12 and left < high + 8 and right > low - 8:
            touching.append(other)
    sources, targets = {one.edge.source for one in touching}, {one.edge.target for one in touching}
    return len(sources) > 1 and len(targets) > 1


def org_chart(diagram: Diagram, sizes: dict[str, Spot]) -> Scene:
    """A tree whose lines are buses: down from the parent, across, down to each child."""
    scene, _ = laid_out(diagram, sizes, gaps=(26, 54))
    for edge in scene.diagram.edges:
        item, other = scene.boxes[edge.source], scene.boxes[edge.target]
        (x1, y1), (x2, y2) = (item.centre[0], item.bottom), (other.centre[0], other.y)
        middle = (y1 + y2) / 2
        corners = [(x1, y1), (x1, middle), (x2, middle), (x2, y2)]
        d = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        scene.wires.append(Wire(edge, d, dense(corners)))
    return scene


def force(diagram: Diagram, sizes: dict[str, Spot], rng: Random) -> Scene:
    """A force layout: straight lines from circle to circle; they may cross, but not run through a node."""
    graph = networkx.Graph()
    graph.add_nodes_from(node.id for node in diagram.nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in diagram.edges)
    places = networkx.kamada_kawai_layout(graph)
    nearest = min(math.dist(places[a], places[b]) for a in graph for b in graph if a < b)
    longest = max(size[0] for size in sizes.values())
    scale = max(longest * 1.35, 120) / max(nearest, 1e-6)
    scale = min(scale, 1700 / 2)
    left, top = min(p[0] for p in places.values()), min(p[1] for p in places.values())
    scene = Scene(diagram, {})
    for node in diagram.nodes:
        wide, high = sizes[node.id]
        x, y = (places[node.id][0] - left) * scale, (places[node.id][1] - top) * scale * rng.choice((0.9, 0.9))
        scene.boxes[node.id] = Frame(x=x + longest / 2 - wide / 2, y=y + longest / 2 - high / 2, width=wide, height=high)
    for edge in diagram.edges:
        item, other = scene.boxes[edge.source], scene.boxes[edge.target]
        start, end = _towards(item.centre, other.centre, item.width / 2), _towards(other.centre, item.centre, other.width / 2 + 1)
        points = dense([start, end])
        wire = Wire(edge, f"M{start[0]:.1f},{start[1]:.1f} L{end[0]:.1f},{end[1]:.1f}", points, points[len(points) // 2])
        if math.dist(start, end) > 25 and not _through_a_box(wire, scene, 4):
            scene.wires.append(wire)
    scene.width = max(box.right for box in scene.boxes.values())
    scene.height = max(box.bottom for box in scene.boxes.values())
    _keep_wired(scene)
    return scene


def round_sizes(diagram: Diagram, radius: float) -> dict[str, Spot]:
    """Equal circles."""
    return {node.id: (2 * radius, 2 * radius) for node in diagram.nodes}


def card_sizes(diagram: Diagram, size: float, padding: Spot, lines: int = 1) -> dict[str, Spot]:
    """Cards as wide as their text; diamonds need twice the room."""
    found = {}
    for node in diagram.nodes:
        wide, high = text_width(node.label, size) + 2 * padding[0], lines * size * 1.45 + 2 * padding[1]
        found[node.id] = (wide * 1.55, high * 2) if node.shape is Shape.diamond else (max(wide, 84), high)
    return found
