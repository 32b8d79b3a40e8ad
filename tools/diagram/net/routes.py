"""Which ends of the net belong together: one line each, through crossings straight on, and along buses from root to branches.

Every port is the end of one line. Within each connected piece of the net the ports are paired so that the lines turn as little as
possible where they meet others (a matching of least weight); ports that are left over share a line that branches.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tools.diagram.ends.meetings import is_square
from tools.diagram.net.assignment import assigned
from tools.diagram.picture.skeleton import Net, Points, direction, path_length, turn_degrees

MOST_PORTS = 160
"""Ports of one piece of the net beyond which they are not paired (a hairball)."""

_CORNER_GLYPHS = 0.6
"""How far from a junction the rounded corners of lines that join there reach."""
_TURNED_BACK = 6.0
"""Price of a line without heads that leaves both of its nodes to the same side, where others join it."""
_LEAST_NOTCH_DEGREES = 40.0
_LEAST_ARC_GLYPHS, _LEAST_CURVE_GLYPHS = 1.5, 4.0
"""Length of an arc that some line must run along: of lines along rows and columns, and of curves, which tremble at crossings."""
_MOST_WAVE_DEGREES = 15.0
_LOOPED = 10.0
"""Price of a line from a node to itself where others join it."""
_STEM, _LEAST_T_GLYPHS = 1.5, 0.8
"""Price of a turn out of a T's stem, and how long its three arms are at the least."""
_LEAST_DIRECTED, _NO_HEAD_AT_ALL = 0.6, 12.0
"""Share of the net's pieces that have heads from which on every line has one, and the price of one without where all have."""


@dataclass(frozen=True)
class Route:
    """A way from one port to another: vertices, arcs in order, the line, and what its turns cost."""

    start: int
    stop: int
    arcs: tuple[int, ...]
    points: Points
    cost: float
    shared: bool = False
    """It runs along arcs that another route has claimed: a branch of a bus."""


def routes(net: Net, ends: list[int], heads: set[int], glyph: float, owners: Mapping[int, str] | None = None) -> list[Route]:
    """Lines between the ends (ports and other loose ends), `heads` being those that carry a head, `owners` what they are at."""
    pieces = [[vertex for vertex in ends if vertex in members] for members in _pieces(net)]
    # What leads from a node to itself alone is a rest of its border.
    plain = _price_of_plain([here for here in pieces if len({(owners or {}).get(end, str(end)) for end in here}) > 1], heads)
    fair = [here for here in pieces if 2 <= len(here) <= MOST_PORTS]
    return [route for here in fair for route in _of_piece(net, here, heads, plain, glyph, owners or {})]


def _price_of_plain(pieces: list[list[int]], heads: set[int]) -> float | None:
    """What a line without heads costs where some are about; `None` if the picture does not tell.

    Where every piece of the net has a head, two ends without one are no line, but belong to two lines that share one.
    """
    counts = [(len(here), sum(end in heads for end in here)) for here in pieces if len(here) > 1]
    weights = [(1 if size == 2 else 2, min(found, 1)) for size, found in counts if found < size]
    share = (sum(weight * found for weight, found in weights) + 1) / (sum(weight for weight, _ in weights) + 2)
    return _NO_HEAD_AT_ALL * (share - _LEAST_DIRECTED) / (1 - _LEAST_DIRECTED) if share > _LEAST_DIRECTED else None


def _pieces(net: Net) -> list[set[int]]:
    seen: set[int] = set()
    pieces = []
    for vertex in sorted(net.meeting):
        if vertex in seen:
            continue
        piece, stack = {vertex}, [vertex]
        while stack:
            at = stack.pop()
            for number in net.meeting[at]:
                other = net.other(at, number)
                if other not in piece:
                    piece.add(other)
                    stack.append(other)
        seen |= piece
        pieces.append(piece)
    return pieces


