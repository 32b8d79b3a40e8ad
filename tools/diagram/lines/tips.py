"""Tips: the broad ends of lines at nodes (heads, and lines that have grown together), kept out of the net.

A skeleton is true where ink is thin. In a head it leads into a corner, and where heads overlap or lines part it joins what does
not belong together. So broad ink at nodes is left out when the net is made, and each line that ends at it is carried on to the
node.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.lines.remains import Remains
from tools.diagram.picture.skeleton import Arc, Net, Points, direction
from tools.diagram.picture.surfaces import Mask, pieces

_AT_NODE_GLYPHS = 0.7
"""How near broad ink must come to a node to be a tip."""
_MOST_EXTENT_GLYPHS = 2.6
"""Larger broad ink is a thick line, or several: only what is near the node is left out."""
_REACH_GLYPHS = 1.6
_RAY_GLYPHS = 2.4
_ARM_GLYPHS = 1.5
_SKIPPED_GLYPHS = 0.25
"""Where the ink was cut, the skeleton trembles."""
_MOST_BARB_GLYPHS = 1.5
_LEAST_INKED = 0.5
_FACING_DEGREES = 25.0
_BENEATH_GLYPHS, _LEAST_BENEATH = 3.0, 0.9
"""How far apart a head keeps the two halves of a line that passes beneath it, and the share of that way that is ink."""
_LEAST_SIDE_POINTS = 4
"""How far from its own ends an arc passes a tip."""
_LEAST_THICK_LINE = 5.0
"""Pixels of a ridge, per pixel of its width, from which on it is a thick line."""
_LEAST_LINE = 30
"""Pixels of a ridge from which on its median tells how thick the lines are."""


@dataclass(frozen=True)
class Tips:
    """The thin ink, and the number of the tip at each pixel of the rest (0 elsewhere)."""

    thin: Mask
    numbers: NDArray[np.int32]


def tips_of(ink: Mask, left: Remains, glyph: float) -> Tips:
    """Takes the broad ink at nodes out of the ink of the lines; what no thin line leads to stays."""
    opened = _broad(ink, left.width)
    _, labels, stats = pieces(opened)
    closest = np.full(len(stats), np.inf)
    np.minimum.at(closest, labels.ravel(), left.reach.ravel())
    extent = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    at_node = closest <= _AT_NODE_GLYPHS * glyph
    at_node[0] = False
    whole = (at_node & (extent <= _MOST_EXTENT_GLYPHS * glyph)).astype(np.uint8)
    parts = at_node.astype(np.uint8)[labels] & (left.reach <= _REACH_GLYPHS * glyph).astype(np.uint8)
    # The opening rounds corners off; what is left of them would be spurs.
    side = 2 * _across(left.width) + 1
    grown = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
    broad = np.asarray(cv2.dilate(whole[labels] | parts, grown), np.uint8) & ink
    _, numbers, _ = pieces(broad)
    thin, led_to = _without_barbs(ink & (1 - broad), numbers, left, glyph)
    kept = np.zeros(int(numbers.max()) + 1, np.uint8)
    kept[led_to] = 1
    kept[0] = 0
    tip = kept[numbers] > 0
    # What no line leads to is no tip, but perhaps the whole of a short line.
    return Tips(thin | (broad & (1 - tip.astype(np.uint8))), np.where(tip, numbers, 0).astype(np.int32))


def _across(width: float) -> int:
    """Diameter of the smallest disc that is broader than a line of that width, in whole pixels."""
    return max(round(1.8 * width + 1.6), 4)


def _broad(ink: Mask, usual: float) -> Mask:
    """The ink that holds a disc broader than the lines it is connected with, which may be thicker than others."""
    distance = cv2.distanceTransform(ink, cv2.DIST_L2, 3)
    ridge = (ink > 0) & (distance >= cv2.dilate(distance, np.ones((3, 3), np.uint8)) - 1e-3)
    count, labels, _ = pieces(ink)
    ys, xs = np.nonzero(ridge)
    number, radius = labels[ys, xs], distance[ys, xs]
    order = np.lexsort((radius, number))
    number, radius = number[order], radius[order]
    first = np.searchsorted(number, np.arange(count))
    last = np.searchsorted(number, np.arange(count), side="right")
    middle = np.clip((first + last) // 2, 0, max(len(radius) - 1, 0))
    widths = np.where(last > first, 2 * radius[middle] - 0.5, usual) if len(radius) else np.full(count, usual)
    # A piece that is hardly more than a head is as wide as its head.
    ridges = np.bincount(number, minlength=count)
    most = np.where(ridges >= _LEAST_THICK_LINE * widths, widths, 2.5 * usual + 1.0)
    across = np.array([_across(width) for width in np.clip(widths, usual, np.maximum(most, usual))])
    long = ridges >= _LEAST_LINE
    across[~long] = _across(usual)
    across[0] = 0
    found = np.zeros_like(ink)
    for size in sorted(set(across[1:].tolist())):
        kernel = np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
        found |= np.asarray(cv2.morphologyEx((across == size).astype(np.uint8)[labels] & ink, cv2.MORPH_OPEN, kernel), np.uint8)
    return found


def _without_barbs(thin: Mask, numbers: NDArray[np.int32], left: Remains, glyph: float) -> tuple[Mask, list[int]]:
    """Without the crumbs along the tips' rims and the barbs of open heads; and the numbers of the tips that lines lead to."""
    _, labels, stats = pieces(thin)
    spread = np.asarray(cv2.dilate(numbers.astype(np.float32), np.ones((3, 3), np.uint8))).astype(np.int32)
    meeting = (labels > 0) & (spread > 0)
    pairs = np.unique(np.stack([labels[meeting], spread[meeting]], axis=1), axis=0)
    extent = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    gone = np.zeros(len(stats), np.uint8)
    led_to = []
    for tip in np.unique(pairs[:, 1]).tolist():
        members = pairs[pairs[:, 1] == tip, 0]
        short = [n for n in members.tolist() if extent[n] <= _MOST_BARB_GLYPHS * glyph and (pairs[:, 0] == n).sum() == 1]
        barbs = [n for n in short if not _reaches_on(labels, stats[n], n, numbers == tip, left)]
        lines = [n for n in members.tolist() if n not in barbs]
        if not lines and barbs:
            # A dash or a dot of a line with gaps: of several, barbs stand on both sides of it.
            middle = _middle(stats, barbs, numbers == tip)
            lines = [middle] if extent[middle] > left.width + 2.0 else []
        gone[[n for n in barbs if n not in lines]] = 1
        led_to += [tip] if lines else []
    return thin & (1 - gone[labels]), led_to


