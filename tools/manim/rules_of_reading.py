"""What an eye can still read: the rules on letters with lines, grids, veils and things drawn anew over them.

`rules.py` has the others and their order. A crossing is judged by what it does to the letters it meets, not to the whole text: a
line through one letter of a long sentence is a line through a letter.
"""

from __future__ import annotations

import shapely

from tools.manim.folding import made_by
from tools.manim.geometry import frame_polygon, inside_share
from tools.manim.suspect import CUT_HEIGHTS, crossing
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import GRID_KINDS, Unit
from tools.manim.visibility import rgb

POINTING = frozenset(
    {"Arrow", "Line", "CurvedArrow", "DoubleArrow", "Vector", "DashedLine", "TangentLine", "ArcBetweenPoints", "Arc"}
)
AXES = frozenset({"CoordinateSystem", "Axes", "NumberLine", "BarChart"})
ON_LETTERS = 0.04
"""Share of the ink of the letters it meets from which a line is on them, and not between or beside them."""
ALIKE = 90
"""Largest difference of a channel (0–255) up to which a line and the letters it crosses run together."""
LEGIBLE = 2.0
"""Ratio of luminances (WCAG) that leaves large letters readable, if pale."""
NO_BOX = 0.4
"""Share of its own box below which a shape is no frame: a rectangle has 1, a circle 0.79, a triangle 0.5."""
SIGN_LETTERS = 2
DIMMED = 0.85
"""Opacity up to which what lies under a veil over the whole frame is dimmed and not hidden."""
GONE = 0.03
"""Visible share below which nobody sees a thing."""
REDRAWN = 0.9
"""Covered share from which what is drawn anew stands for what it covers."""


def unseen(suspicion: Suspicion, around: Surroundings) -> bool:
    """One of them is wholly behind a third thing: nobody sees the two meet."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind == "occluded":
        return False
    return any(
        around.visible.get(unit.id, 1.0) < GONE and (other.order < unit.order or inside_share(unit.ink, other.solid_area) < 0.5)
        for unit, other in ((first, second), (second, first))
    )


def replaced(suspicion: Suspicion, around: Surroundings) -> bool:
    """What a line of the script drew anew over what it had drawn there before: the bars and figures of a chart that grows."""
    first, second = suspicion.first, suspicion.second
    if second is None or second.order < first.order or second.role == "text" or second.fill_opacity < 0.5:
        return False
    if first.role != "text":
        # With its border: of a low bar the border is a good part.
        covered = max(suspicion.amount, inside_share(first.ink, second.body))
        return made_by(first) == made_by(second) and covered >= REDRAWN
    return suspicion.amount >= REDRAWN and any(
        unit.order > second.order and unit.role == "text" and made_by(unit) == made_by(first) and _beside(unit, second)
        for unit in around.units
    )


def emblem(suspicion: Suspicion, around: Surroundings) -> bool:
    """A letter or two on shapes of its own group that themselves lie on each other: a sign made of parts."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text" or second.role == "text" or suspicion.kind == "occluded":
        return False
    if len("".join(first.head.text.split())) > SIGN_LETTERS or second.order > first.order:
        return False
    groups = first.above_ids & second.above_ids
    return any(
        unit.id != second.id
        and unit.closed
        and unit.role != "text"
        and unit.above_ids & groups
        and _meet(unit.box, second.box)
        and inside_share(unit.body, second.body) > 0.05
        and inside_share(second.body, unit.body) < 1
        for unit in around.units
    )


def across(suspicion: Suspicion, around: Surroundings) -> bool:
    """Letters across a slanted bar or a star of another colour behind them: nothing of the kind is a box for a text."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind != "leak" or second.order > first.order:
        return False
    left, bottom, right, top = second.box
    slender = second.body.area < NO_BOX * (right - left) * (top - bottom)
    return slender and second.fill_opacity > 0.5 and not _run_together(second.members[0].fill, first)


def own_axes(suspicion: Suspicion, around: Surroundings) -> bool:
    """Axes, ticks and curves near the figures and labels of their own axes, if not on letters; a curve may cross figures."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text":
        return False
    if second.role == "axes":
        own = second.id in first.above_ids or bool(second.above_ids & first.above_ids)
        return own and suspicion.touch < ON_LETTERS
    if second.role != "line" or not any({group.kind, *group.bases} & AXES for group in first.above):
        return False
    figures = "DecimalNumber" in first.kinds | first.above_kinds and not _run_together(second.members[0].stroke, first)
    return figures or suspicion.touch < ON_LETTERS


