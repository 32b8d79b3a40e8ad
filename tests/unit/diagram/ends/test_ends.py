"""The network sees heads that have no usual profile, and none where lines just end; rules stand where it is not sure."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.ends.crops import ACROSS, ALONG, crop
from tools.diagram.ends.heads import Ending, Ground
from tools.diagram.ends.seen import chances, features, mirrored, seen_ends, settled
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Arc, Net

GLYPH, WIDTH = 11.0, 2.0


def _ground(head: str = "", reach: int = 18) -> tuple[Ground, Net, int]:
    """A line straight down to a node's upper border, the net with it alone, and its lower end."""
    ink, blocked = np.zeros((240, 240), np.uint8), np.zeros((240, 240), np.uint8)
    blocked[151:200, 60:180] = 1
    cv2.line(ink, (120, 40), (120, 149), (1,), 2)
    half = round(0.42 * reach)
    sides = [(120 - half, 150 - reach), (120, 149), (120 + half, 150 - reach)]
    if head == "barbs":
        cv2.polylines(ink, [np.array(sides, np.int32)], isClosed=False, color=(1,), thickness=2)
    elif head == "filled":
        cv2.fillPoly(ink, [np.array(sides, np.int32)], (1,))
    net = Net()
    top, bottom = net.vertex((120.0, 40.0)), net.vertex((120.0, 149.0))
    net.add(Arc(np.linspace((120.0, 40.0), (120.0, 149.0), 110), (top, bottom)))
    return Ground(ink, np.zeros_like(ink), blocked), net, bottom


@pytest.mark.parametrize(("head", "reach"), [("barbs", 14), ("barbs", 22), ("filled", 10), ("filled", 20)])
def test_heads_are_seen(head: str, reach: int) -> None:
    """Barbed or filled, about as large as letters or twice as large."""
    ground, net, end = _ground(head, reach)
    assert seen_ends(net, ground, [end], GLYPH, WIDTH)[end].confidence > 0.85


def test_a_plain_end_has_none() -> None:
    """A line that only ends at a node."""
    ground, net, end = _ground()
    assert seen_ends(net, ground, [end], GLYPH, WIDTH)[end].confidence < 0.3


def test_both_sides_are_one() -> None:
    """An end and its mirror image have the same chance."""
    ground, net, end = _ground("barbs")
    ground.ink[:, 125:160] = 0
    cells = crop(ground, net.onward(end, 3 * GLYPH), GLYPH, WIDTH)
    assert cells is not None
    assert cells.shape == (3, ALONG, ACROSS)
    shown = features(cells, WIDTH, GLYPH)[None]
    other = mirrored(shown, cells.shape)
    assert not np.array_equal(shown, other)
    assert chances(shown, cells.shape)[0] == pytest.approx(chances(other, cells.shape)[0], abs=1e-4)


def _lines(lengths: tuple[float, ...]) -> Net:
    """Level lines one above the other, whose ends have the numbers 1 and 2, 3 and 4, and so on."""
    net = Net()
    for row, length in enumerate(lengths):
        ends = net.vertex((0.0, 50.0 * row)), net.vertex((length, 50.0 * row))
        net.add(Arc(np.linspace((0.0, 50.0 * row), (length, 50.0 * row), 20), ends))
    return net


def test_only_what_is_sure_is_changed() -> None:
    """A head that rules missed is added; what they saw stays."""
    plain, arrow, bar = Ending(Head.none, 0.9), Ending(Head.arrow, 0.8), Ending(Head.bar, 0.7)
    endings = {1: plain, 2: plain, 3: arrow, 4: bar}
    seen = {at: Ending(Head.triangle, chance) for at, chance in ((1, 0.95), (2, 0.6), (3, 0.001), (4, 0.99))}
    settled(_lines((200.0, 200.0)), endings, seen, GLYPH)
    assert [endings[at].head for at in sorted(endings)] == [Head.triangle, Head.none, Head.arrow, Head.bar]


def test_the_other_head_of_a_short_line_is_no_second_one() -> None:
    """What looks like a head at a plain end is the base of the one across; on a long line it is one."""
    endings = {at: Ending(Head.arrow if at % 2 else Head.none, 0.9) for at in (1, 2, 3, 4)}
    settled(_lines((3 * GLYPH, 9 * GLYPH)), endings, {at: Ending(Head.arrow, 0.99) for at in (2, 4)}, GLYPH)
    assert [endings[at].head for at in (2, 4)] == [Head.none, Head.arrow]
