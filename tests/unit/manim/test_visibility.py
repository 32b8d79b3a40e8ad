"""How much of each thing can be seen."""

from __future__ import annotations

import random

import pytest

from tests.unit.manim.board import VIEW, Board
from tools.manim.geometry import Geometry
from tools.manim.visibility import Canvas, drawing, visible_shares

FILL = {"fill": "#ff0000", "fill_opacity": 1.0, "stroke_width": 0.0, "stroke_opacity": 0.0}


def _shares(board: Board) -> dict[int, float]:
    canvas = Canvas(Geometry(board.outlines), *VIEW)
    return visible_shares(canvas, [(state.id, [state]) for state in board.objects])


def test_what_lies_below_an_opaque_thing_is_hidden() -> None:
    """Half a square under another."""
    board = Board()
    below = board.rectangle(0, 0, 2, 2, **FILL)
    above = board.rectangle(1, 0, 2, 2, **FILL)
    shares = _shares(board)
    assert shares[above] == 1.0
    assert shares[below] == pytest.approx(0.5, abs=0.02)


def test_half_transparent_things_hide_half() -> None:
    """And two of them three quarters."""
    board = Board()
    below = board.rectangle(0, 0, 2, 2, **FILL)
    for _ in range(2):
        board.rectangle(0, 0, 3, 3, **{**FILL, "fill_opacity": 0.5})
    assert _shares(board)[below] == pytest.approx(0.25, abs=0.01)


def test_a_hole_shows_what_is_behind_it() -> None:
    """A ring drawn over a dot does not hide it."""
    import numpy as np  # noqa: PLC0415

    from tests.unit.manim.board import ring  # noqa: PLC0415

    board = Board()
    dot = board.rectangle(0, 0, 0.5, 0.5, **FILL)
    board.put("VMobject", np.concatenate([ring(0, 0, 3, 3), ring(0, 0, 1, 1, reverse=True)]), **FILL)
    assert _shares(board)[dot] == 1.0


def test_the_order_of_drawing_counts_not_that_of_adding() -> None:
    """Manim sorts by z-index: the recorded place decides."""
    board = Board()
    first = board.rectangle(0, 0, 1, 1, order=9, **FILL)
    second = board.rectangle(0, 0, 2, 2, order=2, **FILL)
    shares = _shares(board)
    assert shares[first] == 1.0
    assert shares[second] == pytest.approx(0.75, abs=0.02)


def test_a_things_own_parts_do_not_hide_it() -> None:
    """Arrow and tip are one thing."""
    board = Board()
    board.rectangle(0, 0, 2, 2, **FILL)
    board.rectangle(0, 0, 2, 2, **FILL)
    canvas = Canvas(Geometry(board.outlines), *VIEW)
    assert visible_shares(canvas, [(7, board.objects)]) == {7: 1.0}


def test_what_is_outside_is_not_counted() -> None:
    """There is nothing to say about it."""
    board = Board()
    board.rectangle(20, 0, 1, 1, **FILL)
    assert _shares(board) == {}


def test_the_drawing_has_the_right_colours_in_the_right_places() -> None:
    """Background, fill, and a veil over it."""
    board = Board()
    board.rectangle(0, 0, 4, 4, **FILL)
    board.rectangle(1, 0, 1, 1, **{**FILL, "fill": "#0000ff", "fill_opacity": 0.5})
    picture = drawing(Canvas(Geometry(board.outlines), *VIEW), board.objects, "#101010")
    height, width = picture.shape[:2]
    middle, across = height // 2, width // 2
    assert tuple(picture[2, 2]) == (16, 16, 16)
    assert tuple(picture[middle, across - 20]) == (255, 0, 0)
    assert tuple(picture[middle, across + 48]) == (127, 0, 127)


@pytest.mark.parametrize("seed", range(6))
def test_what_boxes_alone_tell_is_what_drawing_everything_tells(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Things scattered over the frame and its edges, some of several parts, some faint."""
    chance = random.Random(seed)
    board = Board()
    for _ in range(40):
        place, size = (chance.uniform(-8, 8), chance.uniform(-5, 5)), (chance.uniform(0.2, 2), chance.uniform(0.2, 2))
        board.rectangle(*place, *size, **{**FILL, "fill_opacity": chance.choice([0.0, 0.002, 0.3, 1.0, 1.0])})
    things = [(number, board.objects[number : number + 2]) for number in range(0, 40, 2)]
    quick = visible_shares(Canvas(Geometry(board.outlines), *VIEW), things)
    monkeypatch.setattr("tools.manim.visibility._SORTED_OUT_MOST", 0)
    assert quick == pytest.approx(visible_shares(Canvas(Geometry(board.outlines), *VIEW), things), abs=1e-5)
    assert 0 < sum(share < 0.99 for share in quick.values()) < len(quick)
