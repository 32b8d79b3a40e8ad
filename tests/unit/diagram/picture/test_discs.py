"""Small discs are nodes where the lines that lead to them have another colour, and ink where they have the same."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.diagram.fusion.arbiter import ground
from tools.diagram.model.blackboard import Agent, ShapeNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import prepare
from tools.diagram.shapes.hunter import hunt
from tools.media.image import Picture

Colour = tuple[int, int, int]
INDIGO, SLATE, PALE = (99, 102, 241), (100, 116, 139), (203, 213, 225)


def _force(disc: Colour, rim: Colour, line: Colour, radius: int) -> Picture:
    """Six discs in a ring with a name beside each, every one joined to its neighbours."""
    picture = np.full((420, 520, 3), (248, 250, 252), np.uint8)
    turns = [np.pi / 3 * step for step in range(6)]
    places = [(round(220 + 150 * np.cos(turn)), round(210 + 150 * np.sin(turn))) for turn in turns]
    for index, place in enumerate(places):
        cv2.line(picture, places[index - 1], place, line, 2, cv2.LINE_AA)
    for x, y in places:
        cv2.circle(picture, (x, y), radius, disc, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, (x, y), radius, rim, 2, cv2.LINE_AA)
        cv2.putText(picture, "Invoice", (x + 13, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(
    ("disc", "line", "radius", "nodes"), [(INDIGO, SLATE, 9, 6), (SLATE, SLATE, 6, 0), ((20, 20, 20), PALE, 6, 6)]
)
def test_discs_of_their_own_colour_are_no_ink(disc: Colour, line: Colour, radius: int, nodes: int) -> None:
    """A pale rim around a disc is no border that could be seen; the colour of the lines tells what the disc is."""
    scene = prepare(_force(disc, PALE if disc == INDIGO else disc, line, radius))
    inner = np.abs(scene.colours - np.array(disc)).max(axis=1) <= 12
    inner[0] = False
    assert int(inner.sum()) == nodes


def test_small_discs_become_nodes() -> None:
    """However few pixels their flat parts have, all six are nodes."""
    scene = prepare(_force(INDIGO, PALE, SLATE, 9))
    nodes, _, _ = ground(scene, hunt(scene), (), reading=False)
    assert len(nodes) == 6


@pytest.mark.parametrize("copied", ["packed", "scaled"])
@pytest.mark.parametrize(
    ("disc", "rim"), [((78, 121, 167), (34, 34, 51)), ((242, 142, 43), PALE), ((16, 150, 140), (200, 130, 40))]
)
def test_copied_discs_stay_nodes(copied: str, disc: Colour, rim: Colour) -> None:
    """JPEG of quality 60, and 0.6 times the size, leave hardly a quiet pixel in a disc with a rim: all six are nodes."""
    drawn = _force(disc, rim, SLATE, 10)
    if copied == "packed":
        _, data = cv2.imencode(".jpg", drawn[:, :, ::-1], [cv2.IMWRITE_JPEG_QUALITY, 60])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[:, :, ::-1].copy()
    else:
        picture = np.asarray(cv2.resize(drawn, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA), np.uint8)
    scene = prepare(picture)
    nodes, _, _ = ground(scene, hunt(scene), (), reading=False)
    assert len(nodes) == 6


@pytest.mark.parametrize("node", [True, False])
def test_a_disc_that_lines_cut_is_still_round(*, node: bool) -> None:
    """Lines that leave a disc of few pixels flatten it here and there; a diamond as large, a head's, is none."""
    scene = prepare(_force(INDIGO, PALE, SLATE, 11))
    cut = ((9, 0), (3, 3), (0, 11), (5, 18), (13, 19), (18, 15), (20, 10), (14, 1))
    pointed = ((10, 0), (5, 5), (0, 10), (5, 15), (10, 20), (15, 15), (20, 10), (15, 5))
    outline = tuple((360.0 + x, 200.0 + y) for x, y in (cut if node else pointed))
    note = ShapeNote(
        writer=Agent.shape_hunter, pixels=Frame(x=360, y=200, width=21, height=20), id="s1", shape=Shape.polygon,
        outline=outline, fit=0.95, filled=True, source="fill", clean=False,
    )  # fmt: skip
    nodes, _, _ = ground(scene, (note,), (), reading=False)
    assert len(nodes) == node
