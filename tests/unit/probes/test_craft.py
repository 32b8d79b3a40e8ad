"""The measures of craft on layouts, letters and colours worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tools.probes.aesthetics.colour import palette
from tools.probes.aesthetics.finish import image_quality, motion_quality
from tools.probes.aesthetics.layout import alignment, likeness, rhythm, touch_comfort
from tools.probes.aesthetics.lettering import hierarchy, type_scale
from tools.probes.aesthetics.ramp import mode_share, ramp


def _box(x: float, y: float, w: float = 100, h: float = 40, **more: Any) -> dict[str, Any]:
    plain = {"kind": "button", "parent": "p", "radius": 4, "font": 16, "family": "a", "pad": 8, "border": 1, "inner": 8}
    return {"x": x, "y": y, "w": w, "h": h, **plain, **more}


def _text(size: float, **more: Any) -> dict[str, Any]:
    plain = {"x": 0, "y": 0, "w": 200, "h": size, "lines": 1, "weight": 400, "family": "a", "heading": 0, "control": False}
    return {"size": size, "characters": 40, **plain, **more}


def told(measure: float | None) -> float:
    """A measure that must have been taken."""
    assert measure is not None
    return measure


def test_ramps_are_flat_at_both_ends() -> None:
    """0 beyond the poor end, 1 beyond the fine one, whichever is larger; two equal ends are refused."""
    assert [ramp(value, 10, 20) for value in (5, 10, 15, 20, 25)] == [0, 0, 0.5, 1, 1]
    assert [ramp(value, 20, 10) for value in (5, 15, 25)] == [1, 0.5, 0]
    with pytest.raises(ValueError, match="two different ends"):
        ramp(1, 2, 2)
    assert mode_share([4, 4, 4, 9], 0.5) == 0.75


def test_a_column_is_aligned_and_a_scatter_is_not() -> None:
    """Six boxes with one left edge score 1; the same six each a few px off score 0; fewer than five are not measured."""
    column = [_box(20, 60 * place, w=90 + 17 * place) for place in range(6)]
    scatter = [_box(20 + 4.0 * place + place**2, 60 * place, w=90 + 29 * place) for place in range(6)]
    assert alignment([], column) == 1.0
    sloppy = alignment([], scatter)
    assert sloppy is not None
    assert sloppy < 0.5
    assert alignment([], column[:4]) is None


def test_distances_that_come_again_have_rhythm() -> None:
    """Three values on the grid beat twenty odd ones, and equal gaps beat unequal ones."""
    row = [_box(120 * place, 0) for place in range(5)]
    ragged = [_box(x, 0) for x in (0, 105, 260, 380, 540)]
    regular = rhythm([8.0, 16.0, 24.0] * 8, row)
    assert regular == 1.0
    assert told(rhythm([8.0, 16.0, 24.0] * 8, ragged)) < told(regular)
    assert told(rhythm([3.5 + 2.3 * place for place in range(24)], row)) < 0.6
    assert rhythm([8.0] * 5, row) is None


def test_like_things_share_their_looks() -> None:
    """Four equal buttons score 1; two of another height and corner less; a button alone is not compared."""
    same = [_box(120 * place, 0) for place in range(4)]
    mixed = [*same[:2], _box(240, 0, h=62, radius=0, font=22), _box(360, 0, h=33, radius=20, font=12)]
    assert likeness(same) == 1.0
    assert told(likeness(mixed)) < 0.6
    assert likeness(same[:1]) is None


def test_a_scale_of_few_sizes() -> None:
    """Four sizes of one family score 1; a dozen near-equal ones of four families little."""
    scale = [_text(size) for size in (16, 16, 16, 20, 26, 34)]
    mess = [_text(10 + 0.75 * place, family="abcd"[place % 4]) for place in range(14)]
    assert type_scale(scale) == 1.0
    assert told(type_scale(mess)) < 0.4
    assert type_scale(scale[:3]) is None


def test_one_stray_text_does_not_change_the_scale() -> None:
    """A thin line in a size and family of its own, less than a fiftieth of the text, counts for nothing."""
    scale = [_text(size, w=800) for size in (16, 16, 16, 20, 26, 34)]
    assert type_scale([*scale, _text(11, family="stray", w=60)]) == type_scale(scale)


def test_titles_stand_out() -> None:
    """A heading twice the body's size is fine; one of the same size and weight is none; without headings nothing is said."""
    body = [_text(16) for _ in range(4)]
    assert hierarchy([_text(32, heading=1, weight=700), _text(22, heading=2, weight=700), *body]) == 1.0
    assert told(hierarchy([_text(16, heading=1), _text(18, heading=2), *body])) < 0.5
    assert hierarchy(body) is None


def test_hues_of_one_family_are_in_harmony() -> None:
    """One hue or two opposite ones score high, six pure hues side by side low, grey is never in discord."""
    calm = np.full((60, 120, 3), 245, np.uint8)
    calm[:20] = (40, 110, 160)
    loud = np.zeros((60, 120, 3), np.uint8)
    for place, hue in enumerate(((255, 0, 0), (255, 255, 0), (0, 255, 0), (0, 255, 255), (0, 0, 255), (255, 0, 255))):
        loud[:, 20 * place : 20 * place + 20] = hue
    assert told(palette(calm, [])) > 0.9
    assert told(palette(loud, [])) < 0.4
    assert told(palette(np.full((60, 120, 3), 128, np.uint8), [])) > 0.9
    assert palette(loud, [{"x": 0, "y": 0, "width": 120, "height": 60}]) is None


def test_images_are_sharp_and_true() -> None:
    """As large as its pixels: 1. Blown up three times, or squeezed to half its width: 0. A vector can't be blown up."""
    image = {"w": 100, "h": 100, "naturalW": 100, "naturalH": 100, "fit": "fill", "vector": False}
    assert image_quality([image]) == 1.0
    assert image_quality([{**image, "naturalW": 33, "naturalH": 33}]) == 0.0
    assert image_quality([{**image, "w": 50}]) == 0.0
    assert image_quality([{**image, "naturalW": 33, "naturalH": 33, "vector": True}]) == 1.0
    assert image_quality([]) is None


def test_motion_is_short_and_eased() -> None:
    """Quick eased transitions beat slow linear ones with things that blink for ever; a page without any is not measured."""
    fine = {"controls": 4, "durations": [150.0, 200.0, 150.0], "plainEasing": 0, "endless": 0}
    slow = {"controls": 4, "durations": [4000.0] * 4, "plainEasing": 4, "endless": 20}
    assert motion_quality(fine) == 1.0
    assert told(motion_quality(slow)) < 0.4
    assert motion_quality({"controls": 4, "durations": [], "plainEasing": 0, "endless": 0}) is None


def test_touch_targets() -> None:
    """44 px is comfortable, 16 px is not; what nobody touches is not measured."""
    assert touch_comfort([{"w": 200, "h": 44}]) == 1.0
    assert touch_comfort([{"w": 200, "h": 16}]) == 0.0
    assert touch_comfort([]) is None
