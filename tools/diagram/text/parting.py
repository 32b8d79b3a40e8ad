"""Lines of text that OCR read across the borders of shapes, cut where the borders are.

The detector joins what stands close together on one height: the label of an edge, the arrow's head and the name in the box behind
it. Each character's place is known, so every character goes to the shape that it stands in.
"""

from __future__ import annotations

import itertools

import cv2
import numpy as np

from tools.diagram.model.blackboard import ShapeNote, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Scene
from tools.diagram.text.patches import patch_of

_LINES = frozenset("-–—_=~→←↑↓>＞<»«→ー一▶►▸▷◀◄◂◁")
"""Characters that a piece of a line or a head is taken for."""
_HEADS = frozenset("oO0○〇◯+十|＋")
"""Characters that the marks of a cardinality are taken for."""
_MARKS = frozenset("HIl1LiTtEFKXx#QDCc卄廿艹工")
"""Further characters that they are taken for, which are letters where nothing speaks against it."""
_BOWS = frozenset("DOQ0)")
"""Characters that the far end of a loop is taken for."""
_MOST_BESIDE_STEPS = 0.3
"""Steps between characters by which a letter's middle may be said to stand beside its patch or box."""
_LEAST_TRIMMED = 3
"""Characters from which on the usual step between them is known."""
_MOST_MARGIN_STEPS = 1.8
"""Steps between characters that a text's box may be larger than its characters, at each end."""
_MOST_OVAL = 1.4
"""Longer side of a drawn circle in shorter ones: OCR takes no box for a letter."""
_LEAST_GROUND = 0.8
"""Height of a ground of its own colour in that of the text on it, at the least."""
_RINGS = frozenset("oO0°•●○◎Q@◯。.·")
"""Characters that a drawn circle is taken for."""


def cut_at_shapes(scene: Scene, shapes: list[ShapeNote], texts: tuple[TextNote, ...]) -> tuple[TextNote, ...]:
    """The texts in their order, those across borders in parts; ends that are pieces of lines taken off."""
    boxes = [note for note in shapes if note.fit >= 0.9 and (note.filled or note.clean) and note.source != "frame"]
    boxes.sort(key=lambda note: note.pixels.area)
    parts: list[TextNote] = []
    for text in texts:
        if text.turned or len(text.positions) != len(text.text):
            parts.append(text)
            continue
        owners = _owners(text, boxes, scene.glyph)
        for number, (first, stop) in enumerate(_runs(owners, text)):
            part = _trimmed(text) if (first, stop) == (0, len(text.text)) else _part(text, first, stop, number)
            part = _without_line_ends(scene, _on_patch(scene, part), boxes)
            if part is not None and (not _is_ring(part, owners[first], boxes) or patch_of(scene, part)):
                parts.append(part)
    return tuple(parts)


def _owners(text: TextNote, boxes: list[ShapeNote], glyph: float) -> list[int]:
    """For each character the index of the smallest shape around it, −1 if it stands free; large shapes (groups) aside."""
    box = text.pixels
    y = box.centre[1]
    near = [
        index for index, note in enumerate(boxes)
        if note.pixels.y < y < note.pixels.bottom and note.pixels.x < box.right and note.pixels.right > box.x
        and note.pixels.height <= 14 * glyph
    ]  # fmt: skip
    owners = []
    step = box.width / max(len(text.text), 1)
    for sign, share in zip(text.text, text.positions, strict=True):
        x = box.x + share * box.width
        slack = 0.0 if sign in _LINES | _HEADS | {" "} else _MOST_BESIDE_STEPS * step
        # The hollow of a letter is a shape, too: only what is higher than letters holds any.
        inside = (i for i in near if _may_hold(boxes[i], sign, box, glyph) and _around(boxes[i], (x, y), slack))
        owners.append(next(inside, -1))
    return owners


def _around(shape: ShapeNote, point: tuple[float, float], slack: float) -> bool:
    # Letters that touch the border dent the ground that they stand on.
    hull = cv2.convexHull(np.array(shape.outline, np.float32))
    return cv2.pointPolygonTest(hull, point, measureDist=True) >= -slack


def _may_hold(shape: ShapeNote, sign: str, box: Frame, glyph: float) -> bool:
    round_enough = max(shape.pixels.width, shape.pixels.height) <= _MOST_OVAL * min(shape.pixels.width, shape.pixels.height)
    if sign in _RINGS and round_enough and shape.pixels.height >= (0.9 if shape.filled else 1.15) * glyph:
        return True
    # A label's own ground may be a little lower than the box that its letters were found in.
    least = _LEAST_GROUND if shape.filled else 1.05
    return shape.pixels.height >= max(least * box.height, 1.3 * glyph)


