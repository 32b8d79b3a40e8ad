"""Lines in a text's box that only touch it stay lines: a loop that its label stands at, and a line right under a label."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.lines.bulges import bulge, entrances, passing


def test_a_curve_that_bulges_into_the_box_is_found_among_letters() -> None:
    """From its entry round to its exit, without the letter that has grown together with it."""
    window = np.zeros((40, 60), np.uint8)
    cv2.ellipse(window, (0, 20), (12, 14), 0, -90, 90, (1,), 3)
    window[12:28, 12:15] = 1  # the stem of a letter
    window[18:21, 12:30] = 1
    found = bulge(window, np.array([0.0, 6.0]), np.array([0.0, 34.0]))
    assert found[20, 10:14].any()
    assert not found[:, 20:].any()


def test_ways_through_letters_and_between_borders_are_no_bulges() -> None:
    """What leads far round, or from one side of the box to another, is not taken."""
    window = np.zeros((40, 60), np.uint8)
    cv2.polylines(window, [np.array([(0, 6), (50, 6), (50, 34), (0, 34)], np.int32)], False, (1,), 2)
    assert not bulge(window, np.array([0.0, 6.0]), np.array([0.0, 34.0])).any()
    window[:] = 1
    assert not bulge(window, np.array([0.0, 20.0]), np.array([30.0, 0.0])).any()


def test_a_line_along_the_lower_border_passes() -> None:
    """It goes on beyond the box at both ends; the foot of a letter does not, nor what begins in the box."""
    ink = np.zeros((60, 120), np.uint8)
    ink[38:40, 10:110] = 1
    ink[22:37, 40:44] = 1
    found = passing(ink, (30, 20, 80, 41))
    assert found.shape == (21, 50)
    assert found[18:20].all()
    assert found[:18].sum() == 0
    ink[38:40, 10:50] = 0
    assert not passing(ink, (30, 20, 80, 41)).any()


def test_a_curve_across_a_corner_of_the_box_is_followed_where_it_goes_on() -> None:
    """It enters above and leaves along the side, without the letter that touches it; ink that ends in the box does not go on."""
    ink = np.zeros((80, 120), np.uint8)
    cv2.ellipse(ink, (60, 60), (38, 50), 0, 180, 270, (1,), 2)
    ink[30:34, 28:60] = 1  # a letter
    ink[35:50, 70:74] = 1  # another
    box = (25, 15, 100, 60)
    found = [entrance for entrance in entrances(ink, box) if entrance.beyond]
    assert len({entrance.piece for entrance in found}) == 2
    first, last = min(found, key=lambda item: item.place[1]), max(found, key=lambda item: item.place[1])
    window = ink[15:60, 25:100]
    assert not bulge(window, first.place, last.place).any()
    kept = bulge(window, first.place, last.place, passing_by=True)
    assert kept.any()
    assert not kept[:, 30:].any()
