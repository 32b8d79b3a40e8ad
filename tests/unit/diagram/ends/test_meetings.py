"""Lines that meet near a node: those of a bus run along rows and columns, the top of a curve does so for a moment only."""

from __future__ import annotations

import numpy as np
import pytest

from tools.diagram.ends.meetings import _is_of_a_bus
from tools.diagram.picture.skeleton import Arc, Net


@pytest.mark.parametrize("curved", [True, False])
def test_a_curve_that_passes_by_is_no_bus(curved: bool) -> None:
    """Both leave the place level; the one bends from there on, the other turns square."""
    along = np.linspace(0, 1, 60)
    if curved:
        points = np.stack([120 * along, 50 * along**2], axis=1)
    else:
        points = np.concatenate([np.stack([80 * along, 0 * along], axis=1), np.stack([80 + 0 * along, 60 * along], axis=1)])
    net = Net()
    start, stop = net.vertex((0.0, 0.0)), net.vertex((float(points[-1][0]), float(points[-1][1])))
    net.add(Arc(points, (start, stop)))
    (number,) = net.meeting[start]
    assert _is_of_a_bus(net, start, number, 12.0) is not curved
