"""What a line ends in, from the ink's width along its last stretch.

At each distance from the tip the ink is measured across the line. A filled arrow grows from the tip and stops at once; a diamond
grows and shrinks; a circle does so roundly; an open arrow is two arms that leave the line at one angle. Hollow heads were filled
before, and the filling is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.diagram.ends.crossed import is_crossed
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Net, Points
from tools.diagram.picture.surfaces import Mask

Profile = NDArray[np.floating[Any]]

_SHORT_GLYPHS = 4.0
_BAR_GLYPHS = 2.2
"""How far from its line's end a cardinality's bar stands."""
HEAD_WIDTHS = 1.6
"""Heads are drawn as large as letters are, or as so many widths of a thick line."""
_MOST_WIDER = 2.0
"""Pixels by which a line may be wider than is usual without being a thick one."""
_LEAST_TAIL, _EVEN_GLYPHS, _MOST_UNEVEN = 4, 0.8, 1.5
"""Places behind a head that tell of the line; how long a stretch, and by how many pixels it varies, where it is evenly thick."""
_HEAD_GLYPHS = 1.3
_HALF_HEAD_GLYPHS = 0.7
"""How far heads reach, along the line and to each side of it."""
_OFF_NODE_GLYPHS = 0.4
"""How far from its node a tip stands that is said to stand off it."""
_SLOPES = tuple(0.35 + 0.08 * step for step in range(12))
"""How fast an open head's arms leave the line, in pixels across per pixel along."""


@dataclass(frozen=True)
class Ending:
    """The head at an end of a line, and how sure that is (0–1)."""

    head: Head
    confidence: float


@dataclass(frozen=True)
class Ground:
    """Where heads are looked for: the ink of the lines, the holes that were filled in it, and where nodes are."""

    ink: Mask
    holes: Mask
    blocked: Mask


def ending(ground: Ground, points: Points, glyph: float, width: float) -> Ending:
    """The head at the beginning of the line `points` (from the tip backwards, some 3 heights of letters long)."""
    glyph = max(glyph, HEAD_WIDTHS * width)
    found = walk(points, ground, glyph)
    if found is None:
        return Ending(Head.none, 0.5)
    places, across = found
    # A short line's other end has a head of its own, which is not this one's.
    length = float(np.hypot(*np.diff(points, axis=0).T).sum())
    if length < 2.9 * glyph:
        half = max(round(1.1 * length + (len(places) - 2 * length)), 6)
        places, across = places[:half], across[:half]
    steps = np.arange(len(places)) * 0.5
    offsets = np.arange(-1.5 * glyph, 1.5 * glyph + 0.5, 0.5, dtype=np.float64)
    rows = places[:, None, :] + offsets[None, :, None] * across[:, None, :]
    sampled, blocked = sample(ground.ink, rows), sample(ground.blocked, rows)
    middle = len(offsets) // 2
    left, right = _run(sampled[:, middle::-1]), _run(sampled[:, middle:])
    left, right = _unhidden(left, right, blocked, middle)
    tail = (left + right)[steps > 1.9 * glyph]
    tail = tail[tail > 0]  # where a label interrupts the line nothing is told of its width
    base = _line_width(tail, width, glyph)
    solid = _solid(sampled, left, right, glyph, base)
    if solid.head is not Head.none:
        at = places[(steps >= 0.25 * glyph) & (steps < 1.3 * glyph)]
        hollow = len(at) > 0 and sample(ground.holes, at).mean() > 0.25
        return Ending(_hollowed(solid.head) if hollow else solid.head, solid.confidence)
    bar = _bar(steps, left, right, glyph, base)
    if bar.head is not Head.none and not is_crossed(sampled, 0, int((steps <= _BAR_GLYPHS * glyph).sum()), base, glyph):
        return bar
    return _open(np.where(blocked > 0, 0, sampled), steps, offsets, glyph, base if base > width + _MOST_WIDER else width)


def _line_width(tail: Profile, usual: float, glyph: float) -> float:
    """How wide the line is behind its head, in pixels: hardly wider than is usual, unless it is evenly so."""
    if len(tail) < _LEAST_TAIL:
        return usual
    low, middle, high = np.percentile(tail, (10, 50, 90))
    even = len(tail) * 0.5 >= _EVEN_GLYPHS * glyph and high - low <= _MOST_UNEVEN
    return float(middle if even else min(middle, usual + _MOST_WIDER))


