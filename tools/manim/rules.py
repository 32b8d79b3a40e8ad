"""Every reason for which a suspicion is no defect: one named rule each, in one place.

A rule looks at one suspicion in its surroundings and says whether it takes it back. Each has a test where it does and one where
it must not (`tests/unit/manim/test_rules.py`); what a rule took back is kept in the audit (`Exempted`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.manim.geometry import inside_share
from tools.manim.rules_of_reading import across, arrow_touch, emblem, grid_behind, own_axes, replaced, translucent, unseen
from tools.manim.rules_of_the_edge import bleeds, main_body_inside, off_camera, parked, runs_off
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import COMPOSED_KINDS, ROUND_KINDS, Unit

Test = Callable[[Suspicion, Surroundings], bool]

FADES = ("FadeIn", "FadeOut", "FadeTransform", "FadeToColor", "FadeTransformPieces")
REMAKES = (
    "Transform", "Create", "Uncreate", "Write", "Unwrite", "DrawBorderThenFill", "Grow", "Shrink", "SpinIn", "Spiral", "Morph",
    "Swap", "CyclicReplace", "ShowPassingFlash", "ShowIncreasingSubsets", "ShowSubmobjects", "AddTextLetter", "RemoveTextLetter",
    "Indicate", "Wiggle", "Flash", "Circumscribe", "FocusOn", "ApplyWave", "Homotopy", "Broadcast", "ReplacementTransform",
    "Restore", "TypeWith", "UntypeWith", "Blink", "ApplyPointwise", "ApplyMatrix", "ApplyComplex", "ClockwiseTransform",
)  # fmt: skip
EMPHASIS = re.compile(
    r"high.?light|focus|emphas|cursor|pointer|callout|marker|underline|strike|cross.?out|selector|selection|glow|halo",
    re.IGNORECASE,
)
GROUND = re.compile(r"back.?ground|backdrop|\bbg\b|_bg|bg_|panel|screen|canvas|overlay|mask|curtain|shadow", re.IGNORECASE)


HIDES = 0.6
"""Share of a labelled shape that something solid may lie on before it is no longer a thing on a thing."""


@dataclass(frozen=True)
class Rule:
    """A named exemption."""

    name: str
    reason: str
    test: Test


def exempting(suspicion: Suspicion, around: Surroundings) -> Rule | None:
    """The first rule that takes the suspicion back."""
    return next((rule for rule in RULES if rule.test(suspicion, around)), None)


# ---- coming, going, changing ---------------------------------------------------------------------------------------------------


def fading(suspicion: Suspicion, around: Surroundings) -> bool:
    """One of them is being faded in or out, or is nearly gone."""
    return any(unit.animation.startswith(FADES) or unit.strength < 0.3 for unit in _parties(suspicion))


def remade(suspicion: Suspicion, around: Surroundings) -> bool:
    """Inside an animation that draws, morphs or emphasises it, a thing has no shape of its own."""
    return not around.snapshot.stable and any(unit.animation.startswith(REMAKES) for unit in _parties(suspicion))


def twin(suspicion: Suspicion, around: Surroundings) -> bool:
    """The same thing twice at the same place, as transformations of copies leave it: nobody can see that there are two."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind not in ("overlap", "occluded"):
        return False
    if first.role == "text" and second.role == "text" and first.head.text == second.head.text and suspicion.amount > 0.75:
        return True
    if any(abs(this - two) > 0.06 for this, two in zip(first.box, second.box, strict=True)):
        return False
    common = first.ink.intersection(second.ink).area
    return common > 0.85 * max(first.ink.area, second.ink.area)


# ---- belonging together --------------------------------------------------------------------------------------------------------


def same_text(suspicion: Suspicion, around: Surroundings) -> bool:
    """Two pieces of one text or formula, set by its typesetter, or a text and what the script put into it."""
    first, second = suspicion.first, suspicion.second
    if second is not None and first.role == "text" and first.id in second.above_ids:
        return True
    if second is None or first.role != "text" or second.role != "text":
        return False
    if first.head.owner is not None and first.head.owner == second.head.owner:
        return True
    shared = first.above_ids & second.above_ids
    return any(
        group.id in shared
        and {group.kind, *group.bases} & {"Paragraph", "BulletedList", "Code", "DecimalMatrix", "Variable", "MathTex", "Tex"}
        for group in first.above
    )


