"""Lines that meet right at a node get a port each; a head whose corners touch the node, too, has one.

A bus is left whole: its lines run along rows and columns.
"""

from __future__ import annotations

import numpy as np

from tools.diagram.lines.apexes import apex_of
from tools.diagram.lines.remains import Remains
from tools.diagram.picture.skeleton import Arc, Net, Points, direction, smooth, turn_degrees

_STRAIGHT_DEGREES = 150.0
"""Angle between two lines from which on they are one that goes on."""
_MOST_LEAN = 0.2
_LEAST_SQUARE = 0.6
"""Share of a bus's line that runs along rows and columns; its corners may be round."""
_LEAST_APEX_DEGREES = 60.0


def one_port_a_head(net: Net, ports: dict[int, int], glyph: float) -> None:
    """Where a head's corners touch the node as well as its tip, only the straightest way in stays a port."""
    for vertex in [v for v, meeting in list(net.meeting.items()) if len(meeting) >= 3]:
        if vertex not in net.meeting:
            continue
        tips: dict[int, list[tuple[int, int]]] = {}
        others = []
        for number in net.meeting[vertex]:
            end = net.other(vertex, number)
            if end in ports and net.arcs[number].length <= 1.5 * glyph and len(net.meeting[end]) == 1:
                tips.setdefault(ports[end], []).append((number, end))
            else:
                others.append(number)
        for arcs in tips.values():
            if len(arcs) < 2:
                continue
            incoming = [direction(net.leaving(vertex, number), 2 * glyph) for number in others]
            best = min(arcs, key=lambda item: (_worst_turn(direction(net.leaving(vertex, item[0]), glyph), incoming), item[0]))
            for number, end in arcs:
                if number != best[0]:
                    net.drop(number)
                    ports.pop(end, None)
        smooth(net, vertex)


def part_at_nodes(net: Net, ports: dict[int, int], left: Remains, glyph: float) -> None:
    """Lines that leave a node by one stem and part at once get a port each."""
    height, width = left.ink.shape
    for vertex in [v for v, meeting in net.meeting.items() if len(meeting) >= 2]:
        meeting = list(dict.fromkeys(net.meeting.get(vertex, ())))
        stems = [n for n in meeting if net.other(vertex, n) in ports and net.arcs[n].length <= 1.4 * glyph]
        x, y = net.places[vertex]
        row, column = min(max(round(y), 0), height - 1), min(max(round(x), 0), width - 1)
        close = float(left.reach[row, column]) <= max(4.0, 1.2 * left.width + 2.0)
        lines = [n for n in meeting if n not in stems and net.arcs[n].length >= 2 * glyph]
        ways = [way for n in lines if (way := direction(net.leaving(vertex, n), 1.5 * glyph)) is not None]
        if len(ways) < 2 or len(ways) != len(lines):
            continue
        apex = apex_of(left, np.array(net.places[vertex]), ways, glyph, _LEAST_APEX_DEGREES)
        if not (stems or close or apex):
            continue
        straight = any(turn_degrees(a, b) > _STRAIGHT_DEGREES for index, a in enumerate(ways) for b in ways[:index])
        if straight and (len(ways) == 2 or not all(_is_of_a_bus(net, vertex, n, glyph) for n in lines)):
            continue  # lines that pass the node by, and no bus
        owner = ports[net.other(vertex, stems[0])] if stems else int(left.nearest[row, column]) if close else apex
        place = net.places[vertex]
        for number in [n for n in meeting if n not in lines]:
            ports.pop(net.other(vertex, number), None)
            net.drop(number)
        for number in lines:
            arc = net.drop(number)
            end = net.vertex(place)
            other = arc.ends[1] if arc.ends[0] == vertex else arc.ends[0]
            if other not in net.meeting:
                net.places[other] = tuple(arc.points[-1] if arc.ends[0] == vertex else arc.points[0])
                net.meeting[other] = []
            net.add(Arc(arc.points, (end, other) if arc.ends[0] == vertex else (other, end), arc.drawn, arc.bridges, arc.texts))
            if owner:
                ports[end] = owner


def _is_of_a_bus(net: Net, vertex: int, number: int, glyph: float) -> bool:
    """The line runs along rows and columns nearly all the way: the top of a curve that passes by does so for a moment only."""
    points = net.leaving(vertex, number)
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    at = np.arange(0.0, float(along[-1]) + 1e-6, 0.5 * glyph)
    steps = np.diff(np.stack([np.interp(at, along, points[:, axis]) for axis in (0, 1)], axis=1), axis=0)
    square = np.abs(steps).min(axis=1) <= _MOST_LEAN * np.hypot(*steps.T)
    return bool(square.mean() >= _LEAST_SQUARE) if len(square) else True


def is_square(way: Points) -> bool:
    """It runs along a row or a column."""
    return bool(np.abs(way).min() <= _MOST_LEAN)


def _worst_turn(way: Points | None, incoming: list[Points | None]) -> float:
    """Smallest turn in degrees from any of the lines into this way."""
    turns = [turn_degrees(-line, way) for line in incoming if line is not None and way is not None]
    return min(turns, default=90.0)
