"""Dashed and dotted lines made whole before lines are followed.

A dash is a small bar, a dot a small blot; what makes them a line is that they follow each other at one pace. Where such a line
crosses others, a dash grows together with them; where it crosses a text or a frame, dashes were taken out with it. The pace
tells where they were, so the line is drawn on over such places, and at its ends up to what it leads to.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.skeleton import Points
from tools.diagram.picture.surfaces import Mask, pieces

MOST_DASH_GLYPHS = 2.2
_MOST_PACE_GLYPHS = 3.2
_DOT_RATIO = 2.4
"""Longest side in shorter ones up to which a blot has no direction of its own."""
_MOST_GAP_GLYPHS = 1.7
_TURN_DEGREES = 32.0
"""How far a line may turn from one dash to the next."""
_LEAST_CHAIN = 3
_MOST_UNEVEN = 0.4
"""How far a step may be off the pace, as a share of it."""
_STREWN_REACH = 3
"""Pixels around a dot of no line where one that passes may have its own."""
_MOST_MISSING, _MOST_BEYOND = 9, 5
"""Dashes in a row that may be hidden between two stretches of a line, and at its end."""
_JOIN_DEGREES = 24.0
_DASH_SLACK = 1.5
"""Pixels by which dots differ from smoothing alone."""
_LEAST_HIDDEN = 0.7
"""Share of the places of missing dashes where something else is."""
_BESIDE = 2
"""Pixels beside a line's way at which it meets other ink, too."""
_MOST_NEIGHBOURS = 2
"""Dots as near as the next one from which on a dot belongs to a patterned ground."""


@dataclass(frozen=True)
class Bars:
    """Small pieces of ink: middles, unit vectors along them, lengths, widths and whether they have a direction."""

    middles: Points
    axes: Points
    lengths: NDArray[np.float64]
    widths: NDArray[np.float64]
    long: NDArray[np.bool_]


@dataclass
class Chain:
    """Places of the dashes in order, the pace from one to the next (0: not known), length and width of a dash."""

    places: list[Points]
    pace: float
    dash: float
    width: float

    def leaving(self, *, last: bool) -> tuple[Points, Points]:
        """The end's place and the direction in which the line goes on from there."""
        a, b = (self.places[-1], self.places[-2]) if last else (self.places[0], self.places[1])
        way = _unit(a - b)
        if len(self.places) > 2:
            # The line goes on turning as it did, however far from each other the dashes were seen.
            before = _unit(b - (self.places[-3] if last else self.places[2]))
            way = _unit(way + 0.5 * (way - before))
        return a, way


def made_whole(ink: Mask, hidden: Mask, blocked: Mask, width: float, glyph: float) -> Mask:
    """Lines of dashes and dots as unbroken strokes of the lines' width.

    `hidden`: where something was taken out of the ink (texts, frames); `blocked`: the nodes.
    """
    drawn = np.zeros_like(ink)
    found, labels, numbers = bars_of(ink, width, glyph)
    if len(numbers) < _LEAST_CHAIN:
        return drawn
    chains = chains_of(found, glyph)
    if not chains:
        return drawn
    of_bars = np.zeros(int(labels.max()) + 1, np.uint8)
    of_bars[numbers] = 1
    others = ink & (1 - of_bars[labels])
    behind = np.asarray(cv2.dilate(others, np.ones((3, 3), np.uint8)), np.uint8) | hidden
    # Where two such lines cross at a small angle, dots between them are neither's: each goes on over them.
    chains, strewn = _sure(found, chains)
    if not chains:
        return drawn
    for x, y in strewn:
        cv2.circle(behind, (round(x), round(y)), _STREWN_REACH, (1,), cv2.FILLED)
    chains = _joined(chains, behind)
    for chain in chains:
        if len(chain.places) < _LEAST_CHAIN or not chain.pace:
            continue
        ends = [_stop(chain, others, blocked, hidden, last=last) for last in (False, True)]
        line = [*([ends[0]] if ends[0] is not None else []), *chain.places, *([ends[1]] if ends[1] is not None else [])]
        _draw(drawn, line, max(round(chain.width - 0.3), 1))
    return drawn & (1 - blocked)


