"""One line that was followed twice, and rims that were followed for lines.

A head that fills two ends of the net, or a stretch where its line is broad, gives two ways between the same nodes that lie on
each other. Two lines that join the same nodes are drawn so that they can be told apart.
"""

from __future__ import annotations

import numpy as np

from tools.diagram.ends.heads import Ending
from tools.diagram.lines.remains import Remains
from tools.diagram.model.graph import Head
from tools.diagram.net.routes import Route
from tools.diagram.picture.skeleton import Points

_MOST_APART_GLYPHS = 0.8
"""How far ways may be from each other that are one line's, over nine tenths of the shorter."""
_LEAST_OUT_GLYPHS = 1.1
"""How far a loop leaves its node at the least."""


def without_doubles(found: list[Route], ports: dict[int, str], endings: dict[int, Ending], glyph: float) -> list[Route]:
    """The routes in their order, of those that lie on each other between the same two nodes only the likeliest."""
    kept: list[Route] = []
    for route in sorted(found, key=lambda way: (_heads(way, endings) != 1, way.cost, way.start, way.stop)):
        pair = {ports[route.start], ports[route.stop]}
        rivals = (other for other in kept if {ports[other.start], ports[other.stop]} == pair)
        if not any(_on_each_other(route.points, other.points, _MOST_APART_GLYPHS * glyph) for other in rivals):
            kept.append(route)
    return [route for route in found if any(route is kept_route for kept_route in kept)]


def is_rim(route: Route, ports: dict[int, str], left: Remains, glyph: float) -> bool:
    """A way from a node to itself that keeps close to it: its own second border."""
    if ports[route.start] != ports[route.stop]:
        return False
    height, width = left.reach.shape
    xs = np.clip(np.round(route.points[:, 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(route.points[:, 1]).astype(int), 0, height - 1)
    return float(left.reach[ys, xs].max()) < _LEAST_OUT_GLYPHS * glyph


def _heads(route: Route, endings: dict[int, Ending]) -> int:
    return sum(endings[end].head is not Head.none for end in (route.start, route.stop))


def _on_each_other(first: Points, other: Points, most: float) -> bool:
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    shorter, longer = sorted((first, other), key=len)
    if len(shorter) < 2:
        return False
    apart = np.asarray(KDTree(_dense(longer)).query(_dense(shorter))[0])
    return float(np.percentile(apart, 90)) <= most


def _dense(points: Points) -> Points:
    """Points along the line about every two pixels."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    at = np.linspace(0.0, along[-1], max(round(float(along[-1]) / 2), 2))
    return np.stack([np.interp(at, along, points[:, k]) for k in range(2)], axis=1)
