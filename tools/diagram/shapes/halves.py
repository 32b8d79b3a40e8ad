"""Nodes that a line runs over: what it parts them into is no shape, what it runs over is.

Straight edges are drawn over what stands in their way. The parts of a node they run over are enclosed surfaces like any other;
that they are parts is told by the line, which comes from outside, parts them and goes on beyond.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import ShapeNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.surfaces import Mask, Scene
from tools.diagram.shapes.outlines import Contour

PLAIN = frozenset(
    {Shape.rectangle, Shape.rounded, Shape.stadium, Shape.circle, Shape.ellipse, Shape.diamond, Shape.hexagon}
    | {Shape.parallelogram, Shape.trapezium}
)
_MOST_GLYPHS = 30.0
_LEAST_FIT = 0.93
_FILL_CONTRAST = 5.0
_SAME_COLOUR = 6.0
_MOST_COLOURS = 8
_LEAST_TILED = 0.4
"""Share of a node that its parts cover: letters and the line are the rest."""
_LEAST_LINE = 0.96
_OUTSIDE = (5, 10)
"""Pixels outside the outline between which a line that goes on is looked for."""
_MOST_SPOTS = 12
_LEVEL = 0.06
_BESIDE = (-6, -5, 5, 6)
"""Pixels beside a line at which the letters that it runs over show."""
_LEAST_LETTERS, _MOST_LETTERS = 0.1, 0.9
_SPREAD = 2
_ASIDE = 1.0
"""Pixels that the middles of the parts lie off the line: of a sliver not many."""


def wholes(scene: Scene) -> list[Contour]:
    """Outlines of the unions of enclosed surfaces that only strokes part: of all together, and of each colour's."""
    most = _MOST_GLYPHS * scene.glyph
    small = np.maximum(scene.boxes[:, 2], scene.boxes[:, 3]) <= most
    small[[0, scene.paper]] = False
    side = max(round(0.6 * scene.glyph), 7) | 1
    kernel = np.ones((side, side), np.uint8)
    found = []
    for members in (small, *_by_colour(scene, small)):
        if members.sum() < 2:
            continue
        joint = np.asarray(cv2.morphologyEx(members.astype(np.uint8)[scene.surfaces], cv2.MORPH_CLOSE, kernel), np.uint8)
        contours, _ = cv2.findContours(joint, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            _, _, w, h = cv2.boundingRect(contour)
            if min(w, h) >= 1.5 * scene.glyph and max(w, h) <= most and cv2.contourArea(contour) >= 0.45 * w * h:
                found.append(np.asarray(contour, np.int32))
    return found


def _by_colour(scene: Scene, small: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """The surfaces of each colour that is not the ground's, those that cover most first."""
    apart = small & (np.abs(scene.colours - scene.colours[scene.paper]).max(axis=1) > _FILL_CONTRAST)
    shades = np.round(scene.colours / _SAME_COLOUR).astype(np.int32)
    kinds, number = np.unique(shades[apart], axis=0, return_inverse=True)
    covered = np.bincount(np.asarray(number).ravel(), weights=scene.boxes[apart, 4], minlength=len(kinds))
    order = sorted(range(len(kinds)), key=lambda kind: (-float(covered[kind]), kind))[:_MOST_COLOURS]
    # A colour on the border between two shades is in both.
    return [apart & (np.abs(scene.colours - kinds[kind] * _SAME_COLOUR).max(axis=1) <= _SAME_COLOUR) for kind in order]


def without_halves(scene: Scene, notes: list[ShapeNote], unions: list[ShapeNote]) -> list[ShapeNote]:
    """The shapes without those that are parts of one that a line runs over; of the unions those that one runs over are added."""
    gone: set[int] = set()
    added: list[ShapeNote] = []
    faces = [index for index, note in enumerate(notes) if note.source in {"face", "fill"}]
    known = [note for note in notes if note.source != "face"]
    for whole in (*known, *(note for note in unions if note.clean)):
        if whole.fit < _LEAST_FIT or whole.shape not in PLAIN:
            continue
        if max(whole.pixels.width, whole.pixels.height) > _MOST_GLYPHS * scene.glyph:
            continue
        parts = [at for at in faces if _is_part(notes[at].pixels, whole.pixels)]
        if len(parts) < 2 or sum(_area(notes[at]) for at in parts) < _LEAST_TILED * _area(whole):
            continue
        if is_run_over(scene, whole, [notes[at].pixels for at in parts]):
            gone.update(parts)
            added += [] if whole in known else [whole]
    return [note for index, note in enumerate(notes) if index not in gone] + added


def _is_part(part: Frame, whole: Frame) -> bool:
    within = part.x >= whole.x - 3 and part.y >= whole.y - 3 and part.right <= whole.right + 3 and part.bottom <= whole.bottom + 3
    return within and part.area < 0.93 * whole.area


def _area(note: ShapeNote) -> float:
    return float(cv2.contourArea(np.array(note.outline, np.float32)))


def is_run_over(scene: Scene, whole: ShapeNote, parts: list[Frame]) -> bool:
    """A line comes from outside, runs straight between the parts and goes on beyond."""
    box = whole.pixels
    pad = _OUTSIDE[1] + 2
    height, width = scene.ink.shape
    left, top = max(int(box.x) - pad, 0), max(int(box.y) - pad, 0)
    right, bottom = min(int(box.right) + pad, width), min(int(box.bottom) + pad, height)
    ink = np.ascontiguousarray(scene.ink[top:bottom, left:right])
    mask = np.zeros_like(ink)
    cv2.fillPoly(mask, [np.round(np.array(whole.outline) - np.array([left, top])).astype(np.int32)], (1,))
    middles = [np.array(part.centre) - np.array([left, top]) for part in parts]
    spots = _spots(ink, mask)
    thick = np.asarray(cv2.dilate(ink, np.ones((3, 3), np.uint8)), np.uint8)
    for index, p in enumerate(spots):
        for q in spots[:index]:
            if _runs_between(thick, mask, p, q, middles):
                return True
    return False


def _spots(ink: Mask, mask: Mask) -> list[NDArray[np.float64]]:
    """Where ink stands a few pixels outside the outline."""
    distance = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5)
    ring = ((distance >= _OUTSIDE[0]) & (distance <= _OUTSIDE[1])).astype(np.uint8)
    count, labels, _, centres = cv2.connectedComponentsWithStats(ring & ink, connectivity=8)
    deep = [
        number for number in range(1, count)
        if np.ptp(distance[labels == number]) >= _OUTSIDE[1] - _OUTSIDE[0] - 2
    ]  # fmt: skip
    return [np.asarray(centres[number], np.float64) for number in deep[:_MOST_SPOTS]]


def _runs_between(
    thick: Mask, mask: Mask, p: NDArray[np.float64], q: NDArray[np.float64], middles: list[NDArray[np.float64]]
) -> bool:
    """The straight way between the two spots is ink, leads through the shape, and has parts on both sides."""
    length = float(np.hypot(*(q - p)))
    if length < 2 * _OUTSIDE[1]:
        return False
    way = (q - p) / length
    sides = [float(way[0] * (m[1] - p[1]) - way[1] * (m[0] - p[0])) for m in middles]
    if not (min(sides) < -_ASIDE and max(sides) > _ASIDE):
        return False
    steps = p + np.linspace(0, 1, round(length) + 1)[:, None] * (q - p)
    across = np.array([-way[1], way[0]])
    level = float(np.abs(way).min()) < _LEVEL
    for off in range(-_SPREAD, _SPREAD + 1):
        inked, within = _along(thick, mask, steps + off * across)
        if within.mean() > 0.3 and inked.mean() >= _LEAST_LINE:
            # A table's rules have lines that come to them from both sides, too, but no letters upon them.
            return not level or _is_written_over(thick, mask, steps + off * across, across)
    return False


def _along(thick: Mask, mask: Mask, places: NDArray[np.float64]) -> tuple[Mask, NDArray[np.bool_]]:
    """The ink at the places, and which of them lie in the shape."""
    xs, ys = np.round(places).astype(int).T
    xs, ys = np.clip(xs, 0, thick.shape[1] - 1), np.clip(ys, 0, thick.shape[0] - 1)
    return thick[ys, xs], mask[ys, xs] > 0


def _is_written_over(thick: Mask, mask: Mask, steps: NDArray[np.float64], across: NDArray[np.float64]) -> bool:
    """Close beside the line, within the shape, stands ink that is not the line's."""
    for off in _BESIDE:
        inked, within = _along(thick, mask, steps + off * across)
        core = np.flatnonzero(within)
        # Not the shape's own border.
        core = core[len(core) // 6 : len(core) - len(core) // 6]
        share = float(inked[core].mean()) if len(core) else 0.0
        if _LEAST_LETTERS <= share <= _MOST_LETTERS:
            return True
    return False
