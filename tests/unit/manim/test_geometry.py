"""Outlines as areas."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.manim.board import Board, edges, ring, round_path
from tools.manim.geometry import Geometry, contours, distance_over, filled, inside_share, stroked


def test_a_letter_with_a_counter_has_a_hole() -> None:
    """The inner contour runs the other way round: its area is not ink."""
    area = filled(contours(np.concatenate([ring(0, 0, 2, 2), ring(0, 0, 1, 1, reverse=True)])))
    assert area.area == pytest.approx(3.0)
    assert not area.covers(_point(0, 0))


def test_an_island_in_a_hole_is_kept() -> None:
    """As in ® or @: shell, hole, and a shell in the hole."""
    area = filled(contours(np.concatenate([ring(0, 0, 4, 4), ring(0, 0, 3, 3, reverse=True), ring(0, 0, 1, 1)])))
    assert area.area == pytest.approx(16 - 9 + 1)
    assert area.covers(_point(0, 0))


def test_letters_side_by_side_stay_apart() -> None:
    """The contours of one outline are not joined into one polygon."""
    area = filled(contours(np.concatenate([ring(-2, 0, 1, 1), ring(2, 0, 1, 1)])))
    assert area.area == pytest.approx(2.0)
    assert not area.intersects(_point(0, 0))


def test_a_curve_is_flattened_closely() -> None:
    """A quarter of a circle as one cubic curve, within a thousandth."""
    k = 0.5522847
    quarter = np.array([[1, 0], [1, k], [k, 1], [0, 1]])
    (path,) = contours(quarter)
    assert not path.closed
    assert np.abs(np.hypot(*path.points.T) - 1).max() < 1e-3


def test_a_stroke_covers_its_width() -> None:
    """An open path has no fill but its stroke has an area."""
    paths = contours(edges([(0, 0), (3, 0)]))
    assert filled(paths).is_empty
    assert stroked(paths, 0.1).area == pytest.approx(0.3)
    assert stroked(paths, 0.0).is_empty


def test_ink_is_what_is_drawn() -> None:
    """A rectangle without a fill is its line only; with one it is its area and half the line."""
    board = Board()
    board.rectangle(0, 0, 2, 1)
    board.rectangle(0, 0, 2, 1, fill_opacity=0.5)
    geometry = Geometry(board.outlines)
    line, area = (geometry.ink(state) for state in board.objects)
    assert line.area == pytest.approx(6 * 0.04, rel=0.05)
    assert area.area == pytest.approx(2.0 + 3 * 0.04, rel=0.02)


def test_the_body_of_a_text_bridges_its_letters() -> None:
    """The strip an eye reads along: more than the ink, no more than the line."""
    board = Board()
    board.text(0, 0)
    geometry = Geometry(board.outlines)
    state = board.objects[0]
    ink, body = geometry.fill_area(state.outline), geometry.text_body(state.outline)
    assert body.covers(ink.buffer(-1e-6))
    assert body.geom_type == "Polygon"
    assert ink.area * 1.1 < body.area <= (2.5 * 0.8 * 0.5 + 2.3) * 0.5


def test_only_closed_paths_bound_an_area() -> None:
    """Every path of a shape must end where it began."""
    board = Board()
    board.circle(0, 0, 1)
    board.line((0, 0), (1, 0))
    geometry = Geometry(board.outlines)
    assert [geometry.closed(state) for state in board.objects] == [True, False]


def test_shares_and_distances() -> None:
    """Half a circle over the right edge."""
    area = filled(contours(round_path(7, 0, 1)))
    assert inside_share(area, filled(contours(ring(0, 0, 14, 8)))) == pytest.approx(0.5, abs=0.01)
    assert distance_over((6, -1, 8, 1), 14, 8) == {"right": 1.0}


def _point(x: float, y: float):
    import shapely  # noqa: PLC0415

    return shapely.Point(x, y)


def test_a_shape_that_moved_has_the_areas_it_would_have_anew() -> None:
    """Fill, stroke, ink, hull and text strip of the second place, though they were worked out at the first."""
    letter = np.concatenate([ring(0, 0, 0.6, 1), ring(0, 0, 0.2, 0.4, reverse=True), round_path(0.9, 0, 0.3)]).astype(np.float32)
    looks = {"fill": "#ffffff", "fill_opacity": 1.0, "stroke": "#ffffff", "stroke_opacity": 1.0, "stroke_width": 0.04}
    both, alone = Board(), Board()
    for board, places in ((both, ((0.0, 0.0), (1.7, -2.3))), (alone, ((1.7, -2.3),))):
        for place in places:
            board.put("Text", letter + np.array(place, dtype=np.float32), **looks)
    known, fresh = Geometry(both.outlines), Geometry(alone.outlines)
    first, moved, anew = both.objects[0], both.objects[1], alone.objects[0]
    for work_out in (known.ink, known.hull):
        work_out(first)
    known.text_body(first.outline)
    pairs = [
        (known.ink(moved), fresh.ink(anew)),
        (known.hull(moved), fresh.hull(anew)),
        (known.text_body(moved.outline), fresh.text_body(anew.outline)),
        (known.fill_area(moved.outline), fresh.fill_area(anew.outline)),
        (known.stroke_area(moved.outline, 0.04), fresh.stroke_area(anew.outline, 0.04)),
    ]
    for pair, two in pairs:
        assert pair.symmetric_difference(two).area < 1e-4 * two.area
    assert known.text_height(moved.outline) == pytest.approx(fresh.text_height(anew.outline))
    assert np.allclose(known.paths(moved.outline)[0].points, fresh.paths(anew.outline)[0].points, atol=1e-5)


def test_shapes_of_one_size_are_not_taken_for_each_other() -> None:
    """As many points, as wide and as high, and yet another shape."""
    board = Board()
    upright, leaning = edges([(0, 0), (1, 0), (1, 1), (0, 0)]), edges([(0, 0), (1, 0), (0, 1), (0, 0)])
    for points in (upright, leaning):
        board.put("Polygon", points, fill="#ffffff", fill_opacity=1.0)
    geometry = Geometry(board.outlines)
    item, two = (geometry.fill_area(state.outline) for state in board.objects)
    assert item.intersection(two).area == pytest.approx(0.25)
