"""Lines seen with no head, or with one at each end, in a picture of lines with one: which end the head is at, by comparison.

A head may be half hidden (a curve that enters its node in a step, a neighbour's head upon it) and fit no head's profile, and ink
that stands close by may look like one. How much ink heads add to a line, and how much ends without one have, is known from the
picture's other lines; an end that has as much more than the line's other end as a head would is the one with the head.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from tools.diagram.graph import Head
from tools.diagram.heads import Ending, Ground, extra_ink
from tools.diagram.routes import Route
from tools.diagram.skeleton import Net

_LEAST_LINES = 4
_LEAST_ONE_WAY = 0.7
"""Share of lines with one head from which on the others are looked at again."""
_MORE = 0.35
"""Share of a usual head's ink that an end must have more than the other to be the one with the head."""
_MUCH_MORE = 0.6
_LEAST_HEAD = 2.0
"""Pixels of ink, per pixel of a line's width, that heads add at the least where they can be compared."""


def settle_one_way(net: Net, found: list[Route], endings: dict[int, Ending], ground: Ground, glyph: float, width: float) -> None:
    """Gives a head to one end of lines without any, and takes the weaker one from lines with two (in place)."""
    uses = Counter(end for route in found for end in (route.start, route.stop))
    plain = [route for route in found if uses[route.start] == uses[route.stop] == 1]
    one_way = [route for route in found if _heads(route, endings) == 1]
    if len(found) < _LEAST_LINES or len(one_way) < _LEAST_ONE_WAY * len(found):
        return
    ink = {end: extra_ink(ground, net.onward(end, 3 * glyph), glyph, width) for end in sorted(uses) if end in net.meeting}
    headed = [ink[end] for route in one_way for end in (route.start, route.stop) if end in ink and _has_head(endings, end)]
    bare = [ink[end] for route in one_way for end in (route.start, route.stop) if end in ink and not _has_head(endings, end)]
    if not headed or not bare:
        return
    usual, none = float(np.median(headed)), float(np.median(bare))
    head = usual - none
    if head < _LEAST_HEAD * width:
        return
    kinds = Counter(endings[end].head for route in one_way for end in (route.start, route.stop) if _has_head(endings, end))
    kind = max(sorted(kinds), key=lambda name: kinds[name])
    for route in plain:
        ends = sorted((route.start, route.stop), key=lambda end: ink.get(end, 0.0))
        less, more = (ink.get(end, 0.0) for end in ends)
        if not all(end in ink for end in ends):
            continue
        if _heads(route, endings) == 0 and more - less >= _MORE * head and more >= none + _MORE * head:
            endings[ends[1]] = Ending(kind, 0.5)
        elif _heads(route, endings) == 2 and more - less >= _MUCH_MORE * head and less <= none + (1 - _MUCH_MORE) * head:
            endings[ends[0]] = Ending(Head.none, 0.5)


def _has_head(endings: dict[int, Ending], end: int) -> bool:
    return endings[end].head is not Head.none


def _heads(route: Route, endings: dict[int, Ending]) -> int:
    return _has_head(endings, route.start) + _has_head(endings, route.stop)
