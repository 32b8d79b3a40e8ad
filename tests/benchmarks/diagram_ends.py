"""Trains the network that tells whether a line ends in a head (`tools/diagram/ends.npz`), on lines whose ends are known.

    python -m tests.benchmarks.diagram_ends --keep        trains on all but the held-out looks, prints a table, keeps the network
    python -m tests.benchmarks.diagram_ends --count 40    so many pictures of each family

Each picture is parsed; every loose end that the tracer comes upon is shown to the network as the tracer saw it, and the head that
was drawn there is what it has to say. Looks in `HELD_OUT` and the first pictures of the bench's own families are not trained on.
The same seed gives the same weights.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.diagram_truth.build import build
from tests.benchmarks.diagram_truth.sample import read
from tools.diagram.ends import seen as ends
from tools.diagram.ends.crops import ACROSS, ALONG, crop
from tools.diagram.ends.heads import Ending, Ground, ending
from tools.diagram.ends.seen import Layers, chances, features, mirrored
from tools.diagram.model.graph import Head
from tools.diagram.net import tracer as lines
from tools.diagram.parser import parse_fully
from tools.diagram.picture.opening import open_picture
from tools.diagram.picture.skeleton import Net
from tools.diagram.picture.surfaces import prepare

FAMILIES = {"shuffled": 96, "drawn": 96, "graphviz": 90, "webapp": 66}
HELD_OUT = frozenset({"pencil", "engines"})
MEASURED = {"graphviz": 26, "webapp": 26}
"""Of these families the first pictures are the bench's."""
SHAPE = (3, ALONG, ACROSS)
NEAR_GLYPHS = 1.2
"""How far from where the tracer found an end a line was drawn to."""
HIDDEN, ROUNDS, BATCH, RATE, DECAY, SEED = 24, 60, 64, 3e-3, 3e-4, 15

Shown = NDArray[np.float32]


@dataclass(frozen=True)
class End:
    """What the network is shown, whether a head was drawn there, what the rules say, and the look of the picture."""

    shown: Shown
    headed: bool
    ruled: bool
    look: str


def main() -> None:
    """Collects, trains, tells how good it is on looks left out."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, help="pictures of each family")
    options.add_argument("--keep", action="store_true", help="write the weights into the package")
    chosen = options.parse_args()
    found = [end for family, usual in FAMILIES.items() for end in collected(family, chosen.count or usual)]
    known = [end for end in found if end.look.split("/")[1] not in HELD_OUT]
    layers = trained(np.stack([end.shown for end in known]), np.array([end.headed for end in known], np.float32))
    sys.stdout.write(table(found, layers))
    if chosen.keep:
        kept = dict(zip(("w1", "b1", "w2", "b2"), (layer.astype(np.float16) for layer in layers), strict=True))
        np.savez_compressed(ends.WEIGHTS, **kept)


def collected(family: str, count: int) -> Iterator[End]:
    """The ends in a family's pictures that were drawn with or without a head for certain."""
    for number, folder in enumerate(build(family, count)):
        if number >= MEASURED.get(family, 0):
            yield from _ends_of(folder)


def _ends_of(folder: Path) -> Iterator[End]:
    """The ends of one picture. Where lines with and without a head end at one spot, nobody can say which is meant."""
    given = read(folder)
    drawn = [
        (np.array(edge.path[at]), head is not Head.none)
        for edge in given.gold.edges
        for at, head in ((0, edge.source_head), (-1, edge.target_head))
    ]
    met: list[tuple[NDArray[np.float64], float, Shown, bool]] = []

    def watched(net: Net, ground: Ground, vertices: list[int], glyph: float, width: float) -> dict[int, Ending]:
        for vertex in vertices:
            points = net.onward(vertex, 3 * glyph)
            cells = crop(ground, points, glyph, width)
            if cells is not None:
                ruled = ending(ground, points, glyph, width).head is not Head.none
                met.append((np.array(net.places[vertex]), glyph, features(cells, width, glyph), ruled))
        return {}

    with mock.patch.object(lines, "seen_ends", watched):
        parse_fully(folder / "picture.png")
    scale = prepare(open_picture(folder / "picture.png")).scale
    for place, glyph, shown, ruled in met:
        near = {headed for spot, headed in drawn if np.hypot(*(place / scale - spot)) <= NEAR_GLYPHS * glyph / scale}
        if len(near) == 1:
            yield End(shown, near.pop(), ruled, f"{given.facts['family']}/{given.facts['genre']}")


