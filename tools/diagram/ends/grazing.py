"""Lines that pass a node by so closely that its border covers them for a while: they do not end there.

Half of such a line is hidden by the node and the rest is taken for its border, so what is left are two ends at one side of the
node that look at each other along it. A line that ends at a node comes to its border at an angle.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.ends.heads import Ground, is_headed
from tools.diagram.lines.remains import Remains
from tools.diagram.picture.skeleton import Arc, Net, Points, direction, path_length

_MOST_TURN_DEGREES = 15.0
"""By how much the two ends may turn away from the way between them."""
_MOST_OFF_GLYPHS = 0.45
"""How far from the node's rim, to either side, the way between them may run."""
_LEAST_GAP_PX = 2.0
_LEAST_LINE_GLYPHS = 1.0
_HEAD_GLYPHS = 1.6
"""How far behind the tip of a head the line that passes beneath it is joined."""


def joined_past(net: Net, ports: dict[int, int], left: Remains, ground: Ground, glyph: float) -> list[int]:
    """Joins ends that look at each other along the rim of their node (in place); returns those, which are ports no more.

    Where one of the two has a head it ends there all the same, and the other goes on beneath the head.
    """
    by_node: dict[int, list[int]] = {}
    for vertex, number in sorted(ports.items()):
        if len(net.meeting.get(vertex, ())) == 1 and net.arcs[net.meeting[vertex][0]].length >= _LEAST_LINE_GLYPHS * glyph:
            by_node.setdefault(number, []).append(vertex)
    crowded = [members for members in by_node.values() if len(members) > 1]
    joined: list[int] = []
    if not crowded:
        return joined
    depth = np.asarray(cv2.distanceTransform((left.owners > 0).astype(np.uint8), cv2.DIST_L2, 5), np.float32)
    for members in crowded:
        pairs = [(_gap(net, a, b), a, b) for i, b in enumerate(members) for a in members[:i] if _facing(net, a, b, glyph)]
        used: set[int] = set()
        for gap, a, b in sorted(pairs):
            if used & {a, b} or gap < _LEAST_GAP_PX or not _along_rim(net, a, b, left, depth, glyph):
                continue
            headed = [v for v in (a, b) if is_headed(net, ground, v, glyph, left.width)]
            if len(headed) == 2 or any(net.arcs[net.meeting[v][0]].length <= 2 * _HEAD_GLYPHS * glyph for v in headed):
                continue
            used |= {a, b}
            plain = [v for v in (a, b) if v not in headed]
            if headed:
                _join_beneath(net, plain[0], headed[0], glyph)
            else:
                net.add(Arc(np.array([net.places[a], net.places[b]]), (a, b), 0.0))
            for vertex in plain:
                del ports[vertex]
            joined += plain
    return joined


def _gap(net: Net, a: int, b: int) -> float:
    return float(np.hypot(*np.subtract(net.places[a], net.places[b])))


def _facing(net: Net, a: int, b: int, glyph: float) -> bool:
    """Each of the two lines would meet the other one's end if it went straight on."""
    if net.meeting[a] == net.meeting[b]:
        return False
    ways = [direction(net.leaving(v, net.meeting[v][0]), 2 * glyph) for v in (a, b)]
    gap = np.subtract(net.places[b], net.places[a])
    size = float(np.hypot(*gap))
    if ways[0] is None or ways[1] is None or size < 1.0:
        return False
    least = float(np.cos(np.radians(_MOST_TURN_DEGREES)))
    return min(float(-ways[0] @ gap), float(ways[1] @ gap)) / size >= least


def _along_rim(net: Net, a: int, b: int, left: Remains, depth: NDArray[np.float32], glyph: float) -> bool:
    """The way between them keeps to the node's rim."""
    p, q = np.array(net.places[a]), np.array(net.places[b])
    height, width = left.owners.shape
    spots = np.linspace(p, q, max(round(_gap(net, a, b)), 2))
    xs, ys = (np.clip(np.round(spots[:, k]).astype(int), 0, most - 1) for k, most in ((0, width), (1, height)))
    return bool(np.maximum(depth[ys, xs], left.reach[ys, xs]).max() <= max(_MOST_OFF_GLYPHS * glyph, 4.0))


def _join_beneath(net: Net, plain: int, headed: int, glyph: float) -> None:
    """Leads the plain end on into the other one's line, behind its head (in place)."""
    number = net.meeting[headed][0]
    arc = net.arcs[number]
    points = net.leaving(headed, number)
    index = next(i for i in range(1, len(points)) if path_length(points[: i + 1]) >= _HEAD_GLYPHS * glyph)
    joint, far = net.vertex((float(points[index][0]), float(points[index][1]))), net.other(headed, number)
    net.add(Arc(points[: index + 1], (headed, joint), arc.drawn, arc.bridges, arc.texts))
    net.add(Arc(points[index:], (joint, far), arc.drawn))
    net.drop(number)
    way: Points = np.array([net.places[plain], net.places[headed], net.places[joint]])
    net.add(Arc(way, (plain, joint), 0.0))
