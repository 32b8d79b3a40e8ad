"""The barbs of large pointed heads: they go on beside the line as lines that part there do, but end, and that soon.

The profile across a line shows no such head, for it reaches no farther than usual heads do.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.skeleton import Net, direction

_MOST_GLYPHS = 3.0
_LEAST_ALIKE = 0.65
"""Length of the shorter of two barbs in the longer."""
_MOST_TIP_GLYPHS = 2.2
"""How far from the tip the barbs begin."""
_LEAST_BACK = 0.5
"""Cosine of the largest angle between a barb and the line that its head is at."""


def without_barbs(net: Net, ports: dict[int, int], glyph: float) -> tuple[list[int], frozenset[int]]:
    """Drops pairs of loose ends that lean back along a line to either side of it, as long as each other (in place).

    Returns the vertices that they hung on, and the ports that are the tips of their heads.
    """
    bared: list[int] = []
    tips: set[int] = set()
    for vertex in [v for v, meeting in net.meeting.items() if len(meeting) >= 3]:
        ways = {n: direction(net.leaving(vertex, n), 1.5 * glyph) for n in dict.fromkeys(net.meeting[vertex])}
        loose = [n for n in ways if _is_short_end(net, ports, vertex, n, glyph) and ways[n] is not None]
        lines = [way for n, way in ways.items() if n not in loose and way is not None]
        for first, other in itertools.combinations(loose, 2):
            lengths = sorted((net.arcs[first].length, net.arcs[other].length))
            a, b = ways[first], ways[other]
            if a is None or b is None or lengths[0] < _LEAST_ALIKE * lengths[1]:
                continue
            if any(min(float(a @ w), float(b @ w)) >= _LEAST_BACK and _side(w, a) * _side(w, b) < 0 for w in lines):
                net.drop(first)
                net.drop(other)
                bared.append(vertex)
                ends = {net.other(vertex, n) for n in net.meeting[vertex] if net.arcs[n].length <= _MOST_TIP_GLYPHS * glyph}
                tips |= ends & ports.keys()
                break
    return bared, frozenset(tips)


def _is_short_end(net: Net, ports: dict[int, int], vertex: int, number: int, glyph: float) -> bool:
    end = net.other(vertex, number)
    return end != vertex and end not in ports and len(net.meeting[end]) == 1 and net.arcs[number].length <= _MOST_GLYPHS * glyph


def _side(line: NDArray[np.float64], way: NDArray[np.float64]) -> float:
    return float(line[0] * way[1] - line[1] * way[0])
