"""Thin lines of a mask as a net: arcs of pixels between junctions and ends."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.surfaces import Mask

Points = NDArray[np.float64]
"""Shape (n, 2): x, y in pixels."""
_MOST_OFF_LINE = 6.0
"""Pixels that ink may lie from the line it was thinned to: farther off only where a line was lost, or in a blot's corner."""
_TREMBLE, _LEAST_LAST, _LEAST_SQUARE = 1.5, 4.0, 0.97
"""Pixels by which a straight stretch trembles; the shortest that has a direction; cosine to its row or column of a square one."""
_AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))


@dataclass
class Arc:
    """A line without branches from vertex `ends[0]` to vertex `ends[1]`; `drawn` is the share of it that is ink."""

    points: Points
    ends: tuple[int, int]
    drawn: float = 1.0
    bridges: int = 0
    """How many gaps were closed in it."""
    texts: tuple[str, ...] = ()
    """Ids of the texts that interrupt it."""

    @property
    def length(self) -> float:
        """Pixels along it."""
        return path_length(self.points)


@dataclass
class Net:
    """Vertices by number with their place, arcs by number, and which arcs meet at each vertex (a ring twice)."""

    places: dict[int, tuple[float, float]] = field(default_factory=dict)
    arcs: dict[int, Arc] = field(default_factory=dict)
    meeting: dict[int, list[int]] = field(default_factory=dict)

    def vertex(self, place: tuple[float, float]) -> int:
        """A new vertex there."""
        number = max(self.places, default=0) + 1
        self.places[number] = place
        self.meeting[number] = []
        return number

    def add(self, arc: Arc) -> int:
        """Adds an arc between vertices that exist."""
        number = max(self.arcs, default=0) + 1
        self.arcs[number] = arc
        for end in arc.ends:
            self.meeting[end].append(number)
        return number

    def drop(self, number: int) -> Arc:
        """Takes an arc out; vertices where nothing meets any more go too."""
        arc = self.arcs.pop(number)
        for end in arc.ends:
            if number in self.meeting.get(end, ()):
                self.meeting[end].remove(number)
        for end in set(arc.ends):
            if end in self.meeting and not self.meeting[end]:
                del self.meeting[end], self.places[end]
        return arc

    def ends(self) -> list[int]:
        """Vertices where exactly one arc ends."""
        return [vertex for vertex, meeting in self.meeting.items() if len(meeting) == 1]

    def leaving(self, vertex: int, number: int) -> Points:
        """Points of the arc, beginning at that vertex."""
        arc = self.arcs[number]
        return arc.points if arc.ends[0] == vertex else arc.points[::-1]

    def onward(self, vertex: int, reach: float) -> Points:
        """The line from a loose end on, straight through junctions, until it is `reach` pixels long or ends."""
        number = self.meeting[vertex][0]
        points, at, seen = self.leaving(vertex, number), self.other(vertex, number), {number}
        while path_length(points) < reach:
            way = direction(points[::-1], 0.6 * reach)
            options = []
            for onward in self.meeting[at]:
                next_way = direction(self.leaving(at, onward), 0.6 * reach) if onward not in seen else None
                if next_way is not None and way is not None:
                    options.append((float(way @ next_way), onward))
            if not options or min(options)[0] > -0.2:
                break
            number = min(options)[1]
            seen.add(number)
            points = np.vstack([points, self.leaving(at, number)[1:]])
            at = self.other(at, number)
        return points

    def other(self, vertex: int, number: int) -> int:
        """The arc's other end."""
        first, last = self.arcs[number].ends
        return last if first == vertex else first


def path_length(points: Points) -> float:
    """Pixels along a polyline."""
    return float(np.hypot(*np.diff(points, axis=0).T).sum()) if len(points) > 1 else 0.0


