"""Text Spotter: every line of text in the drawing, upright or turned, in working pixels."""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.blackboard import Agent, TextNote
from tools.diagram.graph import Frame
from tools.diagram.surfaces import Mask, Scene
from tools.media import ocr

LEAST_SCORE = 0.45
_SURE_SCORE = 0.9


_STROKES = frozenset("1lIi|/\\-–—_'`.,·:;~!…‥•∙⋅°¨\"“”一ー丨｜")
"""Characters that the dashes and dots of a line can be mistaken for."""
_UPRIGHT = frozenset("1lIi|")
_LEAST_SLANT, _LEAST_SLANTING = 8.0, 0.6
"""Degrees from which on a bar is not upright, and the share of its smallest rectangle that it fills."""
_LEAST_PIXELS, _LEAST_OBLONG = 6, 3.0


def spot(scene: Scene) -> tuple[TextNote, ...]:
    """Lines of text, top to bottom. Raises `MissingProgram` if the OCR models are not installed."""
    notes = []
    for index, line in enumerate(ocr.read_text(scene.picture, least_score=LEAST_SCORE), start=1):
        found = note(line, f"t{index}")
        if not is_dash(scene, found):
            notes.append(found)
    return tuple(notes)


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
    return found.confidence >= _SURE_SCORE and not set(found.text) & _STROKES


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
    lines = ocr.read_quads(scene.picture, quads)
    return [
        note(line, f"r{index}") for index, line in enumerate(lines, start=1) if line.score >= LEAST_SCORE and line.text.strip()
    ]
