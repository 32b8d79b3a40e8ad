"""Nodes drawn with dashes or dots: nothing is enclosed, but their dashes follow each other around.

Dashes that keep one pace are a stretch of such a border. Where it turns sharply, or where a line has grown together with one of
its dashes, the next stretch begins no farther on than a dash or two: stretches that lead around to the first one are an outline.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.dashes import Chain, bars_of, chains_of
from tools.diagram.picture.masks import Mask
from tools.diagram.picture.skeleton import Points, turn_degrees
from tools.diagram.shapes.outlines import Contour, classify

_LEAST_CHAIN, _LEAST_AROUND = 3, 6
"""Dashes of a stretch that tells what dashes are like in this picture, and of a whole border."""
_ALIKE = 1.6
"""By how much the lengths of dashes, and their paces, differ within one border."""
_REACH_PACES = 3.3
"""How far on the next stretch begins."""
_SIDES_GLYPHS = 1.6, 60.0
"""Shortest and longest side of such a node."""
_LEAST_FIT, _LEAST_HULL = 0.92, 0.8
"""How well a border's hull fits a plain shape, and the share of it that the border encloses."""
_LEAST_RIM, _MOST_WITHIN = 0.85, 0.25
"""Share of the border that is near a dash, and share of the strip right inside it that is ink: letters may come up to it."""
_STRIP = 3.5, 6.0
"""Pixels within the border between which that strip lies."""
_MOST_TURN = 100.0
"""Degrees by which a border turns from one stretch to the way to the next."""
_LEAST_CORNER = 0.4
"""Sine of the smallest angle that makes a corner."""

_End = tuple[int, bool]
"""Number of a stretch, and whether its last dash is meant."""


def dashed_outlines(ink: Mask, width: float, glyph: float) -> list[Contour]:
    """Outlines of plain shapes that dashes or dots stand along. `width`: pixels of a usual line's."""
    bars, _, numbers = bars_of(ink, width, glyph)
    chains = chains_of(bars, glyph, around=True) if len(numbers) >= _LEAST_CHAIN else []
    told = [chain for chain in chains if len(chain.places) >= _LEAST_CHAIN and chain.pace]
    chains = [chain for chain in chains if any(chain is other or _alike(chain, other) for other in told)]
    found = []
    last = np.array(ink.shape[::-1]) - 1
    for ring in _rings(chains):
        # Two stretches' corner may lie beyond the picture's rim.
        corners = np.clip(np.round(np.array(ring)), 0, last).astype(np.int32)
        hull = np.asarray(cv2.convexHull(corners[:, None]), np.int32)
        if _is_border(ink, np.array(ring), hull, glyph):
            found.append(hull)
    return found


def _alike(first: Chain, other: Chain) -> bool:
    pairs = ((first.dash, other.dash), (first.pace or other.pace, other.pace))
    return all(max(pair) <= _ALIKE * min(pair) for pair in pairs)


def _rings(chains: list[Chain]) -> list[list[Points]]:
    """The places along the stretches that lead around to where they began, and the corners between them."""
    following = _following(chains)
    rings, seen = [], set()
    for number in range(len(chains)):
        ring: list[Points] = []
        at: _End | None = (number, True)
        while at is not None and at[0] not in seen:
            seen.add(at[0])
            ring += _along(chains[at[0]], last=at[1])
            onward = following.get(at)
            ring += [] if onward is None else _corner(chains[at[0]], chains[onward[0]], last=at[1], first=onward[1])
            at = None if onward is None else (onward[0], not onward[1])
        if at is not None and at[0] == number and len(ring) >= _LEAST_AROUND:
            rings.append(ring)
    return rings


def _tip(chain: Chain, *, last: bool) -> tuple[Points, Points]:
    """Where the stretch's outermost dash ends, and the direction in which the border goes on from there."""
    place, way = chain.leaving(last=last)
    return place + 0.5 * chain.dash * way, way


def _along(chain: Chain, *, last: bool) -> list[Points]:
    """The places along a stretch towards that end of it, its tips included."""
    first, onward = (_tip(chain, last=end)[0] for end in (not last, last))
    return [first, *(chain.places if last else chain.places[::-1]), onward]


