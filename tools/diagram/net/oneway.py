"""Lines seen with no head, or with one at each end, in a picture of lines with one: which end the head is at, by comparison.

A head may be half hidden (a curve that enters its node in a step, a neighbour's head upon it) and fit no head's profile, and ink
that stands close by may look like one. How much ink heads add to a line, and how much ends without one have, is known from the
picture's other lines; an end that has as much more than the line's other end as a head would is the one with the head.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tools.diagram.ends.heads import Ending, Ground, extra_ink
from tools.diagram.lines.remains import Remains
from tools.diagram.model.graph import Head
from tools.diagram.net.routes import Route
from tools.diagram.picture.skeleton import Net

_LEAST_LINES = 4
_LEAST_ONE_WAY = 0.5
"""Share of lines with one head from which on those without are looked at again."""
_LEAST_SINGLE = 0.7
"""The same for those with two heads."""
_LEAST_LENDING = 0.4
"""The same from which on a head where another line's is may be that one's only: bundles have many lines of two heads."""
_MORE = 0.35
"""Share of a usual head's ink that an end must have more than the other to be the one with the head."""
_LEAST_MORE = 0.12
"""The same for an end that has more ink than any that is known to have no head."""
_MUCH_MORE = 0.6
_SHORT_GLYPHS = 0.9
"""How far from its node a line ends that something was written over."""
_COVERED_GLYPHS = 1.5
_LEAST_COVERED = 0.5
"""Share of the last stretch that was covered for its head to be unseen."""
_TOGETHER_GLYPHS = 0.6
_LEAST_HEAD = 2.0
"""Pixels of ink, per pixel of a line's width, that heads add at the least where they can be compared."""


@dataclass(frozen=True)
class _Scale:
    """What heads add in this picture: pixels of ink at an end without one, how many more at one with a head, and their kind."""

    bare: float
    head: float
    kind: Head
    most_bare: float
    """Pixels of ink at the plain end that has most: other lines leave there, too."""


def settle_one_way(
    net: Net, found: list[Route], ports: dict[int, str], endings: dict[int, Ending], ground: Ground, left: Remains, glyph: float
) -> list[dict[int, Ending]]:
    """For each line what its ends are taken for instead, by vertex: a head for one end of lines without, none for one of two."""
    told: list[dict[int, Ending]] = [{} for _ in found]
    one_way = [route for route in found if _heads(route, endings) == 1]
    if len(found) < _LEAST_LINES or len(one_way) < _LEAST_LENDING * len(found):
        return told
    if len(one_way) >= _LEAST_ONE_WAY * len(found):
        _compare(net, found, told, ports, endings, ground, left, glyph)
    tips = [next(end for end in (route.start, route.stop) if _has_head(endings, end)) for route in one_way]
    _give_back(net, found, told, tips, ports, endings, glyph)
    return told


def _compare(
    net: Net, found: list[Route], told: list[dict[int, Ending]], ports: dict[int, str], endings: dict[int, Ending],
    ground: Ground, left: Remains, glyph: float,
) -> None:  # fmt: skip
    """Settles by the ink at their ends the lines without heads and with two (in place)."""
    one_way = [route for route in found if _heads(route, endings) == 1]
    ends = sorted({end for route in found for end in (route.start, route.stop)} & net.meeting.keys())
    ink = {end: extra_ink(ground, net.onward(end, 3 * glyph), glyph, left.width) for end in ends}
    scale = _scale(one_way, endings, ink, left.width)
    hidden = {end for end in ends if _stops_short(net, left, end, glyph)}
    for route, changes in zip(found, told, strict=True):
        if not {route.start, route.stop} <= ink.keys() or ports[route.start] == ports[route.stop]:
            continue
        if _heads(route, endings) == 0:
            at = _missing(route, ink, scale, hidden)
            if at is not None and scale is not None:
                changes[at] = Ending(scale.kind, 0.5)
        elif _heads(route, endings) == 2 and len(one_way) >= _LEAST_SINGLE * len(found):
            at = _surplus(route, ink, scale) if scale is not None else None
            if at is not None:
                changes[at] = Ending(Head.none, 0.5)


def _give_back(
    net: Net, found: list[Route], told: list[dict[int, Ending]], tips: list[int], ports: dict[int, str],
    endings: dict[int, Ending], glyph: float,
) -> None:  # fmt: skip
    """Takes from lines with two heads the one that is another line's (in place); what is left may be lent to a third.

    `tips`: where the lines with one head have it.
    """
    tips = list(tips)
    for _ in range(len(found)):
        changed = False
        for route, changes in zip(found, told, strict=True):
            ends = (route.start, route.stop)
            if changes or _heads(route, endings) != 2 or ports[ends[0]] == ports[ends[1]]:
                continue
            lent = [end for end in ends if _is_borrowed(net, end, tips, ports, glyph)]
            if len(lent) == 1:
                changes[lent[0]] = Ending(Head.none, 0.5)
                tips.append(ends[0] if lent[0] == ends[1] else ends[1])
                changed = True
        if not changed:
            break