def _reaches_on(labels: NDArray[np.int32], row: NDArray[np.int32], number: int, tip: NDArray[np.bool_], left: Remains) -> bool:
    """The short piece leads on to another node than the tip's."""
    x, y, w, h = (int(v) for v in row[:4])
    part = np.s_[max(y - 3, 0) : y + h + 3, max(x - 3, 0) : x + w + 3]
    own = labels[part] == number
    touched = left.nearest[part][own & (left.reach[part] <= 3.0)]
    ys, xs = np.nonzero(tip)
    home = int(left.nearest[ys, xs][left.reach[ys, xs].argmin()])
    return bool((touched != home).any())


def _middle(stats: NDArray[np.int32], members: list[int], tip: NDArray[np.bool_]) -> int:
    """The piece that lies between the others as seen from the tip."""
    ys, xs = np.nonzero(tip)
    ways = []
    for number in members:
        x, y, w, h = (float(v) for v in stats[number, :4])
        way = np.array([x + w / 2 - xs.mean(), y + h / 2 - ys.mean()])
        ways.append(way / max(float(np.hypot(*way)), 1e-6))
    sums = [sum(float(a @ b) for b in ways) for a in ways]
    return members[int(np.argmax(sums))]


def seated(net: Net, tips: Tips, left: Remains, glyph: float) -> tuple[dict[int, int], frozenset[int]]:
    """Carries the lines that end at tips on to their nodes (in place).

    Returns which vertex ends at which node, by number, and the vertices whose tip, theirs alone, is a head by its form.
    """
    # Thinning takes about a line's width off a loose end.
    near = 2 + round(left.width)
    _open_at_tips(net, tips, near)
    at_tip = {v: number for v in net.ends() if (number := _tip_at(tips, net.places[v], near))}
    for vertex in [v for v in sorted(at_tip) if at_tip.get(net.other(v, net.meeting[v][0])) == at_tip[v]]:
        # A short line leads to a tip with one of its ends only, the nearer one.
        other = net.other(vertex, net.meeting[vertex][0])
        if other in at_tip and _off(tips, net.places[vertex], at_tip[vertex]) >= _off(tips, net.places[other], at_tip[vertex]):
            del at_tip[vertex]
    contacts = _contacts(tips, left, sorted(set(at_tip.values())))
    ways = {v: _outward(net, v, glyph) for v in net.ends()}
    ports: dict[int, int] = {}
    headed = set()
    counts = np.bincount(list(at_tip.values()), minlength=1) if at_tip else np.zeros(1, np.int64)
    for vertex, tip in sorted(at_tip.items()):
        across = [v for v in at_tip if v != vertex and at_tip[v] == tip] + _close(net, vertex, at_tip, left, glyph)
        if any(_faces(net, vertex, other, ways) for other in across):
            continue
        way, place = ways[vertex], np.array(net.places[vertex])
        number, stop = _node_ahead(left, place, way, glyph) if way is not None else (0, place)
        if not number or _tip_at(tips, (float(stop[0]), float(stop[1])), 2) != tip:
            number, stop = contacts[tip]
        if counts[tip] == 1 and _is_head(tips.numbers == tip, place, stop, left.width, glyph):
            headed.add(vertex)
        _carry_on(net, vertex, stop)
        ports[vertex] = number
    return ports, frozenset(headed)


