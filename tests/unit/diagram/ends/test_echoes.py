"""A short line's head is at one of its ends only, though its barbs are near both."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.ends.echoes import without_echoes
from tools.diagram.ends.heads import Ending, Ground
from tools.diagram.model.graph import Head
from tools.diagram.picture.skeleton import Arc, Net

GLYPH, WIDTH = 10.0, 1.5
TOP, BOTTOM = 60, 80


def _ground(heads: str, bottom: int) -> tuple[Ground, Net]:
    """A line down from one node to another right below it; barbs at its top (t) or bottom (b)."""
    ink, blocked = np.zeros((240, 240), np.uint8), np.zeros((240, 240), np.uint8)
    blocked[20:TOP, 60:180] = 1
    blocked[bottom:200, 60:180] = 1
    cv2.line(ink, (120, TOP), (120, bottom - 1), (1,), 1)
    for at, way in ((bottom - 1, -1), (TOP, 1)):
        if ("b" if way < 0 else "t") in heads:
            sides = [(115, at + way * 10), (120, at), (125, at + way * 10)]
            cv2.polylines(ink, [np.array(sides, np.int32)], isClosed=False, color=(1,), thickness=1)
    net = Net()
    ends = net.vertex((120.0, float(TOP))), net.vertex((120.0, bottom - 1.0))
    net.add(Arc(np.linspace((120.0, TOP), (120.0, bottom - 1.0), bottom - TOP), ends))
    return Ground(ink, np.zeros_like(ink), blocked), net


def _told(heads: str, bottom: int, seen: tuple[Head, Head]) -> list[Head]:
    """What is left of the heads that were seen at its top and its bottom."""
    ground, net = _ground(heads, bottom)
    top, low = net.ends()
    endings = {top: Ending(seen[0], 0.9), low: Ending(seen[1], 0.9)}
    without_echoes(net, endings, ground, GLYPH, WIDTH)
    return [endings[top].head, endings[low].head]


@pytest.mark.parametrize("heads", ["t", "b"])
def test_the_end_without_ink_of_its_own_has_no_head(heads: str) -> None:
    """Both were taken for heads: the line is as long as two of them, and there is one."""
    wanted = [Head.arrow if end in heads else Head.none for end in "tb"]
    assert _told(heads, BOTTOM, (Head.arrow, Head.arrow)) == wanted


def test_two_heads_are_two() -> None:
    """Each has its barbs in its own half."""
    assert _told("tb", BOTTOM + 6, (Head.arrow, Head.arrow)) == [Head.arrow, Head.arrow]


def test_a_bar_is_the_base_of_the_other_head() -> None:
    """Seen across a short line; on a long one it stays."""
    assert _told("b", BOTTOM, (Head.bar, Head.arrow)) == [Head.none, Head.arrow]
    assert _told("b", BOTTOM + 60, (Head.bar, Head.arrow)) == [Head.bar, Head.arrow]
