"""Surfaces that JPEG's ringing cut up, put together again.

Eight pixels about a letter tremble too much to be flat, so a flat diamond's ground falls into the pieces above, below and beside
its name, and none of them has the diamond's outline. Between the pieces is no ink, which is how they are told from two nodes.
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
    surfaces: NDArray[np.int32], colours: NDArray[np.float32], sizes: NDArray[np.int32], ink: Mask, paper: int, glyph: float
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Surfaces and their colours, those of one colour made one if they lie in a room with nothing inked between them.

    `surfaces`: (height, width), 0 where none is; `colours`: (count, 3); `sizes`: (count,) pixels. A room that holds the paper is
    left as it is: pale cards with a soft rim lie in it.
    """
    free = np.asarray(cv2.erode(1 - ink, np.ones((3, 3), np.uint8)), np.uint8)
    count, rooms, stats = pieces(free, 4)
    held = (rooms > 0) & (surfaces > 0)
    within: dict[int, list[int]] = {}
    for room, label in np.unique(np.stack([rooms[held], surfaces[held]], axis=1), axis=0).tolist():
        within.setdefault(room, []).append(label)
    within = {room: labels for room, labels in within.items() if paper not in labels}
    homes = _homes(list(within.values()), colours, sizes)
    kept, numbers = np.unique(homes, return_inverse=True)
    numbers = np.asarray(numbers, np.int32).ravel()
    owners = np.zeros(count, np.int32)
    for room, labels in within.items():
        if min(stats[room, 2:4]) <= _MOST_GLYPHS * glyph and len(set(homes[labels].tolist())) == 1:
            owners[room] = numbers[labels[0]]
    joined = numbers[surfaces]
    return np.where(joined == 0, owners[rooms], joined).astype(np.int32), colours[kept]


def _homes(within: list[list[int]], colours: NDArray[np.float32], sizes: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each surface the largest one that it is joined with, which may be itself."""
    from scipy.sparse import coo_array  # noqa: PLC0415  (heavy: only who looks at a packed picture pays for it)
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
