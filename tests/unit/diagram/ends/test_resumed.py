"""A broken line goes on beyond a line that it crosses, though no dash reaches the crossing on one side."""

from __future__ import annotations

import numpy as np

from tools.diagram.ends.resumed import resumed_at_crossings
from tools.diagram.picture.skeleton import Arc, Net


def _net(bent: bool, far: float = 10.0) -> tuple[Net, int]:
    """A line passes from top to bottom; another leads to it from the left, and on the right an end looks at the junction."""
    net = Net()
    top, cross, bottom = net.vertex((100.0, 20.0)), net.vertex((100.0, 100.0)), net.vertex((100.0, 180.0))
    left = net.vertex((40.0, 40.0 if bent else 100.0))
    near, end = net.vertex((100.0 + far, 100.0)), net.vertex((170.0, 100.0))
    for a, b in ((top, cross), (cross, bottom), (left, cross), (near, end)):
        net.add(Arc(np.linspace(net.places[a], net.places[b], 30), (a, b)))
    return net, near


def test_an_end_that_looks_at_a_crossing_is_joined_to_it() -> None:
    """The line that comes to it from the other side goes on straight."""
    net, near = _net(bent=False)
    resumed_at_crossings(net, [near], 12.0)
    assert len(net.meeting[near]) == 2
    assert sorted(len(meeting) for meeting in net.meeting.values()) == [1, 1, 1, 1, 2, 4]


def test_ends_that_nothing_goes_on_from_stay_loose() -> None:
    """A line that bends in the junction is not the end's, nor is one farther off than dashes are apart."""
    for net, near in (_net(bent=True), _net(bent=False, far=30.0)):
        resumed_at_crossings(net, [near], 12.0)
        assert len(net.meeting[near]) == 1