def _of_piece(
    net: Net, ends: list[int], heads: set[int], plain: float | None, glyph: float, owners: Mapping[int, str]
) -> list[Route]:
    ways = {}
    for start in ends:
        for route in _from(net, start, set(ends), glyph):
            key = (min(start, route.stop), max(start, route.stop))
            looped = len(ends) > 2 and start in owners and owners[start] == owners.get(route.stop)
            priced = replace(route, cost=route.cost + _LOOPED) if looped else route
            if key not in ways or priced.cost < ways[key].cost:
                ways[key] = priced
    headed = any(end in heads for end in ends)
    if not headed and len(ends) > 2:
        ways = {key: replace(way, cost=way.cost + _TURNED_BACK) if _turns_back(way) else way for key, way in ways.items()}
    chosen = _paired(ends, ways, heads)
    alone = set(ends) - {end for route in chosen for end in (route.start, route.stop)}
    root = _root(ends, heads, net) if len(ends) > 2 else None
    bus = _is_bus(chosen, ends, heads) and (headed or root is not None)
    if bus or (alone and root is not None and _all_reached(root, ends, ways)):
        chosen = []
    elif len(ends) > 2:
        together = _decided(net, ends, ways, heads, plain, glyph)
        if together is not None:
            bundled = not headed and all(_squarish(route) for route in together)
            least = _LEAST_ARC_GLYPHS if bundled else _LEAST_CURVE_GLYPHS
            return together + ([] if headed else _unexplained(net, ends, ways, together, heads, least * glyph))
    chosen = chosen + _branches(ends, ways, chosen, heads, net)
    return chosen + _unexplained(net, ends, ways, chosen, heads, _LEAST_ARC_GLYPHS * glyph)


def _decided(
    net: Net, ends: list[int], ways: dict[tuple[int, int], Route], heads: set[int], plain: float | None, glyph: float
) -> list[Route] | None:
    """The lines of the piece, decided together; `None` if that cannot be done."""
    lengths = {number: net.arcs[number].length for way in ways.values() for number in way.arcs}
    keys = assigned(ends, {key: (way.cost, way.arcs) for key, way in ways.items()}, heads, lengths, glyph, plain)
    if keys is None:
        return None
    uses = Counter(end for key in keys for end in key)
    return [replace(ways[key], shared=uses[key[0]] + uses[key[1]] > 2) for key in keys]


def _unexplained(
    net: Net, ends: list[int], ways: dict[tuple[int, int], Route], chosen: list[Route], heads: set[int], least: float
) -> list[Route]:
    """Lines for arcs that no line runs along yet: the smoothest one there that leads from a plain end to a head.

    Lines that share their first or last stretch have fewer ends than there are lines. `least`: pixels of the shortest such arc.
    """
    reached = {number for route in chosen for number in route.arcs}
    taken = {(min(route.start, route.stop), max(route.start, route.stop)) for route in chosen}
    members = {number for end in ends for number in net.meeting[end]} | {n for way in ways.values() for n in way.arcs}
    directed = any(end in heads for end in ends)
    added: list[Route] = []
    for number in sorted(members - reached, key=lambda n: (-net.arcs[n].length, n)):
        if number in reached or net.arcs[number].length < least:
            continue
        fitting = {key for key in ways if key not in taken and (not directed or (key[0] in heads) != (key[1] in heads))}
        options = [way for key, way in ways.items() if key in fitting and number in way.arcs and way.cost < 7.0]
        if options:
            best = min(options, key=lambda way: (way.cost, way.start, way.stop))
            added.append(Route(best.start, best.stop, best.arcs, best.points, best.cost, shared=True))
            reached |= set(best.arcs)
            taken.add((min(best.start, best.stop), max(best.start, best.stop)))
    return added


def _all_reached(root: int, ends: list[int], ways: dict[tuple[int, int], Route]) -> bool:
    """Every other end has a cheap way to the root."""
    return all((min(root, e), max(root, e)) in ways and ways[min(root, e), max(root, e)].cost < 34 for e in ends if e != root)


def _from(net: Net, start: int, ends: set[int], glyph: float) -> list[Route]:
    """Cheapest way from a port to each other one; the state is an arc and the vertex it is travelled to.

    Where two lines lie on each other for a short stretch, the turn is measured from before it to after it: into and out of the
    shared stretch all ways are alike, and only the direction that was carried along tells which line goes where.
    """
    first = net.meeting[start][0]
    queue: list[tuple[float, int, int, int]] = []
    tie = itertools.count()
    state = (first, net.other(start, first))
    before: dict[tuple[int, int], tuple[int, int] | None] = {state: None}
    carried: dict[tuple[int, int], Points | None] = {state: None}
    best = {state: 0.0}
    heapq.heappush(queue, (0.0, next(tie), *state))
    found: dict[int, Route] = {}
    while queue:
        cost, _, number, vertex = heapq.heappop(queue)
        if cost > best.get((number, vertex), np.inf):
            continue
        if vertex in ends and vertex != start and vertex not in found:
            found[vertex] = _route(net, start, vertex, (number, vertex), before, cost)
            continue
        if cost > 40:
            break
        passed = {arc for arc, _ in _chain((number, vertex), before)}
        for onward in dict.fromkeys(net.meeting[vertex]):
            # A line does not run back over itself, as a way around a ring would.
            if onward in passed:
                continue
            after = net.other(vertex, onward)
            turn, heading = _turn_cost(net, vertex, number, onward, carried[number, vertex], glyph)
            price = cost + turn + net.arcs[onward].length * 1e-4
            if price < best.get((onward, after), np.inf):
                best[onward, after] = price
                before[onward, after] = (number, vertex)
                carried[onward, after] = heading
                heapq.heappush(queue, (price, next(tie), onward, after))
    return list(found.values())


