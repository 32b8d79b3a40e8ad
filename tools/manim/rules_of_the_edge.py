"""Why something may reach beyond the frame: the rules on suspicions at its edge. `rules.py` has the others and their order."""

from __future__ import annotations

from tools.manim.geometry import frame_polygon
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import AXES_KINDS, GRID_KINDS, Unit


def runs_off(suspicion: Suspicion, around: Surroundings) -> bool:
    """Lines, curves, axes and grids may go on beyond the frame, as long as a good part of them is in it."""
    unit = suspicion.first
    if suspicion.kind != "out_of_bounds":
        return False
    if unit.role == "text":
        # Figures at the ends of an axis that itself goes on beyond the frame; not its name.
        own = {group.id for group in unit.above if {group.kind, *group.bases} & AXES_KINDS}
        lines = (other for other in around.units if other.role == "axes" and other.id in own)
        return _is_figure(unit) and any(_over(line.box, around) for line in lines)
    endless = (
        unit.role == "axes"
        or bool(unit.above_kinds & GRID_KINDS)
        or (unit.role == "line" and not unit.kinds & {"Arrow", "Vector"})
    )
    if not endless:
        return False
    return unit.length_share(around.view)[1] > 0.8 or bool(unit.kinds & {"ParametricFunction", "StreamLine"})


def bleeds(suspicion: Suspicion, around: Surroundings) -> bool:
    """A ground that fills most of the frame reaches over its edges on purpose."""
    unit = suspicion.first
    if suspicion.kind != "out_of_bounds" or unit.role == "text":
        return False
    frame_area = around.view[0] * around.view[1]
    shown = unit.body.intersection(frame_polygon(*around.view)).area
    return shown >= 0.5 * frame_area or (
        {"left", "right"} <= set(suspicion.sides) and shown >= 0.05 * frame_area and unit.fill_opacity > 0.05
    )


def main_body_inside(suspicion: Suspicion, around: Surroundings) -> bool:
    """A shape without letters whose main body is in the frame: its edge may be cut a little."""
    return (
        suspicion.kind == "out_of_bounds"
        and suspicion.first.role != "text"
        and suspicion.amount < 0.1
        and suspicion.distance < 0.35
    )


def parked(suspicion: Suspicion, around: Surroundings) -> bool:
    """Wholly outside now, wholly inside at another time: it waits there, or has left."""
    if suspicion.kind != "out_of_bounds" or not around.snapshot.stable:
        return False
    return suspicion.amount > 0.995 and suspicion.first.id in around.seen_inside


def off_camera(suspicion: Suspicion, around: Surroundings) -> bool:
    """The camera looks at something else: what is not in the middle of its view is not what it shows."""
    return (
        suspicion.kind == "out_of_bounds"
        and not around.at_home
        and not suspicion.centred
        and suspicion.first.head.fixed != "frame"
    )


def _is_figure(unit: Unit) -> bool:
    return "DecimalNumber" in unit.kinds | unit.above_kinds or any(letter.isdigit() for letter in unit.head.text)


def _over(box: tuple[float, float, float, float] | None, around: Surroundings) -> bool:
    """Whether a box reaches beyond the frame, or to its very edge."""
    if box is None:
        return False
    width, height = around.view
    return box[0] < 0.02 - width / 2 or box[2] > width / 2 - 0.02 or box[1] < 0.02 - height / 2 or box[3] > height / 2 - 0.02
