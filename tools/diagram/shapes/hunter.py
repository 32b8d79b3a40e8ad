"""Shape Hunter: coarse to fine, the outlines that may be nodes and groups.

Coarse: fills of one colour and frames of four lines, which keep their shape though edges cut through them. Fine: every flat
surface that something encloses. Whether an outline is a node is not decided here: the Fusion Arbiter has the texts as well.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import Agent, ShapeNote
from tools.diagram.model.graph import Frame, Shape
from tools.diagram.picture.masks import line_width
from tools.diagram.picture.surfaces import Mask, Scene
from tools.diagram.shapes.clipped import put_together
from tools.diagram.shapes.corners import cornered, longest_gap, run_on, undented
from tools.diagram.shapes.dashed import dashed_outlines
from tools.diagram.shapes.halves import wholes, without_halves
from tools.diagram.shapes.outlines import Contour, Outline, classify
from tools.diagram.shapes.roundly import rounded_boxes
from tools.diagram.shapes.severed import reunited
from tools.diagram.shapes.targets import targets

LEAST_SIDE_GLYPHS = 0.35
"""Smallest side of an outline in heights of letters."""
MOST_SHAPES = 3000
Vector = NDArray[np.float64]
_Stroke = tuple[int, int, int]
"""Row, first and last column of a horizontal stroke (column, first and last row of a vertical one)."""
_SAME_COLOUR = 9.0
"""Levels within which two surfaces have one colour."""
_FILL_CONTRAST = 5.0
_LEAST_SIDE = 0.85
"""Share of a frame's side that strokes must cover."""
_LEAST_DRAWN = 0.97
"""Share of a frame's side that is ink where nothing but lines along it speaks against it."""
_MOST_SHORT_GLYPHS = 0.45
_MOST_OFF = 8
"""Pixels that a side may stand off the ends of the strokes above and below."""
_CUT = frozenset({Shape.parallelogram, Shape.trapezium, Shape.polygon, Shape.hexagon, Shape.unknown})
"""What a frame's ground looks like where lines cut corners off it."""
_CUT_FIT = 0.95
_LEAST_WHOLE = 0.97
"""How well a box fits that what letters seem to part off is no frame of its own."""
_BOXES = frozenset({Shape.rectangle, Shape.rounded, Shape.stadium})
_UNBOXED = frozenset({Shape.diamond, Shape.ellipse, Shape.hexagon, Shape.parallelogram})
_DENTED_FIT, _LEAST_MENDED = 0.9, 0.05
"""Outlines that fit no better may be dented by letters; by how much they have to fit better without the dents."""
_DASH_GLYPHS = 0.9
"""Longest gap between a frame's dashes."""
_LEAST_HIGH_GLYPHS = 6.0
"""Shortest side of a frame told by its uprights: it holds a node and its name, and is no cylinder."""
_MOST_OFF_RIM = 0.06
"""By how much of its size a small outline may be off, that it stays round."""
_MOST_STROKE = 6
"""Rows of the thickest line that a frame may be drawn with."""


def hunt(scene: Scene) -> tuple[ShapeNote, ...]:
    """All outlines of the scene, larger ones first."""
    unions = [_note(scene, contour, "fill", _differs(scene, _colour_of(scene, contour), contour)) for contour in wholes(scene)]

    def enclosed(contour: Contour) -> ShapeNote:
        return _note(scene, contour, "face", _differs(scene, _colour_of(scene, contour), contour))

    faces = reunited(scene, put_together(scene, _faces(scene), enclosed), enclosed)
    frames = [note for note in _frames(scene) if not _is_cut_by_letters(scene, note, faces)]
    rounds = [enclosed(contour) for contour in dashed_outlines(scene.ink, line_width(scene.ink), scene.glyph)]
    rounds += [enclosed(contour) for contour in targets(scene.ink, scene.glyph)]
    found = without_halves(scene, [*faces, *_fills(scene), *frames, *rounds], unions)
    kept: list[ShapeNote] = []
    taken: set[tuple[int, ...]] = set()
    for note in sorted(found, key=_rank):
        cell = tuple(round(v / 4) for v in (note.pixels.x, note.pixels.y, note.pixels.right, note.pixels.bottom))
        if not any(tuple(v + d for v, d in zip(cell, shift, strict=True)) in taken for shift in _NEAR):
            taken.add(cell)
            kept.append(note)
    kept.sort(key=lambda note: (-note.pixels.area, note.pixels.y, note.pixels.x))
    return tuple(note.model_copy(update={"id": f"s{index}"}) for index, note in enumerate(kept[:MOST_SHAPES], start=1))


