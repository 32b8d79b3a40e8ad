"""Class, component, state and use case diagrams drawn by PlantUML in looks drawn by chance; the gold is what was written.

PlantUML tells no boxes, so nodes are matched by their labels alone. The program is Debian's package `plantuml`; where it is not
installed, `ASSAY_PLANTUML` names its jar.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from random import Random

from tests.benchmarks.diagram_truth.sample import Sample, open_rgb
from tests.benchmarks.diagram_truth.topology import classes, machine, sketch
from tools.diagram.model.graph import Diagram, Edge, Group, Head, Node, Shape, Stroke
from tools.errors import MissingProgram

RENDER_S = 90.0
KINDS = ("class", "component", "state", "use case")
_JAR = Path("/usr/share/plantuml/plantuml.jar")
_INTO = {Head.triangle: "|>", Head.filled_diamond: "*", Head.diamond: "o", Head.arrow: ">", Head.none: ""}
_OUT_OF = {Head.triangle: "<|", Head.filled_diamond: "*", Head.diamond: "o", Head.arrow: "<", Head.none: ""}
_COMPONENTS = {Shape.cylinder: "database", Shape.hexagon: "node", Shape.ellipse: "cloud", Shape.subroutine: "artifact"}
_PAGES = ("package", "node", "folder", "rectangle", "frame")


def plantuml_sample(index: int) -> Sample:
    """The diagram of that number; kinds in turn. Raises `MissingProgram` without Java or PlantUML, `ValueError` if it refuses."""
    rng = Random(f"plantuml-{index}")
    kind = KINDS[index % len(KINDS)]
    diagram, lines = _WRITERS[kind](rng)
    dpi = rng.choice((96, 96, 150))
    text = "\n".join(["@startuml", *_look(rng, dpi), *lines, "@enduml"])
    facts = {"family": "plantuml", "genre": kind, "dpi": dpi, "theme": "light"}
    return Sample(f"plantuml-{index:04d}", open_rgb(draw(text)), diagram, facts)


def draw(text: str) -> bytes:
    """A PNG of PlantUML text."""
    jar = Path(os.environ.get("ASSAY_PLANTUML", _JAR))
    if not jar.is_file() or shutil.which("java") is None:
        raise MissingProgram("PlantUML is not installed.", hint="Run: apt-get install -y plantuml")
    command = ["java", "-Djava.awt.headless=true", "-jar", str(jar), "-charset", "UTF-8", "-tpng", "-pipe"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=RENDER_S, check=False)
    if done.returncode != 0:
        raise ValueError(f"PlantUML: {done.stderr.decode(errors='replace')[:300]}")
    return done.stdout


def _look(rng: Random, dpi: int) -> list[str]:
    lines = [f"skinparam dpi {dpi}"]
    lines += ["skinparam shadowing false"] if rng.random() < 0.5 else []
    lines += ["skinparam monochrome true"] if rng.random() < 0.25 else []
    lines += ["hide circle"] if rng.random() < 0.2 else []
    lines += [f"skinparam linetype {rng.choice(('polyline', 'ortho'))}"] if rng.random() < 0.25 else []
    lines += ["left to right direction"] if rng.random() < 0.25 else []
    lines += [f"skinparam defaultFontName {rng.choice(('DejaVu Sans', 'Liberation Sans', 'Liberation Serif'))}"]
    lines += [f"skinparam ArrowColor {rng.choice(('#444444', 'Navy', 'Gray', 'Black'))}"] if rng.random() < 0.35 else []
    lines += [f"skinparam backgroundColor {rng.choice(('#FEFEFE', '#EEEBDC', 'White'))}"] if rng.random() < 0.3 else []
    return lines


def _class(rng: Random) -> tuple[Diagram, list[str]]:
    diagram, _ = classes(rng, rng.choice((4, 5, 6, 8, 10)))
    lines = []
    for node in diagram.nodes:
        word = rng.choices(("class", "interface", "abstract class", "enum"), (8, 1, 1, 1))[0]
        lines += [f'{word} "{node.label}" as {node.id} {{', *(f"  {row}" for row in node.rows), "}"]
    edges = []
    for edge in diagram.edges:
        dashed = rng.random() < 0.25
        edges.append(edge.model_copy(update={"stroke": Stroke.dashed if dashed else Stroke.solid}))
        shaft = ".." if dashed else "--"
        lines.append(_line(edge, shaft, turned=rng.random() < 0.6))
    return diagram.model_copy(update={"edges": tuple(edges)}), lines


def _line(edge: Edge, shaft: str, *, turned: bool = False) -> str:
    label = f" : {edge.label}" if edge.label else ""
    if turned:
        return f"{edge.target} {_OUT_OF[edge.target_head]}{shaft}{_OUT_OF[edge.source_head][::-1]} {edge.source}{label}"
    return f"{edge.source} {_OUT_OF[edge.source_head]}{shaft}{_INTO[edge.target_head]} {edge.target}{label}"


def _component(rng: Random) -> tuple[Diagram, list[str]]:
    diagram, _ = sketch(rng, "architecture", rng.choice((5, 6, 8, 10, 12)))
    word = rng.choice(("component", "component", "rectangle", "node", "agent"))
    lines = [line for group in diagram.groups if group.parent is None for line in _grouped(rng, diagram, group, word)]
    lines += [_declared(node, word) for node in diagram.nodes if node.parent is None]
    inner = {group.id for group in diagram.groups}
    edges = [
        edge.model_copy(update={"target_head": Head.arrow, "source_head": Head.none})
        for edge in diagram.edges
        if edge.source not in inner and edge.target not in inner
    ]
    lines += [_line(edge, "--" if edge.stroke is Stroke.solid else "..") for edge in edges]
    return diagram.model_copy(update={"edges": tuple(edges)}), lines


def _grouped(rng: Random, diagram: Diagram, group: Group, word: str) -> list[str]:
    within = [line for inner in diagram.groups if inner.parent == group.id for line in _grouped(rng, diagram, inner, word)]
    within += [_declared(node, word) for node in diagram.nodes if node.parent == group.id]
    return [f'{rng.choice(_PAGES)} "{group.label}" {{', *within, "}"]


def _declared(node: Node, word: str) -> str:
    return f'{_COMPONENTS.get(node.shape, word)} "{node.label}" as {node.id}'


def _state(rng: Random) -> tuple[Diagram, list[str]]:
    diagram, _ = machine(rng, rng.choice((4, 5, 6, 8, 10)))
    named = {node.id: "[*]" if node.shape in {Shape.point, Shape.double_circle} else node.id for node in diagram.nodes}
    lines = [f'state "{node.label}" as {node.id}' for node in diagram.nodes if named[node.id] == node.id]
    edges = []
    for edge in diagram.edges:
        plain = edge.model_copy(update={"target_head": Head.arrow, "source_head": Head.none})
        edges.append(plain)
        label = f" : {edge.label}" if edge.label else ""
        lines.append(f"{named[edge.source]} --> {named[edge.target]}{label}")
    return diagram.model_copy(update={"edges": tuple(edges)}), lines


def _use_case(rng: Random) -> tuple[Diagram, list[str]]:
    diagram, _ = sketch(rng, "layered", rng.choice((5, 6, 8, 10)))
    sources = {edge.source for edge in diagram.edges} - {edge.target for edge in diagram.edges}
    nodes = [node.model_copy(update={"shape": Shape.unknown if node.id in sources else Shape.ellipse}) for node in diagram.nodes]
    lines = [f'{"actor" if node.id in sources else "usecase"} "{node.label}" as {node.id}' for node in nodes]
    lines += [_line(edge, "--" if edge.stroke is Stroke.solid else "..") for edge in diagram.edges]
    return diagram.model_copy(update={"nodes": tuple(nodes)}), lines


_WRITERS = {"class": _class, "component": _component, "state": _state, "use case": _use_case}
