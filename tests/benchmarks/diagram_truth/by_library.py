"""Diagrams drawn by libraries that web pages use: Cytoscape, vis-network, dagre-d3, rough.js, nomnoml. One family each.

Looks are drawn by chance: colours, thickness, dashes, heads, fonts, where labels stand, device scale. dagre-d3 and nomnoml lay
things out themselves; for the others `scene` says where things lie and leaves lines out that nobody could follow. The gold is
what was ordered; boxes are not told, so nodes are matched by their labels.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from tests.benchmarks.diagram_truth import scene as scenes
from tests.benchmarks.diagram_truth.chromium import Camera, shot
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.topology import classes, sketch
from tools.diagram.model.graph import Diagram, Edge, Flow, Head, Node, Shape, Stroke

FAMILIES = ("cytoscape", "vis", "dagre", "rough", "nomnoml")
_FONTS = ("Liberation Sans", "DejaVu Sans", "Liberation Serif", "DejaVu Serif")
_GROUNDS = ("#ffffff", "#ffffff", "#ffffff", "#fafafa", "#fdf6e3", "#1e1e2e")
_PAIRS = (
    ("#ffffff", "#000000"), ("#eeeeee", "#999999"), ("#97c2fc", "#2b7ce9"), ("#ffffff", "#9370db"), ("#d2e5ff", "#5a7fb0"),
    ("#fb7e81", "#fa0a10"), ("#7be141", "#41a906"), ("#fff2cc", "#d6b656"), ("#e8f5e9", "#43a047"),
)  # fmt: skip
_DEEP = ("#0074d9", "#2e7d32", "#8e44ad", "#c0392b", "#37474f", "#555555")
_GENRES = ("flowchart", "states", "layered", "pipeline", "dependency", "tree", "flowchart", "states")


def library_sample(family: str, index: int, camera: Camera) -> Sample:
    """The diagram of that number, as that library draws it."""
    rng = Random(f"{family}-{index}")
    picture, gold, genre, scale = _DRAWERS[family](rng, index, camera)
    facts = {"family": family, "genre": genre, "dpi": int(96 * scale), "theme": "light"}
    return Sample(f"{family}-{index:04d}", open_rgb(picture), gold, facts)


Drawn = tuple[bytes, Diagram, str, float]
"""A PNG, what it shows, the genre, and the device scale."""


def _sketched(rng: Random, index: int) -> tuple[Diagram, str]:
    """A diagram without groups or nodes that have no name; sideways where its flow says so."""
    genre = _GENRES[index % len(_GENRES)]
    diagram, _ = sketch(rng, genre, rng.choice((5, 7, 9, 12)))
    nodes = [node.model_copy(update={"parent": None}) for node in diagram.nodes if node.label]
    kept = {node.id for node in nodes}
    edges = tuple(edge for edge in diagram.edges if {edge.source, edge.target} <= kept and edge.source != edge.target)
    return diagram.model_copy(update={"nodes": tuple(nodes), "edges": edges, "groups": ()}), genre


def _scale(rng: Random) -> float:
    return rng.choice((1.0, 1.0, 1.0, 1.5, 2.0))


def _tinted(rng: Random) -> tuple[str, str, str]:
    """Fill, border and words of one kind of node; a deep fill has no other border."""
    if rng.random() < 0.3:
        deep = rng.choice(_DEEP)
        return deep, deep, "#ffffff"
    fill, border = rng.choice(_PAIRS)
    return fill, border, rng.choice(("#000000", "#333333"))


def _shown(page: Any, width: float, height: float, ground: str) -> None:
    page.evaluate(
        """([w, h, g]) => { document.getElementById('place').innerHTML =
        `<div id="stage" style="width:${w}px;height:${h}px;background:${g}"></div>`; }""",
        [math.ceil(width), math.ceil(height), ground],
    )


def _placed(rng: Random, diagram: Diagram, size: float, way: str, padding: tuple[float, float] = (14, 10)) -> scenes.Scene:
    """The diagram laid out in layers, its unclear lines left out; `way` as `scene.wired` takes it."""
    sizes = scenes.card_sizes(diagram, size, padding)
    room = rng.choice((60, 80, 100))
    scene, _ = scenes.laid_out(diagram, sizes, gaps=(rng.choice((40, 60)), room + (30 if diagram.flow is Flow.right else 0)))
    scenes.wired(scene, way, sideways=diagram.flow is Flow.right)
    return scene


# --- Cytoscape

_CYTOSCAPE = """([nodes, edges, style]) => new Promise(done => {
  const cy = cytoscape({container: document.getElementById('stage'), elements: [...nodes, ...edges], style,
    layout: {name: 'preset', fit: false}, zoom: 1, pan: {x: 30, y: 30}, userZoomingEnabled: false});
  cy.ready(() => setTimeout(done, 60));
})"""
_CY_SHAPES = {
    Shape.diamond: "diamond", Shape.ellipse: "ellipse", Shape.circle: "ellipse", Shape.double_circle: "ellipse",
    Shape.stadium: "round-rectangle", Shape.rounded: "round-rectangle", Shape.hexagon: "hexagon", Shape.cylinder: "barrel",
    Shape.parallelogram: "rhomboid",
}  # fmt: skip


def _cytoscape(rng: Random, index: int, camera: Camera) -> Drawn:
    diagram, genre = _sketched(rng, index)
    size, scale, curve = rng.choice((12, 14, 16)), _scale(rng), rng.choice(("straight", "bezier", "taxi"))
    scene = _placed(rng, diagram, size, "smoothstep" if curve == "taxi" else "straight")
    page = camera.page(scale, "cytoscape")
    ground = rng.choice(_GROUNDS[:4])
    _shown(page, scene.width + 60, scene.height + 60, ground)
    fill, border, words = _tinted(rng)
    line = rng.choice(("#cccccc", "#999999", border, "#666666", "#000000"))
    head = rng.choice(("triangle", "triangle", "vee", "triangle-backcurve", "chevron"))
    edge_label: dict[str, Any] = {"label": "data(label)", "font-size": size - 2, "color": "#333333"}
    edge_label |= rng.choice(
        (
            {"text-background-color": ground, "text-background-opacity": 1},
            {},
            {"text-rotation": "autorotate", "text-margin-y": -9},
        )
    )
    style: list[dict[str, Any]] = [
        {"selector": "node", "style": {
            "label": "data(label)", "shape": "data(shape)", "width": "data(w)", "height": "data(h)", "text-valign": "center",
            "background-color": fill, "border-width": rng.choice((0, 1, 2)) if fill == border else rng.choice((1, 1, 2, 3)),
            "border-color": border, "border-style": rng.choice(("solid",) * 5 + ("dashed",)), "color": words, "font-size": size,
            "font-family": rng.choice(_FONTS),
        }},
        {"selector": "edge", "style": {
            "width": rng.choice((1, 1.5, 2, 3)), "line-color": line, "target-arrow-color": line, "curve-style": curve,
            "target-arrow-shape": head, "arrow-scale": rng.choice((0.8, 1, 1.3)), "line-style": "data(line)",
            "taxi-direction": "rightward" if diagram.flow is Flow.right else "downward",
            **(edge_label if curve != "taxi" else {}),
        }},
    ]  # fmt: skip
    nodes = [
        {"data": {"id": node.id, "label": node.label, "w": box.width, "h": box.height,
                  "shape": _CY_SHAPES.get(node.shape, "rectangle")},
         "position": {"x": box.centre[0], "y": box.centre[1]}}
        for node in diagram.nodes for box in (scene.boxes[node.id],)
    ]  # fmt: skip
    edges = [_plain(wire.edge, labelled=curve != "taxi") for wire in scene.wires]
    orders = [
        {"data": {"id": edge.id, "source": edge.source, "target": edge.target, "label": edge.label, "line": edge.stroke.value}}
        for edge in edges
    ]
    page.evaluate(_CYTOSCAPE, [nodes, orders, style])
    data, _ = shot(page, "#stage", 0)
    return data, scene.diagram.model_copy(update={"edges": tuple(edges)}), genre, scale


def _plain(edge: Edge, *, labelled: bool = True, told: bool = True) -> Edge:
    """The edge with a head at its target only."""
    stroke = edge.stroke if edge.stroke in {Stroke.solid, Stroke.dashed, Stroke.dotted} else Stroke.solid
    changed = {"target_head": Head.arrow if told else Head.none, "source_head": Head.none, "stroke": stroke}
    return edge.model_copy(update={**changed, "label": edge.label if labelled else ""})


# --- vis-network

_VIS = """([nodes, edges, options]) => new Promise(done => {
  const net = new vis.Network(document.getElementById('stage'),
    {nodes: new vis.DataSet(nodes), edges: new vis.DataSet(edges)}, options);
  const [w, h] = [document.getElementById('stage').clientWidth, document.getElementById('stage').clientHeight];
  net.once('afterDrawing', () => { net.moveTo({position: {x: w / 2 - 30, y: h / 2 - 30}, scale: 1}); setTimeout(done, 150); });
})"""


def _vis(rng: Random, index: int, camera: Camera) -> Drawn:
    diagram, genre = _sketched(rng, index)
    scale, shape = _scale(rng), rng.choice(("box", "box", "ellipse", "circle", "dot", "diamond", "database"))
    plain = diagram.model_copy(update={"nodes": tuple(n.model_copy(update={"shape": Shape.rectangle}) for n in diagram.nodes)})
    scene = _placed(rng, plain, 14, "straight", (16, 34) if shape in {"circle", "dot", "diamond", "database"} else (16, 10))
    page = camera.page(scale, "vis-network")
    ground = rng.choice(_GROUNDS[:5])
    _shown(page, scene.width + 60, scene.height + 60, ground)
    fill, border, words = _tinted(rng)
    outside = shape in {"dot", "diamond"}
    options: dict[str, Any] = {
        "physics": False, "interaction": {"dragNodes": False},
        "nodes": {
            "shape": shape, "borderWidth": rng.choice((1, 1, 2)), "color": {"background": fill, "border": border}, "size": 14,
            "font": {"size": 14, "face": rng.choice(_FONTS), "color": "#343434" if outside else words},
            "shadow": rng.random() < 0.25,
        },
        "edges": {
            "arrows": {"to": {"enabled": True, "type": rng.choice(("arrow", "arrow", "arrow", "vee"))}},
            "width": rng.choice((1, 1, 2)), "color": rng.choice(("#848484", "#2b7ce9", border, "#000000")),
            "smooth": rng.choice((False, {"type": "continuous"}, {"type": "curvedCW", "roundness": 0.12})),
            "font": {"size": 12, "align": rng.choice(("horizontal", "middle", "top")), "color": "#343434"},
        },
    }  # fmt: skip
    nodes = [
        {"id": n.id, "label": n.label, "x": scene.boxes[n.id].centre[0], "y": scene.boxes[n.id].centre[1]} for n in diagram.nodes
    ]
    edges = [_plain(wire.edge) for wire in scene.wires]
    orders = [{"from": e.source, "to": e.target, "label": e.label or None, "dashes": e.stroke is not Stroke.solid} for e in edges]
    page.evaluate(_VIS, [nodes, orders, options])
    data, _ = shot(page, "#stage", 0)
    return data, scene.diagram.model_copy(update={"edges": tuple(edges)}), genre, scale


# --- dagre-d3

_DAGRE = """([nodes, edges, look, css, ground]) => {
  document.getElementById('place').innerHTML = `<style>${css}</style><svg id="stage"><g></g></svg>`;
  const g = new dagreD3.graphlib.Graph({multigraph: true}).setGraph(look).setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, n);
  for (const e of edges)
    g.setEdge(e.source, e.target, {label: e.label, arrowhead: look.head, curve: d3[look.curve], style: e.style}, e.id);
  const svg = d3.select('#stage'), inner = svg.select('g');
  new dagreD3.render()(inner, g);
  const [w, h] = [g.graph().width + 40, g.graph().height + 40];
  inner.attr('transform', 'translate(20,20)');
  svg.attr('width', w).attr('height', h).style('background', ground);
}"""
_DAGRE_SHAPES = {Shape.diamond: "diamond", Shape.ellipse: "ellipse", Shape.circle: "circle"}


def _dagre(rng: Random, index: int, camera: Camera) -> Drawn:
    diagram, genre = _sketched(rng, index)
    scale = _scale(rng)
    fill, border, words = _tinted(rng)
    wire = rng.choice(("#333333", "#333333", border, "#999999"))
    radius, wide = rng.choice((0, 0, 5)), rng.choice((1, 1.5, 1.5, 2))
    css = (
        f".node rect,.node circle,.node ellipse,.node polygon{{stroke:{border};fill:{fill};stroke-width:{rng.choice((1, 2))}px}}"
        f".node text{{fill:{words}}} .edgePath path{{stroke:{wire};fill:{wire};stroke-width:{wide}px}}"
        " .edgePath path.path{fill:none}"
        f" text{{font:{rng.choice((300, 400, 400))} {rng.choice((12, 14, 16))}px '{rng.choice(_FONTS)}'}}"
    )
    look = {
        "rankdir": "LR" if diagram.flow is Flow.right else "TB", "nodesep": rng.choice((30, 50, 70)),
        "ranksep": rng.choice((30, 50, 70)), "head": rng.choice(("normal", "normal", "vee")),
        "curve": rng.choice(("curveLinear", "curveLinear", "curveBasis", "curveBasis", "curveMonotoneY")),
    }  # fmt: skip
    nodes = [
        {"id": n.id, "label": n.label, "shape": _DAGRE_SHAPES.get(n.shape, "rect"), "rx": radius, "ry": radius}
        for n in diagram.nodes
    ]
    edges = [_plain(edge) for edge in diagram.edges]
    dash = {Stroke.solid: "", Stroke.dashed: "stroke-dasharray: 5, 5;", Stroke.dotted: "stroke-dasharray: 2, 3;"}
    orders = [{**e.model_dump(include={"id", "source", "target", "label"}), "style": dash[e.stroke]} for e in edges]
    page = camera.page(scale, "d3", "dagre-d3")
    page.evaluate(_DAGRE, [nodes, orders, look, css, rng.choice(_GROUNDS[:5])])
    data, _ = shot(page, "#stage", 0)
    return data, diagram.model_copy(update={"edges": tuple(edges)}), genre, scale


# --- rough.js

_ROUGH = """([nodes, wires, look]) => {
  const stage = document.getElementById('stage'), ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('width', stage.clientWidth); svg.setAttribute('height', stage.clientHeight);
  stage.appendChild(svg);
  const rc = rough.svg(svg), pen = {roughness: look.roughness, bowing: look.bowing, seed: look.seed};
  const put = one => svg.appendChild(one);
  const words = (text, x, y, size, colour) => {
    const t = document.createElementNS(ns, 'text');
    for (const [k, v] of Object.entries({x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill: colour,
      'font-size': size, 'font-family': look.font})) t.setAttribute(k, v);
    t.textContent = text; put(t); return t;
  };
  for (const w of wires) {
    const line = {...pen, stroke: look.wire, strokeWidth: look.wide, strokeLineDash: w.dash};
    put(w.curved ? rc.path(w.d, line) : rc.linearPath(w.bends, line));
    const [x, y] = w.end, [dx, dy] = w.way, l = look.reach, s = look.reach * 0.5;
    const a = [x - l * dx - s * dy, y - l * dy + s * dx], b = [x - l * dx + s * dy, y - l * dy - s * dx];
    const own = {...pen, roughness: pen.roughness / 2, stroke: look.wire, strokeWidth: look.wide};
    if (look.head === 'barbs') { put(rc.line(...a, x, y, own)); put(rc.line(...b, x, y, own)); }
    else put(rc.polygon([a, [x, y], b], {...own, fill: look.wire, fillStyle: 'solid'}));
  }
  for (const n of nodes) {
    const box = {...pen, stroke: n.border, strokeWidth: look.edge, fill: n.fill || undefined, fillStyle: look.fillStyle,
      fillWeight: 0.7, hachureGap: 6};
    const {x, y, width: w, height: h} = n;
    if (n.shape === 'ellipse') put(rc.ellipse(x + w / 2, y + h / 2, w, h, box));
    else if (n.shape === 'diamond') put(rc.polygon([[x + w / 2, y], [x + w, y + h / 2], [x + w / 2, y + h],
      [x, y + h / 2]], box));
    else put(rc.rectangle(x, y, w, h, box));
    words(n.label, x + w / 2, y + h / 2, look.size, n.words);
  }
  for (const w of wires) if (w.label) {
    const t = words(w.label, w.at[0], w.at[1], look.size - 1, look.wire), b = t.getBBox();
    const under = document.createElementNS(ns, 'rect');
    for (const [k, v] of Object.entries({x: b.x - 3, y: b.y, width: b.width + 6, height: b.height, fill: look.ground}))
      under.setAttribute(k, v);
    svg.insertBefore(under, t);
  }
}"""


def _rough(rng: Random, index: int, camera: Camera) -> Drawn:
    diagram, genre = _sketched(rng, index)
    size, scale, way = rng.choice((14, 16, 18)), _scale(rng), rng.choice(("straight", "straight", "bezier", "smoothstep"))
    scene = _placed(rng, diagram, size, way, (18, 12))
    page = camera.page(scale, "roughjs")
    ground = rng.choice(_GROUNDS)
    dark = ground == _GROUNDS[-1]
    _shown(page, scene.width + 60, scene.height + 60, ground)
    hatched = rng.random() < 0.15
    tints = [("", "#e8e8e8" if dark else "#1e1e1e", "#e8e8e8" if dark else "#1e1e1e") if rng.random() < 0.4 or dark
             else (*rng.choice(_PAIRS), "#1e1e1e") for _ in range(3)]  # fmt: skip
    nodes = []
    for node in diagram.nodes:
        fill, border, words = rng.choice(tints)
        box = scene.boxes[node.id]
        told = {"x": box.x + 30, "y": box.y + 30, "width": box.width, "height": box.height, "label": node.label}
        round_ = node.shape in {Shape.ellipse, Shape.circle, Shape.double_circle}
        shape = "ellipse" if round_ else "diamond" if node.shape is Shape.diamond else "box"
        nodes.append({**told, "shape": shape, "fill": fill, "border": border, "words": words})
    edges = [_plain(wire.edge, labelled=way != "smoothstep") for wire in scene.wires]
    wires = [_roughly(wire, edge, curved=way == "bezier") for wire, edge in zip(scene.wires, edges, strict=True)]
    ink = "#e8e8e8" if dark else rng.choice(("#1e1e1e", "#1e1e1e", "#1971c2", "#868e96"))
    look = {
        "roughness": rng.choice((0.5, 1, 1, 1.5)), "bowing": rng.choice((0.5, 1, 1)), "seed": rng.randrange(1, 9999),
        "font": rng.choice(_FONTS), "wire": ink, "wide": rng.choice((1, 1.5, 2)), "edge": rng.choice((1, 1.5, 2)),
        "reach": rng.choice((10, 13, 16)), "head": rng.choice(("barbs", "barbs", "filled")), "size": size, "ground": ground,
        "fillStyle": "hachure" if hatched else "solid",
    }  # fmt: skip
    page.evaluate(_ROUGH, [nodes, wires, look])
    data, _ = shot(page, "#stage", 0)
    return data, scene.diagram.model_copy(update={"edges": tuple(edges)}), genre, scale


def _roughly(wire: scenes.Wire, edge: Edge, *, curved: bool) -> dict[str, Any]:
    moved = [(x + 30, y + 30) for x, y in wire.points]
    before, end = moved[-2], moved[-1]
    long = math.dist(before, end) or 1.0
    bends = [moved[0]]
    bends += [b for a, b, c in zip(moved, moved[1:], moved[2:], strict=False)
              if abs((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])) > 1e-3]  # fmt: skip
    step = max(len(moved) // 6, 1)
    d = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in [*moved[:-1:step], end])
    return {
        "curved": curved, "d": d, "bends": [*bends, end], "end": end,
        "way": [(end[0] - before[0]) / long, (end[1] - before[1]) / long],
        "dash": [6, 6] if edge.stroke is not Stroke.solid else None, "label": edge.label, "at": moved[len(moved) // 2],
    }  # fmt: skip


# --- nomnoml

_NOMNOML = """([text, ground]) => {
  const svg = nomnoml.renderSvg(text);
  document.getElementById('place').innerHTML = `<div id="stage"
    style="display:inline-block;padding:14px;background:${ground}">${svg}</div>`;
}"""
_NOM_SHAPES = {Shape.diamond: "<choice>", Shape.cylinder: "<database>", Shape.ellipse: "<usecase>", Shape.stadium: "<usecase>"}
_NOM_SHAPES |= {Shape.parallelogram: "<input>", Shape.note: "<note>", Shape.rounded: "<state>"}
_NOM_ENDS = {Head.triangle: ":>", Head.arrow: ">", Head.none: "", Head.diamond: "o", Head.filled_diamond: "+"}


def _nomnoml(rng: Random, index: int, camera: Camera) -> Drawn:
    genre = "classes" if index % 3 == 0 else ""
    if genre:
        diagram, _ = classes(rng, rng.choice((4, 5, 6, 8)))
    else:
        diagram, genre = _sketched(rng, index)
    fill, border, _ = _tinted(rng)
    if fill == border:
        fill = "#eee8d5"
    lines = [
        f"#direction: {'right' if diagram.flow is Flow.right else 'down'}", f"#fill: {fill}", f"#stroke: {border}",
        f"#lineWidth: {rng.choice((1, 2, 3))}", f"#font: {rng.choice(_FONTS)}", f"#fontSize: {rng.choice((12, 12, 14))}",
        f"#edges: {rng.choice(('rounded', 'hard'))}", f"#arrowSize: {rng.choice((0.7, 1, 1))}",
        f"#spacing: {rng.choice((30, 40, 50))}", "#edgeMargin: 0",
    ]  # fmt: skip
    named = {}
    for node in diagram.nodes:
        clean = "".join(sign for sign in node.label.replace("\n", " ") if sign not in "[]|;<>#\\")
        kind = "" if node.rows else _NOM_SHAPES.get(node.shape, "")
        named[node.id] = clean
        rows = "".join(f"|{row.replace('[', '').replace(']', '').replace('|', '')}" for row in node.rows[:2])
        lines.append(f"[{kind}{clean}{rows}]")
    edges = []
    for edge in diagram.edges:
        dashed = rng.random() < 0.2 and edge.target_head in {Head.triangle, Head.arrow, Head.none}
        tail = _NOM_ENDS.get(edge.source_head, "")
        into = _NOM_ENDS.get(edge.target_head, ">")
        lines.append(f"[{named[edge.source]}] {tail}{'--' if dashed else '-'}{into} [{named[edge.target]}]")
        told = {"label": "", "stroke": Stroke.dashed if dashed else Stroke.solid}
        told |= {"target_head": edge.target_head if edge.target_head in _NOM_ENDS else Head.arrow}
        told |= {"source_head": edge.source_head if edge.source_head in _NOM_ENDS else Head.none}
        edges.append(edge.model_copy(update={**told, "source_label": "", "target_label": ""}))
    scale = _scale(rng)
    page = camera.page(scale, "graphre", "nomnoml")
    page.evaluate(_NOMNOML, ["\n".join(lines), rng.choice(_GROUNDS[:5])])
    data, _ = shot(page, "#stage", 0)
    nodes = tuple(_named(node, named[node.id]) for node in diagram.nodes)
    return data, diagram.model_copy(update={"nodes": nodes, "edges": tuple(edges), "groups": ()}), genre, scale


def _named(node: Node, label: str) -> Node:
    return node.model_copy(update={"label": label, "rows": node.rows[:2], "parent": None})


_DRAWERS = {"cytoscape": _cytoscape, "vis": _vis, "dagre": _dagre, "rough": _rough, "nomnoml": _nomnoml}