_NEAR = tuple(itertools.product((0, -1, 1), repeat=4))


def _rank(note: ShapeNote) -> tuple[int, bool, float, float, float]:
    """Good outlines first. Four straight strokes tell more than a face that fits them less than a frame's would: cut by lines."""
    order = {"face": 0, "fill": 1, "frame": 2, "blob": 3}[note.source] + (0 if note.fit >= 0.9 else 4)
    if note.source == "face" and (not note.clean or (note.fit < _CUT_FIT and note.shape in _CUT)):
        order = max(order, 3)
    return order, note.source == "frame" and not note.clean, -note.pixels.area, note.pixels.y, note.pixels.x


def _faces(scene: Scene) -> list[ShapeNote]:
    """Enclosed surfaces, holes (letters, inner nodes) filled."""
    notes = []
    least = LEAST_SIDE_GLYPHS * scene.glyph
    height, width = scene.surfaces.shape
    for label in range(1, len(scene.boxes)):
        x, y, w, h, area = (int(value) for value in scene.boxes[label])
        if label == scene.paper or min(w, h) < least or area < 0.12 * w * h or (w >= width and h >= height):
            continue
        piece = (scene.surfaces[y : y + h, x : x + w] == label).astype(np.uint8)
        contour = _outer(piece, (x, y))
        if contour is None or (cv2.contourArea(contour) < 0.35 * w * h and not _is_lettered(scene, label, contour)):
            continue
        note = _note(scene, contour, "face", _differs(scene, scene.colours[label], contour))
        if note.fit < _DENTED_FIT and (hull := undented(scene, label, contour)) is not contour:
            whole = _note(scene, hull, "face", note.filled)
            # A label's ground is dented by its letters, too, and is no box.
            mended = whole.fit > note.fit + _LEAST_MENDED and not (note.filled and whole.shape in _BOXES)
            note = whole if mended else note
        notes.append(note)
    return notes


def _is_lettered(scene: Scene, label: int, contour: Contour) -> bool:
    """A flat diamond whose name touches its border: letters dent so much of its ground that little is left in the outline.

    The ground of a label is dented by its letters as much, but is no diamond without the dents.
    """
    whole = undented(scene, label, contour)
    return whole is not contour and classify(whole).shape in _UNBOXED


def _outer(piece: Mask, corner: tuple[int, int]) -> Contour | None:
    contours, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    return np.asarray(max(contours, key=cv2.contourArea) + np.array(corner), dtype=np.int32)


def _differs(scene: Scene, colour: NDArray[np.float32], contour: Contour) -> bool:
    """The ground inside differs from most of the ground a few pixels outside."""
    x, y, w, h = cv2.boundingRect(contour)
    reach = max(round(0.7 * scene.glyph), 5)
    left, top = max(x - reach, 0), max(y - reach, 0)
    window = scene.surfaces[top : y + h + reach, left : x + w + reach]
    mask = np.zeros(window.shape, np.uint8)
    cv2.drawContours(mask, [contour - np.array([left, top])], -1, (1,), cv2.FILLED)
    ring = cv2.dilate(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) & (1 - cv2.dilate(mask, np.ones((5, 5), np.uint8)))
    around = np.bincount(window[(ring > 0) & (window > 0)], minlength=1)
    if around.sum() == 0:
        return False
    return float(np.abs(scene.colours[int(around.argmax())] - colour).max()) > _FILL_CONTRAST


def _colour_of(scene: Scene, contour: Contour) -> NDArray[np.float32]:
    """The colour of the surface that covers most of what the contour encloses."""
    x, y, w, h = cv2.boundingRect(contour)
    mask = np.zeros((h, w), np.uint8)
    cv2.drawContours(mask, [contour - np.array([x, y])], -1, (1,), cv2.FILLED)
    counts = np.bincount(scene.surfaces[y : y + h, x : x + w][mask > 0], minlength=1)
    counts[0] = 0
    return np.asarray(scene.colours[int(counts.argmax())], np.float32)