def _route(
    net: Net, start: int, stop: int, state: tuple[int, int], before: dict[tuple[int, int], tuple[int, int] | None], cost: float
) -> Route:
    chain = _chain(state, before)
    vertex, points = start, []
    for number, end in chain:
        points.append(
            net.leaving(vertex, number) if net.arcs[number].ends[0] != net.arcs[number].ends[1] else net.arcs[number].points
        )
        vertex = end
    return Route(start, stop, tuple(number for number, _ in chain), np.vstack(points), cost)


def _chain(state: tuple[int, int], before: dict[tuple[int, int], tuple[int, int] | None]) -> list[tuple[int, int]]:
    """The states from the way's beginning to that one."""
    chain: list[tuple[int, int]] = []
    at: tuple[int, int] | None = state
    while at is not None:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def _turn_cost(
    net: Net, vertex: int, coming: int, going: int, carried: Points | None, glyph: float
) -> tuple[float, Points | None]:
    """What it costs to go from one arc into another, and the heading to carry on if the second is a short stretch.

    Nothing straight on, 1 at 30°, 9 at 90°; turning back is forbidden.
    """
    reach, skip = 1.6 * glyph, 0.45 * glyph
    before, after = direction(net.leaving(vertex, coming), reach, skip), direction(net.leaving(vertex, going), reach, skip)
    heading = carried if carried is not None else (-before if before is not None else None)
    short = net.arcs[going].length < 3.5 * glyph and len(net.meeting[net.other(vertex, going)]) >= 3
    if before is None or after is None:
        return 0.5, heading if short else None
    turn = turn_degrees(-before, after)
    if turn > 55 and _at_stem(net, vertex, coming, going, glyph):
        return _STEM, None
    if turn > 55 and is_square(before) and is_square(after):
        turn = _rounded(net, vertex, coming, going, turn, glyph)
    elif is_square(before) and is_square(after):
        turn = max(turn, _off_straight(net, vertex, coming, going, glyph))
    if turn > 115:
        return 60.0, None
    if carried is not None:
        turn = max(turn_degrees(carried, after), 0.5 * turn)
    if short and heading is not None:
        return 0.25 * (turn / 30.0) ** 2, heading
    return (turn / 30.0) ** 2, None


def _at_stem(net: Net, vertex: int, coming: int, going: int, glyph: float) -> bool:
    """One of the two is the stem of a T of sharp corners: what comes along it has to turn, to whichever side."""
    meeting = net.meeting[vertex]
    if len(set(meeting)) != 3:
        return False
    (third,) = set(meeting) - {coming, going}
    arms = (coming, going, third)
    ways = [
        way for n in arms if (way := direction(net.leaving(vertex, n), 1.6 * glyph, 0.2 * glyph)) is not None and is_square(way)
    ]
    if len(ways) < len(arms) or min(net.arcs[number].length for number in arms) < _LEAST_T_GLYPHS * glyph:
        return False
    straight = sorted(turn_degrees(-way, ways[2]) for way in ways[:2])
    return straight[0] <= _MOST_WAVE_DEGREES and straight[1] > 90 - _MOST_WAVE_DEGREES


def _rounded(net: Net, vertex: int, coming: int, going: int, turn: float, glyph: float) -> float:
    """The turn at the junction itself: a line that branches off in a rounded corner leaves smoothly one way only.

    Corners are rounded where lines run along rows and columns; where curves cross, skeletons tremble as much as this looks at.
    """
    lines = [net.leaving(vertex, number) for number in (coming, going)]
    before, after = (direction(line, 0.8 * glyph, _first_step(line)) for line in lines)
    if before is None or after is None:
        return turn
    close = turn_degrees(-before, after)
    return close if close < turn - 15 or close > 115 else turn


def _first_step(line: Points) -> float:
    """Where junctions were made one, the first step leads from the middle between them to where the line begins."""
    return float(np.hypot(*(line[1] - line[0])))


def _off_straight(net: Net, vertex: int, coming: int, going: int, glyph: float) -> float:
    """The turn at the junction of two stretches that lie in one row or column; 0 if they go straight through it.

    Two lines that join a third in rounded corners, one from each side, leave a notch between them that no line runs through.
    """
    first, second = (net.leaving(vertex, number) for number in (coming, going))
    far = direction(first, 1.6 * glyph, _CORNER_GLYPHS * glyph), direction(second, 1.6 * glyph, _CORNER_GLYPHS * glyph)
    before, after = (direction(line, _CORNER_GLYPHS * glyph) for line in (first, second))
    if before is None or after is None or far[0] is None or far[1] is None or turn_degrees(-far[0], far[1]) > _MOST_WAVE_DEGREES:
        return 0.0
    close = turn_degrees(-before, after)
    # In a crossing the skeleton trembles to either side; a corner bends both stretches to the same one.
    return close if close > _LEAST_NOTCH_DEGREES else 0.0