def extra_ink(ground: Ground, points: Points, glyph: float, width: float) -> float:
    """Pixels of ink beside the line on its last stretch, beyond its own width, where a head would be.

    `points`: as `ending` takes them. Of ink that stands farther off than a head reaches nothing is counted.
    """
    glyph = max(glyph, HEAD_WIDTHS * width)
    found = walk(points, ground, glyph)
    if found is None:
        return 0.0
    places, across = found
    length = float(np.hypot(*np.diff(points, axis=0).T).sum())
    steps = np.arange(len(places)) * 0.5
    # A short line's other half is its other end's.
    half = 0.5 * length + float(steps[-1]) - length if length < 2.9 * glyph else np.inf
    near = steps <= min(_HEAD_GLYPHS * glyph, half)
    if not near.any():
        return 0.0
    offsets = np.arange(-_HALF_HEAD_GLYPHS * glyph, _HALF_HEAD_GLYPHS * glyph + 0.5, 0.5, dtype=np.float64)
    rows = places[near][:, None, :] + offsets[None, :, None] * across[near][:, None, :]
    inked = sample(ground.ink, rows) & (1 - sample(ground.blocked, rows))
    return float(np.maximum(0.5 * inked.sum(axis=1) - width, 0.0).sum()) * 0.5


def is_headed(net: Net, ground: Ground, vertex: int, glyph: float, width: float) -> bool:
    """The loose end has a head; on a short line with a head at its other end that one is all that is seen from here.

    A bar across the line is none that points at anything, and likely the base of the head at the other end.
    """
    if ending(ground, net.onward(vertex, 3 * glyph), glyph, width).head in {Head.none, Head.bar}:
        return False
    number = net.meeting[vertex][0]
    other = net.other(vertex, number)
    if net.arcs[number].length > _SHORT_GLYPHS * glyph or len(net.meeting[other]) != 1:
        return True
    return ending(ground, net.onward(other, 3 * glyph), glyph, width).head is Head.none


def walk(points: Points, ground: Ground, glyph: float) -> tuple[Points, Points] | None:
    """Places every half pixel from the node's border back along the line, and the unit vector across it at each.

    The line bends (an elbow often stands right behind the head), so the profile follows it. Where the tip stands off the node
    (layouts end lines at the box around a round shape) the places begin at the tip.
    """
    blocked = ground.blocked
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    total = float(along[-1])
    if total < 0.5 * glyph:
        return None
    at = np.arange(0.0, min(total, 3.2 * glyph), 0.5)
    line = np.stack([np.interp(at, along, points[:, k]) for k in range(2)], axis=1)
    # Skeletons tremble where a head is wide: the axis is smoothed over a third of a letter.
    span = max(round(0.7 * glyph), 3)
    padded = np.pad(line, ((span, span), (0, 0)), mode="reflect", reflect_type="odd")
    kernel = np.ones(2 * span + 1) / (2 * span + 1)
    line = np.stack([np.convolve(padded[:, k], kernel, mode="valid") for k in range(2)], axis=1)
    first = line[0] - line[min(round(1.2 * glyph), len(line) - 1)]
    size = float(np.hypot(*first))
    if size < 0.5:
        return None
    ahead = line[0] + first / size * np.arange(0.5, 2.6 * glyph, 0.5)[:, None]
    hit = np.flatnonzero(sample(blocked, ahead))
    # Skeletons end before the ink does: where no node is ahead the tip is where the ink ends.
    inked = sample(ground.ink, ahead) == 0
    reached = int(hit[0]) if len(hit) else int(np.argmax(inked)) if inked.any() else 0
    line = np.vstack([ahead[:reached][::-1], line])
    inside = np.flatnonzero(sample(blocked, line[: round(2 * glyph)]))
    # A short line may end in another node, where the last of these places lie.
    if len(inside) and int(inside[-1]) + 1 < len(line) - 4:
        line = line[int(inside[-1]) + 1 :]
    line = np.asarray(line, np.float64)
    line = line[_bare(ground, line, glyph) :]
    reach = max(round(0.5 * glyph), 2)
    padded = np.pad(line, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    tangent = padded[2 * reach :] - padded[: -2 * reach]
    tangent /= np.maximum(np.hypot(*tangent.T), 1e-6)[:, None]
    return line.astype(np.float64), np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)


def _bare(ground: Ground, line: Points, glyph: float) -> int:
    """How many places at the beginning have no ink about them, less a pixel's; 0 where the tip is at the node or nearly."""
    about = np.arange(-1, 2)
    square = np.stack(np.meshgrid(about, about), axis=-1).reshape(1, -1, 2)
    inked = np.flatnonzero(sample(ground.ink, line[:, None, :] + square).any(axis=1))
    bare = int(inked[0]) if len(inked) else 0
    return bare - 2 if 0.5 * bare > _OFF_NODE_GLYPHS * glyph and bare < len(line) - 4 else 0