def _corner(this: Chain, other: Chain, *, last: bool, first: bool) -> list[Points]:
    """Where two stretches would meet if both went straight on, if that is a corner between them."""
    (p, way), (q, back) = _tip(this, last=last), _tip(other, last=first)
    across = float(way[0] * back[1] - way[1] * back[0])
    if abs(across) < _LEAST_CORNER:
        return []
    gap = q - p
    on, off = float(gap[0] * back[1] - gap[1] * back[0]) / across, float(gap[0] * way[1] - gap[1] * way[0]) / across
    most = max(this.pace, other.pace)
    return [p + on * way] if 0 < on <= most and 0 < off <= most else []


def _following(chains: list[Chain]) -> dict[_End, _End]:
    """Which stretch's end goes on at which other one, the best fitting pairs first."""
    from scipy.spatial import KDTree  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    ends: list[_End] = [(number, last) for number in range(len(chains)) for last in (False, True)]
    if not ends:
        return {}
    leaving = [_tip(chains[number], last=last) for number, last in ends]
    tips = np.array([place for place, _ in leaving])
    most = max(chain.pace for chain in chains)
    pairs = []
    for i, j in KDTree(tips).query_pairs(_REACH_PACES * most):
        first, other = chains[ends[i][0]], chains[ends[j][0]]
        gap = tips[j] - tips[i]
        apart = float(np.hypot(*gap))
        itself = ends[i][0] == ends[j][0] and len(first.places) < _LEAST_AROUND
        if itself or apart > _REACH_PACES * max(first.pace, other.pace) or not _alike(first, other):
            continue
        # Right at a corner the one may begin where the other has passed it.
        unit = gap / apart if apart > 0.5 * first.pace else leaving[i][1]
        turns = turn_degrees(leaving[i][1], unit), turn_degrees(-leaving[j][1], unit)
        if max(turns) <= _MOST_TURN:
            pairs.append((apart * (1 + sum(turns) / 90), ends[i], ends[j]))
    following: dict[_End, _End] = {}
    for _, a, b in sorted(pairs):
        if a not in following and b not in following:
            following |= {a: b, b: a}
    return following


def _is_border(ink: Mask, ring: Points, hull: Contour, glyph: float) -> bool:
    """The ring encloses a plain shape of a node's size, has dashes all along, and next to nothing right within."""
    _, _, wide, high = cv2.boundingRect(hull)
    area = float(cv2.contourArea(hull))
    if not _SIDES_GLYPHS[0] * glyph <= min(wide, high) <= max(wide, high) <= _SIDES_GLYPHS[1] * glyph:
        return False
    return (
        float(cv2.contourArea(ring.astype(np.float32))) >= _LEAST_HULL * area
        and classify(hull).fit >= _LEAST_FIT
        and _inked(ink, hull, glyph)
    )


def _inked(ink: Mask, hull: Contour, glyph: float) -> bool:
    """There is ink along the whole border, but hardly any in the strip right inside it."""
    x, y, wide, high = cv2.boundingRect(hull)
    reach = max(round(0.5 * glyph), 3)
    left, top = max(x - reach, 0), max(y - reach, 0)
    window = ink[top : y + high + reach, left : x + wide + reach]
    whole = np.zeros_like(window)
    cv2.drawContours(whole, [hull - np.array([left, top])], -1, (1,), cv2.FILLED)
    depth = cv2.distanceTransform(np.pad(whole, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    rim: NDArray[np.bool_] = (depth > 0) & (depth <= 1.5)
    strip = (depth >= _STRIP[0]) & (depth <= _STRIP[1])
    on_rim = window & ((depth <= _STRIP[0]) & (cv2.dilate(whole, np.ones((5, 5), np.uint8)) > 0)).astype(np.uint8)
    near = np.asarray(cv2.dilate(on_rim, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)), np.uint8)
    return bool(strip.any()) and float(near[rim].mean()) >= _LEAST_RIM and float(window[strip].mean()) <= _MOST_WITHIN