def _sure(bars: Bars, chains: list[Chain]) -> tuple[list[Chain], list[Points]]:
    """The chains without pairs of dots, and the places of the dots that are in none that is left."""
    kept = [chain for chain in chains if len(chain.places) >= _LEAST_CHAIN or chain.dash > _DOT_RATIO * chain.width]
    taken = {(float(x), float(y)) for chain in kept for x, y in chain.places}
    dots = bars.middles[~bars.long]
    return kept, [place for place in dots if (float(place[0]), float(place[1])) not in taken]


def _draw(drawn: Mask, line: list[Points], thick: int) -> None:
    """Draws a line as thick as that (in place): OpenCV's own are thicker where they slant."""
    points = np.round(np.array(line)).astype(np.int32)
    x, y, w, h = cv2.boundingRect(points)
    left, top = max(x - thick, 0), max(y - thick, 0)
    window = drawn[top : y + h + thick, left : x + w + thick]
    fresh = np.zeros(window.shape, np.uint8)
    cv2.polylines(fresh, [points - np.array([left, top])], isClosed=False, color=(1,), thickness=1)
    window |= np.asarray(cv2.dilate(fresh, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thick, thick))), np.uint8)


def bars_of(ink: Mask, width: float, glyph: float) -> tuple[Bars, NDArray[np.int32], NDArray[np.int64]]:
    """Pieces of ink that may be dashes or dots, the label at each pixel, and the labels of those pieces."""
    count, labels, stats = pieces(ink)
    extent = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    small = (extent <= MOST_DASH_GLYPHS * glyph) & (stats[:, cv2.CC_STAT_AREA] >= 2)
    small[0] = False
    ys, xs = np.nonzero(small[labels])
    member = labels[ys, xs]
    size = np.maximum(np.bincount(member, minlength=count), 1).astype(np.float64)

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(member, weights=values, minlength=count) / size

    mx, my = mean(xs.astype(np.float64)), mean(ys.astype(np.float64))
    dx, dy = xs - mx[member], ys - my[member]
    # Of an even bar the variance along it is a twelfth of its length squared; a pixel has one of a twelfth itself.
    xx, yy, xy = mean(dx * dx) + 1 / 12, mean(dy * dy) + 1 / 12, mean(dx * dy)
    half, root = (xx + yy) / 2, np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    length, across = np.sqrt(12 * (half + root)), np.sqrt(12 * np.maximum(half - root, 0.0))
    turn = 0.5 * np.arctan2(2 * xy, xx - yy)
    full = size >= 0.7 * length * across
    thin = across <= 1.5 * width + 1.2 + 0.12 * length
    numbers = np.flatnonzero(small & full & thin & (length <= MOST_DASH_GLYPHS * glyph))
    bars = Bars(
        np.stack([mx, my], axis=1)[numbers],
        np.stack([np.cos(turn), np.sin(turn)], axis=1)[numbers],
        length[numbers],
        across[numbers],
        (length > _DOT_RATIO * across)[numbers],
    )
    return bars, labels, numbers


def chains_of(bars: Bars, glyph: float, *, around: bool = False) -> list[Chain]:
    """Bars that follow each other at an even pace, those that do `around` to the first one as well, and bars alone."""
    links = _links(bars, glyph)
    seen: set[int] = set()
    chains: list[Chain] = []
    for start in sorted(links, key=lambda bar: (len(links[bar]), bar)):
        if start in seen or (len(links[start]) != 1 and not around):
            continue
        order, at = [start], start
        seen.add(start)
        while (onward := next((n for n in links[at] if n not in seen), None)) is not None:
            order.append(onward)
            seen.add(onward)
            at = onward
        chains += _even(bars, order)
    # A dash alone keeps the pace of the picture's other lines.
    paces = [chain.pace for chain in chains if len(chain.places) >= _LEAST_CHAIN]
    usual = float(np.median(paces)) if paces else 0.0
    return chains + [_alone(bars, n, usual) for n in np.flatnonzero(bars.long).tolist() if n not in links and chains]


def _alone(bars: Bars, number: int, pace: float) -> Chain:
    """One dash, its direction told by two places beside each other."""
    middle, aside = bars.middles[number], 0.1 * bars.axes[number]
    return Chain([middle - aside, middle + aside], pace, float(bars.lengths[number]), float(bars.widths[number]))


