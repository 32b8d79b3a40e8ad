"""Surfaces of a copy that letters cut up, put together again.

Eight pixels about a letter tremble too much to be flat in a packed picture, and in one made smaller letters nearly touch a flat
diamond's border: its ground falls into the pieces above, below and beside its name, and none of them has the diamond's outline.
Between the pieces is no ink, which is how they are told from two nodes.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.masks import Mask, pieces

_SAME_COLOUR = 10.0
"""Levels within which two pieces have one colour: the smaller ones took some of the letters'."""
_MOST_GLYPHS = 6.0
"""Shorter side, in heights of letters, of a room that is filled: a node's. Of larger ones only the pieces are joined."""


def rejoined(
    surfaces: NDArray[np.int32],
    colours: NDArray[np.float32],
    sizes: NDArray[np.int32],
    ink: Mask,
    paper: int,
    glyph: float,
    *,
    soft: bool,
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Surfaces and their colours, those of one colour made one if they lie in a room with nothing inked between them.

    `surfaces`: (height, width), 0 where none is; `colours`: (count, 3); `sizes`: (count,) pixels; `soft`: borders have soft rims,
    as scaling makes them, which are not to be taken for the ground. A room that holds the paper is left as it is: pale cards lie
    in it.
    """
    free = np.asarray(cv2.erode(1 - ink, np.ones((3, 3), np.uint8)), np.uint8)
    _, rooms, stats = pieces(free, 4)
    held = (rooms > 0) & (surfaces > 0)
    within: dict[int, list[int]] = {}
    for room, label in np.unique(np.stack([rooms[held], surfaces[held]], axis=1), axis=0).tolist():
        within.setdefault(room, []).append(label)
    within = {room: labels for room, labels in within.items() if paper not in labels}
    homes = _homes(list(within.values()), colours, sizes)
    kept, numbers = np.unique(homes, return_inverse=True)
    numbers = np.asarray(numbers, np.int32).ravel()
    joined = numbers[surfaces]
    for room, labels in within.items():
        x, y, width, height = (int(value) for value in stats[room, :4])
        whole = len(set(homes[labels].tolist())) == 1 and min(width, height) <= _MOST_GLYPHS * glyph
        if whole and (len(labels) > 1 or not soft):
            part, own = joined[y : y + height, x : x + width], int(numbers[labels[0]])
            bare = (rooms[y : y + height, x : x + width] == room) & (part == 0)
            part[bare & _hull(part == own) if soft else bare] = own
    return joined, colours[kept]


def _homes(within: list[list[int]], colours: NDArray[np.float32], sizes: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each surface the largest one that it is joined with, which may be itself."""
    from scipy.sparse import coo_array  # noqa: PLC0415  (heavy: only who looks at a copy pays for it)
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    links = [(0, 0)]
    for labels in within:
        ordered = sorted(labels, key=lambda label: -int(sizes[label]))
        # The first of them as alike is itself, or a larger one.
        links += [(label, next(other for other in ordered if _alike(colours, label, other))) for label in ordered]
    first, second = np.array(links).T
    _, group = connected_components(coo_array((np.ones(len(links)), (first, second)), shape=(len(colours),) * 2), directed=False)
    by_size = np.argsort(-sizes, kind="stable")
    largest_of = np.zeros(int(group.max()) + 1, np.int32)
    largest_of[group[by_size[::-1]]] = by_size[::-1]
    return largest_of[group]


def _alike(colours: NDArray[np.float32], one: int, other: int) -> bool:
    return float(np.abs(colours[one] - colours[other]).max()) <= _SAME_COLOUR


def _hull(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The smallest convex shape with all of the mask in it: what of a room lies beyond it is the soft rim of its border."""
    rows, columns = np.nonzero(mask)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(filled, cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32)), (1,))
    return filled > 0
