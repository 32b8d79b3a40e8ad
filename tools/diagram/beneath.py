"""Lines that run beneath a node: what looks like one line that ends at it and another that leaves it on the far side is one line.

Layouts of groups (Mermaid's) lead lines through them without regard to what stands there, and draw the nodes on top. A reader
sees that such a line has no head where it meets the node and goes straight on behind it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tools.diagram.graph import Head
from tools.diagram.heads import Ending
from tools.diagram.routes import Route
from tools.diagram.skeleton import Points, direction
from tools.diagram.surfaces import Mask

_MOST_BEND_DEGREES = 12.0
"""How far the two stretches may turn against each other, and each against the way between them."""
_LEAST_SHOWN = 0.9
_LEAST_DIRECTED = 0.6
"""Share of lines with one head from which on a line without any is a piece of one."""


def joined_beneath(
    found: list[Route], ports: dict[int, str], endings: dict[int, Ending], glyph: float, shown: Mask | None = None
) -> list[Route]:
    """The routes, those that go on straight beneath a node joined; only where most lines have a head at one end.

    `shown`: ink in which the stretch at the node must be seen: the line runs over it, then.
    """
    thick = None if shown is None else np.asarray(cv2.dilate(shown, np.ones((3, 3), np.uint8)), np.uint8)
    if not found or sum(_heads(route, endings) == 1 for route in found) < _LEAST_DIRECTED * len(found):
        return found
    rest = list(found)
    for _ in range(len(found)):
        pair = _best_pair(rest, ports, endings, glyph, thick)
        if pair is None:
            break
        one, other = pair
        rest = [route for route in rest if route is not one[0] and route is not other[0]]
        rest.append(_one_line(one, other))
    return rest


def _heads(route: Route, endings: dict[int, Ending]) -> int:
    return sum(endings[end].head is not Head.none for end in (route.start, route.stop))


_End = tuple[Route, int]
"""A route and the vertex it ends at."""


def _best_pair(
    rest: list[Route], ports: dict[int, str], endings: dict[int, Ending], glyph: float, thick: Mask | None
) -> tuple[_End, _End] | None:
    """The two ends at one node that continue each other best, if there are any; together they have exactly one head."""
    by_node: dict[str, list[_End]] = {}
    for route in rest:
        if ports[route.start] == ports[route.stop]:
            continue
        for end in (route.start, route.stop):
            if endings[end].head is Head.none:
                by_node.setdefault(ports[end], []).append((route, end))
    best: tuple[float, int, int] | None = None
    chosen = None
    for ends in by_node.values():
        for index, one in enumerate(ends):
            for other in ends[:index]:
                if one[0] is other[0] or _heads(one[0], endings) + _heads(other[0], endings) != 1:
                    continue
                bend = _bend(one, other, glyph) if thick is None or _is_shown(thick, one, other) else None
                if bend is not None and (best is None or (bend, one[1], other[1]) < best):
                    best, chosen = (bend, one[1], other[1]), (one, other)
    return chosen


def _bend(one: _End, other: _End, glyph: float) -> float | None:
    """Largest turn in degrees on the way from the one line over to the other; `None` if they do not continue each other."""
    a, b = _leaving(one), _leaving(other)
    ways = direction(a, 4 * glyph), direction(b, 4 * glyph)
    across = b[0] - a[0]
    length = float(np.hypot(*across))
    if ways[0] is None or ways[1] is None or length < glyph:
        return None
    across = across / length
    turns = [_degrees(-ways[0], across), _degrees(across, ways[1]), _degrees(-ways[0], ways[1])]
    return max(turns) if max(turns) <= _MOST_BEND_DEGREES else None


def _is_shown(thick: Mask, one: _End, other: _End) -> bool:
    """There is ink nearly all the way from the one end to the other."""
    a, b = _leaving(one)[0], _leaving(other)[0]
    xs, ys = np.round(np.linspace(a, b, max(round(float(np.hypot(*(b - a)))), 2))).astype(int).T
    return float(thick[np.clip(ys, 0, thick.shape[0] - 1), np.clip(xs, 0, thick.shape[1] - 1)].mean()) >= _LEAST_SHOWN


def _degrees(before: Points, after: Points) -> float:
    return float(np.degrees(np.arccos(np.clip(float(before @ after), -1.0, 1.0))))


def _leaving(end: _End) -> Points:
    route, vertex = end
    return route.points if route.start == vertex else route.points[::-1]


def _one_line(one: _End, other: _End) -> Route:
    a, b = _leaving(one), _leaving(other)
    start = one[0].stop if one[0].start == one[1] else one[0].start
    stop = other[0].stop if other[0].start == other[1] else other[0].start
    arcs = (*(one[0].arcs if one[0].stop == one[1] else one[0].arcs[::-1]),
            *(other[0].arcs if other[0].start == other[1] else other[0].arcs[::-1]))  # fmt: skip
    return replace(
        one[0], start=start, stop=stop, arcs=arcs, points=np.vstack([a[::-1], b]), cost=one[0].cost + other[0].cost, shared=True
    )