def _links(bars: Bars, glyph: float) -> dict[int, list[int]]:
    """For each bar the next one on either side of it, the best fitting pairs first."""
    pairs = _pairs(bars, glyph)
    links: dict[int, list[int]] = {}
    least = -np.cos(np.radians(_TURN_DEGREES))
    for _, a, b in sorted(pairs):
        fits = True
        for first, other in ((a, b), (b, a)):
            way = bars.middles[other] - bars.middles[first]
            before = [bars.middles[n] - bars.middles[first] for n in links.get(first, ())]
            fits &= len(before) < 2 and all(_cosine(way, past) <= least for past in before)
            fits &= all(0.5 <= float(np.hypot(*way)) / max(float(np.hypot(*past)), 1e-6) <= 2.0 for past in before)
        if fits:
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    return links


def _pairs(bars: Bars, glyph: float) -> list[tuple[float, int, int]]:
    """Pairs of bars that may follow each other, with how badly they do."""
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    tree = KDTree(bars.middles)
    near = tree.query_pairs(_MOST_PACE_GLYPHS * glyph, output_type="ndarray")
    if not len(near):
        return []
    a, b = near[:, 0], near[:, 1]
    way = bars.middles[b] - bars.middles[a]
    apart = np.maximum(np.hypot(*way.T), 1e-6)
    gap = apart - (bars.lengths[a] + bars.lengths[b]) / 2
    unit = way / apart[:, None]
    least = np.cos(np.radians(_TURN_DEGREES))
    cosines = [np.where(bars.long[n], np.abs((bars.axes[n] * unit).sum(axis=1)), 1.0) for n in (a, b)]
    sizes = bars.lengths[a] / np.maximum(bars.lengths[b], 1e-6)
    fits = (gap > 0.3) & (gap <= _MOST_GAP_GLYPHS * glyph) & (np.minimum(*cosines) >= least)
    fits &= (sizes <= 2.2) & (sizes >= 1 / 2.2)
    # Dots that stand far apart are no line.
    fits &= (bars.long[a] & bars.long[b]) | (gap <= 1.1 * glyph)
    turned = np.degrees(np.arccos(np.clip(np.minimum(*cosines), -1, 1)))
    price = apart * (1 + turned / 30)
    nearest = np.full(len(bars.middles), np.inf)
    for side in (a, b):
        np.minimum.at(nearest, side[fits], apart[fits])
    alike = fits & (apart <= 1.25 * np.minimum(nearest[a], nearest[b]))
    crowd = np.bincount(np.concatenate([a[alike], b[alike]]), minlength=len(bars.middles))
    grid = (crowd > _MOST_NEIGHBOURS) & ~bars.long
    fits &= ~(grid[a] | grid[b])
    return [(float(p), int(i), int(j)) for p, i, j in zip(price[fits], a[fits], b[fits], strict=True)]


def _unit(way: Points) -> Points:
    return np.asarray(way / max(float(np.hypot(*way)), 1e-6), np.float64)


def _cosine(first: Points, other: Points) -> float:
    return float(first @ other) / max(float(np.hypot(*first) * np.hypot(*other)), 1e-6)


def _even(bars: Bars, order: list[int]) -> list[Chain]:
    """The stretches of a row of bars that keep one pace."""
    if len(order) < 2:
        return []
    places = [bars.middles[n] for n in order]
    steps = np.array([float(np.hypot(*(q - p))) for p, q in itertools.pairwise(places)])
    pace, dash, width = float(np.median(steps)), float(np.median(bars.lengths[order])), float(np.median(bars.widths[order]))
    chains, first = [], 0
    for index in range(len(steps) + 1):
        if index == len(steps) or abs(steps[index] - pace) > _MOST_UNEVEN * pace:
            if index - first >= 1:
                chains.append(Chain(places[first : index + 1], pace, dash, width))
            first = index + 1
    return chains


def _joined(chains: list[Chain], behind: Mask) -> list[Chain]:
    """The chains, those that go on behind something else joined, the best pairs first."""
    used: set[tuple[int, bool]] = set()
    home = list(range(len(chains)))
    rest = dict(enumerate(chains))
    for _, this, other in _continuations(chains, behind):
        a, b = home[this[0]], home[other[0]]
        if a == b or this in used or other in used:
            continue
        used |= {this, other}
        # Which end of the chain as it has become is the end that was priced.
        first = chains[this[0]].places[-1 if this[1] else 0] is rest[a].places[-1]
        second = chains[other[0]].places[-1 if other[1] else 0] is rest[b].places[-1]
        places = [*(rest[a].places if first else rest[a].places[::-1]), *(rest[b].places[::-1] if second else rest[b].places)]
        paces = [chain.pace for chain in (rest[a], rest[b]) if chain.pace]
        dash, width = (rest[a].dash + rest[b].dash) / 2, (rest[a].width + rest[b].width) / 2
        rest[a] = Chain(places, sum(paces) / len(paces), dash, width)
        del rest[b]
        home = [a if at == b else at for at in home]
    return [rest[name] for name in sorted(rest)]


