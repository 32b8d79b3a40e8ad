"""Apexes: places where lines touch a node with their ends, though in the ink they run on into each other.

Two lines that end at one spot of a node's border are one line with a sharp bend for a skeleton, and three or more a junction.
What tells an apex from a line that passes by: all its lines leave to one side, and right behind it lies a node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.lines.remains import Remains
from tools.diagram.picture.skeleton import Arc, Net, Points, direction, path_length

_LEAST_BEND_DEGREES = 40.0
"""By how much a line turns at a node, at the least, that is two lines there."""
_BEHIND_GLYPHS = 1.3
"""How far behind the apex the node may begin: handles and pins stand between, or a gap."""
_HEAD_GLYPHS = 1.3
"""How far from the node an apex may lie if there is ink all the way to the node."""
_LEAST_INKED = 0.7
_ARM_GLYPHS = 1.6
"""Length over which the direction of a line that leaves is taken."""


def cut_at_apexes(net: Net, left: Remains, near: float, glyph: float) -> None:
    """Cuts arcs where they touch a node in a sharp bend (in place): each half then has an end of its own there."""
    todo = sorted(net.arcs, reverse=True)
    for _ in range(4 * len(todo)):
        if not todo:
            break
        number = todo.pop()
        at = _bend_at_node(net.arcs[number], left, near, glyph)
        if at is not None:
            todo += _cut(net, number, at)


def _cut(net: Net, number: int, at: int) -> tuple[int, int]:
    """Cuts the arc at that point; returns the numbers of its halves."""
    arc = net.arcs[number]
    kept = {end: net.places[end] for end in arc.ends}
    net.drop(number)
    for end, place in kept.items():
        if end not in net.places:
            net.places[end], net.meeting[end] = place, []
    place = (float(arc.points[at][0]), float(arc.points[at][1]))
    first, second = net.vertex(place), net.vertex(place)
    # The texts that interrupt an arc are not known yet when nets are cut at nodes, nor are its gaps.
    before = net.add(Arc(arc.points[: at + 1], (arc.ends[0], first), arc.drawn))
    return before, net.add(Arc(arc.points[at:], (second, arc.ends[1]), arc.drawn))


def _bend_at_node(arc: Arc, left: Remains, near: float, glyph: float) -> int | None:
    """Index of the point where the arc touches a node and turns back from it; `None` if it does so nowhere."""
    points, arm = arc.points, _ARM_GLYPHS * glyph
    if path_length(points) < 2 * glyph:
        return None
    reach = reach_at(left, points)
    best: tuple[float, int] | None = None
    for first, last in _touching_stretches(reach <= max(near, _HEAD_GLYPHS * glyph)):
        at = first + int(np.argmin(reach[first:last]))
        if path_length(points[: at + 1]) < 0.8 * glyph or path_length(points[at:]) < 0.8 * glyph:
            continue
        # Where the ink of two lines has grown together, the bend is spread over a few pixels.
        ways = [way for part in (points[: at + 1][::-1], points[at:]) if (way := direction(part, arm, 0.25 * glyph)) is not None]
        touches = reach[at] <= near or _inked(left, points[at], -np.sum(ways, axis=0), glyph)
        if len(ways) == 2 and touches and apex_of(left, points[at], ways, glyph, _LEAST_BEND_DEGREES):
            bend = float(ways[0] @ ways[1])
            best = max(best, (bend, at)) if best is not None else (bend, at)
    return best[1] if best is not None else None


def _inked(left: Remains, place: Points, way: Points, glyph: float) -> bool:
    """The ink goes on that way up to the node: heads that have grown together."""
    height, width = left.ink.shape
    way = way / max(float(np.hypot(*way)), 1e-6)
    steps = place + way * np.arange(0.0, 2 * _HEAD_GLYPHS * glyph)[:, None]
    xs = np.clip(np.round(steps[:, 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(steps[:, 1]).astype(int), 0, height - 1)
    node = np.flatnonzero(left.reach[ys, xs] <= 1.5)
    return bool(len(node)) and float(left.ink[ys, xs][: int(node[0])].mean()) >= _LEAST_INKED


def apex_of(left: Remains, place: Points, ways: list[Points], glyph: float, least_bend: float) -> int:
    """Number of the node that all lines (unit vectors) leave to one side; 0 if the place is no apex.

    `least_bend`: degrees by which two lines turn at the least, for them not to be one that passes by.
    """
    middle = np.sum(ways, axis=0)
    size = float(np.hypot(*middle))
    # The sum of two unit vectors is 2 cos(half their angle) long; they bend by what their angle lacks to a straight one.
    if size < len(ways) * np.sin(np.radians(least_bend) / 2):
        return 0
    middle = middle / size
    if any(float(way @ middle) < 0.05 for way in ways):
        return 0
    return node_behind(left, place, -middle, _BEHIND_GLYPHS * glyph)


def node_behind(left: Remains, place: Points, way: Points, reach: float) -> int:
    """Number of the node that a ray comes upon within reach in pixels; 0 if none."""
    height, width = left.owners.shape
    for step in np.arange(0.0, reach + 1.0, 1.0):
        x, y = np.round(place + way * step).astype(int)
        if not (0 <= x < width and 0 <= y < height):
            break
        if left.reach[y, x] <= 1.5:
            return int(left.nearest[y, x])
    return 0


def reach_at(left: Remains, points: Points) -> NDArray[np.float32]:
    """Distance to the nearest node at each point."""
    height, width = left.reach.shape
    xs = np.clip(np.round(points[:, 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(points[:, 1]).astype(int), 0, height - 1)
    return left.reach[ys, xs]


def _touching_stretches(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