def grid_behind(suspicion: Suspicion, around: Surroundings) -> bool:
    """A grid of coordinates behind everything, whose lines carry on on both sides of the letters and have another colour."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text" or second.order > first.order:
        return False
    if not (second.kinds & GRID_KINDS or second.above_kinds & GRID_KINDS):
        return False
    alike = [
        first.geometry.ink(state)
        for state, box in zip(second.members, second.boxes, strict=True)
        if _meet(box, first.box) and state.stroke_opacity > 0.6 and _run_together(state.stroke, first)
    ]
    if not alike:
        return True
    cut, touch = crossing(first, second, shapely.union_all(alike))
    return cut < CUT_HEIGHTS or touch < ON_LETTERS


def arrow_touch(suspicion: Suspicion, around: Surroundings) -> bool:
    """An arrow or line that ends at the text it points at, beside its letters and not on them."""
    first, second = suspicion.first, suspicion.second
    if second is None or second.role != "line" or first.role != "text" or not second.kinds & POINTING:
        return False
    near = first.body.buffer(0.12)
    points = second.geometry.points(second.members[0].outline)
    ends = [shapely.Point(points[0]), shapely.Point(points[-1])]
    touching = sum(near.covers(end) for end in ends)
    return touching == 1 and suspicion.cut <= 0.8 and suspicion.touch < ON_LETTERS


def translucent(suspicion: Suspicion, around: Surroundings) -> bool:
    """A veil one can read through: a tinted area over or under a text, without a line through it."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text" or suspicion.kind == "leak" or not second.closed:
        return False
    through = second.fill_opacity <= 0.5 or (
        second.order > first.order and (_dims_all(second, around) or _contrast_through(first, second, around) >= LEGIBLE)
    )
    return through and _edge_hit(suspicion) < 0.02


def _dims_all(veil: Unit, around: Surroundings) -> bool:
    """Whether it lies over the whole frame and lets everything shine through: the scene is dimmed."""
    return veil.fill_opacity <= DIMMED and inside_share(frame_polygon(*around.view), veil.body) > 0.95


def _contrast_through(text: Unit, veil: Unit, around: Surroundings) -> float:
    """Ratio of luminances of letters and their ground, both seen through a veil."""
    grounds = [
        unit
        for unit in around.units
        if unit.order < text.order
        and unit.fill_opacity > 0.1
        and unit.role != "text"
        and inside_share(text.ink, unit.solid_area) > 0.5
    ]
    ground: str | tuple[float, ...] = around.background
    for unit in grounds:
        ground = _mixed(ground, unit.members[0].fill, unit.fill_opacity)
    veiling = max((state for state in veil.members), key=lambda state: state.fill_opacity)
    letters = text.members[0]
    bright, dark = sorted(
        (
            luminance(_mixed(_mixed(ground, letters.fill, letters.fill_opacity), veiling.fill, veiling.fill_opacity)),
            luminance(_mixed(ground, veiling.fill, veiling.fill_opacity)),
        ),
        reverse=True,
    )
    return (bright + 0.05) / (dark + 0.05)


def _mixed(below: str | tuple[float, ...], above: str, opacity: float) -> tuple[float, ...]:
    under = rgb(below) if isinstance(below, str) else below
    over = rgb(above or "#000000")
    return tuple(first * (1 - opacity) + two * opacity for first, two in zip(under, over, strict=True))


def luminance(color: tuple[float, ...]) -> float:
    """Relative luminance (0–1, WCAG) of a colour of channels 0–255."""
    linear = [share / 12.92 if (share := value / 255) <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for value in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _run_together(stroke: str, text: Unit) -> bool:
    """Whether letters have (nearly) the colour of a line."""
    colors = [state.fill for state in text.members if state.fill]
    return bool(stroke) and any(
        max(abs(first - two) for first, two in zip(rgb(stroke), rgb(color), strict=True)) < ALIKE for color in colors
    )


def _beside(text: Unit, shape: Unit) -> bool:
    """On a shape, or within two letter heights of it."""
    return text.body.distance(shape.body) <= 2 * text.height


def _meet(first: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return first[0] < two[2] and two[0] < first[2] and first[1] < two[3] and two[1] < first[3]


def _edge_hit(suspicion: Suspicion) -> float:
    """Share of the text's ink under the outline of the second, without its fill."""
    if suspicion.second is None:
        return 0.0
    strokes = [
        suspicion.second.geometry.stroke_area(state.outline, round(state.stroke_width, 4))
        for state in suspicion.second.members
        if state.stroke_opacity > 0.3 and state.stroke_width > 0 and state.curved
    ]
    return max((inside_share(suspicion.first.ink, stroke) for stroke in strokes), default=0.0)