def trained(shown: Shown, headed: NDArray[np.float32]) -> Layers:
    """The network's weights: one hidden layer, cross entropy, Adam with a falling rate."""
    rng = np.random.default_rng(SEED)
    wide = shown.shape[1]
    weights = [
        rng.normal(0, wide**-0.5, (wide, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.3, HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
    ]
    first, second = [np.zeros_like(weight) for weight in weights], [np.zeros_like(weight) for weight in weights]
    step = 0
    for turn in range(ROUNDS):
        seen, order = varied(shown, rng), rng.permutation(len(shown))
        rate = RATE * (1 - turn / ROUNDS) + 1e-4
        for at in range(0, len(order), BATCH):
            step += 1
            batch = order[at : at + BATCH]
            for index, slope in enumerate(_slopes(weights, seen[batch], headed[batch])):
                first[index] = 0.9 * first[index] + 0.1 * slope
                second[index] = 0.999 * second[index] + 0.001 * slope**2
                way = first[index] / (1 - 0.9**step) / (np.sqrt(second[index] / (1 - 0.999**step)) + 1e-8)
                weights[index] = (weights[index] - rate * way).astype(np.float32)
    return weights[0], weights[1], weights[2], weights[3]


def _slopes(weights: list[Shown], shown: Shown, headed: NDArray[np.float32]) -> list[NDArray[Any]]:
    """How the loss falls with each weight."""
    hidden = np.maximum(shown @ weights[0] + weights[1], 0)
    off = (1 / (1 + np.exp(-(hidden @ weights[2] + weights[3]))) - headed) / len(shown)
    back = np.outer(off, weights[2]) * (hidden > 0)
    return [shown.T @ back + DECAY * weights[0], back.sum(axis=0), hidden.T @ off + DECAY * weights[2], off.sum(keepdims=True)]


def varied(shown: Shown, rng: np.random.Generator) -> Shown:
    """The same ends a cell off, larger or smaller, half of them from the other side."""
    cells = shown[:, :-1].reshape(len(shown), *SHAPE).copy()
    for index in range(len(cells)):
        moved = np.roll(cells[index], tuple(rng.integers(-1, 2, 2)), axis=(1, 2))
        size = rng.uniform(0.75, 1.3)
        along = np.clip(np.round(np.arange(ALONG) / size).astype(int), 0, ALONG - 1)
        across = np.clip(np.round((np.arange(ACROSS) - ACROSS // 2) / size + ACROSS // 2).astype(int), 0, ACROSS - 1)
        cells[index] = moved[:, along][:, :, across]
    same = np.hstack([cells.reshape(len(shown), -1), shown[:, -1:]])
    return np.where(rng.random((len(shown), 1)) < 0.5, same, mirrored(same, SHAPE))


def table(found: list[End], layers: Layers) -> str:
    """By look: ends, heads, and of both the rules and the network how many heads were missed and seen where none is."""
    lines_of = [f"{'look':24} {'ends':>5} {'heads':>5}   rules missed/false   network missed/false"]
    for look in sorted({end.look for end in found}):
        here = [end for end in found if end.look == look]
        told = chances(np.stack([end.shown for end in here]), SHAPE, layers) >= 0.5
        headed, ruled = (np.array([getattr(end, name) for end in here]) for name in ("headed", "ruled"))
        counts = [int(part.sum()) for part in (headed & ~ruled, ~headed & ruled, headed & ~told, ~headed & told)]
        left_out = " (left out)" if look.split("/")[1] in HELD_OUT else ""
        told_of = f"{counts[0]:6} {counts[1]:6}        {counts[2]:6} {counts[3]:6}"
        lines_of.append(f"{look:24} {len(here):5} {int(headed.sum()):5}   {told_of}{left_out}")
    return "\n".join(lines_of) + "\n"


if __name__ == "__main__":
    main()
