"""A line that was followed twice is one line, a rim that was followed is none."""

from __future__ import annotations

import numpy as np

from tools.diagram.ends.heads import Ending
from tools.diagram.lines.remains import Remains
from tools.diagram.model.graph import Head
from tools.diagram.net.doubles import is_rim, without_doubles
from tools.diagram.net.routes import Route

GLYPH = 10.0
_PLAIN, _HEADED = Ending(Head.none, 0.9), Ending(Head.arrow, 0.9)


def _route(start: int, stop: int, *points: tuple[float, float], cost: float = 0.0) -> Route:
    return Route(start, stop, (start,), np.array(points, float), cost)


def _bowed(start: int, stop: int, bow: float) -> Route:
    at = np.linspace(0, 1, 30)
    return _route(start, stop, *((20 + 300 * t, 100 - 4 * bow * t * (1 - t)) for t in at.tolist()))


def test_ways_that_lie_on_each_other_are_one_line() -> None:
    """Two ways into one head: the one with exactly one head stays."""
    ports = {1: "a", 2: "b", 3: "b"}
    first, second = _route(1, 2, (20, 100), (320, 104), cost=0.1), _route(1, 3, (20, 100), (316, 99), cost=0.3)
    endings = {1: _PLAIN, 2: _PLAIN, 3: _HEADED}
    assert without_doubles([first, second], ports, endings, GLYPH) == [second]
    assert without_doubles([first, second], ports, endings | {2: _HEADED}, GLYPH) == [first]


def test_lines_that_bow_apart_stay_two() -> None:
    """Two nodes may be joined by two lines, and lines to other nodes are none of each other's."""
    ports = {1: "a", 2: "b", 3: "a", 4: "b", 5: "c"}
    endings = {1: _PLAIN, 2: _HEADED, 3: _HEADED, 4: _PLAIN, 5: _HEADED}
    two = [_bowed(1, 2, 15), _bowed(3, 4, -15)]
    assert without_doubles(two, ports, endings, GLYPH) == two
    both = [_bowed(1, 2, 15), _bowed(1, 5, 15)]
    assert without_doubles(both, ports, endings, GLYPH) == both


def test_a_second_border_is_no_loop() -> None:
    """A way from a node to itself that stays close to it is its rim; one that leaves it is a loop."""
    owners = np.zeros((200, 200), np.int32)
    owners[80:120, 80:120] = 1
    rows, columns = np.indices(owners.shape)
    reach = np.hypot(np.maximum(np.maximum(80 - columns, columns - 119), 0), np.maximum(np.maximum(80 - rows, rows - 119), 0))
    none = np.zeros(owners.shape, np.uint8)
    left = Remains(none, owners, reach.astype(np.float32), np.ones_like(owners), 2.0, none, none, none)
    close = _route(1, 2, (100, 76), (124, 76), (124, 124), (100, 124))
    loop = _route(1, 2, (100, 78), (100, 50), (150, 50), (150, 100), (122, 100))
    assert is_rim(close, {1: "a", 2: "a"}, left, GLYPH)
    assert not is_rim(loop, {1: "a", 2: "a"}, left, GLYPH)
    assert not is_rim(close, {1: "a", 2: "b"}, left, GLYPH)