def direction(points: Points, reach: float, skip: float = 0.0) -> Points | None:
    """Unit vector along the first `reach` pixels after `skip`; `None` if the line is too short to have one."""
    if len(points) < 2:
        return None
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    if along[-1] < 1.5:
        return None
    start = min(skip, along[-1] * 0.4)
    stop = min(start + reach, along[-1])
    a = np.array([np.interp(start, along, points[:, k]) for k in range(2)])
    b = np.array([np.interp(stop, along, points[:, k]) for k in range(2)])
    norm = float(np.hypot(*(b - a)))
    return (b - a) / norm if norm > 0.5 else None


def thin(mask: Mask) -> Mask:
    """The mask thinned to lines one pixel wide (Zhang and Suen).

    That way of thinning eats slanting lines of two pixels up from their ends: pieces it left too little of are thinned by Guo and
    Hall's, which is slower and leaves more spurs.
    """
    from skimage import morphology  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    lines = morphology.skeletonize(mask > 0).astype(np.uint8)
    off = cv2.distanceTransform(1 - lines, cv2.DIST_L2, 3) if lines.any() else np.full(lines.shape, np.inf, np.float32)
    eaten = (mask > 0) & (off > _MOST_OFF_LINE)
    if not eaten.any():
        return lines
    labels = np.asarray(cv2.connectedComponents((mask > 0).astype(np.uint8), connectivity=8)[1], np.int32)
    again = np.isin(labels, np.unique(labels[eaten]))
    return np.where(again, morphology.thin(again), lines).astype(np.uint8)


def net_of(lines: Mask, contraction: float) -> Net:
    """The net of lines one pixel wide; junctions nearer than `contraction` pixels become one."""
    neighbours = cv2.filter2D(
        lines, cv2.CV_8U, np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8), borderType=cv2.BORDER_CONSTANT
    )
    crowded = ((lines > 0) & (neighbours >= 3)).astype(np.uint8)
    count, found, _, centres = cv2.connectedComponentsWithStats(crowded, connectivity=8)
    labels = np.asarray(found, np.int32)
    net = Net()
    for label in range(1, count):
        net.places[label] = (float(centres[label][0]), float(centres[label][1]))
        net.meeting[label] = []
    simple = lines & (1 - crowded)
    ys, xs = np.nonzero(simple)
    unseen = dict.fromkeys(zip(xs.tolist(), ys.tolist(), strict=True))
    starts = [p for p in unseen if sum((p[0] + a, p[1] + b) in unseen for a, b in _AROUND) <= 1]
    for start in [*starts, *list(unseen)]:
        if start in unseen:
            _add_arc(net, labels, _walk(start, unseen))
    _add_knots(net, count)
    _contract(net, contraction)
    return net


def _walk(start: tuple[int, int], unseen: dict[tuple[int, int], None]) -> list[tuple[int, int]]:
    """Follows pixels from one end to the other, taking each out of `unseen`."""
    del unseen[start]
    path = [start]
    while True:
        x, y = path[-1]
        nearest = next(((x + a, y + b) for a, b in ((0, -1), (-1, 0), (1, 0), (0, 1)) if (x + a, y + b) in unseen), None)
        if nearest is None:
            nearest = next(((x + a, y + b) for a, b in ((-1, -1), (1, -1), (-1, 1), (1, 1)) if (x + a, y + b) in unseen), None)
        if nearest is None:
            return path
        del unseen[nearest]
        path.append(nearest)


def _add_arc(net: Net, labels: NDArray[np.int32], path: list[tuple[int, int]]) -> None:
    first = _junction(labels, path[0])
    last = _junction(labels, path[-1], other_than=first if len(path) == 1 else None)
    points = [(float(x), float(y)) for x, y in path]
    a = first or net.vertex(points[0])
    b = last or net.vertex(points[-1])
    full = ([net.places[a]] if first else []) + points + ([net.places[b]] if last else [])
    net.add(Arc(np.array(full), (a, b)))


