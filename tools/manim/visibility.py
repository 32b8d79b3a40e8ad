"""How much of every object a viewer really sees: the snapshot drawn again, front to back, with what shines through.

Geometry alone cannot tell this where many objects, holes, strokes and half-transparent fills lie over each other; pixels can.
The drawing takes the order, fills, strokes and opacities that Manim's own camera used; `tests/integration/manim/test_replica.py`
holds it against Manim's pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from tools.manim.contract import ObjectState
from tools.manim.geometry import Geometry

PIXELS_PER_UNIT = 48
FACETED = frozenset({"Surface", "Sphere", "Cube", "Prism", "Dot3D", "Line3D", "Arrow3D"})
_SHIFT = 4
"""Fractional bits of OpenCV's coordinates."""
_FAR = 30_000


class Canvas:
    """A frame of pixels over the view."""

    def __init__(self, geometry: Geometry, width: float, height: float, pixels_per_unit: float = PIXELS_PER_UNIT) -> None:
        self.geometry = geometry
        self._unit = pixels_per_unit
        self.size = (max(round(width * pixels_per_unit), 2), max(round(height * pixels_per_unit), 2))

    def spots(self, points: np.ndarray) -> np.ndarray:
        """View units to fixed-point pixels."""
        width, height = self.size
        pixels = np.empty(points.shape)
        pixels[:, 0] = points[:, 0] * self._unit + width / 2
        pixels[:, 1] = height / 2 - points[:, 1] * self._unit
        return np.clip(np.round(pixels * (1 << _SHIFT)), -_FAR << _SHIFT, _FAR << _SHIFT).astype(np.int32)

    def window(self, state: ObjectState) -> tuple[slice, slice] | None:
        """Rows and columns that an object can touch; None if it is outside."""
        points = self.geometry.points(state.outline)
        margin = state.stroke_width / 2 + 2 / self._unit
        corners = np.array([points.min(axis=0) - margin, points.max(axis=0) + margin])
        spots = self.spots(corners) >> _SHIFT
        width, height = self.size
        left, right = max(int(spots[0, 0]), 0), min(int(spots[1, 0]) + 1, width)
        top, bottom = max(int(spots[1, 1]), 0), min(int(spots[0, 1]) + 1, height)
        return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None

    def mask(self, state: ObjectState, window: tuple[slice, slice]) -> np.ndarray:
        """Opacity (0–1) with which an object covers the pixels of the window."""
        rows, columns = window
        layer = np.zeros((rows.stop - rows.start, columns.stop - columns.start), dtype=np.uint8)
        origin = np.array([columns.start, rows.start], dtype=np.int32) << _SHIFT
        alpha = np.zeros(layer.shape, dtype=np.float32)
        if state.image or not state.curved:
            spots = self.spots(self.geometry.points(state.outline)) - origin
            if state.image:
                cv2.fillPoly(layer, [spots], (255,), lineType=cv2.LINE_8, shift=_SHIFT)
                return (layer > 0).astype(np.float32) * np.float32(state.fill_opacity)
            inside = spots >> _SHIFT
            keep = (inside >= 0).all(axis=1) & (inside[:, 0] < layer.shape[1]) & (inside[:, 1] < layer.shape[0])
            alpha[inside[keep, 1], inside[keep, 0]] = state.stroke_opacity
            return alpha
        paths = [self.spots(path.points) - origin for path in self.geometry.paths(state.outline)]
        if state.fill_opacity > 0.004 and paths:
            if state.kind in FACETED or FACETED & set(state.bases):
                for path in paths:  # faces lie over each other; together they would cancel out
                    cv2.fillPoly(layer, [path], (255,), lineType=cv2.LINE_8, shift=_SHIFT)
            else:
                cv2.fillPoly(layer, paths, (255,), lineType=cv2.LINE_8, shift=_SHIFT)
            alpha = np.where(layer > 0, np.float32(state.fill_opacity), np.float32(0))
        if state.stroke_opacity > 0.004 and state.stroke_width > 0 and paths:
            layer[:] = 0
            thick = max(round(state.stroke_width * self._unit), 1)
            cv2.polylines(layer, paths, isClosed=False, color=(255,), thickness=thick, lineType=cv2.LINE_8, shift=_SHIFT)
            alpha = np.where(layer > 0, np.maximum(alpha, np.float32(state.stroke_opacity)), alpha)
        return alpha


def visible_shares(canvas: Canvas, things: Iterable[tuple[int, Sequence[ObjectState]]]) -> dict[int, float]:
    """Share of each thing's ink inside the frame that nothing else covers, by its number.

    A thing is its number and the objects it is drawn with; its own parts do not hide it. What is wholly outside the frame, or
    draws nothing, is left out.
    """
    width, height = canvas.size
    through = np.ones((height, width), dtype=np.float32)
    sums: dict[int, tuple[float, float]] = {}
    layers = [(state.order, number, state) for number, states in things for state in states if state.outline and state.order >= 0]
    queue = sorted(layers, key=lambda layer: layer[0], reverse=True)
    pending: list[tuple[tuple[slice, slice], np.ndarray]] = []
    for place, (_, number, state) in enumerate(queue):
        window = canvas.window(state)
        if window is not None:
            alpha = canvas.mask(state, window)
            visible, whole = sums.get(number, (0.0, 0.0))
            sums[number] = (visible + float((alpha * through[window]).sum()), whole + float(alpha.sum()))
            pending.append((window, alpha))
        if place + 1 == len(queue) or queue[place + 1][1] != number:
            # Parts of one thing are drawn one after another: what they cover is taken off once all of a run are counted.
            for span, covering in pending:
                through[span] *= 1 - covering
            pending.clear()
    return {number: visible / whole for number, (visible, whole) in sums.items() if whole > 0}


def drawing(canvas: Canvas, drawn: Sequence[ObjectState], background: str) -> np.ndarray:
    """The snapshot as these rooms understand it, height × width × 3 (RGB), to be held against Manim's own picture."""
    width, height = canvas.size
    picture = np.empty((height, width, 3), dtype=np.float32)
    picture[:] = rgb(background)
    for state in sorted((state for state in drawn if state.outline and state.order >= 0), key=lambda state: state.order):
        window = canvas.window(state)
        if window is None or state.image:
            continue
        for opacity, color, only in ((state.fill_opacity, state.fill, "fill"), (state.stroke_opacity, state.stroke, "stroke")):
            if opacity <= 0 or not color:
                continue
            update = {"stroke_opacity": 0.0} if only == "fill" else {"fill_opacity": 0.0}
            alpha = canvas.mask(state.model_copy(update=update), window)[:, :, None]
            picture[window] = picture[window] * (1 - alpha) + alpha * np.array(rgb(color), dtype=np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)


def rgb(color: str) -> tuple[int, int, int]:
    """`#rrggbb` as three figures."""
    digits = color.lstrip("#")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
