"""Lines that a text interrupts: labels are set on their lines, and names without an outline where lines end."""

from __future__ import annotations

import numpy as np

from tools.diagram.model.blackboard import TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.skeleton import Net, Points, outward, turn_degrees

_HEAD_BEFORE_GLYPHS = 1.5
"""How far before a text without an outline a head stands that points at it."""
_MOST_TURN, _MOST_BEND, _MOST_UNEVEN = 42.0, 65.0, 20.0
"""Degrees by which a line may turn at either side of a text; the same for a line that bends evenly beneath a patch, and by how
much its two turns may differ."""


def across_texts(
    net: Net, loose: list[int], texts: list[TextNote], glyph: float, *, patched: bool = False
) -> list[tuple[float, int, int, str]]:
    """Pairs of ends at opposite sides of a text, each pointing into it. `patched`: the texts stand on patches and hide lines."""
    pairs = []
    for text in texts:
        box, pad = text.pixels, 1.1 * glyph
        at = [
            v
            for v in loose
            if box.x - pad <= net.places[v][0] <= box.right + pad and box.y - pad <= net.places[v][1] <= box.bottom + pad
        ]
        for index, a in enumerate(at):
            for b in at[:index]:
                p, q = np.array(net.places[a]), np.array(net.places[b])
                distance = float(np.hypot(*(q - p)))
                ways = outward(net, a, 2 * glyph), outward(net, b, 2 * glyph)
                if distance < 4 or ways[0] is None or ways[1] is None or not _between(p, q, box):
                    continue
                turns = turn_degrees(ways[0], (q - p) / distance), turn_degrees(ways[1], (p - q) / distance)
                if max(turns) <= _MOST_TURN or (patched and _bends_evenly(ways[0], ways[1], q - p)):
                    pairs.append((0.4 * distance * (1 + sum(turns) / 45.0), a, b, text.id))
    return pairs


def _bends_evenly(first: Points, other: Points, gap: Points) -> bool:
    """What lies between the two ends is one bend to one side, as a curve has where it turns about beneath its label."""
    turns = [float(np.degrees(np.arctan2(gap[0] * way[1] - gap[1] * way[0], float(gap @ way)))) for way in (first, -other)]
    # Along the way from the one end to the other a bend begins to one side of the straight and ends to the other.
    return turns[0] * turns[1] < 0 and max(map(abs, turns)) <= _MOST_BEND and abs(turns[0] + turns[1]) <= _MOST_UNEVEN


def is_led_to(net: Net, headed: set[int], text: TextNote, glyph: float) -> bool:
    """A head stands right before the text and points at it: it is a node, and other lines there end at it or leave it."""
    box, pad = text.pixels, _HEAD_BEFORE_GLYPHS * glyph
    for vertex in headed:
        x, y = net.places[vertex]
        way = outward(net, vertex, 1.5 * glyph)
        if way is None or not (box.x - pad <= x <= box.right + pad and box.y - pad <= y <= box.bottom + pad):
            continue
        ahead = np.array([x, y]) + way * np.arange(0.0, 2 * pad, 1.0)[:, None]
        within = (ahead[:, 0] >= box.x) & (ahead[:, 0] <= box.right) & (ahead[:, 1] >= box.y) & (ahead[:, 1] <= box.bottom)
        if within.any():
            return True
    return False


def _between(p: Points, q: Points, box: Frame) -> bool:
    """The middle of the two points lies within the box, or nearly."""
    x, y = (p + q) / 2
    return box.x - 4 <= x <= box.right + 4 and box.y - 4 <= y <= box.bottom + 4