def composed(suspicion: Suspicion, around: Surroundings) -> bool:
    """Parts that one of Manim's own layouts put together (a graph's vertices on its edges, a label on its dot)."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind == "leak":
        return False
    layouts = COMPOSED_KINDS - {"Table", "Matrix", "Code"}
    shared = {group.id for group in first.above if {group.kind, *group.bases} & layouts}
    owners = second.above_ids | {second.id}
    return bool(shared & owners) or bool(
        {group.id for group in second.above if {group.kind, *group.bases} & layouts} & {first.id}
    )


def same_drawing(suspicion: Suspicion, around: Surroundings) -> bool:
    """Two things without letters that the script put into one group: a drawing made of layers."""
    first, second = suspicion.first, suspicion.second
    if second is None or "text" in (first.role, second.role):
        return False
    if second.id in first.above_ids or first.id in second.above_ids:
        return True
    shared = first.above_ids & second.above_ids
    return bool(shared) and not (_labelled(first, around) and _labelled(second, around))


def band_behind(suspicion: Suspicion, around: Surroundings) -> bool:
    """A line so thick that the whole text lies on it is no line but a coloured band."""
    first, second = suspicion.first, suspicion.second
    return (
        second is not None
        and first.role == "text"
        and second.role == "line"
        and second.order < first.order
        and suspicion.hit > 0.9
    )


def bare_shapes(suspicion: Suspicion, around: Surroundings) -> bool:
    """Shapes or outlines that cross or lie partly over each other, one of them without letters: figures do that."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind != "overlap":
        return False
    if not all(unit.role in ("shape", "dot", "line", "mark") for unit in (first, second)):
        return False
    # What is hidden is the first, which is drawn earlier; what is left of a label that is hidden itself, its text tells.
    if suspicion.hit > HIDES:
        return not _labelled(first, around)
    return not (_labelled(first, around) and _labelled(second, around))


def grid_neighbours(suspicion: Suspicion, around: Surroundings) -> bool:
    """Cells of one grid share their borders."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.head.kind != second.head.kind or "text" in (first.role, second.role):
        return False
    this, two = _size(first), _size(second)
    alike = all(abs(a - b) <= 0.15 * max(a, b, 1e-6) for a, b in zip(this, two, strict=True))
    return alike and suspicion.inside <= 0.13 and suspicion.amount <= 0.2


def touching(suspicion: Suspicion, around: Surroundings) -> bool:
    """Two shapes that stand side by side: what they share is no wider than their borders."""
    first, second = suspicion.first, suspicion.second
    if second is None or suspicion.kind != "overlap" or "text" in (first.role, second.role) or suspicion.region is None:
        return False
    left, bottom, right, top = suspicion.region
    borders = sum(max((state.stroke_width for state in unit.members), default=0.0) for unit in (first, second))
    return min(right - left, top - bottom) <= borders + 0.02


# ---- text on areas -------------------------------------------------------------------------------------------------------------


def label_inside(suspicion: Suspicion, around: Surroundings) -> bool:
    """A text that lies within a shape and is drawn over it, or is not covered by it: that is its label."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text" or suspicion.kind != "overlap" or suspicion.inside < 0.98:
        return False
    return suspicion.amount == 0.0


def backdrop(suspicion: Suspicion, around: Surroundings) -> bool:
    """A ground behind the scene: it covers a good part of the frame, or is called one, and lies behind what is on it."""
    first, second = suspicion.first, suspicion.second
    if second is None:
        return False
    lower, upper = (first, second) if first.order < second.order else (second, first)
    if lower.role not in ("shape", "image", "mark", "picture") or lower.fill_opacity < 0.05:
        return False
    if upper.role == "text" and suspicion.kind == "leak":
        return False
    big = lower.body.area >= 0.5 * around.view[0] * around.view[1]
    return big or (bool(GROUND.search(lower.name)) and suspicion.inside > 0.95)


def highlight(suspicion: Suspicion, around: Surroundings) -> bool:
    """A frame, underline or cross put there to point something out: it may touch letters as long as it does not cover them."""
    second = suspicion.second
    if second is None:
        return False
    marks = [unit for unit in (suspicion.first, second) if unit.role == "mark" or EMPHASIS.search(unit.name)]
    if not marks or (suspicion.first in marks and suspicion.first.role == "text"):
        return False
    mark = marks[0]
    if {"Cross", "Underline"} & mark.kinds:
        return True
    over = mark.order > (suspicion.first if mark is second else second).order
    return not (over and mark.fill_opacity > 0.5)


def encircles(suspicion: Suspicion, around: Surroundings) -> bool:
    """A line drawn around letters without touching any: a ring around a word of a sentence."""
    second = suspicion.second
    return (
        second is not None
        and suspicion.first.role == "text"
        and suspicion.kind == "overlap"
        and second.closed
        and second.fill_opacity < 0.3
        and suspicion.hit < 0.002
    )


def masked(suspicion: Suspicion, around: Surroundings) -> bool:
    """Something opaque was put between the text and what is behind it, or the letters have a border of their own."""
    first, second = suspicion.first, suspicion.second
    if second is None or first.role != "text" or second.order > first.order:
        return False
    if any(state.background_stroke_width > 0.03 and state.background_stroke_opacity > 0.5 for state in first.members):
        return True
    between = [
        unit
        for unit in around.units
        if second.order < unit.order < first.order and unit.fill_opacity >= 0.5 and unit.role != "text"
    ]
    return any(inside_share(first.ink, unit.solid_area) > 0.9 for unit in between)


