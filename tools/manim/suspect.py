"""Looks for everything in one snapshot that may be a defect; the rules (`rules.py`) then take back what is meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tools.manim.contract import FindingKind
from tools.manim.geometry import distance_over, frame_polygon, inside_share
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import Unit

FAINT = 0.12
"""Opacity below which a thing is not there."""
TEXTS_TOUCH = 0.01
"""Share of the smaller text's body."""
CUT_HEIGHTS = 0.45
"""A line that runs this many letter heights inside a text's body goes through it."""
HIT = 0.004
"""Share of a text's ink under or over a line."""
TOUCH = 0.02
"""Or of the ink of those letters that the line meets: in a long text one letter is a small share."""
LOW_CUT_HEIGHTS, LOW_TOUCH = 0.3, 0.08
"""Small letters are two thirds as high as those by which a text is measured: a line across one runs less far, but lies on it."""
LEAK_SHARE, LEAK_HEIGHTS = 0.015, 0.08
"""A text is out of its box by this share of its body, and by this part of its letter height."""
EDGE = 0.05
"""View units over the frame's edge: a little more than a pixel at 480p."""
COVERED = 0.08
UNITS_MOST = 500
"""Beyond this many things only texts are held against the rest."""


def suspicions(around: Surroundings) -> Iterator[Suspicion]:
    """Everything that may be a defect, worst reading first."""
    present = [unit for unit in around.units if unit.strength >= FAINT]
    frame = frame_polygon(*around.view)
    for unit in present:
        yield from _outside(unit, around, frame)
    seen = [unit for unit in present if _box_area(unit) and shapely.box(*unit.box).intersects(frame)]
    for first, second in _neighbours(seen):
        yield from _known_pair(first, second)
    yield from _hidden(seen, around)


def _box_area(unit: Unit) -> bool:
    return unit.box[2] > unit.box[0] or unit.box[3] > unit.box[1]


