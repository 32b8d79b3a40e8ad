"""Snapshots built by hand, for rooms that look at geometry: no Manim, no sandbox."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tools.manim.contract import Camera, ObjectState, Play, SceneRecord, Snapshot
from tools.manim.geometry import Geometry
from tools.manim.recording import Outlines
from tools.manim.rules import exempting
from tools.manim.suspect import suspicions
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import units
from tools.manim.visibility import Canvas, visible_shares

VIEW = (14.0 + 2 / 9, 8.0)
BASES = {
    "Text": ("SVGMobject", "VMobject"),
    "Rectangle": ("Polygon", "Polygram", "VMobject"),
    "Square": ("Rectangle", "Polygon", "Polygram", "VMobject"),
    "SurroundingRectangle": ("RoundedRectangle", "Rectangle", "Polygon", "VMobject"),
    "Circle": ("Arc", "TipableVMobject", "VMobject"),
    "Dot": ("Circle", "Arc", "TipableVMobject", "VMobject"),
    "Line": ("TipableVMobject", "VMobject"),
    "Arrow": ("Line", "TipableVMobject", "VMobject"),
    "Brace": ("VMobjectFromSVGPath", "VMobject"),
    "DecimalNumber": ("VMobject",),
    "NumberLine": ("Line", "TipableVMobject", "VMobject"),
    "NumberPlane": ("Axes", "CoordinateSystem", "VGroup", "VMobject"),
    "Axes": ("VGroup", "VMobject", "CoordinateSystem"),
    "ParametricFunction": ("VMobject",),
    "Surface": ("VGroup", "VMobject"),
    "VGroup": ("VMobject",),
    "Paragraph": ("VGroup", "VMobject"),
    "LabeledDot": ("Dot", "Circle", "Arc", "TipableVMobject", "VMobject"),
}


def edges(points: Sequence[tuple[float, float]]) -> np.ndarray:
    """A path of straight lines as cubic curves."""
    rows: list[np.ndarray] = []
    for start, end in itertools.pairwise(points):
        item, two = np.array(start, dtype=float), np.array(end, dtype=float)
        rows += [item, item + (two - item) / 3, item + 2 * (two - item) / 3, two]
    return np.array(rows)


def ring(x: float, y: float, width: float, height: float, *, reverse: bool = False) -> np.ndarray:
    """A rectangle around (x, y)."""
    left, right, low, high = x - width / 2, x + width / 2, y - height / 2, y + height / 2
    corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
    return edges(corners[::-1] if reverse else corners)


def round_path(x: float, y: float, radius: float) -> np.ndarray:
    """A circle of 32 straight pieces."""
    angles = np.linspace(0, 2 * np.pi, 33)
    points = [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles[:-1]]
    return edges([*points, points[0]])


class Board:
    """A snapshot in the making; objects are drawn in the order they are put there."""

    def __init__(self, **camera: Any) -> None:
        self.outlines = Outlines()
        self.objects: list[ObjectState] = []
        self.camera = Camera(**{"kind": "plain", "width": VIEW[0], "height": VIEW[1], **camera})
        self.stable = True

    def put(self, kind: str, points: np.ndarray | None = None, **looks: Any) -> int:
        """An object with these points; returns its id."""
        key = ""
        if points is not None:
            data = np.ascontiguousarray(points, dtype="<f4").tobytes()
            key = hashlib.blake2b(data, digest_size=8).hexdigest()
            self.outlines.add(key, data)
        number = len(self.objects) + 1
        box = None
        if points is not None:
            low, high = points.min(axis=0), points.max(axis=0)
            box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        order = looks.pop("order", number if points is not None else -1)
        self.objects.append(
            ObjectState(id=number, kind=kind, bases=BASES.get(kind, ("VMobject",)), outline=key, box=box, order=order, **looks)
        )
        return number

    def text(self, x: float, y: float, letters: int = 6, height: float = 0.5, **looks: Any) -> int:
        """A word of blocks, `height` tall, around (x, y)."""
        step = height * 0.8
        start = x - step * (letters - 1) / 2
        points = np.concatenate([ring(start + step * place, y, height * 0.6, height) for place in range(letters)])
        return self.put("Text", points, **{"text": "word", "fill": "#ffffff", "fill_opacity": 1.0, **looks})

    def rectangle(self, x: float, y: float, width: float, height: float, kind: str = "Rectangle", **looks: Any) -> int:
        """A rectangle, drawn as a line unless it is given a fill."""
        return self.put(
            kind, ring(x, y, width, height), **{"stroke": "#ffffff", "stroke_opacity": 1.0, "stroke_width": 0.04, **looks}
        )

    def circle(self, x: float, y: float, radius: float, kind: str = "Circle", **looks: Any) -> int:
        """A circle, drawn as a line unless it is given a fill."""
        return self.put(
            kind, round_path(x, y, radius), **{"stroke": "#ffffff", "stroke_opacity": 1.0, "stroke_width": 0.04, **looks}
        )

    def line(self, *points: tuple[float, float], kind: str = "Line", width: float = 0.04, **looks: Any) -> int:
        """An open path."""
        return self.put(kind, edges(points), **{"stroke": "#ffffff", "stroke_opacity": 1.0, "stroke_width": width, **looks})

    def group(self, kind: str = "VGroup", **looks: Any) -> int:
        """A group without points of its own; give its id as `parent` to what is in it."""
        return self.put(kind, None, **looks)

    def snapshot(self, index: int = 0, at_s: float = 0.0, **more: Any) -> Snapshot:
        """What stands on the board."""
        return Snapshot(
            **{
                "index": index,
                "at_s": at_s,
                "frame": round(at_s * 15),
                "play": index,
                "stable": self.stable,
                "moment": "play",
                "camera": self.camera,
                "objects": tuple(self.objects),
                **more,
            }
        )

    def surroundings(self, seen_inside: frozenset[int] = frozenset(), *, at_home: bool = True) -> Surroundings:
        """The snapshot as rules see it."""
        geometry = Geometry(self.outlines)
        shown = tuple(units(self.snapshot(), geometry))
        canvas = Canvas(geometry, *VIEW)
        visible = visible_shares(canvas, [(unit.id, unit.members) for unit in shown])
        return Surroundings(self.snapshot(), shown, visible, VIEW, at_home, "#000000", seen_inside)

    def judged(self, **more: Any) -> list[tuple[Suspicion, str]]:
        """Every suspicion with the rule that takes it back, empty for a finding."""
        around = self.surroundings(**more)
        return [(suspicion, rule.name if (rule := exempting(suspicion, around)) else "") for suspicion in suspicions(around)]

    def findings(self, **more: Any) -> list[str]:
        """Kinds of what remains."""
        return [suspicion.kind for suspicion, rule in self.judged(**more) if not rule]

    def taken_back(self, **more: Any) -> set[str]:
        """Rules that took something back."""
        return {rule for _, rule in self.judged(**more) if rule}


def scene(snapshots: Sequence[Snapshot], plays: Sequence[Play] = (), fps: float = 15.0) -> SceneRecord:
    """A record of these snapshots."""
    return SceneRecord(
        name="Demo",
        completed=True,
        duration_s=snapshots[-1].at_s,
        fps=fps,
        view_width=VIEW[0],
        view_height=VIEW[1],
        pixel_width=854,
        pixel_height=480,
        plays=tuple(plays),
        snapshots=tuple(snapshots),
    )