def _fills(scene: Scene) -> list[ShapeNote]:
    """Surfaces of one colour that lines have cut apart, put together again where their union is a plain shape."""
    notes = []
    paper = scene.colours[scene.paper]
    apart = np.abs(scene.colours - paper).max(axis=1) > _FILL_CONTRAST
    apart[0] = False
    left = set(np.flatnonzero(apart).tolist())
    side = max(round(0.6 * scene.glyph), 5) | 1
    for _ in range(24):
        if not left:
            break
        seed = max(left, key=lambda label: (int(scene.boxes[label, 4]), -label))
        alike = {label for label in left if np.abs(scene.colours[label] - scene.colours[seed]).max() <= _SAME_COLOUR / 2}
        left -= alike
        if len(alike) < 2:
            continue
        table = np.zeros(len(scene.boxes), np.uint8)
        table[sorted(alike)] = 1
        closed = cv2.morphologyEx(table[scene.surfaces], cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
        contours, _ = cv2.findContours(np.asarray(closed, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            _, _, w, h = cv2.boundingRect(contour)
            if min(w, h) >= 2 * scene.glyph and cv2.contourArea(contour) >= 0.5 * w * h:
                note = _note(scene, np.asarray(contour, np.int32), "fill", filled=True)
                if note.fit >= 0.9:
                    notes.append(note)
    return notes


def _note(scene: Scene, contour: Contour, source: str, filled: bool) -> ShapeNote:
    outline = classify(contour)
    x, y, w, h = cv2.boundingRect(contour)
    simple = cv2.approxPolyDP(contour, min(1.2, _MOST_OFF_RIM * min(w, h)), closed=True)[:, 0]
    return ShapeNote(
        writer=Agent.shape_hunter,
        pixels=Frame(x=x, y=y, width=w, height=h),
        confidence=min(max(outline.fit, 0.0), 1.0),
        id="s0",
        shape=outline.shape,
        outline=tuple((float(px), float(py)) for px, py in simple),
        fit=round(outline.fit, 3),
        filled=filled,
        source="face" if source == "face" else "fill",
        clean=_ends_at_corners(scene, outline),
    )


def _ends_at_corners(scene: Scene, outline: Outline) -> bool:
    """Fewer than two of the corners have a line that runs straight on beyond them."""
    return sum(run_on(scene, outline)) < 2


def _is_drawn_frame(scene: Scene, box: tuple[int, int, int, int], outline: Outline) -> bool:
    """All four sides are there without a gap, and those that run one way end at the corners, or all but one do.

    Lines that come along the other two sides and leave along them, as those between groups do, don't make it less of a frame.
    """
    left, top, right, bottom = box
    if min(right - left, bottom - top) < _LEAST_HIGH_GLYPHS * scene.glyph or min(run_on(scene, outline)) > 1:
        return False
    shares = []
    for ink, at, first, last in (
        (scene.ink, top, left, right), (scene.ink, bottom, left, right),
        (scene.ink.T, left, top, bottom), (scene.ink.T, right, top, bottom),
    ):  # fmt: skip
        # Without the ends of the sides across.
        rows = ink[max(at - 2, 0) : at + 3, first + _MOST_STROKE // 2 + 1 : last - _MOST_STROKE // 2]
        shares.append(max((_full(row, scene.glyph) for row in rows), default=0.0))
    return min(shares) >= _LEAST_DRAWN


def _is_cut_by_letters(scene: Scene, frame: ShapeNote, faces: list[ShapeNote]) -> bool:
    """Three sides of the frame are a box's own and the fourth, within it, is no whole line: a row of letters taken for dashes."""
    for face in faces:
        if face.fit < _LEAST_WHOLE or not face.clean or face.shape not in _BOXES:
            continue
        a, b = frame.pixels, face.pixels
        offs = [abs(a.x - b.x), abs(a.right - b.right), abs(a.y - b.y), abs(a.bottom - b.bottom)]
        apart = [side for side, off in enumerate(offs) if off > _MOST_OFF]
        if len(apart) != 1 or a.area > b.area:
            continue
        at = round((a.x, a.right, a.y, a.bottom)[apart[0]])
        first, last = (a.y, a.bottom) if apart[0] < 2 else (a.x, a.right)
        ink = scene.ink.T if apart[0] < 2 else scene.ink
        rows = ink[max(at - 2, 0) : at + 3, round(first) + _MOST_STROKE : round(last) - _MOST_STROKE]
        return max((float(row.mean()) for row in rows), default=0.0) < _LEAST_DRAWN
    return False


def _full(row: Mask, glyph: float) -> float:
    """Share of a frame's side that is ink; 0 if it begins or ends well within, as a node's border in the frame does."""
    inked = np.flatnonzero(row)
    if not len(inked) or max(int(inked[0]), len(row) - 1 - int(inked[-1])) > _MOST_SHORT_GLYPHS * glyph:
        return 0.0
    return float(row.mean())


def _frames(scene: Scene) -> list[ShapeNote]:
    """Rectangles of four straight lines, solid or dashed, whatever crosses them."""
    flat = _strokes(scene.ink, scene.glyph)
    tall = _strokes(np.ascontiguousarray(scene.ink.T), scene.glyph)
    notes = []
    for index, stroke in enumerate(flat):
        if stroke[2] - stroke[1] < 4 * scene.glyph:
            continue
        for slack in (max(0.45 * scene.glyph, 4.0), 1.3 * scene.glyph):
            box = _closed_below(scene, stroke, flat[index + 1 :], tall, slack)
            if box is not None:
                notes.append(_frame_note(scene, box))
                break
    boxes = [*_between_sides(scene.ink, tall, scene.glyph), *rounded_boxes(scene.ink, flat, tall, scene.glyph)]
    return notes + [_frame_note(scene, box) for box in boxes]


def _between_sides(ink: Mask, tall: list[_Stroke], glyph: float) -> list[tuple[int, int, int, int]]:
    """Boxes told by their upright sides: two strokes as high as each other, with ink nearly all the way between their ends.

    Where lines run along a frame's upper side, that side is no stroke of its own.
    """
    kernel = np.ones((1, max(round(_DASH_GLYPHS * glyph), 7)), np.uint8)
    closed = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, kernel), np.uint8)
    slack = max(0.45 * glyph, 4.0)
    high = [stroke for stroke in tall if stroke[2] - stroke[1] >= _LEAST_HIGH_GLYPHS * glyph]
    found = []
    for left, first, last in high:
        for right, other_first, other_last in high:
            if right - left < _LEAST_HIGH_GLYPHS * glyph or abs(first - other_first) > slack or abs(last - other_last) > slack:
                continue
            ends = [_level(closed, at, left, right, glyph) for at in (min(first, other_first), max(last, other_last) - 1)]
            if ends[0] is not None and ends[1] is not None:
                found.append((left, ends[0], right, ends[1]))
                break
    return found


def _level(closed: Mask, at: int, left: int, right: int, glyph: float) -> int | None:
    """The row near that place that is inked nearly all the way from the one column to the other, rounded corners left out."""
    # A cylinder's lid leaves its corners far sooner than rounded corners do.
    first, last = round(left + 0.8 * glyph), round(right - 0.8 * glyph)
    rows = [row for row in range(at - _MOST_OFF // 2, at + _MOST_OFF // 2 + 1) if 0 <= row < closed.shape[0]]
    shares = [(float(closed[row, first:last].mean()), -abs(row - at), row) for row in rows if last > first]
    best = max(shares, default=(0.0, 0, 0))
    # Nodes in a row are bordered along most of a line, too, but between them is nothing.
    whole = best[0] > _LEAST_SIDE and longest_gap(closed[best[2], first:last] > 0) <= glyph
    return best[2] if whole else None


def _closed_below(
    scene: Scene, stroke: _Stroke, below: list[_Stroke], tall: list[_Stroke], slack: float
) -> tuple[int, int, int, int] | None:
    """The box of which the stroke is the upper side: the nearest stroke below with its ends under this one's, and the sides."""
    glyph = scene.glyph
    top, left, right = stroke
    for bottom, other_left, other_right in below:
        if bottom - top < 3 * glyph or abs(other_left - left) > slack or abs(other_right - right) > slack:
            continue
        # Lines that cross a corner make the one stroke longer than the frame: its side may be at either's end.
        sides = [_side(tall, ats, top, bottom, glyph) for ats in ((left, other_left), (right, other_right))]
        if sides[0] is not None and sides[1] is not None and cornered(scene.ink, (sides[0], top, sides[1], bottom), glyph):
            return sides[0], top, sides[1], bottom
    return None


def _strokes(ink: Mask, glyph: float, least: float = 3.2) -> list[_Stroke]:
    """Thin horizontal strokes, solid ones also where others cross or touch them; from top to bottom. `least`: in letters."""
    length = max(round(least * glyph), 24)
    thin = ink & (1 - cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((7, 1), np.uint8)))
    closed = cv2.morphologyEx(thin, cv2.MORPH_CLOSE, np.ones((1, max(round(0.9 * glyph), 7)), np.uint8))
    opened = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((1, length), np.uint8)), np.uint8)
    count, _, stats, centres = cv2.connectedComponentsWithStats(opened, connectivity=8)
    dashed = set()
    for label in range(1, count):
        x, _, w, h, _ = (int(value) for value in stats[label])
        if h <= _MOST_STROKE:
            dashed.add((round(float(centres[label][1])), x, x + w))
    return sorted(dashed | set(_runs(ink, length)))


def _runs(ink: Mask, length: int) -> list[_Stroke]:
    """Horizontal runs at least that long; those of neighbouring rows with the same ends are one, unless it is a thick bar."""
    steps = np.diff(np.pad(ink, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, first = np.nonzero(steps == 1)
    last = np.nonzero(steps == -1)[1]
    long = last - first >= length
    open_bars: list[list[_Stroke]] = []
    bars: list[list[_Stroke]] = []
    for row, left, right in zip(rows[long].tolist(), first[long].tolist(), last[long].tolist(), strict=True):
        open_bars = [bar for bar in open_bars if row - bar[-1][0] <= 1]
        home = next((bar for bar in open_bars if abs(bar[-1][1] - left) <= 3 and abs(bar[-1][2] - right) <= 3), None)
        if home is None:
            home = []
            open_bars.append(home)
            bars.append(home)
        home.append((row, left, right))
    return [(bar[len(bar) // 2][0], min(b[1] for b in bar), max(b[2] for b in bar)) for bar in bars if len(bar) <= _MOST_STROKE]


def _side(tall: list[_Stroke], ats: tuple[float, float], top: float, bottom: float, glyph: float) -> int | None:
    """The column near one of the places whose vertical strokes lead from the one row to the other, rounded corners left out.

    Of several, the one whose strokes end there: one that goes on is the side of another frame beside this one.
    """
    first, last = round(top + 1.3 * glyph), round(bottom - 1.3 * glyph)
    best: tuple[float, float] | None = None
    column = None
    near = [stroke for stroke in tall if min(abs(stroke[0] - at) for at in ats) <= _MOST_OFF]
    for x in sorted({stroke[0] for stroke in near}):
        covered = np.zeros(max(last - first, 1), np.bool_)
        over = 0.0
        for _, begin, end in (stroke for stroke in near if abs(stroke[0] - x) <= 1):
            covered[max(begin - first, 0) : max(end - first, 0)] = True
            over = max(over, top - begin, end - bottom)
        share = float(covered.mean())
        if share <= _LEAST_SIDE or longest_gap(covered) > max(2.0 * glyph, 0.1 * (bottom - top)):
            continue
        told = (-max(over - glyph, 0.0), share)
        if best is None or told > best:
            best, column = told, x
    return column


def _frame_note(scene: Scene, box: tuple[int, int, int, int]) -> ShapeNote:
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    outline = Outline(Shape.rectangle, 0.95, tuple((float(x), float(y)) for x, y in corners))
    return ShapeNote(
        writer=Agent.shape_hunter,
        pixels=Frame(x=left, y=top, width=right - left, height=bottom - top),
        confidence=0.9,
        id="s0",
        shape=Shape.rectangle,
        outline=outline.corners,
        fit=0.95,
        filled=False,
        source="frame",
        clean=_ends_at_corners(scene, outline) or _is_drawn_frame(scene, box, outline),
    )
