"""The blackboard that the parser's agents share: what each has seen, from which pixels, and how sure it is.

Entries are frozen, small and ordered; pictures never lie here. Several agents may write about the same thing (a deterministic one
and one driven by a model); the Fusion Arbiter decides between them and its decisions are entries too.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tools.diagram.model.graph import Confidence, Diagram, Flow, Frame, Head, Point, Shape, Stroke


class Agent(StrEnum):
    """Who writes, by the names of the method (SciFlow-Bench, section 3)."""

    environment_curator = "environment_curator"
    shape_hunter = "shape_hunter"
    text_spotter = "text_spotter"
    line_tracer = "line_tracer"
    fusion_arbiter = "fusion_arbiter"
    topology_coder = "topology_coder"
    graph_architect = "graph_architect"


class Entry(BaseModel):
    """One note on the blackboard."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    writer: Agent
    by: str = "deterministic"
    """`deterministic`, or the name of the model that wrote it."""
    pixels: Frame
    """The part of the working picture it was read from."""
    confidence: Confidence = 1.0


class SceneNote(Entry):
    """What the drawing is drawn on and with."""

    kind: Literal["scene"] = "scene"
    dark: bool
    glyph_px: float
    noise_levels: float
    paper: tuple[int, int, int]
    """RGB of the ground."""
    layout: Literal["rows", "columns", "grid", "free"]
    flow: Flow


class ShapeNote(Entry):
    """An outline that may be a node, a group or the edge of a compartment."""

    kind: Literal["shape"] = "shape"
    id: str
    shape: Shape
    outline: tuple[Point, ...]
    fit: float
    """Share of the outline's area that its ideal shape explains (intersection over union)."""
    filled: bool
    """Its ground differs from the ground around it."""
    source: Literal["face", "fill", "frame", "blob"]
    """One flat surface, several of one colour, a frame of lines, or a thick piece of ink."""
    clean: bool
    """No line runs on beyond one of its corners, as lines do that only happen to enclose a surface."""


class TextNote(Entry):
    """A line of text."""

    kind: Literal["text"] = "text"
    id: str
    text: str
    corners: tuple[Point, ...]
    turned: int
    positions: tuple[float, ...] = ()
    """Middle of each character as a share of the line's length; empty where the writer does not tell."""


class NodeNote(Entry):
    """A grounded node: shapes and texts that are one thing."""

    kind: Literal["node"] = "node"
    id: str
    label: str
    shape: Shape
    outline: tuple[Point, ...]
    rows: tuple[str, ...] = ()
    parent: str | None = None
    shapes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class GroupNote(Entry):
    """A grounded group."""

    kind: Literal["group"] = "group"
    id: str
    label: str
    lane: bool
    parent: str | None = None
    shapes: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


class LineNote(Entry):
    """A traced line between two grounded things."""

    kind: Literal["line"] = "line"
    id: str
    source: str
    target: str
    source_head: Head
    target_head: Head
    stroke: Stroke
    path: tuple[Point, ...]
    label: str = ""
    source_label: str = ""
    target_label: str = ""
    texts: tuple[str, ...] = ()


class CodeNote(Entry):
    """The diagram as Mermaid, as the Topology Coder wrote it."""

    kind: Literal["code"] = "code"
    mermaid: str


class GraphNote(Entry):
    """The graph that the Graph Architect read from the code and grounded."""

    kind: Literal["graph"] = "graph"
    diagram: Diagram


class Remark(Entry):
    """Something seen that could not be placed."""

    kind: Literal["remark"] = "remark"
    text: str


Note = SceneNote | ShapeNote | TextNote | NodeNote | GroupNote | LineNote | CodeNote | GraphNote | Remark
