"""Broken lines that stop short of a crossing: the gap before it was a gap between dashes, and beyond it the line goes on."""

from __future__ import annotations

import numpy as np

from tools.diagram.picture.skeleton import Arc, Net, Points, direction, outward, turn_degrees

_REACH_GLYPHS = 1.4
_MOST_DEGREES = 20.0
"""How far the line may turn on its way to the crossing, and in it."""


def resumed_at_crossings(net: Net, loose: list[int], glyph: float) -> None:
    """Joins each loose end to the junction right ahead of it at which a line begins that goes on straight (in place)."""
    for vertex in loose:
        if len(net.meeting.get(vertex, ())) != 1:
            continue
        way, place = outward(net, vertex, 1.2 * glyph), np.array(net.places[vertex])
        if way is None:
            continue
        options = []
        for other, meeting in net.meeting.items():
            gap = np.array(net.places[other]) - place
            distance = float(np.hypot(*gap))
            if len(meeting) != 3 or net.meeting[vertex][0] in meeting or not 1.0 < distance <= _REACH_GLYPHS * glyph:
                continue
            if turn_degrees(way, gap / distance) <= _MOST_DEGREES and _begins(net, other, way, glyph):
                options.append((distance, other))
        if options:
            other = min(options)[1]
            net.add(Arc(np.array([net.places[vertex], net.places[other]]), (vertex, other), 0.0, 1))


def _begins(net: Net, vertex: int, way: Points, glyph: float) -> bool:
    """Of the three lines at the junction two are one that passes, and the third leads on that way."""
    ways = [direction(net.leaving(vertex, number), 1.6 * glyph, 0.3 * glyph) for number in net.meeting[vertex]]
    for index, onward in enumerate(ways):
        a, b = (ways[at] for at in range(3) if at != index)
        if onward is None or a is None or b is None:
            continue
        if turn_degrees(way, onward) <= _MOST_DEGREES and turn_degrees(-a, b) <= 2 * _MOST_DEGREES:
            return True
    return False