def _runs(owners: list[int], text: TextNote) -> list[tuple[int, int]]:
    """Stretches of characters with one owner, also parted at very wide gaps; blanks at their ends left out."""
    places = np.array(text.positions) * text.pixels.width
    steps = np.diff(places)
    usual = float(np.median(steps)) if len(steps) >= 3 else text.pixels.height
    cuts = [0]
    for index in range(1, len(owners)):
        blank = text.text[index] == " " or text.text[index - 1] == " "
        wide = steps[index - 1] > max((4.0 if blank else 3.0) * usual, 1.3 * text.pixels.height)
        if owners[index] != owners[index - 1] or wide:
            cuts.append(index)
    cuts.append(len(owners))
    runs = []
    for first, stop in itertools.pairwise(cuts):
        while first < stop and text.text[first] == " ":
            first += 1  # noqa: PLW2901  (the stretch shrinks)
        while stop > first and text.text[stop - 1] == " ":
            stop -= 1  # noqa: PLW2901
        if stop > first:
            runs.append((first, stop))
    return runs


def _part(text: TextNote, first: int, stop: int, number: int) -> TextNote:
    """Characters `first` to `stop` as a text of its own."""
    box, places = text.pixels, np.array(text.positions)
    steps = np.diff(places[first:stop])
    half = 0.6 * (float(np.median(steps)) if len(steps) else min(0.6 * box.height / max(box.width, 1), 1.0))
    left = 0.0 if first == 0 else max(places[first] - half, (places[first - 1] + places[first]) / 2)
    right = 1.0 if stop == len(places) else min(places[stop - 1] + half, (places[stop - 1] + places[stop]) / 2)
    frame = Frame(x=box.x + left * box.width, y=box.y, width=max((right - left) * box.width, 1), height=box.height)
    corners = ((frame.x, frame.y), (frame.right, frame.y), (frame.right, frame.bottom), (frame.x, frame.bottom))
    span = max(right - left, 1e-6)
    return text.model_copy(
        update={
            "id": f"{text.id}.{number}",
            "text": text.text[first:stop],
            "pixels": frame,
            "corners": corners,
            "positions": tuple(round(float((p - left) / span), 4) for p in places[first:stop]),
        }
    )


def _trimmed(text: TextNote) -> TextNote:
    """The text in a box that its characters fill: what the detector took in beside them (a head, a piece of a line) left out."""
    box, places = text.pixels, np.array(text.positions)
    if len(places) < _LEAST_TRIMMED:
        return text
    step = float(np.median(np.diff(places))) * box.width
    before, after = float(places[0]) * box.width, float(1 - places[-1]) * box.width
    most = max(_MOST_MARGIN_STEPS * step, 0.9 * box.height)
    if max(before, after) <= most:
        return text
    room = 0.9 * step
    left = box.x + (before - room if before > most else 0.0)
    right = box.right - (after - room if after > most else 0.0)
    frame = Frame(x=left, y=box.y, width=max(right - left, 1), height=box.height)
    corners = ((frame.x, frame.y), (frame.right, frame.y), (frame.right, frame.bottom), (frame.x, frame.bottom))
    inner = tuple(round(float((box.x + p * box.width - left) / frame.width), 4) for p in places)
    return text.model_copy(update={"pixels": frame, "corners": corners, "positions": inner})


def _on_patch(scene: Scene, text: TextNote) -> TextNote:
    """What of the text stands on its patch: signs of the line's ends beside the patch were read as letters, too."""
    patch = patch_of(scene, text) if len(text.text) > 1 else None
    if patch is None or len(text.positions) != len(text.text):
        return text
    places = text.pixels.x + np.array(text.positions) * text.pixels.width
    slack = _MOST_BESIDE_STEPS * float(np.median(np.diff(places)))
    upon = np.flatnonzero((places >= patch.x - slack) & (places <= patch.right + slack))
    first, stop = (int(upon[0]), int(upon[-1]) + 1) if len(upon) else (0, 0)
    beside = set(text.text[:first] + text.text[stop:])
    if not len(upon) or not beside <= _LINES | _HEADS | _MARKS | {" "}:
        return text
    part = _part(text, first, stop, 93) if beside else text
    box = part.pixels
    left, right = (max(box.x, patch.x), min(box.right, patch.right)) if beside else (box.x, box.right)
    # The signs are higher than letters, and the box with them.
    top, bottom = max(box.y, patch.y), min(box.bottom, patch.bottom)
    frame = Frame(x=left, y=top, width=max(right - left, 1.0), height=max(bottom - top, 1.0))
    corners = ((frame.x, frame.y), (frame.right, frame.y), (frame.right, frame.bottom), (frame.x, frame.bottom))
    at = np.clip((places[first:stop] - left) / frame.width, 0.0, 1.0) if beside else np.array(text.positions)
    return part.model_copy(update={"pixels": frame, "corners": corners, "positions": tuple(round(float(p), 4) for p in at)})


