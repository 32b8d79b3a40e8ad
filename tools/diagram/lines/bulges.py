"""Lines in a text's box that only touch it: curves that bulge into it, as labels of loops stand close to them, and its edges."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.skeleton import Points, path_length
from tools.diagram.picture.surfaces import Mask

MOST_BULGE_GLYPHS = 3.0
"""Longest straight way between the places where such a curve enters and leaves the box, in heights of letters."""
_MOST_ROUND = 1.6
"""Length of the curve between them in that of the straight way, at the most: half a circle has 1.57."""
_MOST_LOOPED = 4.0
"""The same of a line that goes on beyond both: a loop that the detector took for the first letter of its label."""
_RIM = 1
"""Pixels off the box's border where it is entered."""

_EDGE = 4
"""Rows at the box's upper and lower border, and columns at its sides, in which a line runs along it."""
_LEAST_ALONG = 4
"""Pixels of a box's border from which on ink runs along it."""
_MOST_CONTACTS = 6
"""Places at nodes from which ways are looked for."""
_ON = 3
"""Pixels that such a line goes on beyond the box, at either end."""


def passing(ink: Mask, box: tuple[int, int, int, int]) -> Mask:
    """The lines that run along a border of the box (left, top, right, bottom) and go on beyond it at both ends.

    Shape of the box. A head at one end is of one piece with such a line and higher than it.
    """
    left, top, right, bottom = box
    kept = np.zeros((bottom - top, right - left), np.uint8)
    for there, onto, first, last, before, behind in (
        (ink, kept, top, bottom, left, right),
        (ink.T, kept.T, left, right, top, bottom),
    ):
        edges = [*range(first, min(first + _EDGE, last)), *range(max(last - _EDGE, first), last)]
        for at in edges:
            if before >= _ON and there[at, before - _ON : behind + _ON].all() and behind + _ON <= there.shape[1]:
                onto[at - first] = 1
    return kept


@dataclass(frozen=True)
class Entrance:
    """Where ink comes to the border of a text's box, from its corner: place, piece of ink, and whether it goes on."""

    place: Points
    piece: int
    beyond: bool


def entrances(ink: Mask, box: tuple[int, int, int, int]) -> list[Entrance]:
    """The middle of each piece of ink at the border and then both ends of what runs along it; first what goes on beyond."""
    left, top, right, bottom = box
    rim = ink[top:bottom, left:right].copy()
    rim[1:-1, 1:-1] = 0
    count, labels, stats, middles = cv2.connectedComponentsWithStats(rim, connectivity=8)
    found = []
    for label in range(1, count):
        x, y, w, h = (int(v) for v in stats[label, :4])
        places = [middles[label]]
        if max(w, h) >= _LEAST_ALONG:
            spots = np.argwhere(labels[y : y + h, x : x + w] == label)[:, ::-1] + (x, y)
            order = spots[:, 0] if w >= h else spots[:, 1]
            places += [spots[int(order.argmin())].astype(np.float64), spots[int(order.argmax())].astype(np.float64)]
        beyond = any(_goes_on(ink, box, place) for place in places)
        found += [Entrance(place, label, beyond) for place in places]
    return sorted(found, key=lambda entrance: not entrance.beyond)


def contacts(window: Mask, owners: NDArray[np.int32]) -> list[Points]:
    """Where ink in a text's box comes to a node in it: a place of each piece. `owners`: number of the node at each pixel."""
    near = np.asarray(cv2.dilate((owners > 0).astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
    _, labels = cv2.connectedComponents(window & near, connectivity=8)
    spots = [
        np.argwhere(labels == label)[:, ::-1].astype(np.float64) for label in range(1, min(labels.max(), _MOST_CONTACTS) + 1)
    ]
    return [found[len(found) // 2] for found in spots]


def _goes_on(ink: Mask, box: tuple[int, int, int, int], place: Points) -> bool:
    """There is ink right outside of the box (left, top, right, bottom) beside a place on its border, counted from its corner."""
    left, top, right, bottom = box
    height, width = ink.shape
    x, y = round(float(place[0])) + left, round(float(place[1])) + top
    near = np.zeros((2 * _ON + 1, 2 * _ON + 1), np.bool_)
    rows, columns = np.arange(y - _ON, y + _ON + 1), np.arange(x - _ON, x + _ON + 1)
    known = ((rows >= 0) & (rows < height))[:, None] & ((columns >= 0) & (columns < width))[None, :]
    near[known] = ink[np.clip(rows, 0, height - 1)[:, None], np.clip(columns, 0, width - 1)[None, :]][known] > 0
    off_rows, off_columns = (rows < top - 1) | (rows > bottom), (columns < left - 1) | (columns > right)
    return bool((near & (off_rows[:, None] | off_columns[None, :])).any())


def bulge(window: Mask, p: Points, q: Points, *, passing_by: bool = False) -> Mask:
    """The stroke that leads through ink from one place on a border of the window round to another on the same border.

    `passing_by`: it goes on beyond both places, and they may be on different borders. Empty if there is no stroke between
    them, or a long way round only.
    """
    from skimage.graph import route_through_array  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    kept = np.zeros_like(window)
    if not passing_by and not _on_one_border(window.shape, p, q):
        return kept
    # In the middle of a stroke it is cheaper than along its rim: the way does not take the inner curve, nor a letter's bow.
    depth = cv2.distanceTransform(np.pad(window, 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
    costs = np.where(window > 0, 1.0 / np.maximum(depth, 0.5), 1e3)
    ends = [(round(float(y)), round(float(x))) for x, y in (p, q)]
    way = np.array(route_through_array(costs, *ends, fully_connected=True, geometric=True)[0])
    if not window[way[:, 0], way[:, 1]].all():
        return kept
    line = way[:, ::-1].astype(np.float64)
    if path_length(line[::3]) > (_MOST_LOOPED if passing_by else _MOST_ROUND) * float(np.hypot(*(q - p))):
        return kept
    cv2.polylines(kept, [line.astype(np.int32)], isClosed=False, color=(1,), thickness=3)
    return kept & window


def _on_one_border(size: tuple[int, ...], p: Points, q: Points) -> bool:
    """Both places lie on the same side of the window."""
    height, width = size
    return any(
        max(abs(float(p[axis]) - at), abs(float(q[axis]) - at)) <= _RIM
        for axis, at in ((0, 0), (0, width - 1), (1, 0), (1, height - 1))
    )
