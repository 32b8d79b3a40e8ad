"""Text Spotter: every line of text in the drawing, upright or turned, in working pixels."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import Agent, TextNote
from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Mask, Scene
from tools.media import ocr
from tools.media.image import Picture

LEAST_SCORE = 0.45
SURE_SCORE = 0.9
_CERTAIN, _SURELY = 0.98, 0.985
"""Score below which a text is read again, and the least of a second reading that counts instead."""
_LEAST_READ = 3
"""Signs of the shortest text that is read again."""
_AIR = 2
"""Pixels around the ink of a text that is read again."""


_STROKES = frozenset("1lIi|/\\-–—_'`.,·:;~!…‥•∙⋅°¨\"“”一ー丨｜")
"""Characters that the dashes and dots of a line can be mistaken for."""
_UPRIGHT = frozenset("1lIi|")
_LEAST_SLANT, _LEAST_SLANTING = 8.0, 0.6
"""Degrees from which on a bar is not upright, and the share of its smallest rectangle that it fills."""
_LEAST_PIXELS, _LEAST_OBLONG = 6, 3.0


def readable(scene: Scene) -> Picture:
    """The picture that text is read in, at the scene's scale."""
    return scene.picture if scene.legible is None else scene.legible


def spot(scene: Scene) -> tuple[TextNote, ...]:
    """Lines of text, top to bottom. Raises `MissingProgram` if the OCR models are not installed."""
    notes = []
    for index, line in enumerate(ocr.read_text(readable(scene), least_score=LEAST_SCORE), start=1):
        found = note(line, f"t{index}")
        if not is_dash(scene, found):
            notes.append(found)
    return tuple(_read_closely(scene, notes))


def _read_closely(scene: Scene, notes: list[TextNote]) -> list[TextNote]:
    """The texts; what was read with doubt is read again with nothing around it but its own ink, and that counts if it is certain.

    The detector's boxes have air around the letters: the smaller they are then, the more r and n look like an m, and a line that
    passes is a letter more.
    """
    again = {}
    for index, found in enumerate(notes):
        if found.confidence < _CERTAIN and len(found.text) >= _LEAST_READ and not found.turned:
            quad = _around_ink(scene, found)
            again |= {index: quad} if quad is not None else {}
    result = list(notes)
    # Each by itself: what is not legible at all is left out of the answer.
    for index, quad in again.items():
        lines = ocr.read_quads(readable(scene), [quad])
        if lines and lines[0].score >= _SURELY and lines[0].text.strip() and lines[0].text.strip() != notes[index].text:
            result[index] = note(lines[0], notes[index].id)
    return result


def _around_ink(scene: Scene, found: TextNote) -> NDArray[np.float32] | None:
    """The corners of the ink within the text's box, and a little air."""
    x, y = max(int(found.pixels.x), 0), max(int(found.pixels.y), 0)
    ys, xs = np.nonzero(scene.ink[y : int(found.pixels.bottom) + 1, x : int(found.pixels.right) + 1])
    if len(ys) < _LEAST_PIXELS:
        return None
    left, right, top, bottom = x + xs.min() - _AIR, x + xs.max() + 1 + _AIR, y + ys.min() - _AIR, y + ys.max() + 1 + _AIR
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def is_dash(scene: Scene, found: TextNote) -> bool:
    """Dashes and dots of a line that were read as letters.

    All ink in the box consists of straight bars: a dash fills its smallest rectangle, a letter has serifs or a flag. A bar that
    slants is no upright letter though its rims are soft.
    """
    if not is_strokes(found):
        return False
    box = found.pixels
    x, y = max(int(box.x), 0), max(int(box.y), 0)
    window = scene.ink[y : int(box.bottom) + 1, x : int(box.right) + 1]
    contours, _ = cv2.findContours(np.ascontiguousarray(window), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    shares = []
    for contour in contours:
        _, (wide, high), _ = cv2.minAreaRect(contour)
        area = float(cv2.contourArea(contour)) + 0.5 * float(cv2.arcLength(contour, closed=True)) + 1
        shares.append(area / ((wide + 1) * (high + 1)))
    slanting = len(contours) == 1 and found.text in _UPRIGHT and _slants(window)
    return bool(shares) and min(shares) > (_LEAST_SLANTING if slanting else 0.82)


def _slants(window: Mask) -> bool:
    """What the ink's longest extent is along is neither upright nor level."""
    ys, xs = np.nonzero(window)
    if len(ys) < _LEAST_PIXELS:
        return False
    spread, ways = np.linalg.eigh(np.cov(np.stack([xs, ys])) + np.eye(2) / 12)
    turn = float(np.degrees(np.arcsin(np.abs(ways[:, 1]).min())))
    return turn >= _LEAST_SLANT and bool(spread[1] >= _LEAST_OBLONG * spread[0])


def is_sure(found: TextNote) -> bool:
    """Read without a doubt, and nothing in it looks like a stroke."""
    return found.confidence >= SURE_SCORE and not set(found.text) & _STROKES


def is_strokes(found: TextNote) -> bool:
    """All its signs are ones that pieces of lines are taken for."""
    return set(found.text) <= _STROKES | {" "}


def note(line: ocr.TextLine, name: str) -> TextNote:
    """The line as a note."""
    left, top, right, bottom = line.box
    return TextNote(
        writer=Agent.text_spotter,
        pixels=Frame(x=left, y=top, width=right - left, height=bottom - top),
        confidence=min(line.score, 1.0),
        id=name,
        text=line.text.strip(),
        corners=line.corners,
        turned=line.turned,
        positions=line.positions if len(line.positions) == len(line.text) == len(line.text.strip()) else (),
    )


def reread(scene: Scene, places: list[tuple[float, float, float, float]]) -> list[TextNote]:
    """Reads upright what stands in these boxes (left, top, right, bottom): single letters that detection passes over."""
    quads = [np.array([[a, b], [c, b], [c, d], [a, d]], dtype=np.float32) for a, b, c, d in places]
    lines = ocr.read_quads(readable(scene), quads)
    return [
        note(line, f"r{index}") for index, line in enumerate(lines, start=1) if line.score >= LEAST_SCORE and line.text.strip()
    ]