def _open_at_tips(net: Net, tips: Tips, near: int) -> None:
    """Where lines grow together right before a tip they are one arc that passes it: it gets a loose end there (in place)."""
    reached = {_tip_at(tips, net.places[v], near) for v in net.ends()}
    for tip in range(1, int(tips.numbers.max()) + 1):
        if tip in reached or not (tips.numbers == tip).any():
            continue
        passing = []
        for number, arc in net.arcs.items():
            for index in range(_LEAST_SIDE_POINTS, len(arc.points) - _LEAST_SIDE_POINTS):
                x, y = arc.points[index]
                if _tip_at(tips, (x, y), near) == tip:
                    passing.append((_off(tips, (x, y), tip), number, index))
        if passing:
            _, number, index = min(passing)
            _branched(net, number, index, tips.numbers == tip)


def _branched(net: Net, number: int, index: int, tip: NDArray[np.bool_]) -> None:
    """Parts the arc at that point and adds a short one from there into the tip (in place)."""
    arc = net.arcs[number]
    first, last = arc.ends
    x, y = arc.points[index]
    ys, xs = np.nonzero(tip)
    nearest = int(np.hypot(xs - x, ys - y).argmin())
    middle, end = net.vertex((float(x), float(y))), net.vertex((float(xs[nearest]), float(ys[nearest])))
    net.add(Arc(arc.points[: index + 1], (first, middle), arc.drawn, arc.bridges, arc.texts))
    net.add(Arc(arc.points[index:], (middle, last), arc.drawn))
    net.add(Arc(np.array([net.places[middle], net.places[end]]), (middle, end)))
    net.drop(number)


def _is_head(tip: NDArray[np.bool_], place: Points, stop: Points, width: float, glyph: float) -> bool:
    """The tip is clearly broader than the line, and not broadest right at the node, as a handle or a pin is."""
    way = stop - place
    size = float(np.hypot(*way))
    if size < 1.0:
        return False
    way = way / size
    ys, xs = np.nonzero(tip)
    along = np.round((xs - place[0]) * way[0] + (ys - place[1]) * way[1]).astype(int)
    widths = np.bincount(along - int(along.min()))
    long = len(widths)
    if long > _MOST_EXTENT_GLYPHS * glyph or widths.max() < width + 1.0 + max(2.0, 0.2 * glyph):
        return False
    peak = int(np.flatnonzero(widths >= 0.9 * widths.max())[0])
    return long - 1 - peak >= max(0.3 * long, 2.0)