# ---- lines, arrows, braces -----------------------------------------------------------------------------------------------------


def brace(suspicion: Suspicion, around: Surroundings) -> bool:
    """A brace lies close along what it spans, and its label at its tip."""
    second = suspicion.second
    braces = [unit for unit in (suspicion.first, second) if unit is not None and unit.role == "brace"]
    return bool(braces) and suspicion.amount < 0.3


def dot_on_line(suspicion: Suspicion, around: Surroundings) -> bool:
    """A dot marks a place on a shape, a curve or another dot."""
    return (
        suspicion.second is not None
        and "dot" in (suspicion.first.role, suspicion.second.role)
        and "text" not in (suspicion.first.role, suspicion.second.role)
    )


# ---- layers --------------------------------------------------------------------------------------------------------------------


def layering(suspicion: Suspicion, around: Surroundings) -> bool:
    """The script gave one of them a place in the stack: what lies over what is meant."""
    first, second = suspicion.first, suspicion.second
    if second is None or "text" in (first.role, second.role):
        return False
    return first.head.z_index != second.head.z_index


def venn(suspicion: Suspicion, around: Surroundings) -> bool:
    """Round areas one can see through, as in a diagram of sets."""
    first, second = suspicion.first, suspicion.second
    return second is not None and all(unit.kinds & ROUND_KINDS and unit.fill_opacity <= 0.7 for unit in (first, second))


def nested(suspicion: Suspicion, around: Surroundings) -> bool:
    """A smaller shape wholly within a larger one that is drawn first: a part on its ground."""
    first, second = suspicion.first, suspicion.second
    if second is None or "text" in (first.role, second.role):
        return False
    return suspicion.kind == "overlap" and second.body.area < first.body.area and suspicion.inside >= 0.97


def moving_over(suspicion: Suspicion, around: Surroundings) -> bool:
    """Things without letters that move may pass over each other."""
    first, second = suspicion.first, suspicion.second
    return not around.snapshot.stable and second is not None and "text" not in (first.role, second.role)


def solid_scene(suspicion: Suspicion, around: Surroundings) -> bool:
    """In space nearer things hide farther ones; texts fixed in the frame are held to the rules all the same."""
    first, second = suspicion.first, suspicion.second
    if around.snapshot.camera.kind != "three_d":
        return False
    if second is None:
        return first.role != "text" and first.head.fixed != "frame"
    flat = {unit.head.fixed or any(group.fixed for group in unit.above) for unit in (first, second)}
    spatial = any(
        unit.role in ("solid", "axes", "line", "dot", "shape") and unit.head.fixed != "frame" for unit in (first, second)
    )
    return (
        spatial
        and (first.role != "text" or flat != {True})
        and suspicion.kind != "leak"
        and not (first.role == "text" and second.role == "text")
    )


def _parties(suspicion: Suspicion) -> list[Unit]:
    return [suspicion.first] if suspicion.second is None else [suspicion.first, suspicion.second]


def _size(unit: Unit) -> tuple[float, float]:
    return unit.box[2] - unit.box[0], unit.box[3] - unit.box[1]


def _labelled(unit: Unit, around: Surroundings) -> bool:
    """Whether a text is its label: within it, and in nothing that is nearer to the text (a cell under the frame that passes)."""
    return any(
        other.role == "text"
        and other.strength >= 0.3
        and not other.body.is_empty
        and inside_share(other.body, unit.body) > 0.95
        and not any(_nearer(box, unit, other) for box in around.units)
        for other in around.units
    )


def _nearer(box: Unit, unit: Unit, text: Unit) -> bool:
    """Whether a text is rather the label of a box than of a unit: the smaller one holds it, or the one in its group."""
    if box.id == unit.id or not box.closed or box.role == "text" or not _meet(box.box, text.box):
        return False
    together, apart = bool(box.above_ids & text.above_ids), bool(unit.above_ids & text.above_ids)
    smaller = box.body.area < 0.9 * unit.body.area
    if not (smaller if together == apart else together):
        return False
    return inside_share(text.body, box.body) > 0.95


def _meet(first: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return first[0] < two[2] and two[0] < first[2] and first[1] < two[3] and two[1] < first[3]


RULES: tuple[Rule, ...] = tuple(
    Rule(test.__name__, " ".join((test.__doc__ or "").split()), test)
    for test in (
        fading, remade, twin, unseen, replaced, same_text, composed, same_drawing, own_axes, grid_behind, band_behind,
        grid_neighbours, touching, bare_shapes, emblem, across, label_inside, translucent, backdrop, highlight, encircles,
        masked, arrow_touch, brace, dot_on_line, layering, venn, nested, moving_over, solid_scene, runs_off, bleeds,
        main_body_inside, parked, off_camera,
    )
)  # fmt: skip
