"""Thinning: no line is lost, whichever way it runs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.picture.skeleton import facing, net_of, thin


@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("wide", [2, 3])
def test_slanting_lines_keep_their_ends(turned: int, wide: int) -> None:
    """A line of two or three pixels that falls by a pixel each column is thinned, but not shortened."""
    mask = np.zeros((80, 80), np.uint8)
    for step in range(60):
        mask[10 + step, 10 + step : 10 + step + wide] = 1
    mask = np.ascontiguousarray(np.rot90(mask, turned))
    off = cv2.distanceTransform(1 - thin(mask), cv2.DIST_L2, 5)
    assert float(off[mask > 0].max()) <= 3.0
    assert int(thin(mask).sum()) <= 75


def test_after_a_square_corner_a_line_looks_where_it_then_goes() -> None:
    """A long stretch to the right and a short one up: it looks up, not aslant. A slanting line looks as it leads there."""
    for last, way in (((180, 32), (0.0, -1.0)), ((206, 14), (0.7, -0.7))):
        mask = np.zeros((80, 240), np.uint8)
        cv2.polylines(mask, [np.array([(20, 40), (180, 40), last], np.int32)], isClosed=False, color=(1,), thickness=1)
        net = net_of(thin(mask), contraction=3.0)
        end = max(net.ends(), key=lambda vertex: -net.places[vertex][1])
        seen = facing(net, end, 15.0)
        assert seen is not None
        assert float(np.hypot(*(seen - np.array(way)))) < 0.25