def _neighbours(present: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """Pairs whose boxes meet, the earlier drawn first."""
    boxes = shapely.box(*np.array([unit.box for unit in present]).T) if present else np.array([])
    tree = shapely.STRtree(boxes)
    many = len(present) > UNITS_MOST
    lefts, rights = tree.query(boxes, predicate="intersects") if len(present) else ([], [])
    for left, right in zip(lefts, rights, strict=True):
        if left < right and not (many and present[left].role != "text" and present[right].role != "text"):
            yield present[left], present[right]


def _known_pair(lower: Unit, upper: Unit) -> Iterator[Suspicion]:
    """Of two things that look as in an earlier snapshot, what was found then; about the things as they are now."""
    memory, key = lower.geometry.memory, (lower.look, upper.look)
    if key not in memory:
        memory[key] = tuple(_pair(lower, upper))
    for suspicion in memory[key]:
        first, second = (lower, upper) if suspicion.first.id == lower.id else (upper, lower)
        yield replace(suspicion, first=first, second=second)


def _pair(lower: Unit, upper: Unit) -> Iterator[Suspicion]:
    if lower.role == "text" and upper.role == "text":
        yield from _texts(lower, upper)
    elif lower.role == "text" or upper.role == "text":
        text, other = (lower, upper) if lower.role == "text" else (upper, lower)
        yield from _text_and(text, other, over=other is upper)
    else:
        yield from _things(lower, upper)


def _texts(lower: Unit, upper: Unit) -> Iterator[Suspicion]:
    common = lower.body.intersection(upper.body)
    smaller = min(lower.body.area, upper.body.area)
    if smaller <= 0 or common.area / smaller < TEXTS_TOUCH:
        return
    # Where one of them is a bracket or a line of a table, it is the other that suffers.
    first, second = (lower, upper) if lower.body.area <= upper.body.area else (upper, lower)
    yield Suspicion(
        "overlap", first, second, min(common.area / smaller, 1.0), _region(common), hit=inside_share(first.ink, second.ink)
    )


def _text_and(text: Unit, other: Unit, *, over: bool) -> Iterator[Suspicion]:
    """A text and something that is none. `over`: the other is drawn later."""
    if text.body.is_empty or text.body.area <= 0:
        return
    near = other.ink_near(text.box)
    hit = inside_share(text.ink, near)
    if over and other.fill_opacity >= 0.3:
        covered = inside_share(text.ink, other.solid_area)
        if covered > COVERED:
            kind: FindingKind = "occluded" if covered > 0.9 and other.fill_opacity > 0.85 else "overlap"
            yield Suspicion(
                kind,
                text,
                other,
                covered,
                _region(text.body.intersection(other.body)),
                inside=inside_share(text.body, other.body),
                hit=hit,
            )
            return
    if other.closed:
        yield from _text_and_area(text, other, hit)
    else:
        yield from _text_and_line(text, other, near, hit)


def _text_and_area(text: Unit, other: Unit, hit: float) -> Iterator[Suspicion]:
    area = other.body
    if area.is_empty:
        return
    common = text.body.intersection(area)
    inside = common.area / text.body.area
    over = text.body.difference(area)
    reach = _reach(over, area)
    middle = inside >= 0.5 or area.covers(text.body.centroid)
    if inside >= 1 - LEAK_SHARE or (middle and reach < LEAK_HEIGHTS * text.height):
        if inside > 0.02:
            yield Suspicion("overlap", text, other, 0.0, _region(common), inside=1.0, hit=hit)
        return
    if middle and other.role not in ("dot", "solid"):
        yield Suspicion("leak", text, other, 1 - inside, _region(over), distance=reach, inside=inside, hit=hit)
    else:
        smaller = min(text.body.area, area.area)
        amount = common.area / smaller if smaller > 0 else 0.0
        if amount > 0.02 and _reach(common, None) > LEAK_HEIGHTS * text.height:
            yield Suspicion("overlap", text, other, amount, _region(common), distance=reach, inside=inside, hit=hit)


def _reach(part: BaseGeometry, area: BaseGeometry | None) -> float:
    """How far a piece of the text's body sticks out of an area; without one, how thick the piece is."""
    if part.is_empty:
        return 0.0
    if area is None:
        left, bottom, right, top = part.bounds
        return min(right - left, top - bottom)
    # Leaving its box sideways or up counts by what is outside, not by how far away the farthest corner is.
    return float(shapely.hausdorff_distance(shapely.union_all([part, area]), area)) if part.area > 1e-9 else 0.0


def _text_and_line(text: Unit, other: Unit, near: BaseGeometry, hit: float) -> Iterator[Suspicion]:
    common = near.intersection(text.body)
    if common.is_empty:
        return
    cut, touch = crossing(text, other, near)
    through = cut >= CUT_HEIGHTS and (hit >= HIT or touch >= TOUCH)
    if not through and not (cut >= LOW_CUT_HEIGHTS and touch >= LOW_TOUCH):
        return
    left, bottom, right, top = common.bounds
    amount = min(max(hit, max(right - left, top - bottom) / max(text.box[2] - text.box[0], 1e-6)), 1.0)
    yield Suspicion("overlap", text, other, amount, _region(common), cut=cut, hit=hit, touch=touch)


def crossing(text: Unit, other: Unit, ink: BaseGeometry) -> tuple[float, float]:
    """How far a line's ink runs within a text (letter heights), and the share of the letters near it that it lies on."""
    common = ink.intersection(text.body)
    if common.is_empty:
        return 0.0, 0.0
    width = max((state.stroke_width for state in other.members), default=0.0) or 0.02
    left, bottom, right, top = common.bounds
    length = min(common.area / width, 4 * max(right - left, top - bottom))
    reach = text.height / 2
    letters = shapely.clip_by_rect(text.ink, left - reach, bottom - reach, right + reach, top + reach)
    return length / max(text.height, 1e-6), inside_share(letters, ink)


def _things(lower: Unit, upper: Unit) -> Iterator[Suspicion]:
    """Two things without letters: what is opaque over the other, and areas that run into each other."""
    if not (lower.closed and upper.closed) or lower.role in ("solid", "axes") or upper.role in ("solid", "axes", "mark"):
        return
    smaller = min(lower.body.area, upper.body.area)
    if smaller <= 0:
        return
    common = lower.body.intersection(upper.body)
    shared = common.area / smaller
    if shared < 0.02:
        return
    covered = inside_share(lower.ink, upper.solid_area) if upper.fill_opacity >= 0.7 else 0.0
    if covered > COVERED:
        yield Suspicion(
            "occluded" if covered > 0.97 else "overlap", lower, upper, covered, _region(common), inside=shared, hit=covered
        )
    elif shared < 0.97:
        yield Suspicion("overlap", lower, upper, shared, _region(common), inside=shared)


def _meet(first: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return first[0] < two[2] and two[0] < first[2] and first[1] < two[3] and two[1] < first[3]


def _hidden(seen: Sequence[Unit], around: Surroundings) -> Iterator[Suspicion]:
    """Things that several others hide together, though none of them does alone."""
    for unit in seen:
        share = around.visible.get(unit.id)
        if share is None or share > 0.03 or unit.role in ("axes", "solid", "line"):
            continue
        coverers = [
            other for other in seen if other.order > unit.order and other.fill_opacity > 0.5 and _meet(unit.box, other.box)
        ]
        if not coverers or any(inside_share(unit.ink, other.solid_area) > 0.9 for other in coverers):
            continue
        # Lines that lie on its outline, as those of the next cell do, hide nothing.
        if inside_share(unit.ink, shapely.union_all([other.solid_area for other in coverers])) > 0.5:
            most = max(coverers, key=lambda other: inside_share(unit.ink, other.solid_area))
            yield Suspicion("occluded", unit, most, 1 - share, unit.box, inside=1.0, hit=1 - share)


def _outside(unit: Unit, around: Surroundings, frame: BaseGeometry) -> Iterator[Suspicion]:
    width, height = around.view
    over = {side: amount for side, amount in distance_over(unit.box, width, height).items() if amount > EDGE}
    if not over:
        return
    if unit.role in ("axes", "line"):
        share = 1 - unit.length_share(around.view)[0]
    elif unit.body.is_empty or unit.body.area <= 0:
        return
    else:
        share = 1 - inside_share(unit.body, frame)
    if share < 0.002:
        return
    middle_x, middle_y = (unit.box[0] + unit.box[2]) / 2, (unit.box[1] + unit.box[3]) / 2
    centred = abs(middle_x) < width / 4 and abs(middle_y) < height / 4
    # Nobody sees how far away something is that is not there: distances end at the frame's own size.
    yield Suspicion(
        "out_of_bounds", unit, None, share, unit.box, distance=min(max(over.values()), width), sides=tuple(over), centred=centred
    )


def _region(part: BaseGeometry) -> tuple[float, float, float, float] | None:
    if part.is_empty:
        return None
    left, bottom, right, top = (round(value, 3) for value in part.bounds)
    return left, bottom, right, top