def _junction(labels: NDArray[np.int32], pixel: tuple[int, int], other_than: int | None = None) -> int:
    x, y = pixel
    window = labels[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
    found = [int(v) for v in np.unique(window) if v > 0 and v != other_than]
    return found[0] if found else 0


def _add_knots(net: Net, count: int) -> None:
    """Junctions that nothing leads to are loose knots of pixels: they stay as arcs of their own."""
    for label in range(1, count):
        if label in net.meeting and not net.meeting[label]:
            place = net.places.pop(label)
            del net.meeting[label]
            a, b = net.vertex(place), net.vertex(place)
            net.add(Arc(np.array([place, place]), (a, b)))


def _contract(net: Net, limit: float) -> None:
    """Joins junctions along arcs shorter than the limit, shortest first; the arcs that lead there are drawn on to the middle."""
    short = sorted((arc.length, number) for number, arc in net.arcs.items() if arc.length < limit and arc.ends[0] != arc.ends[1])
    for _, number in short:
        arc = net.arcs.get(number)
        if arc is None or arc.ends[0] == arc.ends[1] or any(len(net.meeting[end]) < 3 for end in arc.ends):
            continue
        keep, gone = arc.ends
        net.drop(number)
        if gone not in net.meeting or keep not in net.meeting:
            continue
        place = tuple((p + q) / 2 for p, q in zip(net.places[keep], net.places[gone], strict=True))
        net.places[keep] = (place[0], place[1])
        for other in list(dict.fromkeys(net.meeting[gone])):
            moved = net.arcs[other]
            moved.ends = (keep if moved.ends[0] == gone else moved.ends[0], keep if moved.ends[1] == gone else moved.ends[1])
        net.meeting[keep].extend(net.meeting[gone])
        del net.meeting[gone], net.places[gone]
        for other in dict.fromkeys(net.meeting[keep]):
            _reach(net.arcs[other], keep, net.places[keep])


def _reach(arc: Arc, vertex: int, place: tuple[float, float]) -> None:
    points = arc.points.copy()
    if arc.ends[0] == vertex:
        points[0] = place
    if arc.ends[1] == vertex:
        points[-1] = place
    arc.points = points


def outward(net: Net, vertex: int, reach: float) -> Points | None:
    """Direction in which a loose end points, from its last pixels."""
    way = direction(net.leaving(vertex, net.meeting[vertex][0]), reach)
    return None if way is None else -way


def facing(net: Net, vertex: int, reach: float) -> Points | None:
    """As `outward`, but of a line that turned a square corner within that reach only what comes after the corner counts."""
    points = net.leaving(vertex, net.meeting[vertex][0])
    for axis in (0, 1):
        off = np.flatnonzero(np.abs(points[:, axis] - points[0, axis]) > _TREMBLE)
        at = int(off[0]) if len(off) else 0
        last = points[0] - points[at]
        last[axis] = 0.0
        length = float(np.hypot(*last))
        if not _LEAST_LAST <= length < reach:
            continue
        before = direction(points[at:], reach)
        if before is not None and abs(float(before[axis])) >= _LEAST_SQUARE:
            return last / length
    return outward(net, vertex, reach)


def turn_degrees(before: Points, after: Points) -> float:
    """Angle between two directions of travel, 0–180."""
    return float(np.degrees(np.arccos(np.clip(float(before @ after), -1.0, 1.0))))


def smooth(net: Net, vertex: int) -> None:
    """Joins the two arcs at a vertex where nothing else meets (in place)."""
    meeting = net.meeting.get(vertex, [])
    if len(meeting) != 2 or meeting[0] == meeting[1]:
        return
    first, second = (net.arcs[number] for number in meeting)
    a, b = net.other(vertex, meeting[0]), net.other(vertex, meeting[1])
    points = np.vstack([net.leaving(vertex, meeting[0])[::-1], net.leaving(vertex, meeting[1])[1:]])
    lengths = (first.length, second.length)
    drawn = (first.drawn * lengths[0] + second.drawn * lengths[1]) / max(sum(lengths), 1e-6)
    arc = Arc(points, (a, b), drawn, first.bridges + second.bridges, (*first.texts, *second.texts))
    for end in (a, b):
        net.meeting.setdefault(end, [])
    kept = {end: net.places[end] for end in (a, b)}
    for number in list(meeting):
        net.drop(number)
    for end, place in kept.items():
        net.places[end] = place
        net.meeting.setdefault(end, [])
    net.add(arc)
