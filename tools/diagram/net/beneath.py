"""Lines that run beneath a node: what looks like one line that ends at it and another that leaves it on the far side is one line.

Layouts of groups (Mermaid's), and those that smooth their lines, lead lines over places where nodes stand, and draw the nodes on
top. A reader sees that such a line has no head where it meets the node and goes straight on behind it, past the node's middle:
lines that end at a node aim at its middle, where most layouts leave them alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.diagram.ends.heads import Ending
from tools.diagram.model.graph import Frame, Head
from tools.diagram.net.routes import Route
from tools.diagram.picture.skeleton import Points, direction
from tools.diagram.picture.surfaces import Mask

_MOST_BEND_DEGREES = 12.0
"""How far the two stretches may turn against each other, and each against the way between them."""
_LEAST_SHOWN = 0.9
_LEAST_DIRECTED = 0.6
"""Share of lines with one head from which on a line without any is a piece of one."""
_LEAST_FILLED = 0.15
"""Share of a line that gaps are from which on it is dashed."""
_LEAST_ASIDE = 0.12
"""How far from the node's middle a line passes that does not aim at it, as a share of the way to the node's side there."""


@dataclass(frozen=True)
class Stack:
    """What lies on what: the nodes' boxes by id, where lines were drawn over gaps of dashes, and all ink.

    `bare`: ends that surely have no head; `grouped`: the picture has groups, whose layouts care least what stands in the way.
    """

    boxes: dict[str, Frame]
    filled: Mask
    shown: Mask
    bare: frozenset[int]
    grouped: bool = False


def joined_beneath(
    found: list[Route], ports: dict[int, str], endings: dict[int, Ending], glyph: float, stack: Stack
) -> list[Route]:
    """The routes, those that go on straight beneath a node joined; only where most lines have a head at one end."""
    if not found or sum(_heads(route, endings) == 1 for route in found) < _LEAST_DIRECTED * len(found):
        return found
    stack = replace(stack, shown=np.asarray(cv2.dilate(stack.shown, np.ones((3, 3), np.uint8)), np.uint8))
    rest = list(found)
    for _ in range(len(found)):
        pair = _best_pair(rest, ports, endings, glyph, stack)
        if pair is None:
            break
        first, other = pair
        rest = [route for route in rest if route is not first[0] and route is not other[0]]
        rest.append(_one_line(first, other))
    return rest


def _heads(route: Route, endings: dict[int, Ending]) -> int:
    return sum(endings[end].head is not Head.none for end in (route.start, route.stop))


_End = tuple[Route, int]
"""A route and the vertex it ends at."""


def _best_pair(
    rest: list[Route], ports: dict[int, str], endings: dict[int, Ending], glyph: float, stack: Stack
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
    for node, ends in by_node.items():
        for index, each_end in enumerate(ends):
            for other in ends[:index]:
                if each_end[0] is other[0] or _heads(each_end[0], endings) + _heads(other[0], endings) != 1:
                    continue
                bend = _bend(each_end, other, glyph) if _may_be_one(each_end, other, endings, stack, node) else None
                if bend is not None and (best is None or (bend, each_end[1], other[1]) < best):
                    best, chosen = (bend, each_end[1], other[1]), (each_end, other)
    return chosen


def _bend(first: _End, other: _End, glyph: float) -> float | None:
    """Largest turn in degrees on the way from the one line over to the other; `None` if they do not continue each other."""
    a, b = _leaving(first), _leaving(other)
    ways = direction(a, 4 * glyph), direction(b, 4 * glyph)
    across = b[0] - a[0]
    length = float(np.hypot(*across))
    if ways[0] is None or ways[1] is None or length < glyph:
        return None
    across = across / length
    turns = [_degrees(-ways[0], across), _degrees(across, ways[1]), _degrees(-ways[0], ways[1])]
    return max(turns) if max(turns) <= _MOST_BEND_DEGREES else None


def _may_be_one(first: _End, other: _End, endings: dict[int, Ending], stack: Stack, node: str) -> bool:
    """Both are drawn alike; and they have no heads and pass the node's middle by, or the ink between them is seen."""
    if _is_dashed(first, stack.filled) != _is_dashed(other, stack.filled):
        return False
    # The head of the line that has one is seen, at its other end.
    bare = {end[1] for end in (first, other) if not _heads(end[0], endings)} <= stack.bare
    told = bare, node in stack.boxes and _passes_by(stack.boxes[node], first, other)
    return (any(told) if stack.grouped else all(told)) or _is_shown(stack.shown, first, other)


def _is_dashed(end: _End, filled: Mask) -> bool:
    """A fair share of the line was drawn over gaps."""
    xs, ys = np.round(end[0].points).astype(int).T
    return float(filled[np.clip(ys, 0, filled.shape[0] - 1), np.clip(xs, 0, filled.shape[1] - 1)].mean()) >= _LEAST_FILLED


def _passes_by(box: Frame, first: _End, other: _End) -> bool:
    """The straight way between the two ends misses the middle of the box."""
    a, b = _leaving(first)[0], _leaving(other)[0]
    way = (b - a) / max(float(np.hypot(*(b - a))), 1e-6)
    off = np.array(box.centre) - a
    aside = abs(float(way[0] * off[1] - way[1] * off[0]))
    # From the middle square to the line, how far it is to the box's side.
    side = min(0.5 * size / max(abs(float(part)), 1e-6) for size, part in ((box.width, way[1]), (box.height, way[0])))
    return aside >= _LEAST_ASIDE * side


def _is_shown(thick: Mask, first: _End, other: _End) -> bool:
    """There is ink nearly all the way from the one end to the other."""
    a, b = _leaving(first)[0], _leaving(other)[0]
    xs, ys = np.round(np.linspace(a, b, max(round(float(np.hypot(*(b - a)))), 2))).astype(int).T
    return float(thick[np.clip(ys, 0, thick.shape[0] - 1), np.clip(xs, 0, thick.shape[1] - 1)].mean()) >= _LEAST_SHOWN


def _degrees(before: Points, after: Points) -> float:
    return float(np.degrees(np.arccos(np.clip(float(before @ after), -1.0, 1.0))))


def _leaving(end: _End) -> Points:
    route, vertex = end
    return route.points if route.start == vertex else route.points[::-1]


def _one_line(first: _End, other: _End) -> Route:
    a, b = _leaving(first), _leaving(other)
    start = first[0].stop if first[0].start == first[1] else first[0].start
    stop = other[0].stop if other[0].start == other[1] else other[0].start
    arcs = (*(first[0].arcs if first[0].stop == first[1] else first[0].arcs[::-1]),
            *(other[0].arcs if other[0].start == other[1] else other[0].arcs[::-1]))  # fmt: skip
    return replace(
        first[0],
        start=start,
        stop=stop,
        arcs=arcs,
        points=np.vstack([a[::-1], b]),
        cost=first[0].cost + other[0].cost,
        shared=True,
    )