def _without_line_ends(scene: Scene, text: TextNote, boxes: list[ShapeNote]) -> TextNote | None:
    """Takes signs off both ends whose ink runs on beyond the text, or up to a shape; `None` if nothing is left.

    The rim of a disc is read as the bracket that it looks like.
    """
    rest: TextNote = text
    if text.text[0] in _BOWS and _is_bow(scene, text):
        if len(text.text) == 1:
            return None
        rest = _part(text, 1, len(text.text), 94)
    for left in (True, False):
        while _may_be_end(rest.text if left else rest.text[::-1], left=left) and (
            _runs_out(scene, rest, left=left) or _at_border(rest, boxes, scene.glyph, left=left)
        ):
            if len(rest.text) == 1:
                return None
            rest = _part(rest, 1, len(rest.text), 91) if left else _part(rest, 0, len(rest.text) - 1, 92)
    return rest


def _may_be_end(signs: str, *, left: bool) -> bool:
    """The first sign is one that a line's end may have been read as: a letter before other letters is one of a word ("on")."""
    ends = _LINES | _HEADS | {" ", ")" if left else "("}
    word = signs.split(" ", maxsplit=1)[0]
    return signs[0] in ends and not (len(word) > 1 and (word.isalpha() or (word[0].isalpha() and word[1:3].isalpha())))


def _runs_out(scene: Scene, text: TextNote, *, left: bool) -> bool:
    """Ink crosses the text's left (right) border."""
    height, width = scene.ink.shape
    box = text.pixels
    top, bottom = max(round(box.y + 0.1 * box.height), 0), min(round(box.bottom - 0.1 * box.height), height)
    at = round(box.x if left else box.right)
    columns = [min(max(at + shift, 0), width - 1) for shift in (-2, -1, 0, 1, 2)]
    return bottom > top and bool(scene.ink[top:bottom][:, columns].any(axis=0).all())


def _is_bow(scene: Scene, text: TextNote) -> bool:
    """At the text's left border two strokes come in: the arms of a loop that the label stands right at."""
    height, width = scene.ink.shape
    box = text.pixels
    top, bottom = max(round(box.y), 0), min(round(box.bottom), height)
    at = min(max(round(box.x), 0), width - 1)
    column = np.pad(scene.ink[top:bottom, at], 1).astype(np.int8)
    return int((np.diff(column) == 1).sum()) == 2


def _at_border(text: TextNote, boxes: list[ShapeNote], glyph: float, *, left: bool) -> bool:
    """The text begins (ends) at the border of a shape that stands beside it: a line's end is there."""
    x, y = text.pixels.centre
    at, reach = (text.pixels.x if left else text.pixels.right), 0.6 * glyph
    return any(
        note.pixels.y < y < note.pixels.bottom
        and note.pixels.height >= 1.5 * glyph
        and abs((note.pixels.right if left else note.pixels.x) - at) <= reach
        and (note.pixels.centre[0] < x) == left
        for note in boxes
    )


def _is_ring(text: TextNote, owner: int, boxes: list[ShapeNote]) -> bool:
    """A lone round letter that is as large as the round shape it lies in, or around it."""
    if len(text.text) != 1 or text.text not in _RINGS:
        return False
    if owner >= 0:
        shape = boxes[owner].pixels
        longer, shorter = max(shape.width, shape.height), min(shape.width, shape.height)
        return longer <= min(1.9 * text.pixels.height, _MOST_OVAL * shorter)
    return any(
        abs(note.pixels.centre[0] - text.pixels.centre[0]) < 0.5 * text.pixels.height
        and abs(note.pixels.centre[1] - text.pixels.centre[1]) < 0.5 * text.pixels.height
        and max(note.pixels.width, note.pixels.height) <= 2.2 * text.pixels.height
        for note in boxes
    )
