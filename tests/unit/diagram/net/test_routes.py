"""Which ends belong together: at crossings, in rounded corners, along shared stretches, in bundles with and without heads."""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from tools.diagram.net.routes import MOST_PORTS, Route, routes
from tools.diagram.picture.skeleton import Arc, Net, net_of, thin
from tools.diagram.picture.surfaces import Mask

Place = tuple[int, int]
GLYPH = 10.0
_RADIUS = 8


def _sheet() -> Mask:
    return np.zeros((240, 360), np.uint8)


def _line(mask: Mask, *places: Place) -> None:
    """A line with sharp corners, two pixels wide."""
    for start, stop in itertools.pairwise(places):
        cv2.line(mask, start, stop, (1,), 2)


def _rounded(mask: Mask, *places: Place, radius: int = _RADIUS) -> None:
    """A line along rows and columns whose corners are rounded."""
    points = [np.array(places[0], float)]
    for before, corner, after in zip(places, places[1:], places[2:], strict=False):
        at = np.array(corner, float)
        a, b = (np.array(other, float) - at for other in (before, after))
        a, b = radius * a / np.hypot(*a), radius * b / np.hypot(*b)
        middle = at + a + b
        points += [middle - np.cos(turn) * b - np.sin(turn) * a for turn in np.linspace(0, np.pi / 2, 9)]
    points.append(np.array(places[-1], float))
    cv2.polylines(mask, [np.round(points).astype(np.int32)], isClosed=False, color=(1,), thickness=2)


def _end(net: Net, place: Place) -> int:
    """The loose end nearest to the place."""
    return min(net.ends(), key=lambda v: float(np.hypot(net.places[v][0] - place[0], net.places[v][1] - place[1])))


def _found(mask: Mask, ends: dict[str, Place], heads: str = "") -> list[str]:
    """The lines as pairs of the ends' names, in alphabetical order; `heads`: names of the ends that have one."""
    net = net_of(thin(mask), contraction=5.0)
    names = {_end(net, place): name for name, place in ends.items()}
    assert len(names) == len(ends)
    found = routes(net, sorted(names), {v for v, name in names.items() if name in heads}, GLYPH)
    return sorted("".join(sorted(names[end] for end in (route.start, route.stop))) for route in found)


def _cross() -> tuple[Mask, dict[str, Place]]:
    mask = _sheet()
    _line(mask, (20, 120), (340, 120))
    _line(mask, (180, 20), (180, 220))
    return mask, {"a": (20, 120), "b": (340, 120), "c": (180, 20), "d": (180, 220)}


def test_lines_go_straight_through_a_crossing() -> None:
    """Two lines that cross are two, whatever ends have heads."""
    for heads in ("", "bd", "ac"):
        assert _found(*_cross(), heads=heads) == ["ab", "cd"]


def test_pieces_that_nothing_joins_have_no_line_between_them() -> None:
    """Ends are looked for in one connected piece at a time."""
    mask = _sheet()
    _line(mask, (20, 60), (340, 60))
    _line(mask, (20, 160), (340, 160))
    assert _found(mask, {"a": (20, 60), "b": (340, 60), "c": (20, 160), "d": (340, 160)}, heads="bd") == ["ab", "cd"]


def test_a_hairball_has_no_lines() -> None:
    """Where more ends meet than can be paired in bounded time none are."""
    mask = np.zeros((2 * 400, 2000), np.uint8)
    _line(mask, (10, 400), (1990, 400))
    for index in range(MOST_PORTS + 4):
        _line(mask, (20 + 12 * index, 400), (20 + 12 * index, 300))
    net = net_of(thin(mask), contraction=5.0)
    assert len(net.ends()) > MOST_PORTS
    assert routes(net, net.ends(), set(), GLYPH) == []


def test_a_shared_stretch_does_not_mix_its_lines() -> None:
    """Two lines lie on each other for a while at a small angle: each comes out the way it went in."""
    mask = _sheet()
    _line(mask, (20, 60), (165, 118), (195, 122), (340, 180))
    _line(mask, (20, 180), (165, 122), (195, 118), (340, 60))
    found = _found(mask, {"a": (20, 60), "b": (340, 180), "c": (20, 180), "d": (340, 60)}, heads="bd")
    assert found == ["ab", "cd"]


def test_a_line_joins_another_in_the_direction_of_its_rounded_corner() -> None:
    """The corner bends one way only: what comes down from the side goes on to the right, not back to the left."""
    mask = _sheet()
    _rounded(mask, (20, 160), (340, 160))
    _rounded(mask, (180, 20), (180, 160), (340, 160), radius=14)
    ends = {"a": (20, 160), "b": (340, 160), "c": (180, 20)}
    assert _found(mask, ends, heads="b") == ["ab", "bc"]
    # Mirrored: the same line now joins towards the left.
    assert _found(np.ascontiguousarray(mask[:, ::-1]), {k: (359 - x, y) for k, (x, y) in ends.items()}, heads="b") == ["ab", "bc"]


def test_two_rounded_corners_are_no_line_through() -> None:
    """From both sides lines bend into a third: along the row they came in lies a notch that none goes through."""
    mask = _sheet()
    _rounded(mask, (20, 100), (180, 100), (180, 220))
    _rounded(mask, (340, 100), (180, 100), (180, 220))
    _line(mask, (20, 180), (340, 180))
    ends = {"a": (20, 100), "b": (340, 100), "c": (180, 220), "d": (20, 180), "e": (340, 180)}
    found = _found(mask, ends, heads="ce")
    assert "ab" not in found
    assert {"ac", "bc", "de"} <= set(found)


