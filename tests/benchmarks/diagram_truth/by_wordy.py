"""Diagrams as people write them: whole sentences, questions in wide diamonds, branches that join again. Two families.

`wordy`: Graphviz flowcharts. `activity`: PlantUML's activity diagrams. The gold is what was written (and where Graphviz laid it).
"""

from __future__ import annotations

import json
from random import Random

from tests.benchmarks.diagram_truth.by_graphviz import gold_of, render
from tests.benchmarks.diagram_truth.by_plantuml import draw
from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.topology import sketch
from tests.benchmarks.diagram_truth.words import Labels, pick_domain
from tools.diagram.model.graph import Diagram, Edge, Flow, Head, Node, Shape, Stroke

MOST_PIXELS = 5_000_000
_FONTS = ("Times", "Helvetica", "DejaVu Sans", "Liberation Sans", "Liberation Serif")
_ENDS = ("before the next review", "in the shared folder", "(see ./notes.md)", "with two tests each", "and tell the team")
_ASKED = ("and is it complete?", "by everybody?", "(or none left)?", "without warnings?", "since the last run?")
_TINTS = ("lightblue", "lightyellow", "#ffe6cc", "#d5e8d4", "lightgrey", "white", "#e8f4ff")


def wordy_sample(index: int) -> Sample | None:
    """The flowchart of that number; `None` where it would be too large. Raises `ValueError` if Graphviz refuses."""
    rng = Random(f"wordy-{index}")
    diagram, domain = sketch(rng, rng.choice(("flowchart", "flowchart", "states")), rng.choice((6, 8, 10, 14)))
    dark, dpi = rng.random() < 0.12, rng.choice((72, 96, 96, 150))
    ink = "white" if dark else rng.choice(("black", "black", "black", "gray40", "navy", "#999999"))
    splines = rng.choice(("spline", "spline", "spline", "polyline", "line", "curved"))
    font, size = rng.choice(_FONTS), rng.choice((10, 12, 14, 14))
    head = rng.choice(("normal", "normal", "vee", "open"))
    wide, way = rng.choice((1, 1, 1, 2)), rng.choice(("TB", "TB", "TB", "LR"))
    text = [
        f'digraph {{ graph [rankdir={way} splines={splines} bgcolor="{"#1e1e1e" if dark else "white"}"]',
        f'node [fontname="{font}" fontsize={size} color="{ink}" fontcolor="{"white" if dark else "black"}" penwidth={wide}]',
        f'edge [fontname="{font}" fontsize={size - rng.choice((0, 2))} color="{ink}" fontcolor="{"white" if dark else "black"}"'
        f" arrowhead={head} penwidth={wide} arrowsize={rng.choice((0.6, 1, 1))}]",
    ]  # fmt: skip
    filled, border = rng.random() < 0.45 and not dark, rng.choice(("", "", "", "dashed", "dotted"))
    box, start = rng.choice(("box", "box", "ellipse", "plaintext")), rng.choice(("doublecircle", "ellipse", "Mdiamond", "oval"))
    for at, node in enumerate(diagram.nodes):
        shape = "diamond" if node.shape is Shape.diamond else start if at == 0 else box
        told = {"label": _sentence(rng, node), "shape": shape}
        if not node.label:
            told = {"label": "", "shape": "point"}
        elif filled and shape != "plaintext":
            told |= {"style": "filled", "fillcolor": rng.choice(_TINTS)}
        elif border and rng.random() < 0.4:
            told |= {"style": border}
        text.append(f"{node.id} [{_said(told)}]")
    for edge in diagram.edges:
        style = edge.stroke.value if edge.stroke in {Stroke.dashed, Stroke.dotted} else "solid"
        plain = edge.target_head is Head.none
        text.append(
            f"{edge.source} -> {edge.target} [{_said({'label': edge.label, 'style': style})}{' dir=none' if plain else ''}]"
        )
    picture, layout = render("\n".join([*text, "}"]), "dot", dpi)
    if picture.width * picture.height > MOST_PIXELS:
        return None
    facts = {"family": "wordy", "genre": splines, "domain": domain, "dpi": dpi, "theme": "dark" if dark else "light"}
    return Sample(f"wordy-{index:04d}", picture, gold_of(layout, dpi), facts)


def _said(values: dict[str, str]) -> str:
    return " ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in values.items() if value)


def _sentence(rng: Random, node: Node) -> str:
    """The node's words made longer: on one line mostly, as people write them."""
    more = rng.choice(("", *(_ASKED if node.label.endswith("?") else _ENDS)))
    if not more:
        return node.label
    return f"{node.label.removesuffix('?')}{rng.choice((' ', ' ', chr(10)))}{more}"


def activity_sample(index: int) -> Sample:
    """The activity diagram of that number. Raises `MissingProgram` without PlantUML, `ValueError` if it refuses."""
    rng = Random(f"activity-{index}")
    made = _Activity(rng)
    dpi = rng.choice((96, 96, 150))
    look = [f"skinparam dpi {dpi}", *(["skinparam shadowing false"] if rng.random() < 0.5 else [])]
    look += ["skinparam monochrome true"] if rng.random() < 0.3 else []
    look += [f"skinparam defaultFontName {rng.choice(('DejaVu Sans', 'Liberation Sans', 'Liberation Serif'))}"]
    look += [f"skinparam ArrowColor {rng.choice(('#444444', 'Navy', 'Black'))}"] if rng.random() < 0.3 else []
    data = draw("\n".join(["@startuml", *look, *made.lines, "@enduml"]))
    gold = Diagram(flow=Flow.down, nodes=tuple(made.nodes), edges=tuple(made.edges))
    return Sample(
        f"activity-{index:04d}", open_rgb(data), gold, {"family": "activity", "genre": "activity", "dpi": dpi, "theme": "light"}
    )


class _Activity:
    """Steps one after another, with branches, written and remembered."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._labels = Labels(rng, pick_domain(rng))
        self.lines: list[str] = ["start"]
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        at = self._node("", Shape.circle)
        for _ in range(rng.choice((2, 3, 4))):
            at = self._branch(at) if rng.random() < 0.5 else self._step(at)
        self._edge(at, self._node("", Shape.double_circle))
        self.lines.append("stop")

    def _node(self, label: str, shape: Shape) -> str:
        self.nodes.append(Node(id=f"n{len(self.nodes) + 1}", label=label, shape=shape))
        return self.nodes[-1].id

    def _edge(self, source: str, target: str, label: str = "") -> None:
        self.edges.append(Edge(id=f"e{len(self.edges) + 1}", source=source, target=target, label=label))

    def _step(self, before: str, label: str = "") -> str:
        words = self._labels.deed().replace("\n", " ")
        self.lines.append(f":{words};")
        here = self._node(words, Shape.rounded)
        self._edge(before, here, label)
        return here

    def _branch(self, before: str) -> str:
        """Two ways from a question that join again, one of which may have no step of its own."""
        asked = self._labels.question().replace("\n", " ")
        here = self._node(asked, Shape.hexagon)
        self._edge(before, here)
        join_by: list[tuple[str, str]] = []
        self.lines.append(f"if ({asked}) then (yes)")
        for word in ("yes", "no"):
            if word == "no":
                self.lines.append("else (no)")
            at, label = here, word
            for _ in range(self._rng.choice((1, 1, 2))):
                at, label = self._step(at, label), ""
            join_by.append((at, label))
        self.lines.append("endif")
        join = self._node("", Shape.diamond)
        for at, label in join_by:
            self._edge(at, join, label)
        return join
