"""Lines that meet a node at one spot: whether they have heads there cannot be seen line by line.

Lines that part look like a head that grows from the spot, and heads on top of each other like none. What tells them apart is how
much of a circle around the spot is ink: of lines alone no more close to the spot than farther out, where they have parted.
"""

from __future__ import annotations

import numpy as np

from tools.diagram.ends.heads import Ending, Ground, Profile
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Net, Points, direction

_TOGETHER_GLYPHS = 0.5
_ALONE_GLYPHS, _LEAST_ALONE = 1.5, 8
"""How far from other lines' ends at its node one stands by itself, and how many such ends tell that there are no heads."""
_LEAST_SPREAD_DEGREES = 18.0
_NEAR_GLYPHS = (0.3, 1.3)
"""Radii within which heads show."""
_REACH_GLYPHS = 2.5
_CIRCLES = 3
_BARE_GLYPHS = 0.2
"""By how much more ink the circles near the spot cut than those farther out where there are no heads: lines bend as they part."""
_FAR_GLYPHS = (1.7, 2.3)
"""Radii at which only the lines are left."""


def settle_fans(net: Net, ports: dict[int, str], endings: dict[int, Ending], ground: Ground, glyph: float) -> None:
    """Gives all lines of a fan the ending that the ink around its spot tells (in place)."""
    left = sorted(ports)
    while left:
        first = left.pop(0)
        members = [first, *(v for v in left if ports[v] == ports[first] and _apart(net, first, v) <= _TOGETHER_GLYPHS * glyph)]
        left = [vertex for vertex in left if vertex not in members]
        if len(members) < 2 or _spread(net, members, glyph) < _LEAST_SPREAD_DEGREES:
            continue
        headed = _headed(net, members, ground, glyph)
        if headed is None:
            continue
        heads = [endings[v] for v in members if endings[v].head is not Head.none]
        usual = max(heads, key=lambda found: found.confidence, default=Ending(Head.arrow, 0.7))
        for vertex in members:
            if not headed:
                endings[vertex] = Ending(Head.none, 0.8)
            elif endings[vertex].head is Head.none:
                endings[vertex] = usual


def without_doubtful(net: Net, ports: dict[int, str], endings: dict[int, Ending], glyph: float) -> None:
    """Where no line that ends by itself has a head, lines that end together have none, whatever their ink looks like (in place).

    Graphs without directions draw several lines into one spot as others do.
    """
    alone = [v for v in ports if all(w == v or ports[w] != ports[v] or _apart(net, v, w) > _ALONE_GLYPHS * glyph for w in ports)]
    if len(alone) >= _LEAST_ALONE and all(endings[v].head is Head.none for v in alone):
        endings.update({v: Ending(Head.none, 0.7) for v in ports})


def _apart(net: Net, first: int, other: int) -> float:
    return float(np.hypot(*(np.array(net.places[first]) - np.array(net.places[other]))))


def _ways(net: Net, members: list[int], glyph: float) -> list[Points]:
    ways = (direction(net.leaving(v, net.meeting[v][0]), 2.0 * glyph) for v in members)
    return [way for way in ways if way is not None]


def _spread(net: Net, members: list[int], glyph: float) -> float:
    """Largest angle in degrees between two lines of the fan."""
    ways = _ways(net, members, glyph)
    cosines = [float(np.clip(a @ b, -1, 1)) for index, a in enumerate(ways) for b in ways[:index]]
    return float(np.degrees(np.arccos(min(cosines, default=1.0))))


def _headed(net: Net, members: list[int], ground: Ground, glyph: float) -> bool | None:
    """The ink around the spot is more than the lines'; `None` if that cannot be told and each line's own look must do."""
    middle = np.mean([net.places[v] for v in members], axis=0)
    excess = _excess(ground, _at_border(ground, middle, glyph), glyph)
    if excess is None or max(1.5, _BARE_GLYPHS * glyph) < excess < max(2.8, 0.32 * glyph):
        return None
    return excess >= max(2.8, 0.32 * glyph)


def _excess(ground: Ground, middle: Points, glyph: float) -> float | None:
    """By how many pixels the circles near the spot cut more ink than those farther out."""
    near = _ink_around(ground, middle, np.arange(_NEAR_GLYPHS[0] * glyph, _NEAR_GLYPHS[1] * glyph, 1.0))
    far = _ink_around(ground, middle, np.arange(_FAR_GLYPHS[0] * glyph, _FAR_GLYPHS[1] * glyph, 1.0))
    # One circle alone may run along a line's steps.
    smooth = np.convolve(near, np.ones(_CIRCLES) / _CIRCLES, mode="valid") if len(near) >= _CIRCLES else near
    return float(smooth.max()) - float(np.median(far)) if len(near) and len(far) and far.any() else None


def _at_border(ground: Ground, place: Points, glyph: float) -> Points:
    """The nearest place of a node; the place itself if none is near."""
    height, width = ground.blocked.shape
    reach = round(_REACH_GLYPHS * glyph)
    x, y = (int(v) for v in np.round(place))
    left, top = max(x - reach, 0), max(y - reach, 0)
    rows, columns = np.nonzero(ground.blocked[top : min(y + reach + 1, height), left : min(x + reach + 1, width)])
    if not len(rows):
        return place
    spots = np.stack([columns + left, rows + top], axis=1).astype(np.float64)
    return np.asarray(spots[int(np.linalg.norm(spots - place, axis=1).argmin())], np.float64)


def _ink_around(ground: Ground, middle: Points, radii: Profile) -> Points:
    """Pixels of ink on the circle of each radius, nodes left out."""
    height, width = ground.ink.shape
    found = []
    for radius in radii:
        turns = np.linspace(0, 2 * np.pi, max(round(4 * np.pi * radius), 24), endpoint=False)
        xs = np.clip(np.round(middle[0] + radius * np.cos(turns)).astype(int), 0, width - 1)
        ys = np.clip(np.round(middle[1] + radius * np.sin(turns)).astype(int), 0, height - 1)
        found.append(2 * np.pi * radius * float((ground.ink[ys, xs] & (1 - ground.blocked[ys, xs])).mean()))
    return np.array(found)