def _contacts(tips: Tips, left: Remains, numbers: list[int]) -> dict[int, tuple[int, Points]]:
    """The node that each tip touches, by number, and where."""
    ys, xs = np.nonzero(tips.numbers)
    order = np.lexsort((left.reach[ys, xs], tips.numbers[ys, xs]))
    ys, xs = ys[order], xs[order]
    found, first = np.unique(tips.numbers[ys, xs], return_index=True)
    at = dict(zip(found.tolist(), first.tolist(), strict=True))
    return {n: (int(left.nearest[ys[at[n]], xs[at[n]]]), np.array([float(xs[at[n]]), float(ys[at[n]])])) for n in numbers}


def _tip_at(tips: Tips, place: tuple[float, float], near: int) -> int:
    x, y = round(place[0]), round(place[1])
    window = tips.numbers[max(y - near, 0) : y + near + 1, max(x - near, 0) : x + near + 1]
    return int(window.max()) if window.size else 0


def _off(tips: Tips, place: tuple[float, float], tip: int) -> float:
    """Distance from a place near the tip to it, in pixels."""
    x, y, reach = round(place[0]), round(place[1]), 12
    left, top = max(x - reach, 0), max(y - reach, 0)
    ys, xs = np.nonzero(tips.numbers[top : y + reach + 1, left : x + reach + 1] == tip)
    return float(np.hypot(xs + left - place[0], ys + top - place[1]).min()) if len(xs) else float(reach)


def _outward(net: Net, vertex: int, glyph: float) -> Points | None:
    way = direction(net.leaving(vertex, net.meeting[vertex][0]), _ARM_GLYPHS * glyph, _SKIPPED_GLYPHS * glyph)
    return None if way is None else -way


def _faces(net: Net, first: int, other: int, ways: dict[int, Points | None]) -> bool:
    """The two ends look at each other across the tip: a line that passes beneath a head."""
    a, b = ways[first], ways[other]
    gap = np.array(net.places[other]) - np.array(net.places[first])
    size = float(np.hypot(*gap))
    if a is None or b is None or size < 1.0:
        return False
    least = float(np.cos(np.radians(_FACING_DEGREES)))
    return min(float(a @ gap) / size, float(b @ -gap) / size, float(a @ -b)) > least


def _close(net: Net, vertex: int, at_tip: dict[int, int], left: Remains, glyph: float) -> list[int]:
    """Loose ends at no tip and no node to which ink leads straight from this one: a head's barb may part a line from the tip."""
    place = np.array(net.places[vertex])
    found = []
    for other in net.ends():
        gap = np.array(net.places[other]) - place
        size = float(np.hypot(*gap))
        if other in at_tip or not 1.0 <= size <= _BENEATH_GLYPHS * glyph or net.meeting[other] == net.meeting[vertex]:
            continue
        xs, ys = np.round(place[:, None] + gap[:, None] * np.linspace(0, 1, round(size) + 1)).astype(int)
        if (
            float((left.ink[ys, xs] | left.cut[ys, xs]).mean()) >= _LEAST_BENEATH
            and left.reach[ys[-1], xs[-1]] > _AT_NODE_GLYPHS * glyph
        ):
            found.append(other)
    return found


def _node_ahead(left: Remains, place: Points, way: Points, glyph: float) -> tuple[int, Points]:
    """The node that the line comes upon if it goes on straight over ink, and where; 0 if none."""
    height, width = left.ink.shape
    steps = place + way * np.arange(0.0, _RAY_GLYPHS * glyph)[:, None]
    xs, ys = (np.clip(np.round(steps[:, k]).astype(int), 0, most - 1) for k, most in ((0, width), (1, height)))
    hit = np.flatnonzero(left.reach[ys, xs] <= 1.5)
    if not len(hit):
        return 0, place
    at = int(hit[0])
    inked = left.ink[ys, xs][: at + 1] | (left.caps[ys, xs][: at + 1])
    if float(inked.mean()) < _LEAST_INKED:
        return 0, place
    return int(left.nearest[ys[at], xs[at]]), steps[at]


def _carry_on(net: Net, vertex: int, stop: Points) -> None:
    """Draws the only arc at a loose end on to the place."""
    arc: Arc = net.arcs[net.meeting[vertex][0]]
    if float(np.hypot(*(stop - np.array(net.places[vertex])))) < 1.0:
        return
    points = [arc.points, stop[None]] if arc.ends[1] == vertex else [stop[None], arc.points]
    arc.points = np.vstack(points)
    net.places[vertex] = (float(stop[0]), float(stop[1]))
