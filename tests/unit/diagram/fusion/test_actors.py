"""Stick figures are nodes together with the name beneath them; what only looks like a head is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.unit.diagram.drawing import written
from tools.diagram.fusion.actors import legs_apart
from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.graph import Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt

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


def test_shadows_of_legs_do_not_make_them_unlike() -> None:
    """A shadow down to the right thickens one leg to its inside and the other to its outside: its other side tells."""
    left, right = np.zeros(60, np.uint8), np.zeros(60, np.uint8)
    left[2:17], right[13:31] = 1, 1
    assert legs_apart(left, right, 7.0) == 13
    assert legs_apart(right, left, 7.0) == 13
    left[10:17] = 0
    assert legs_apart(left, right, 3.0) is None
    assert legs_apart(np.zeros(60, np.uint8), right, 7.0) is None


def test_figures_stand_in_a_frame() -> None:
    """Two figures with their names within a drawn frame are two nodes in one group, whose title is its own."""
    picture = np.full((320, 420, 3), 255, np.uint8)
    cv2.rectangle(picture, (20, 10), (400, 200), (0, 0, 0), 2)
    _figure(picture, 110, 50)
    _figure(picture, 310, 50)
    texts = (written(picture, "Chef", (88, 144)), written(picture, "Critic", (282, 144)), written(picture, "Kitchen", (170, 16)))
    scene = prepare(picture)
    nodes, groups, _ = ground(scene, hunt(scene), texts, reading=False)
    assert sorted(node.label for node in nodes) == ["Chef", "Critic"]
    assert [group.label for group in groups] == ["Kitchen"]