def _hollowed(head: Head) -> Head:
    return {Head.arrow: Head.triangle, Head.filled_diamond: Head.diamond}.get(head, head)


def sample(mask: NDArray[np.uint8], places: NDArray[Any]) -> NDArray[np.uint8]:
    """The mask at the nearest pixel of each place, shape (…, 2)."""
    height, width = mask.shape[:2]
    xs = np.clip(np.round(places[..., 0]).astype(int), 0, width - 1)
    ys = np.clip(np.round(places[..., 1]).astype(int), 0, height - 1)
    return mask[ys, xs]


def _run(rows: NDArray[np.uint8]) -> Profile:
    """How far ink goes on from the first column, in pixels; one empty sample at the start is forgiven."""
    filled = rows.copy()
    filled[:, 0] |= filled[:, 1]
    stops = np.argmin(np.pad(filled, ((0, 0), (0, 1))), axis=1)
    return stops * 0.5


def _unhidden(left: Profile, right: Profile, blocked: NDArray[np.uint8], middle: int) -> tuple[Profile, Profile]:
    """The ink to each side; where the node hides one side of the tip (some lines run along borders) as much as to the other."""
    rows, last = np.arange(len(left)), blocked.shape[1] - 1
    stops = (middle - np.round(2 * left).astype(int), middle + np.round(2 * right).astype(int))
    hidden = [blocked[rows, np.clip(stop, 0, last)] > 0 for stop in stops]
    return (
        np.where(hidden[0] & ~hidden[1], np.maximum(left, right), left),
        np.where(hidden[1] & ~hidden[0], np.maximum(left, right), right),
    )


def _solid(sampled: NDArray[np.uint8], left: Profile, right: Profile, glyph: float, base: float) -> Ending:
    """A head that is filled: both sides widen away from the tip, and the widening ends.

    What is widest right at the node and only shrinks is no head but a handle, a pin, or a corner of the node's border.
    """
    spread, steps = left + right, np.arange(len(left)) * 0.5
    sides = np.minimum(left, right) + np.minimum(0.5 * np.abs(left - right), 1.5)
    fitting = (steps <= 2.1 * glyph) & (np.maximum(left, right) <= 1.15 * glyph)
    if float(spread[steps <= 1.5].max()) >= base + 1.5:
        fitting &= np.arange(len(steps)) >= _knob(spread[steps <= 0.75 * glyph])
    wide = fitting & (spread >= base + max(1.8, 0.2 * glyph)) & (sides >= 0.5 * base + max(0.7, 0.1 * glyph))
    best = Ending(Head.none, 0.9)
    for start, stop in _stretches(wide):
        if float(steps[stop - 1]) < 0.35 * glyph or (stop - start) * 0.5 < 0.2 * glyph or _is_sudden(spread, start, stop, base):
            continue
        zone = spread[start:stop]
        peak = start + int(np.flatnonzero(zone >= 0.94 * zone.max())[-1])
        top = float(spread[peak])
        before = np.where(fitting[: peak + 1] & (steps[: peak + 1] >= 1.5), spread[: peak + 1], 0.0)
        lowest = float(before[before > 0].min()) if (before > 0).any() else top
        most = 0.78 if float(steps[stop - 1]) >= 0.55 * glyph else 0.6
        if lowest > most * top or float(steps[peak]) < 0.22 * glyph:
            continue
        if _fans_out(sampled, peak, (left, right), base, glyph) or is_crossed(sampled, start, stop, base, glyph):
            continue
        half = base + 0.5 * (top - base)
        low = np.flatnonzero(spread[: peak + 1] < half)
        after = np.flatnonzero(spread[peak:] < half)
        if not len(after):
            continue
        rise = float(steps[peak] - steps[low[-1]]) if len(low) else float(steps[peak])
        fall = float(steps[peak + after[0]] - steps[peak])
        if fall > 1.8 * rise + 1.0:
            continue
        sure = min(0.6 + 0.4 * (top - base) / glyph, 1.0)
        if fall > 2.0 and fall > 0.6 * rise:
            first = spread[: max(round(0.45 * (peak + 1)), 1)]
            best = Ending(Head.circle if float(first.max()) >= 0.78 * top else Head.filled_diamond, sure * 0.9)
        else:
            best = Ending(Head.arrow, sure)
        break
    return best


