"""Boxes and arrows as web apps draw them, in HTML and SVG: node editors, force graphs, org charts, flowcharts, panels."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, replace
from random import Random

from playwright.sync_api import FloatRect

from tests.benchmarks.diagram_truth import scene as scenes
from tests.benchmarks.diagram_truth.chromium import Camera, shot
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.scene import Scene
from tests.benchmarks.diagram_truth.topology import sketch
from tools.diagram.model.graph import Diagram, Edge, Flow, Frame, Head, Node, Shape, Stroke

KINDS = ("editor", "editor", "force", "org", "flow", "panel")
EDGE_PX = 40.0
"""Room around the scene."""


@dataclass(frozen=True)
class Style:
    """Colours and measures of one page."""

    ground: str
    card: str
    line: str
    text: str
    muted: str
    accent: str
    wire: str
    font: str
    size: float
    radius: float
    shadow: bool
    stroke: float
    dots: bool = False


_LIGHT = (
    ("#ffffff", "#ffffff", "#1a192b", "#222222", "#777777", "#3b82f6", "#b1b1b7"),
    ("#f8fafc", "#ffffff", "#cbd5e1", "#0f172a", "#64748b", "#6366f1", "#64748b"),
    ("#ffffff", "#eef2ff", "#6366f1", "#1e1b4b", "#6b7280", "#ef4444", "#475569"),
    ("#fffdf7", "#fef3c7", "#d97706", "#451a03", "#92400e", "#0d9488", "#44403c"),
    ("#f3f4f6", "#ffffff", "#9ca3af", "#111827", "#6b7280", "#10b981", "#374151"),
)
_DARK = (
    ("#141414", "#1e1e1e", "#5a5a5a", "#f8f8f8", "#a0a0a0", "#60a5fa", "#8a8a8a"),
    ("#0f172a", "#1e293b", "#475569", "#e2e8f0", "#94a3b8", "#a78bfa", "#94a3b8"),
    ("#1f2937", "#374151", "#9ca3af", "#f9fafb", "#d1d5db", "#34d399", "#d1d5db"),
)
_FONTS = (
    "'Liberation Sans', sans-serif",
    "'DejaVu Sans', sans-serif",
    "'Liberation Serif', serif",
    "'Liberation Mono', monospace",
)


def webapp_sample(index: int, camera: Camera, *, dark: bool) -> Sample:
    """The page of that number: 5–30 nodes, its kinds in turn. Both themes have the same scene."""
    rng = Random(f"webapp-{index}")
    kind = KINDS[index % len(KINDS)]
    style = _style(rng, kind, dark=dark)
    scene, body, genre, domain = {
        "editor": _editor, "force": _force, "org": _org, "flow": _flow, "panel": _panel
    }[kind](rng, style)  # fmt: skip
    scale = rng.choices((1.0, 1.25, 2.0), (8, 1, 1))[0]
    page = camera.page(scale)
    page.evaluate("h => { document.getElementById('place').innerHTML = h; }", _page(scene, body, style))
    data, clip = shot(page, "#stage", 0)
    facts = {
        "family": "webapp",
        "genre": genre,
        "domain": domain,
        "engine": kind,
        "scale": scale,
        "theme": "dark" if dark else "light",
    }
    return Sample(f"webapp-{index:04d}", open_rgb(data), _gold(scene, clip, scale), facts)


def _style(rng: Random, kind: str, *, dark: bool) -> Style:
    turn = rng.randrange(30)
    colours = (_DARK if dark else _LIGHT)[turn % len(_DARK if dark else _LIGHT)]
    return Style(
        *colours,
        font=rng.choice(_FONTS[:2]) if rng.random() < 0.8 else rng.choice(_FONTS),
        size=rng.choice((12, 13, 14, 14, 16)),
        radius=rng.choice((0, 3, 6, 10)),
        shadow=rng.random() < 0.4,
        stroke=rng.choice((1, 1.5, 2)),
        dots=kind == "editor" and rng.random() < 0.6,
    )


def _limited(diagram: Diagram) -> Diagram:
    """Without edges that end at groups; only heads that the pages draw."""
    groups = {group.id for group in diagram.groups}
    edges = [
        edge for edge in diagram.edges if edge.source not in groups and edge.target not in groups and edge.source != edge.target
    ]
    return diagram.model_copy(update={"edges": tuple(_with_heads(edge) for edge in edges)})


def _with_heads(edge: Edge) -> Edge:
    heads = [head if head is Head.none else Head.arrow for head in (edge.source_head, edge.target_head)]
    return edge.model_copy(update={"source_head": heads[0], "target_head": heads[1]})


def _shaped(diagram: Diagram, shape: Shape) -> Diagram:
    return diagram.model_copy(update={"nodes": tuple(node.model_copy(update={"shape": shape}) for node in diagram.nodes)})


def _editor(rng: Random, style: Style) -> tuple[Scene, str, str, str]:
    """A node editor: cards with handles, curved or stepped lines, a grid of dots, controls."""
    genre = rng.choice(("tree", "layered", "pipeline", "dependency"))
    diagram, domain = sketch(rng, genre, rng.choice((5, 7, 9, 12, 15, 20)))
    diagram = _shaped(_limited(diagram), Shape.rounded if style.radius else Shape.rectangle)
    with_heads = rng.random() < 0.75
    if not with_heads:
        plain = tuple(edge.model_copy(update={"target_head": Head.none, "source_head": Head.none}) for edge in diagram.edges)
        diagram = diagram.model_copy(update={"edges": plain})
    sizes = scenes.card_sizes(diagram, style.size, (rng.choice((14, 20)), rng.choice((9, 14))))
    scene, _ = scenes.laid_out(diagram, sizes, gaps=(40, rng.choice((70, 95))))
    sideways = diagram.flow is Flow.right
    scenes.wired(scene, rng.choice(("bezier", "bezier", "smoothstep", "straight")), sideways=sideways)
    handles = rng.random() < 0.75
    parts = [_wires(scene, style, label_ground=True)]
    for node in scene.diagram.nodes:
        parts.append(_card(scene.boxes[node.id], html.escape(node.label), style))
        if handles:
            parts += _handles(scene.boxes[node.id], style, sideways=sideways)
    if rng.random() < 0.3:
        parts.append(_controls(scene, style))
    return scene, "".join(parts), genre, domain


def _handles(box: Frame, style: Style, *, sideways: bool) -> list[str]:
    x, y = box.centre
    spots = [(box.x, y), (box.right, y)] if sideways else [(x, box.y), (x, box.bottom)]
    look = f"width:6px;height:6px;border-radius:50%;background:{style.line};border:1px solid {style.ground}"
    return [f'<div style="position:absolute;left:{left - 4:.1f}px;top:{top - 4:.1f}px;{look}"></div>' for left, top in spots]


def _controls(scene: Scene, style: Style) -> str:
    buttons = "".join(
        f'<div style="width:22px;height:22px;border:1px solid {style.muted};font:14px/20px sans-serif;'
        f'text-align:center">{sign}</div>'
        for sign in ("+", "−", "⛶")
    )
    look = f"position:absolute;left:-34px;top:{scene.height - 30:.0f}px;color:{style.muted};background:{style.card}"
    return f'<div style="{look}">{buttons}</div>'


def _force(rng: Random, style: Style) -> tuple[Scene, str, str, str]:
    """A force graph in SVG: circles with text inside or beside, straight thin lines."""
    diagram, domain = sketch(rng, "network", rng.choice((6, 8, 10, 14, 18)))
    diagram = _shaped(_limited(diagram), Shape.circle)
    inside = rng.random() < 0.5
    widest = max(scenes.text_width(node.label, style.size) for node in diagram.nodes)
    radius = max(20.0, widest / 2 + 5) if inside else rng.choice((8, 10, 13))
    scene = scenes.force(diagram, scenes.round_sizes(diagram, radius), rng)
    tint = rng.choice((style.accent, style.card, style.line))
    fills = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1") if rng.random() < 0.5 else (tint,)
    circles = []
    for index, node in enumerate(scene.diagram.nodes):
        x, y = scene.boxes[node.id].centre
        fill = fills[index % len(fills)]
        text_x, anchor, ink = (x, "middle", _on(fill)) if inside else (x + radius + 4, "start", style.text)
        halo = "" if inside else f"paint-order:stroke;stroke:{style.ground};stroke-width:3px"
        circles.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}"'
            f' stroke="{style.line}" stroke-width="{style.stroke}"/>'
            f'<text x="{text_x:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="{anchor}" fill="{ink}" style="{halo}">'
            f"{html.escape(node.label)}</text>"
        )
    if not inside:
        scene.width += widest
    scene = replace(scene, wires=[replace(wire, label_at=None) for wire in scene.wires])
    return scene, _wires(scene, style, label_ground=False) + _svg(scene, style, "".join(circles)), "network", domain


def _on(fill: str) -> str:
    red, green, blue = (int(fill[at : at + 2], 16) for at in (1, 3, 5))
    return "#111111" if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else "#ffffff"


def _org(rng: Random, style: Style) -> tuple[Scene, str, str, str]:
    """An org chart: cards with a title and a line below, joined by buses without heads."""
    diagram, domain = sketch(rng, "tree", rng.choice((6, 8, 11, 14, 18)))
    roles = ("Lead", "Manager", "Analyst", "Engineer", "Director", "Assistant", "Head", "Trainee")
    nodes = [
        node.model_copy(
            update={"label": f"{node.label}\n{rng.choice(roles)}", "shape": Shape.rounded if style.radius else Shape.rectangle}
        )
        for node in diagram.nodes
    ]
    edges = [edge.model_copy(update={"target_head": Head.none}) for edge in diagram.edges]
    diagram = diagram.model_copy(update={"nodes": tuple(nodes), "edges": tuple(edges), "flow": Flow.down})
    scene = scenes.org_chart(diagram, scenes.card_sizes(diagram, style.size, (18, 10), lines=2))
    parts = [_wires(scene, style, label_ground=False)]
    for node in scene.diagram.nodes:
        name, role = node.label.split("\n")
        inner = f"<b>{html.escape(name)}</b><br><span style='color:{style.muted}'>{role}</span>"
        parts.append(_card(scene.boxes[node.id], inner, style))
    return scene, "".join(parts), "org", domain


def _flow(rng: Random, style: Style) -> tuple[Scene, str, str, str]:
    """A flowchart in SVG with decisions, ways back and labels, routed clear of its boxes."""
    genre = rng.choice(("flowchart", "flowchart", "states"))
    diagram, domain = sketch(rng, genre, rng.choice((6, 8, 10, 13, 16)))
    known = {Shape.diamond, Shape.stadium, Shape.circle, Shape.ellipse, Shape.parallelogram}
    nodes = [
        node.model_copy(
            update={"shape": node.shape if node.shape in known else Shape.rounded if style.radius else Shape.rectangle}
        )
        for node in diagram.nodes
        if node.label
    ]
    if genre == "states":
        nodes = [node.model_copy(update={"shape": Shape.ellipse}) for node in nodes]
    ids = {node.id for node in nodes}
    kept = tuple(edge for edge in diagram.edges if edge.source in ids and edge.target in ids)
    diagram = _limited(diagram.model_copy(update={"nodes": tuple(nodes), "edges": kept}))
    sizes = scenes.card_sizes(diagram, style.size, (22, 12))
    scene, layout = scenes.laid_out(diagram, sizes, gaps=(36, 44), splines=rng.choice(("spline", "spline", "polyline")))
    scenes.routed(scene, layout)
    outlines = "".join(_outline(node, scene.boxes[node.id], style) for node in scene.diagram.nodes)
    return scene, _wires(scene, style, label_ground=False) + _svg(scene, style, outlines), genre, domain


def _outline(node: Node, box: Frame, style: Style) -> str:
    x, y = box.centre
    look = f'fill="{style.card}" stroke="{style.line}" stroke-width="{style.stroke}"'
    if node.shape is Shape.diamond:
        drawn = f'<polygon points="{x},{box.y} {box.right},{y} {x},{box.bottom} {box.x},{y}" {look}/>'
    elif node.shape in {Shape.ellipse, Shape.circle}:
        drawn = f'<ellipse cx="{x}" cy="{y}" rx="{box.width / 2}" ry="{box.height / 2}" {look}/>'
    elif node.shape is Shape.parallelogram:
        lean = box.height * 0.4
        corners = f"{box.x + lean},{box.y} {box.right},{box.y} {box.right - lean},{box.bottom} {box.x},{box.bottom}"
        drawn = f'<polygon points="{corners}" {look}/>'
    else:
        radius = box.height / 2 if node.shape is Shape.stadium else style.radius
        drawn = f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="{radius}" {look}/>'
    label = html.escape(node.label)
    return drawn + f'<text x="{x}" y="{y}" dy="0.35em" text-anchor="middle" fill="{style.text}">{label}</text>'


def _panel(rng: Random, style: Style) -> tuple[Scene, str, str, str]:
    """An architecture panel: titled frames around cards, some lines dashed."""
    diagram, domain = sketch(rng, "architecture", rng.choice((7, 9, 12, 16)))
    diagram = _shaped(_limited(diagram), Shape.rounded if style.radius else Shape.rectangle)
    scene, layout = scenes.laid_out(diagram, scenes.card_sizes(diagram, style.size, (18, 12)), gaps=(34, 52))
    scenes.routed(scene, layout)
    dashed = "dashed" if rng.random() < 0.5 else "solid"
    tint = rng.choice(("transparent", f"{style.accent}14"))
    parts = []
    for group in sorted(scene.diagram.groups, key=lambda item: -(scene.frames[item.id].area)):
        box = scene.frames[group.id]
        look = f"border:1px {dashed} {style.muted};border-radius:{style.radius}px;background:{tint};color:{style.muted}"
        title = f'<div style="padding:4px 8px;text-align:left;font-weight:600">{html.escape(group.label)}</div>'
        parts.append(f'<div style="{_at(box)};{look}">{title}</div>')
    parts.append(_wires(scene, style, label_ground=True))
    parts += [_card(scene.boxes[node.id], html.escape(node.label), style) for node in scene.diagram.nodes]
    return scene, "".join(parts), "architecture", domain


def _at(box: Frame) -> str:
    return f"position:absolute;box-sizing:border-box;left:{box.x}px;top:{box.y}px;width:{box.width}px;height:{box.height}px"


def _card(box: Frame, inner: str, style: Style) -> str:
    shadow = "box-shadow:0 2px 6px rgba(0,0,0,.18);" if style.shadow else ""
    look = f"background:{style.card};border:{style.stroke}px solid {style.line};border-radius:{style.radius}px;{shadow}"
    place = "display:flex;align-items:center;justify-content:center;text-align:center;white-space:nowrap"
    return f'<div style="{_at(box)};{look}{place}"><div>{inner}</div></div>'


def _wires(scene: Scene, style: Style, *, label_ground: bool) -> str:
    """All lines with their heads and labels, in one SVG."""
    head = (
        f'<defs><marker id="head" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="{9 if style.stroke < 2 else 7}"'
        f' markerHeight="{9 if style.stroke < 2 else 7}" orient="auto-start-reverse">'
        f'<path d="M0,0 L10,5 L0,10 z" fill="{style.wire}"/></marker></defs>'
    )
    parts = [head]
    for wire in scene.wires:
        dash = {Stroke.dashed: "6 4", Stroke.dotted: "2 3"}.get(wire.edge.stroke, "")
        ends = ' marker-end="url(#head)"' if wire.edge.target_head is not Head.none else ""
        ends += ' marker-start="url(#head)"' if wire.edge.source_head is not Head.none else ""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="{wire.d}" fill="none" stroke="{style.wire}" stroke-width="{style.stroke}"{dashes}{ends}/>')
    for wire in scene.wires:
        if not wire.edge.label or wire.label_at is None:
            continue
        (x, y), size = wire.label_at, style.size - 1
        wide, high = scenes.text_width(wire.edge.label, size), size * 1.4
        if label_ground:
            parts.append(
                f'<rect x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high:.1f}"'
                f' fill="{style.ground}"/>'
            )
        parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" dy="0.35em" text-anchor="middle" font-size="{size}" fill="{style.text}">'
            f"{html.escape(wire.edge.label)}</text>"
        )
    return _svg(scene, style, "".join(parts))


def _svg(scene: Scene, style: Style, inner: str) -> str:
    width, height = math.ceil(scene.width), math.ceil(scene.height)
    look = f"position:absolute;left:0;top:0;overflow:visible;font-family:{style.font};font-size:{style.size}px"
    return f'<svg width="{width}" height="{height}" style="{look}">{inner}</svg>'


def _page(scene: Scene, body: str, style: Style) -> str:
    width, height = math.ceil(scene.width + 2 * EDGE_PX), math.ceil(scene.height + 2 * EDGE_PX)
    ground = f"background-color:{style.ground};color:{style.text};font:{style.size}px {style.font}"
    if style.dots:
        ground += f";background-image:radial-gradient({style.muted}66 1px, transparent 1px);background-size:18px 18px"
    inner = f'<div style="position:absolute;left:{EDGE_PX}px;top:{EDGE_PX}px">{body}</div>'
    return f'<div id="stage" style="position:relative;overflow:hidden;width:{width}px;height:{height}px;{ground}">{inner}</div>'


def _gold(scene: Scene, clip: FloatRect, scale: float) -> Diagram:
    def frame(box: Frame) -> Frame:
        x, y = box.x + EDGE_PX - clip["x"], box.y + EDGE_PX - clip["y"]
        return Frame(x=x * scale, y=y * scale, width=box.width * scale, height=box.height * scale)

    nodes = [node.model_copy(update={"box": frame(scene.boxes[node.id])}) for node in scene.diagram.nodes]
    groups = [
        group.model_copy(update={"box": frame(scene.frames[group.id])})
        for group in scene.diagram.groups
        if group.id in scene.frames
    ]
    edges = []
    for wire in scene.wires:
        path = tuple(((x + EDGE_PX - clip["x"]) * scale, (y + EDGE_PX - clip["y"]) * scale) for x, y in wire.points)
        label = wire.edge.label if wire.label_at is not None else ""
        edges.append(wire.edge.model_copy(update={"path": path, "label": label}))
    return scene.diagram.model_copy(update={"nodes": tuple(nodes), "groups": tuple(groups), "edges": tuple(edges)})
