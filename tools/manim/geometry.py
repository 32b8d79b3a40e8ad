"""Outlines as areas: Bézier paths flattened, contours nested into shells and holes, strokes widened to what they cover.

Lengths are view units (see `contract.py`). Areas are Shapely's; those of a text are its glyphs with their counters cut out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from tools.manim.contract import ObjectState
from tools.manim.recording import Outlines

STEPS = 8
"""Straight pieces a Bézier curve is cut into."""
SMALL = 0.2
"""Where every curve is smaller than this (view units: those of letters are), half as many pieces do: they are 0.002 units off."""
JOIN = 2e-4
"""Ends that lie this close are one point."""
FLATTENED_MOST = 200_000
SAME = 2e-5
"""Outlines that are nowhere farther apart than this (view units), but for a shift, are one shape."""
_ALIKE_MOST = 8
EMPTY: BaseGeometry = MultiPolygon()

_HERE = np.zeros(2)


def _basis(steps: int) -> np.ndarray:
    t = np.linspace(0.0, 1.0, steps + 1)
    return np.stack([(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3], axis=1)


_BASIS, _COARSE = _basis(STEPS), _basis(STEPS // 2)


@dataclass(frozen=True)
class Contour:
    """One path: n × 2 points; `closed` when it ends where it began."""

    points: np.ndarray
    closed: bool

    @property
    def area(self) -> float:
        """Signed: the sign tells the sense of rotation."""
        x, y = self.points[:, 0], self.points[:, 1]
        return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def contours(points: np.ndarray) -> list[Contour]:
    """Paths of an outline of cubic curves (four points each), flattened."""
    curves = points[: len(points) // 4 * 4].reshape(-1, 4, 2).astype(float)
    if not len(curves) or len(curves) > FLATTENED_MOST // STEPS:
        curves = curves[: FLATTENED_MOST // STEPS]
    if not len(curves):
        return []
    straight = (np.abs(2 * curves[:, 0] + curves[:, 3] - 3 * curves[:, 1]).max(axis=1) < JOIN) & (
        np.abs(curves[:, 0] + 2 * curves[:, 3] - 3 * curves[:, 2]).max(axis=1) < JOIN
    )
    small = float(np.ptp(curves, axis=1).max()) < SMALL
    flat = np.einsum("tk,mkd->mtd", _COARSE if small else _BASIS, curves)
    breaks = np.flatnonzero(np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > JOIN) + 1
    found: list[Contour] = []
    for start, end in zip([0, *breaks], [*breaks, len(curves)], strict=True):
        pieces = [curves[place, :1] if straight[place] else flat[place, :-1] for place in range(start, end)]
        path = np.concatenate([*pieces, curves[end - 1, 3:]])
        closed = bool(np.abs(path[0] - path[-1]).max() < 10 * JOIN)
        found.append(Contour(path, closed))
    return found


def filled(paths: list[Contour]) -> BaseGeometry:
    """What a fill of these paths covers: shells by one sense of rotation, holes by the other, islands in holes kept."""
    rings = [(abs(area), area, path.points) for path in paths if len(path.points) >= 4 and abs(area := path.area) > 1e-7]
    if not rings:
        return EMPTY
    rings.sort(key=lambda ring: ring[0], reverse=True)
    outward = rings[0][1] > 0
    shells = [Polygon(points) for _, area, points in rings if (area > 0) == outward]
    holes = [points for _, area, points in rings if (area > 0) != outward]
    inside: list[list[np.ndarray]] = [[] for _ in shells]
    if holes:
        shapely.prepare(shells)
        for points in holes:
            place = next(
                (place for place in range(len(shells) - 1, -1, -1) if shells[place].intersects(shapely.Point(points[0]))), None
            )
            if place is not None:
                inside[place].append(points)
    solid = [Polygon(shell.exterior.coords, cut) if cut else shell for shell, cut in zip(shells, inside, strict=True)]
    valid = [part if part.is_valid else part.buffer(0) for part in solid]
    return shapely.union_all(valid) if len(valid) > 1 else valid[0]


def stroked(paths: list[Contour], width: float) -> BaseGeometry:
    """What a stroke of this width along the paths covers."""
    lines = [LineString(path.points) for path in paths if len(path.points) >= 2 and not _point(path.points)]
    if not lines or width <= 0:
        return EMPTY
    return shapely.union_all(shapely.buffer(lines, width / 2, quad_segs=4, cap_style="flat"))


def _point(points: np.ndarray) -> bool:
    return bool(np.ptp(points, axis=0).max() < 1e-6)


class Geometry:
    """Areas of the objects of one recording; each shape is worked out once, and moved where it is met again elsewhere."""

    def __init__(self, outlines: Outlines) -> None:
        self._outlines = outlines
        self._shapes: dict[tuple[float, ...], list[str]] = {}
        self.memory: dict[Any, Any] = {}
        """What `units` keeps from one snapshot to the next."""
        self._first = lru_cache(maxsize=50_000)(self._find_first)
        self.paths = lru_cache(maxsize=20_000)(self._paths)
        self.pieces = lru_cache(maxsize=20_000)(self._pieces)
        self.text_height = lru_cache(maxsize=2048)(self._text_height)
        self.fill_area = lru_cache(maxsize=4096)(self._moved(self._fill_area))
        self.stroke_area = lru_cache(maxsize=4096)(self._moved(self._stroke_area))
        self.text_body = lru_cache(maxsize=2048)(self._moved(self._text_body))
        self._drawn = lru_cache(maxsize=4096)(self._moved(self._both))
        self._bounded = lru_cache(maxsize=4096)(self._moved(self._hull))

    def points(self, key: str) -> np.ndarray:
        """Raw points, n × 2."""
        return self._outlines[key]

    def _find_first(self, key: str) -> tuple[str, np.ndarray]:
        """The outline of this very shape that was met first, and the way from there to here."""
        points = self._outlines[key]
        if not len(points):
            return key, _HERE
        alike = self._shapes.setdefault((len(points), *np.ptp(points, axis=0).round(3).tolist()), [])
        for other in alike[:_ALIKE_MOST]:
            apart = points - self._outlines[other]
            if float(np.abs(apart - apart[0]).max()) < SAME:
                return other, apart[0].astype(float)
        alike.append(key)
        return key, _HERE

    def _moved(self, work_out: Callable[..., BaseGeometry]) -> Callable[..., BaseGeometry]:
        """`work_out` of an outline and what else it takes, done once a shape."""
        known = lru_cache(maxsize=4096)(work_out)

        def there(key: str, *rest: Any) -> BaseGeometry:
            first, way = self._first(key)
            area = known(first, *rest)
            return area if first == key or area.is_empty else shapely.transform(area, lambda spots: spots + way)

        return there

    def _paths(self, key: str) -> list[Contour]:
        first, way = self._first(key)
        if first == key:
            return contours(self._outlines[key])
        return [Contour(path.points + way, path.closed) for path in self.paths(first)]

    def _pieces(self, key: str) -> list[tuple[np.ndarray, np.ndarray]]:
        """Middles and lengths of short pieces of each path; long straight ones are cut up."""
        found = []
        for path in self.paths(key):
            points = path.points
            steps = np.linspace(0, len(points) - 1, max(len(points), 64))
            fine = np.column_stack([np.interp(steps, np.arange(len(points)), points[:, axis]) for axis in (0, 1)])
            found.append(((fine[1:] + fine[:-1]) / 2, np.hypot(*(fine[1:] - fine[:-1]).T)))
        return found

    def _fill_area(self, key: str) -> BaseGeometry:
        return filled(self.paths(key))

    def _stroke_area(self, key: str, width: float) -> BaseGeometry:
        return stroked(self.paths(key), width)

    def _text_height(self, key: str) -> float:
        """Typical height of a glyph: what distances in a text are measured by."""
        first, _ = self._first(key)
        if first != key:
            return self.text_height(first)
        heights = [float(np.ptp(path.points[:, 1])) for path in self.paths(key)]
        return float(np.percentile(heights, 75)) if heights else 0.0

    def _text_body(self, key: str) -> BaseGeometry:
        """A text's ink with the gaps between letters and words filled: the strip that an eye reads along."""
        reach = 0.3 * self.text_height(key)
        ink = self.fill_area(key)
        if ink.is_empty:
            return ink
        return shapely.union(ink, ink.buffer(reach, quad_segs=2).buffer(-reach, quad_segs=2))

    def _both(self, key: str, width: float) -> BaseGeometry:
        """A fill with its stroke."""
        return shapely.union(self.fill_area(key), self.stroke_area(key, width))

    def ink(self, state: ObjectState) -> BaseGeometry:
        """What of an object is really drawn: its fill where it has one, its stroke where it has one."""
        if not state.outline:
            return EMPTY
        if state.image:
            return Polygon(self.points(state.outline))
        if not state.curved:
            return shapely.union_all(shapely.buffer(shapely.points(self.points(state.outline)[:2000]), 0.02))
        width = round(state.stroke_width, 4) if state.stroke_opacity > 0.02 else 0.0
        if state.fill_opacity <= 0.02:
            return self.stroke_area(state.outline, width) if width > 0 else EMPTY
        return self._drawn(state.outline, width) if width > 0 else self.fill_area(state.outline)

    def hull(self, state: ObjectState) -> BaseGeometry:
        """The area inside an object's outer line, filled or not; the stroke's outer half included."""
        if not state.outline:
            return EMPTY
        if state.image or not state.curved:
            return shapely.convex_hull(shapely.MultiPoint(self.points(state.outline)))
        return self._bounded(state.outline, state.stroke_width if state.stroke_opacity > 0.02 else 0.0)

    def _hull(self, key: str, width: float) -> BaseGeometry:
        area = self.fill_area(key)
        if isinstance(area, Polygon):
            area = Polygon(area.exterior)
        elif not area.is_empty:
            area = shapely.union_all([Polygon(part.exterior) for part in getattr(area, "geoms", [])])
        return area.buffer(width / 2) if width else area

    def closed(self, state: ObjectState) -> bool:
        """Whether it bounds an area: every path of it ends where it began."""
        return bool(state.outline) and state.curved and all(path.closed for path in self.paths(state.outline))


def inside_share(part: BaseGeometry, whole: BaseGeometry) -> float:
    """Share of `part`'s area that lies in `whole`."""
    area = part.area
    return float(part.intersection(whole).area / area) if area > 1e-12 else 0.0


def frame_polygon(width: float, height: float) -> BaseGeometry:
    """The frame the viewer sees."""
    return shapely.box(-width / 2, -height / 2, width / 2, height / 2)


def distance_over(box: tuple[float, float, float, float], width: float, height: float) -> dict[str, float]:
    """How far a box reaches over each edge of the frame; only edges it does reach over."""
    left, bottom, right, top = box
    over = {"left": -width / 2 - left, "right": right - width / 2, "bottom": -height / 2 - bottom, "top": top - height / 2}
    return {side: amount for side, amount in over.items() if amount > 0 and math.isfinite(amount)}