def _fans_out(sampled: NDArray[np.uint8], peak: int, sides: tuple[Profile, Profile], base: float, glyph: float) -> bool:
    """Behind the widest place the ink goes on at the corners: lines that part there, not a head.

    One corner is enough where the place is no wider than two lines beside each other.
    """
    middle = sampled.shape[1] // 2
    behind = slice(min(peak + round(0.5 * glyph), len(sampled) - 2), min(peak + round(0.9 * glyph), len(sampled) - 1))
    corners = []
    for side, way in zip(sides, (-1, 1), strict=True):
        reach = float(side[peak])
        first, last = round(0.6 * reach * 2), round((1.6 * reach + 1.5) * 2)
        columns = middle + way * np.arange(max(first, 2), min(last, middle))
        corners.append(bool(len(columns)) and bool(sampled[behind][:, columns].any(axis=1).all()))
    return all(corners) or (any(corners) and float(sides[0][peak] + sides[1][peak]) <= 2.2 * base + 2.0)


def _is_sudden(spread: Profile, start: int, stop: int, base: float) -> bool:
    """The ink is wide for no longer than a stroke and narrow right before and behind: a stroke across, which no head is."""
    if (stop - start) * 0.5 > base + 1.0 or start < 2 or stop + 1 >= len(spread):
        return False
    return float(spread[start - 2]) <= base + 0.5 and float(spread[stop + 1]) <= base + 0.5


def _knob(spread: Profile) -> int:
    """Where the shrinking that begins at the node ends, as an index; 0 if the profile grows from there."""
    widest = int(np.argmax(spread[:4]))
    at = widest
    while at + 1 < len(spread) and spread[at + 1] <= spread[at] + 0.5 and spread[at + 1] <= spread[widest]:
        at += 1
    return at if spread[at] <= 0.7 * spread[widest] else 0


def _stretches(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and one past the last index of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _bar(steps: Profile, left: Profile, right: Profile, glyph: float, base: float) -> Ending:
    """A short stroke across the line near its end, alone or one of several: a cardinality's bar."""
    across = (steps <= _BAR_GLYPHS * glyph) & (np.minimum(left, right) >= 0.5 * base + 0.25 * glyph)
    for start, stop in _stretches(across):
        reach = float(max(left[start:stop].max(), right[start:stop].max()))
        even = abs(float(left[start:stop].max() - right[start:stop].max())) <= 0.35 * reach
        sudden = start > 3 and float(left[start - 3] + right[start - 3]) <= reach
        if (stop - start) * 0.5 <= base + 0.35 * glyph and reach <= 1.1 * glyph and even and sudden:
            return Ending(Head.bar, 0.7)
    return Ending(Head.none, 0.85)


def _open(sampled: NDArray[np.uint8], steps: Profile, offsets: Profile, glyph: float, width: float) -> Ending:
    """Two arms that leave the tip at one angle, end together, and do not run on."""
    best = 0.0
    thick = np.maximum(sampled, np.maximum(np.roll(sampled, 1, axis=1), np.roll(sampled, -1, axis=1)))
    for slope in _SLOPES:
        for length in (0.6 * glyph, 0.9 * glyph, 1.3 * glyph, 1.7 * glyph, 2.1 * glyph):
            lead = 1.0 + width
            inside = (steps >= lead / slope) & (steps <= length)
            beyond = (steps >= length + 4) & (steps <= length + 4 + 0.5 * glyph)
            reach = slope * length
            if inside.sum() < 4 or reach < 2.5 or reach > 1.3 * glyph:
                continue
            arms = [_on_arm(thick, steps[inside], offsets, inside, side * slope) for side in (1, -1)]
            on = [_on_arm(thick, steps[beyond], offsets, beyond, side * slope) for side in (1, -1)]
            if min(arms) >= 0.85 and max(on) < 0.5:
                best = max(best, min(arms))
    return Ending(Head.arrow, 0.6 + 0.3 * best) if best else Ending(Head.none, 0.85)


def _on_arm(sampled: NDArray[np.uint8], at: Profile, offsets: Profile, rows: NDArray[np.bool_], slope: float) -> float:
    """Share of the rows with ink where the arm should be."""
    columns = np.round((at * slope - offsets[0]) / (offsets[1] - offsets[0])).astype(int)
    fitting = (columns >= 0) & (columns < len(offsets))
    if not fitting.any():
        return 0.0
    return float(sampled[np.flatnonzero(rows)[fitting], columns[fitting]].mean())