_End = tuple[int, bool]
"""Number of a chain, and whether its last place is meant."""


def _continuations(chains: list[Chain], behind: Mask) -> list[tuple[float, _End, _End]]:
    """Pairs of ends of chains that continue each other, with a price, the best first."""
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    ends: list[_End] = [(number, last) for number in range(len(chains)) for last in (False, True)]
    places = np.array([chains[number].places[-1 if last else 0] for number, last in ends])
    reach = (_MOST_MISSING + 1.3) * max(chain.pace for chain in chains)
    found = []
    for i, j in sorted(KDTree(places).query_pairs(reach)):
        if ends[i][0] != ends[j][0]:
            price = _price(chains[ends[i][0]], chains[ends[j][0]], behind, last=ends[i][1], first=ends[j][1])
            if price is not None:
                found.append((price, ends[i], ends[j]))
    return sorted(found)


def _price(this: Chain, other: Chain, behind: Mask, *, last: bool, first: bool) -> float | None:
    """How badly two chains continue each other at those ends; `None` if they do not."""
    paces = [chain.pace for chain in (this, other) if chain.pace]
    uneven = max(this.dash, other.dash) > 2.0 * min(this.dash, other.dash) + _DASH_SLACK
    if not paces or max(paces) > 1.67 * min(paces) or uneven:
        return None
    pace = sum(paces) / len(paces)
    (p, way), (q, back) = this.leaving(last=last), other.leaving(last=first)
    gap = q - p
    distance = float(np.hypot(*gap))
    worst = min(_cosine(way, gap), _cosine(back, -gap))
    if not 0.5 * pace < distance <= (_MOST_MISSING + 1.3) * pace or worst < np.cos(np.radians(_JOIN_DEGREES)):
        return None
    return distance * (2 - worst) if _are_hidden(p, q, pace, behind) else None


def _are_hidden(p: Points, q: Points, pace: float, behind: Mask) -> bool:
    """Where the dashes between the two places should be there is something else."""
    missing = round(float(np.hypot(*(q - p))) / pace) - 1
    if missing < 1:
        return True
    shares = (np.arange(missing) + 1) / (missing + 1)
    spots = p + shares[:, None] * (q - p)
    xs, ys = np.round(spots).astype(int).T
    return float(behind[ys, xs].mean()) >= _LEAST_HIDDEN


def _stop(chain: Chain, others: Mask, blocked: Mask, hidden: Mask, *, last: bool) -> Points | None:
    """Where the line's end meets other ink or a node; `None` if it meets nothing within about a pace of open ground.

    The last dash has grown together with a head, and is as thin as others: that the line comes by it is enough.
    """
    around = others | blocked
    place, way = chain.leaving(last=last)
    height, width = around.shape
    left = 1.4 * max(chain.pace - 0.5 * chain.dash, 2.0)
    for step in np.arange(0.5 * chain.dash + 0.5, (_MOST_BEYOND + 1.3) * chain.pace, 0.5):
        x, y = np.round(place + way * step).astype(int)
        if left <= 0 or not (0 <= x < width and 0 <= y < height):
            return None
        if around[y, x]:
            return np.asarray(place + way * step, np.float64)
        beside = _beside(others, x, y) if step > chain.dash else None
        if beside is not None:
            return beside
        # Over a text or a frame the line is taken on trust.
        left -= 0.0 if hidden[y, x] else 0.5
    return None


def _beside(others: Mask, x: int, y: int) -> Points | None:
    """The middle of the ink right beside that place."""
    left, top = max(x - _BESIDE, 0), max(y - _BESIDE, 0)
    rows, columns = np.nonzero(others[top : y + _BESIDE + 1, left : x + _BESIDE + 1])
    return np.array([columns.mean() + left, rows.mean() + top]) if len(rows) else None
