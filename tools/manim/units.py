"""What a viewer takes for one thing: a word, a box, an arrow with its tip, a pair of axes – not the paths it is made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tools.manim.contract import ObjectState, Party, Snapshot
from tools.manim.geometry import EMPTY, Geometry

Role = Literal["text", "shape", "line", "dot", "axes", "brace", "mark", "image", "solid", "picture"]

TEXT_KINDS = frozenset({"Text", "MarkupText", "SingleStringMathTex", "MathTexPart", "DecimalNumber"})
AXES_KINDS = frozenset({"CoordinateSystem", "Axes", "NumberLine", "BarChart"})
GRID_KINDS = frozenset({"NumberPlane", "ComplexPlane", "PolarPlane", "ArrowVectorField", "StreamLines", "VectorField"})
SOLID_KINDS = frozenset({"Surface", "Sphere", "Cube", "Prism", "Dot3D", "Line3D", "Arrow3D", "ThreeDVMobject", "Polyhedron"})
MARK_KINDS = frozenset(
    {"SurroundingRectangle", "BackgroundRectangle", "Underline", "Cross", "ScreenRectangle", "FullScreenRectangle"}
)
BRACE_KINDS = frozenset({"Brace", "ArcBrace"})
LINE_KINDS = frozenset(
    {
        "Line",
        "Arc",
        "Angle",
        "Elbow",
        "ParametricFunction",
        "FunctionGraph",
        "ImplicitFunction",
        "CubicBezier",
        "TracedPath",
        "StreamLine",
        "DashedVMobject",
        "VMobjectFromSVGPath",
    }
)
ROUND_KINDS = frozenset({"Circle", "Ellipse", "Annulus", "AnnularSector", "Sector"})
COMPOSED_KINDS = frozenset(
    {
        "Table",
        "Matrix",
        "Code",
        "Paragraph",
        "BulletedList",
        "BraceLabel",
        "LabeledDot",
        "LabeledLine",
        "LabeledArrow",
        "Graph",
        "DiGraph",
        "GenericGraph",
        "Variable",
    }
)
"""Classes of Manim that lay out their parts themselves."""


@dataclass(frozen=True)
class Unit:
    """One thing in one snapshot."""

    id: int
    role: Role
    head: ObjectState
    members: tuple[ObjectState, ...]
    above: tuple[ObjectState, ...]
    """Groups it belongs to, nearest first."""
    geometry: Geometry = field(repr=False, compare=False)

    @cached_property
    def look(self) -> tuple[Any, ...]:
        """What its areas, and what it does to others, depend on: as long as this is the same, nothing is worked out again."""
        shapes = ((state.outline, state.fill_opacity, state.stroke_opacity, state.stroke_width) for state in self.members)
        return (self.id, self.role, *shapes)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Its class and Manim base classes."""
        return frozenset((self.head.kind, *self.head.bases))

    @cached_property
    def above_kinds(self) -> frozenset[str]:
        """Classes of the groups it belongs to."""
        return frozenset(kind for group in self.above for kind in (group.kind, *group.bases))

    @cached_property
    def above_ids(self) -> frozenset[int]:
        """Ids of the groups it belongs to."""
        return frozenset(group.id for group in self.above)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top of what is drawn of it, strokes included."""
        lows, highs = [span[:2] for span in self.boxes], [span[2:] for span in self.boxes]
        return (
            float(min(low[0] for low in lows)),
            float(min(low[1] for low in lows)),
            float(max(high[0] for high in highs)),
            float(max(high[1] for high in highs)),
        )

    @cached_property
    def ink(self) -> BaseGeometry:
        """What of it is drawn."""
        parts = [self.geometry.ink(state) for state in self.members]
        return parts[0] if len(parts) == 1 else shapely.union_all(parts)

    @cached_property
    def boxes(self) -> list[tuple[float, float, float, float]]:
        """The box of each member, strokes included."""
        spans = []
        for state in self.members:
            points = self.geometry.points(state.outline)
            margin = state.stroke_width / 2 if state.stroke_opacity > 0.02 else 0.0
            low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
            spans.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
        return spans

    def ink_near(self, box: tuple[float, float, float, float]) -> BaseGeometry:
        """Its ink, of those members only whose box meets this one: grids have hundreds."""
        if len(self.members) == 1:
            return self.ink
        near = [
            self.geometry.ink(state)
            for state, (left, bottom, right, top) in zip(self.members, self.boxes, strict=True)
            if left < box[2] and box[0] < right and bottom < box[3] and box[1] < top
        ]
        return shapely.union_all(near) if near else EMPTY

    def length_share(self, view: tuple[float, float]) -> tuple[float, float]:
        """Of its lines: the share of their length that lies in the frame, and that length."""
        total = within = 0.0
        for state in self.members:
            for middles, lengths in self.geometry.pieces(state.outline) if state.curved else ():
                inside = (np.abs(middles[:, 0]) <= view[0] / 2) & (np.abs(middles[:, 1]) <= view[1] / 2)
                total += float(lengths.sum())
                within += float(lengths[inside].sum())
        return (within / total if total > 0 else 1.0), within

    @cached_property
    def body(self) -> BaseGeometry:
        """Of a text the strip of its letters; of a closed shape what its outer line bounds; of other things their ink."""
        if self.role == "text":
            parts = [self.geometry.text_body(state.outline) for state in self.members]
        elif self.role in ("shape", "dot", "image", "mark", "picture", "solid"):
            parts = [self.geometry.hull(state) for state in self.members]
        else:
            return self.ink
        return parts[0] if len(parts) == 1 else shapely.union_all(parts)

    @cached_property
    def solid_area(self) -> BaseGeometry:
        """What of it hides things behind it: fills of at least 0.3 opacity, and pictures."""
        parts = [
            self.geometry.ink(state) if state.image else self.geometry.fill_area(state.outline)
            for state in self.members
            if state.outline and state.fill_opacity >= 0.3 and (state.image or state.curved)
        ]
        return parts[0] if len(parts) == 1 else shapely.union_all(parts) if parts else EMPTY

    @cached_property
    def fill_opacity(self) -> float:
        """Of its strongest fill."""
        return max(state.fill_opacity for state in self.members)

    @cached_property
    def strength(self) -> float:
        """Opacity of what shows most of it."""
        return max(max(state.fill_opacity, state.stroke_opacity if state.stroke_width else 0.0) for state in self.members)

    @cached_property
    def height(self) -> float:
        """Of a text the height of its letters, else of its box."""
        if self.role == "text":
            return max(self.geometry.text_height(state.outline) for state in self.members)
        return self.box[3] - self.box[1]

    @property
    def order(self) -> int:
        """Place in the order of drawing."""
        return max(state.order for state in self.members)

    @property
    def animation(self) -> str:
        """The animation that is changing it."""
        return self.head.animation or next((state.animation for state in self.members if state.animation), "")

    @cached_property
    def closed(self) -> bool:
        """Whether it bounds an area."""
        if self.role in ("image", "picture", "solid", "dot"):
            return True
        return self.role in ("shape", "mark") and all(self.geometry.closed(state) for state in self.members)

    @property
    def name(self) -> str:
        """Variable in the script, of itself or of the nearest group that has one."""
        return self.head.name or next((group.name for group in self.above if group.name), "")

    def party(self) -> Party:
        """Itself, for a finding."""
        line = self.head.line or next((group.line for group in self.above if group.line), None)
        text = (
            self.head.text or next((group.text for group in self.above if group.text), "")
            if self.role == "text"
            else self.head.text
        )
        box = tuple(round(value, 3) for value in self.box)
        return Party(id=self.id, kind=self.head.kind, name=self.name, text=text, line=line, box=(box[0], box[1], box[2], box[3]))


def units(snapshot: Snapshot, geometry: Geometry) -> list[Unit]:  # noqa: C901 - one walk of a tree
    """The things a snapshot shows, in the order of drawing."""
    children: dict[int | None, list[ObjectState]] = {}
    for state in snapshot.objects:
        children.setdefault(state.parent, []).append(state)
    found: list[Unit] = []

    def below(state: ObjectState) -> Iterable[ObjectState]:
        for child in children.get(state.id, ()):
            yield child
            yield from below(child)

    def add(role: Role, state: ObjectState, members: Iterable[ObjectState], above: tuple[ObjectState, ...]) -> None:
        drawn = tuple(member for member in members if member.outline and member.order >= 0)
        if drawn:
            unit = Unit(state.id, role, state, drawn, above, geometry)
            _remember(unit)
            found.append(unit)

    def visit(state: ObjectState, above: tuple[ObjectState, ...]) -> None:
        kinds = {state.kind, *state.bases}
        role = _role(state, kinds, geometry)
        if role == "text":
            add(role, state, [state], above)
            for child in children.get(state.id, ()):
                visit(child, (state, *above))
            return
        if role in ("solid", "image", "mark", "brace", "picture"):
            add(role, state, (state, *below(state)), above)
            return
        if role in ("axes", "line"):
            texts = [member for member in below(state) if TEXT_KINDS & {member.kind, *member.bases}]
            add(role, state, [member for member in (state, *below(state)) if member not in texts], above)
            for text in texts:
                add("text", text, [text], (state, *above))
            return
        if role is not None:
            add(role, state, [state], above)
        for child in children.get(state.id, ()):
            visit(child, (state, *above))

    for root in children.get(None, ()):
        visit(root, ())
    return sorted(found, key=lambda unit: unit.order)


_WORKED_OUT = ("ink", "body", "solid_area", "box", "boxes", "height", "closed")


def _remember(unit: Unit) -> None:
    """Areas worked out for the same thing in an earlier snapshot serve again, as long as it looks the same."""
    earlier = unit.geometry.memory.get(unit.look)
    if earlier is not None:
        unit.__dict__.update({name: earlier.__dict__[name] for name in _WORKED_OUT if name in earlier.__dict__})
    unit.geometry.memory[unit.look] = unit


def _role(state: ObjectState, kinds: set[str], geometry: Geometry) -> Role | None:  # noqa: PLR0911 - a table of classes
    if kinds & TEXT_KINDS:
        return "text"
    if state.image:
        return "image"
    if kinds & SOLID_KINDS:
        return "solid"
    if kinds & MARK_KINDS:
        return "mark"
    if kinds & BRACE_KINDS:
        return "brace"
    if kinds & (AXES_KINDS | GRID_KINDS):
        return "axes"
    if "Dot" in kinds:
        return "dot"
    if "SVGMobject" in kinds:
        return "picture"
    if (
        kinds & LINE_KINDS
        and not kinds & ROUND_KINDS
        and not (state.outline and state.fill_opacity > 0.3 and geometry.closed(state))
    ):
        return "line"
    if not state.outline:
        return None
    if not state.curved:
        return "line"
    return "shape" if geometry.closed(state) or state.fill_opacity > 0.3 else "line"