def _scale(one_way: list[Route], endings: dict[int, Ending], ink: dict[int, float], width: float) -> _Scale | None:
    """What tells heads from none in this picture; `None` if nothing does."""
    ends = [end for route in one_way for end in (route.start, route.stop) if end in ink]
    headed = [end for end in ends if _has_head(endings, end)]
    bare = [ink[end] for end in ends if not _has_head(endings, end)]
    if not headed or not bare:
        return None
    none = float(np.median(bare))
    usual = float(np.median([ink[end] for end in headed]))
    if usual - none < _LEAST_HEAD * width:
        none = min(ink.values())  # plain ends that lie together show each other's lines
    head = usual - none
    kinds = Counter(endings[end].head for end in headed)
    kind = max(sorted(kinds), key=lambda name: kinds[name])
    return _Scale(none, head, kind, max(bare)) if head >= _LEAST_HEAD * width else None


def _stops_short(net: Net, left: Remains, end: int, glyph: float) -> bool:
    """The line ends well before its node, or its end was covered: what was written there was taken out, perhaps with a head."""
    height, width = left.reach.shape
    points = net.leaving(end, net.meeting[end][0])
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))))
    at = np.arange(0.0, _COVERED_GLYPHS * glyph)
    xs, ys = (
        np.clip(np.round(np.interp(at, along, points[:, k])).astype(int), 0, most - 1) for k, most in ((0, width), (1, height))
    )
    return float(left.reach[ys[0], xs[0]]) > _SHORT_GLYPHS * glyph or float(left.cut[ys, xs].mean()) >= _LEAST_COVERED


def _missing(route: Route, ink: dict[int, float], scale: _Scale | None, hidden: set[int]) -> int | None:
    """The end of a line without heads that one is at."""
    if scale is None:
        return None
    unseen = [end for end in (route.start, route.stop) if end in hidden]
    if len(unseen) == 1:
        return unseen[0]
    less, more = sorted((route.start, route.stop), key=lambda end: ink[end])
    clear = ink[more] - ink[less] >= _MORE * scale.head and ink[more] >= scale.bare + _MORE * scale.head
    # Of a head that a name half covers little is left, but more than any plain end has.
    beyond = min(ink[more] - ink[less], ink[more] - scale.most_bare) >= _LEAST_MORE * scale.head
    return more if clear or beyond else None


def _surplus(route: Route, ink: dict[int, float], scale: _Scale) -> int | None:
    """The end of a line with two heads at which there is hardly the ink of one."""
    less, more = sorted((route.start, route.stop), key=lambda end: ink[end])
    clear = ink[more] - ink[less] >= _MUCH_MORE * scale.head and ink[less] <= scale.bare + (1 - _MUCH_MORE) * scale.head
    return less if clear else None


def _is_borrowed(net: Net, end: int, tips: list[int], ports: dict[int, str], glyph: float) -> bool:
    """A line that has no other head ends there, too: the head is that line's."""
    return any(
        ports[tip] == ports[end]
        and tip in net.places
        and end in net.places
        and float(np.hypot(*np.subtract(net.places[tip], net.places[end]))) <= _TOGETHER_GLYPHS * glyph
        for tip in tips
    )


def _has_head(endings: dict[int, Ending], end: int) -> bool:
    return endings[end].head is not Head.none


def _heads(route: Route, endings: dict[int, Ending]) -> int:
    return _has_head(endings, route.start) + _has_head(endings, route.stop)


def bare_ends(
    net: Net, found: list[Route], endings: dict[int, Ending], ground: Ground, left: Remains, glyph: float
) -> frozenset[int]:
    """The ends that surely have no head: no more ink is there than at other plain ends, and nothing was written over it."""
    one_way = [route for route in found if _heads(route, endings) == 1]
    ends = sorted({end for route in found for end in (route.start, route.stop)} & net.meeting.keys())
    ink = {end: extra_ink(ground, net.onward(end, 3 * glyph), glyph, left.width) for end in ends}
    scale = _scale(one_way, endings, ink, left.width)
    if scale is None:
        return frozenset()
    most = scale.bare + _MORE * scale.head
    plain = [end for end in ends if not _has_head(endings, end) and ink[end] < most]
    return frozenset(end for end in plain if not _stops_short(net, left, end, glyph) and not _at_spike(net, left, end, glyph))


def _at_spike(net: Net, left: Remains, end: int, glyph: float) -> bool:
    """The line ends at a sharp corner of its node: a head there was taken out with what sticks out of the border."""
    if left.spiked is None:
        return False
    x, y = (round(v) for v in net.places[end])
    reach = round(_SHORT_GLYPHS * glyph)
    return bool(left.spiked[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1].any())