def test_a_bus_leads_from_its_root_to_all_branches() -> None:
    """One end without a head, three with: three lines, all from the one."""
    mask = _sheet()
    _line(mask, (180, 20), (180, 100))
    _line(mask, (60, 200), (60, 100), (300, 100), (300, 200))
    _line(mask, (180, 100), (180, 200))
    ends = {"r": (180, 20), "a": (60, 200), "b": (180, 200), "c": (300, 200)}
    assert _found(mask, ends, heads="abc") == ["ar", "br", "cr"]
    assert _found(mask, ends) == ["ar", "br", "cr"]


def test_a_bundle_without_heads_has_no_line_that_turns_back() -> None:
    """Two nodes over two, joined by lines along rows and columns: a line leads down, none from an upper node to the other."""
    mask = _sheet()
    for above, below in itertools.product((90, 270), repeat=2):
        _line(mask, (above, 20), (above, 120), (below, 120), (below, 220))
    ends = {"a": (90, 20), "b": (270, 20), "c": (90, 220), "d": (270, 220)}
    found = _found(mask, ends)
    assert not {"ab", "cd"} & set(found)
    assert {"ac", "bd"} <= set(found)


def test_a_line_does_not_turn_round_in_a_ring() -> None:
    """A line comes down beside another and lies on it up to a ring: it does not go around the ring and back up the other."""
    net = Net()
    places = {"a": (100, 20), "b": (140, 20), "join": (120, 60), "top": (120, 110), "end": (120, 240)}
    at = {name: net.vertex((float(x), float(y))) for name, (x, y) in places.items()}

    def arc(one: str, other: str, *between: Place) -> None:
        points = np.array([places[one], *between, places[other]], float)
        net.add(Arc(points, (at[one], at[other])))

    arc("a", "join")
    arc("b", "join")
    arc("join", "top")
    arc("top", "end")
    turns = [(round(150 - 30 * np.cos(t)), round(110 + 60 * np.sin(t))) for t in np.linspace(0.2, 2 * np.pi - 0.2, 24)]
    arc("top", "top", *turns)
    found = routes(net, [at["a"], at["b"], at["end"]], {at["a"], at["b"]}, GLYPH)
    assert sorted({route.start, route.stop} for route in found)
    assert all(at["end"] in (r.start, r.stop) for r in found)
    assert all(len(set(route.arcs)) == len(route.arcs) for route in found)


def test_routes_do_not_depend_on_the_order_of_ends() -> None:
    """The same lines, in the same order, whichever end is named first."""
    mask, ends = _cross()
    net = net_of(thin(mask), contraction=5.0)
    given = [_end(net, place) for place in ends.values()]

    def told(found: list[Route]) -> list[tuple[set[int], float]]:
        return [({route.start, route.stop}, round(route.cost, 6)) for route in found]

    assert told(routes(net, given, set(given[:1]), GLYPH)) == told(routes(net, given[::-1], set(given[:1]), GLYPH))


def test_lines_that_cross_near_a_curve_go_straight_on() -> None:
    """A thick line comes down through the place where two others part, one of them in a curve: it turns into neither."""
    mask = _sheet()
    cv2.line(mask, (150, 20), (150, 220), (1,), 4)
    cv2.line(mask, (20, 90), (340, 104), (1,), 4)
    turns = np.linspace(np.pi / 2, 0, 25)
    curve = np.stack([150 + 130 * np.cos(turns), 225 - 128 * np.sin(turns)], axis=1)
    cv2.polylines(mask, [np.round(curve).astype(np.int32)], False, (1,), 4)
    ends = {"a": (150, 20), "b": (150, 220), "c": (20, 90), "d": (340, 104), "e": (280, 225)}
    found = _found(mask, ends, heads="bce")
    assert "ab" in found
    assert not {"ae", "ad", "ac", "bd"} & set(found)


def _merge() -> tuple[Mask, dict[str, Place]]:
    """Two lines from the left and the right that join one that comes from above, down to a head; and others with heads."""
    mask = _sheet()
    _line(mask, (60, 60), (60, 120), (300, 120), (300, 60))
    _line(mask, (180, 60), (180, 200))
    ends = {"a": (60, 60), "b": (300, 60), "c": (180, 60), "h": (180, 200)}
    for number, name in enumerate("defg"):
        _line(mask, (10 + 10 * number, 10), (10 + 10 * number, 40))
        ends |= {name: (10 + 10 * number, 10), name.upper(): (10 + 10 * number, 40)}
    return mask, ends


def test_lines_that_share_a_head_are_no_line_between_themselves() -> None:
    """Where every piece of the net has a head, a and b lead to it, though the way from the one to the other is straight."""
    mask, ends = _merge()
    assert _found(mask, ends, "hDEFG") == ["Dd", "Ee", "Ff", "Gg", "ah", "bh", "ch"]


def test_what_a_node_sends_to_itself_is_dear_where_others_join() -> None:
    """A line to a node and one from it on, on one level: not one that passes beneath, and a loop."""
    mask = _sheet()
    _line(mask, (20, 120), (340, 120))
    for x in (150, 210):
        _line(mask, (x, 20), (x, 120))
    net = net_of(thin(mask), contraction=5.0)
    a, b, up, down = (_end(net, place) for place in ((20, 120), (340, 120), (150, 20), (210, 20)))
    owners = {a: "first", up: "middle", down: "middle", b: "last"}
    found = routes(net, sorted(owners), {up, b}, GLYPH, owners)
    assert sorted(tuple(sorted((owners[route.start], owners[route.stop]))) for route in found) == [
        ("first", "middle"),
        ("last", "middle"),
    ]
