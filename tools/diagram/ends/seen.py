"""Whether a line ends in a head, as a small network sees it that was trained on drawn lines (`tests/benchmarks/diagram_ends`).

The rules of `heads` tell what a head is by its profile, and hardly ever see one where none is; heads with barbs, heads smaller
or larger than letters, heads that others touch have other profiles. The network looks at the straightened stretch itself. Where
it is sure of a head there is one, else the rules decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.diagram.ends.crops import crop
from tools.diagram.ends.heads import Ending, Ground
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Net, Points, path_length

WEIGHTS = Path(__file__).parent / "ends.npz"
_SURE, _UNLIKELY = 0.85, 0.5
"""Chances of a head: from which on there is one, and up to which a tip alone, which lines that part have too, makes none."""
_WIDTH_SCALE, _MOST_WIDTH = 3.0, 2.0
_MOST_HIDDEN = 0.25
"""Share of the last stretch that nodes cover where a head can be seen whole."""
_LEAST_SEEN_GLYPHS = 2.0
"""Length of a line from which on its loose end is asked for a head."""
_SHORT_GLYPHS = 4.0
"""Length of a line on whose plain end the other end's head is seen."""
_LEAST_HOLLOW = 0.15
"""Share of the ink along a line's last stretch that is the inside of a hollow head."""

Layers = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def features(cells: NDArray[np.float32], width: float, glyph: float) -> NDArray[np.float32]:
    """What the network is shown: a crop's cells, and the line's width in heights of letters."""
    return np.append(cells.ravel(), min(_WIDTH_SCALE * width / glyph, _MOST_WIDTH)).astype(np.float32)


def mirrored(shown: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The same ends seen from the other side, shape (n, features)."""
    cells = shown[:, :-1].reshape(len(shown), *shape)[..., ::-1]
    return np.hstack([cells.reshape(len(shown), -1), shown[:, -1:]])


def chances(shown: NDArray[np.float32], shape: tuple[int, ...], layers: Layers | None = None) -> NDArray[np.float64]:
    """The chance of a head at each end, shape (n,): the mean of what is seen from both sides."""
    first, first_bias, second, second_bias = layers or _layers()
    sides = [np.maximum(side @ first + first_bias, 0) @ second + second_bias for side in (shown, mirrored(shown, shape))]
    return np.asarray(1 / (1 + np.exp(-(sides[0] + sides[1]) / 2)), np.float64)


@lru_cache(maxsize=1)
def _layers() -> Layers:
    with np.load(WEIGHTS) as kept:
        first, first_bias, second, second_bias = (kept[name].astype(np.float32) for name in ("w1", "b1", "w2", "b2"))
    return first, first_bias, second, second_bias


def seen_ends(net: Net, ground: Ground, vertices: list[int], glyph: float, width: float) -> dict[int, Ending]:
    """What is seen at each loose end, the chance of a head as confidence; left out are spots, and ends along a node's border."""
    crops: dict[int, NDArray[np.float32]] = {}
    for vertex in vertices:
        points: Points = net.onward(vertex, 3 * glyph)
        cells = crop(ground, points, glyph, width)
        if cells is not None and float(cells[2].mean()) <= _MOST_HIDDEN:
            crops[vertex] = cells
    if not crops:
        return {}
    shown = np.stack([features(cells, width, glyph) for cells in crops.values()])
    found = chances(shown, next(iter(crops.values())).shape).tolist()
    hollow = (float(cells[1].sum()) > _LEAST_HOLLOW * float(cells[0].sum()) for cells in crops.values())
    kinds = (Head.triangle if inside else Head.arrow for inside in hollow)
    return {vertex: Ending(kind, chance) for vertex, kind, chance in zip(crops, kinds, found, strict=True)}


def is_seen(net: Net, ground: Ground, vertex: int, glyph: float, width: float) -> bool:
    """The network is sure of a head at that loose end, and the line is long enough to be seen apart from its other end's."""
    points = net.onward(vertex, 3 * glyph)
    seen = seen_ends(net, ground, [vertex], glyph, width) if path_length(points) >= _LEAST_SEEN_GLYPHS * glyph else {}
    return vertex in seen and seen[vertex].confidence >= _SURE


def likely(tips: Iterable[int], seen: dict[int, Ending]) -> set[int]:
    """The ends with a tip that may be a head's, as far as the network was asked: lines that part at a node have a tip as well."""
    return {vertex for vertex in tips if vertex not in seen or seen[vertex].confidence > _UNLIKELY}


def settled(net: Net, endings: dict[int, Ending], seen: dict[int, Ending], glyph: float) -> None:
    """Heads where the rules saw none and the network is sure of one (in place).

    At the plain end of a short line it sees the base of the other end's head, and is not asked where the rules saw that one.
    """
    ruled = {vertex for vertex, found in endings.items() if found.head is not Head.none}
    for vertex, end in seen.items():
        if endings[vertex].head is not Head.none or end.confidence < _SURE:
            continue
        arc = net.arcs[net.meeting[vertex][0]]
        if arc.length > _SHORT_GLYPHS * glyph or net.other(vertex, net.meeting[vertex][0]) not in ruled:
            endings[vertex] = end