def _paired(ends: list[int], ways: dict[tuple[int, int], Route], heads: set[int]) -> list[Route]:
    """The pairing of least cost; a port may stay alone. Where heads are about, lines with none are less likely."""
    import networkx as nx  # noqa: PLC0415  (heavy: only who traces lines pays for it)

    if len(ends) == 2:
        return [route for route in ways.values() if route.cost < 40]
    graph = nx.Graph()
    plain = 2.0 if 3 * len(heads & set(ends)) >= len(ends) else 0.0
    for (a, b), route in sorted(ways.items()):
        penalty = 3.5 if a in heads and b in heads else plain if a not in heads and b not in heads else 0.0
        worth = 6.0 - route.cost - penalty
        if worth > 0:
            graph.add_edge(a, b, weight=round(worth * 10_000))
    pairs = nx.max_weight_matching(graph)
    return [ways[min(a, b), max(a, b)] for a, b in sorted(tuple(sorted(pair)) for pair in pairs)]


def _is_bus(chosen: list[Route], ends: list[int], heads: set[int]) -> bool:
    """A pairing joins two ends of one kind that leave to the same side, through a junction: that is a bus, not a line."""
    for route in chosen:
        if len(route.arcs) < 2 or len(ends) < 3:
            continue
        alike = (route.start in heads) == (route.stop in heads)
        if alike and _turns_back(route):
            return True
    return False


def _turns_back(route: Route) -> bool:
    """Both ends leave to the same side along rows and columns: of several lines without heads, such a one joins none of them."""
    a, b = direction(route.points, 12.0), direction(route.points[::-1], 12.0)
    return a is not None and b is not None and turn_degrees(a, b) < 30 and _squarish(route)


def _squarish(route: Route) -> bool:
    """The line runs along rows and columns for most of its length."""
    steps = np.diff(route.points[::3], axis=0) if len(route.points) > 6 else np.diff(route.points, axis=0)
    size = np.hypot(*steps.T)
    straight = np.minimum(np.abs(steps[:, 0]), np.abs(steps[:, 1])) <= 0.2 * size + 1e-6
    return float(size[straight].sum()) >= 0.75 * max(float(size.sum()), 1e-6)


def _branches(ends: list[int], ways: dict[tuple[int, int], Route], chosen: list[Route], heads: set[int], net: Net) -> list[Route]:
    """Lines for the ends that no pairing has used: each to the partner that is cheapest to reach and of the other kind."""
    paired = {end for route in chosen for end in (route.start, route.stop)}
    left = [end for end in ends if end not in paired]
    if not left:
        return []
    plain = [end for end in ends if end not in heads]
    root = _root(ends, heads, net) if not chosen else None
    added = []
    for end in left:
        if end == root:
            continue
        partners = (
            [root] if root is not None else ([p for p in plain if p != end] if end in heads else [p for p in ends if p in heads])
        )
        options = [ways[key] for p in partners if (key := (min(end, p), max(end, p))) in ways]
        options = [route for route in options if route.cost < 34]
        if options:
            best = min(options, key=lambda route: (route.cost + 1e-3 * path_length(route.points), route.start, route.stop))
            added.append(Route(best.start, best.stop, best.arcs, best.points, best.cost, shared=True))
    unique = {(min(r.start, r.stop), max(r.start, r.stop)): r for r in added}
    return list(unique.values())


def _root(ends: list[int], heads: set[int], net: Net) -> int | None:
    """The one end that all others hang on: the only one without a head, the only one with one, the only one on its side."""
    headed = [end for end in ends if end in heads]
    plain = [end for end in ends if end not in heads]
    if len(plain) == 1:
        return plain[0]
    if len(headed) == 1:
        return headed[0]
    if headed:
        return None
    sides: dict[tuple[int, int], list[int]] = {}
    for end in ends:
        way = direction(net.leaving(end, net.meeting[end][0]), 10.0)
        if way is not None:
            side = (round(float(way[0])), 0) if abs(way[0]) > abs(way[1]) else (0, round(float(way[1])))
            sides.setdefault(side, []).append(end)
    alone = [members[0] for members in sides.values() if len(members) == 1]
    return alone[0] if len(alone) == 1 and len(sides) == 2 else None
