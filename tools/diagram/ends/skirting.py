"""Heads of lines that run along the border of the node they end at: half of such a line, and of its head, lies beneath the node.

Stepped lines end in a level stretch wherever the node is, so it may lie upon the node's border. The line seems to end at the
node's corner, then; its head is a wedge on the border farther on, steep at its back and sloping to its tip.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.ends.heads import Ending
from tools.diagram.lines.remains import Remains
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Net, Points, outward
from tools.diagram.picture.surfaces import Mask

_SURE = 0.7
_BEHIND_GLYPHS, _AHEAD_GLYPHS = 1.0, 9.0
"""How far before and behind the line's end its head is looked for."""
_MOST_OFF_GLYPHS = 0.45
"""How far from the node's border, on either side of it, the line may run."""
_MOST_ASLANT = 0.5
"""Sine of the largest angle between a stretch that is level and what its last pixels look like."""
_HALF_GLYPHS = (0.2, 0.75)
"""Height of half a head."""
_LONG_GLYPHS = (0.3, 1.4)
"""Length of a head."""
_BACK = 2
"""Pixels within which a head's back rises."""
_LEAST_BESIDE_GLYPHS = 1.2
"""For how far the line would have to go on along the border at the least."""
_CLEAR_GLYPHS = 0.4
"""Behind the tip nothing stands on the border for this far."""


def skirting_heads(
    net: Net, ports: dict[int, str], endings: dict[int, Ending], ink: Mask, left: Remains, glyph: float
) -> dict[int, Ending]:
    """The heads on the borders of nodes, by the vertex of the line that seems to end there without one.

    `ink`: of the whole picture, nodes' borders included.
    """
    found = {}
    for vertex in ports:
        if endings[vertex].head is not Head.none or vertex not in net.meeting:
            continue
        way = outward(net, vertex, 1.5 * glyph)
        if way is None:
            continue
        heights = _on_border(ink, left, np.array(net.places[vertex]), _snapped(way), glyph)
        if heights is not None and _has_wedge(heights, glyph):
            found[vertex] = Ending(Head.arrow, _SURE)
    return found


def _snapped(way: Points) -> Points:
    """Along the row or column that it nearly runs along: at the node's corner a line seems to bend towards it."""
    along = int(np.argmax(np.abs(way)))
    if abs(float(way[1 - along])) > _MOST_ASLANT:
        return way
    return np.array([np.sign(way[0]), 0.0]) if along == 0 else np.array([0.0, np.sign(way[1])])


def _on_border(ink: Mask, left: Remains, place: Points, way: Points, glyph: float) -> NDArray[np.int_] | None:
    """Pixels of ink that stand on the border, at each pixel along it; `None` if the line does not go on along a border."""
    height, width = ink.shape
    steps = place + way * np.arange(-_BEHIND_GLYPHS * glyph, _AHEAD_GLYPHS * glyph)[:, None]
    reach = round(_MOST_OFF_GLYPHS * glyph)
    for side in (np.array([-way[1], way[0]]), np.array([way[1], -way[0]])):
        # From inside the node outwards.
        rays = steps[:, None, :] + side * np.arange(-reach - 1, reach + round(_HALF_GLYPHS[1] * glyph) + 3)[:, None]
        xs, ys = np.round(rays[..., 0]).astype(int), np.round(rays[..., 1]).astype(int)
        inside = (xs >= 0) & (ys >= 0) & (xs < width) & (ys < height)
        xs, ys = np.clip(xs, 0, width - 1), np.clip(ys, 0, height - 1)
        owned = (left.owners[ys, xs] > 0) & inside
        # The node's last row is where its border ends; beyond the node, or where it lies ahead, there is none.
        beside = owned[:, 0] & ~owned[:, 2 * reach + 2 :].any(axis=1)
        rim = owned.shape[1] - 1 - np.argmax(owned[:, ::-1], axis=1)
        # A line that comes to the node at an angle is no longer beside it a few pixels on.
        level = beside & (np.abs(rim - np.median(rim[beside])) <= 1) if beside.any() else beside
        begin = int(np.argmax(level))
        if not level.any() or begin > 2.5 * _BEHIND_GLYPHS * glyph:
            continue
        end = begin + int(np.argmin(np.append(level[begin:], False)))
        if end - begin < _LEAST_BESIDE_GLYPHS * glyph:
            continue
        inked = (ink[ys, xs] > 0) & inside
        heights = np.zeros(end - begin, np.int_)
        for row in range(begin, end):
            stand = inked[row, int(rim[row]) + 1 :]
            heights[row - begin] = len(stand) if stand.all() else int(np.argmin(stand))
        return heights
    return None


def _has_wedge(heights: NDArray[np.int_], glyph: float) -> bool:
    """Somewhere the ink rises at once from the line to half a head, slopes down to nothing, and nothing follows."""
    least, most = _HALF_GLYPHS[0] * glyph, _HALF_GLYPHS[1] * glyph
    for top in np.flatnonzero((heights >= least) & (heights <= most)).tolist():
        before = heights[max(top - _BACK - 2, 0) : max(top - _BACK + 1, 0)]
        # A line that comes to the border at a small angle ends in a wedge, too, but there is none of it on the border before.
        line = int(before.min()) if len(before) > 1 else 0
        if line < 1 or heights[top] - line < least or (top + 1 < len(heights) and heights[top + 1] > heights[top]):
            continue
        rest = heights[top:]
        low = np.flatnonzero(rest < line)
        if not len(low):
            continue
        long = int(low[0])
        clear = rest[long : long + max(round(_CLEAR_GLYPHS * glyph), 3)]
        slopes = bool((np.diff(rest[: long + 1]) <= 0).all())
        if _LONG_GLYPHS[0] * glyph <= long <= _LONG_GLYPHS[1] * glyph and slopes and clear.max() < line:
            return True
    return False
