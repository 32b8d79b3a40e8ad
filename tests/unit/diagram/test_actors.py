"""Stick figures are nodes together with the name beneath them; what only looks like a head is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.arbiter import ground
from tools.diagram.graph import Shape
from tools.diagram.shapes import hunt
from tools.diagram.surfaces import prepare

RED = (168, 0, 54)


def _figure(picture: np.ndarray, x: int, top: int, *, legs: bool = True) -> None:
    cv2.circle(picture, (x, top + 12), 12, (254, 254, 206), cv2.FILLED)
    cv2.circle(picture, (x, top + 12), 12, RED, 2)
    cv2.line(picture, (x, top + 25), (x, top + 62), RED, 2)
    cv2.line(picture, (x - 22, top + 34), (x + 22, top + 34), RED, 2)
    if legs:
        cv2.line(picture, (x, top + 62), (x - 20, top + 84), RED, 2)
        cv2.line(picture, (x, top + 62), (x + 20, top + 84), RED, 2)


@pytest.mark.parametrize("legs", [True, False])
def test_a_figure_has_legs(legs: bool) -> None:
    """With them it is an actor, and as high as head and name together; without them a disc with a crossed line is none."""
    picture = np.full((300, 400, 3), 255, np.uint8)
    _figure(picture, 150, 40, legs=legs)
    name = written(picture, "Customer", (105, 134))
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), (name,), reading=False)
    actors = [node for node in nodes if node.shape is Shape.actor]
    assert [node.label for node in actors] == (["Customer"] if legs else [])
    assert all(node.pixels.height > 90 for node in actors)


def test_a_figure_without_a_name_is_no_actor() -> None:
    """Nothing stands beneath it."""
    picture = np.full((300, 400, 3), 255, np.uint8)
    _figure(picture, 150, 40)
    name = written(picture, "Customer", (250, 60))
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), (name,), reading=False)
    assert all(node.shape is not Shape.actor for node in nodes)
