"""A diagram as a graph: what the parser gives back, what ground truth is written in, and what metrics compare.

Values are frozen; ids are unique within one diagram. Lengths are pixels of the parsed picture, origin top left. The same value
always gives the same bytes (`Diagram.to_json`): keys in the order of declaration, coordinates rounded to a tenth of a pixel.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

GRAPH_VERSION = 1


def _tenth(value: object) -> object:
    return round(float(value), 1) + 0.0 if isinstance(value, (int, float)) else value


def _thousandth(value: object) -> object:
    return round(float(value), 3) + 0.0 if isinstance(value, (int, float)) else value


Pixels = Annotated[float, BeforeValidator(_tenth)]
"""Pixels of the picture, rounded to a tenth."""
Confidence = Annotated[float, BeforeValidator(_thousandth), Field(ge=0, le=1)]
"""How sure its writer is, 0–1, rounded to a thousandth; 1 in ground truth."""
Point = tuple[Pixels, Pixels]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shape(StrEnum):
    """Outline of a node. `unknown` is drawn but is none of these; `text` has no outline at all."""

    rectangle = "rectangle"
    rounded = "rounded"
    stadium = "stadium"
    circle = "circle"
    double_circle = "double_circle"
    ellipse = "ellipse"
    diamond = "diamond"
    parallelogram = "parallelogram"
    trapezium = "trapezium"
    hexagon = "hexagon"
    triangle = "triangle"
    polygon = "polygon"
    cylinder = "cylinder"
    cloud = "cloud"
    document = "document"
    subroutine = "subroutine"
    table = "table"
    """A box ruled into rows or compartments (record, class, entity)."""
    note = "note"
    actor = "actor"
    icon = "icon"
    """A picture with a caption."""
    point = "point"
    """A small filled dot (start state, junction drawn as a node)."""
    bar = "bar"
    """A thick line (fork, join)."""
    text = "text"
    unknown = "unknown"


class Head(StrEnum):
    """What an edge ends in."""

    none = "none"
    arrow = "arrow"
    """Filled or open V: the plain arrow."""
    triangle = "triangle"
    """Hollow triangle (inheritance)."""
    diamond = "diamond"
    """Hollow diamond (aggregation)."""
    filled_diamond = "filled_diamond"
    circle = "circle"
    cross = "cross"
    bar = "bar"
    crow_foot = "crow_foot"


class Stroke(StrEnum):
    """How an edge is drawn."""

    solid = "solid"
    dashed = "dashed"
    dotted = "dotted"
    thick = "thick"


class Flow(StrEnum):
    """The way most edges run."""

    down = "TB"
    up = "BT"
    right = "LR"
    left = "RL"
    none = "none"
    """No common direction (force layouts, undirected graphs)."""


class Frame(_Frozen):
    """A rectangle of the picture: left, top, width and height in pixels."""

    x: Pixels
    y: Pixels
    width: Annotated[Pixels, Field(ge=0)]
    height: Annotated[Pixels, Field(ge=0)]

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the rectangle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        """Abscissa of the right border."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Ordinate of the lower border."""
        return self.y + self.height

    @property
    def area(self) -> float:
        """Square pixels."""
        return self.width * self.height


class Node(_Frozen):
    """A thing that edges join. `label` keeps line breaks; it is empty for an unlabelled node."""

    id: str
    label: str = ""
    shape: Shape = Shape.unknown
    box: Frame | None = None
    """Outline's extent; `None` where no picture was measured (a graph that came from Mermaid or DOT)."""
    parent: str | None = None
    """Id of the innermost group that holds it."""
    rows: tuple[str, ...] = ()
    """Texts of a table's compartments below its title, in reading order."""
    confidence: Confidence = 1.0


class Edge(_Frozen):
    """A connection from `source` to `target`, each the id of a node or of a group (an edge may end at a group's border).

    Which way it runs is told by the heads: an edge with a head at its target only is directed source → target; one with a head
    at neither end is undirected; one with heads at both ends runs both ways. A parser never gives an edge whose only head is at
    the source: it swaps the ends.
    """

    id: str
    source: str
    target: str
    label: str = ""
    source_label: str = ""
    """Text at the source's end (role, cardinality)."""
    target_label: str = ""
    source_head: Head = Head.none
    target_head: Head = Head.arrow
    stroke: Stroke = Stroke.solid
    path: tuple[Point, ...] = ()
    """Points along the drawn line from source to target; empty where no picture was measured."""
    confidence: Confidence = 1.0

    @property
    def directed(self) -> bool:
        """It has a head at exactly one end."""
        return (self.source_head is Head.none) != (self.target_head is Head.none)

    @property
    def both_ways(self) -> bool:
        """It has heads at both ends."""
        return self.source_head is not Head.none and self.target_head is not Head.none


class Group(_Frozen):
    """A frame, cluster or swim lane around nodes and other groups."""

    id: str
    label: str = ""
    kind: Literal["frame", "lane"] = "frame"
    box: Frame | None = None
    parent: str | None = None
    confidence: Confidence = 1.0


class Canvas(_Frozen):
    """The picture the graph was read from."""

    width: int = Field(ge=0)
    height: int = Field(ge=0)
    sha256: str = ""
    """Of the decoded RGB pixels, row by row; empty where there was no picture."""


class Diagram(_Frozen):
    """A whole diagram.

    Raises `ValueError` (pydantic's `ValidationError`) if an id is used twice, an edge ends nowhere, or a parent is no group.
    """

    version: Literal[1] = GRAPH_VERSION
    canvas: Canvas | None = None
    flow: Flow = Flow.none
    title: str = ""
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    groups: tuple[Group, ...] = ()
    remarks: tuple[str, ...] = ()
    """What the parser saw and could not place (stray text, a line that ends nowhere, a limit that was reached)."""

    @model_validator(mode="after")
    def _consistent(self) -> Diagram:
        ids = [thing.id for thing in (*self.nodes, *self.groups)]
        if len(set(ids)) != len(ids):
            raise ValueError("two nodes or groups have one id")
        known, groups = set(ids), {group.id for group in self.groups}
        edge_ids = [edge.id for edge in self.edges]
        if len(set(edge_ids)) != len(edge_ids):
            raise ValueError("two edges have one id")
        for edge in self.edges:
            if edge.source not in known or edge.target not in known:
                raise ValueError(f"edge {edge.id} ends at something that is not there")
        parents = {thing.id: thing.parent for thing in (*self.nodes, *self.groups)}
        for thing, parent in parents.items():
            if parent is not None and parent not in groups:
                raise ValueError(f"{thing} lies in a group that is not there")
        for start in groups:
            seen, at = set(), parents[start]
            while at is not None and at not in seen:
                seen.add(at)
                at = parents[at]
            if start in seen:
                raise ValueError(f"group {start} lies within itself")
        return self

    @property
    def directed(self) -> bool:
        """At least one edge has a head."""
        return any(edge.directed or edge.both_ways for edge in self.edges)

    def node(self, node_id: str) -> Node:
        """The node of that id. Raises `KeyError`."""
        for node in self.nodes:
            if node.id == node_id:
                return node
        raise KeyError(node_id)

    def label_of(self, thing_id: str) -> str:
        """Label of the node or group of that id. Raises `KeyError`."""
        for thing in (*self.nodes, *self.groups):
            if thing.id == thing_id:
                return thing.label
        raise KeyError(thing_id)

    def to_json(self) -> str:
        """The diagram as JSON, ending in a line break; equal diagrams give equal bytes."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Diagram:
        """Reads what `to_json` wrote. Raises `ValueError` if it is not such JSON."""
        return cls.model_validate_json(text)
