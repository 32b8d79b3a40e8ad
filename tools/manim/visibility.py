"""How much of every object a viewer really sees: the snapshot drawn again, front to back, with what shines through.

Geometry alone cannot tell this where many objects, holes, strokes and half-transparent fills lie over each other; pixels can.
The drawing takes the order, fills, strokes and opacities that Manim's own camera used; `tests/integration/manim/test_replica.py`
holds it against Manim's pictures.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from tools.manim.contract import ObjectState
from tools.manim.geometry import Geometry

PIXELS_PER_UNIT = 48
FACETED = frozenset({"Surface", "Sphere", "Cube", "Prism", "Dot3D", "Line3D", "Arrow3D"})
FAINT = 0.004
"""Opacity that leaves no mark on a pixel."""
_SHIFT = 4
"""Fractional bits of OpenCV's coordinates."""
_FAR = 30_000
_KEPT_PIXELS_MOST = 16_000_000
"""Of masks, four bytes each."""
_SORTED_OUT_MOST = 1500
"""Beyond this many layers all are drawn: finding out which need not be would cost more."""

Window = tuple[slice, slice]
"""Rows and columns."""


class Canvas:
    """A frame of pixels over the view."""

    def __init__(self, geometry: Geometry, width: float, height: float, pixels_per_unit: float = PIXELS_PER_UNIT) -> None:
        self.geometry = geometry
        self._unit = pixels_per_unit
        self.size = (max(round(width * pixels_per_unit), 2), max(round(height * pixels_per_unit), 2))
        self._masks: OrderedDict[tuple[Any, ...], np.ndarray] = OrderedDict()
        self._kept_pixels = 0
        self.window = lru_cache(maxsize=20_000)(self._window)

    def spots(self, points: np.ndarray) -> np.ndarray:
        """View units to fixed-point pixels."""
        width, height = self.size
        pixels = np.empty(points.shape)
        pixels[:, 0] = points[:, 0] * self._unit + width / 2
        pixels[:, 1] = height / 2 - points[:, 1] * self._unit
        return np.clip(np.round(pixels * (1 << _SHIFT)), -_FAR << _SHIFT, _FAR << _SHIFT).astype(np.int32)

    def span(self, state: ObjectState) -> Window | None:
        """Rows and columns that an object can touch; None if it is outside."""
        return self.window(state.outline, state.stroke_width)

    def _window(self, outline: str, stroke_width: float) -> Window | None:
        points = self.geometry.points(outline)
        margin = stroke_width / 2 + 2 / self._unit
        corners = np.array([points.min(axis=0) - margin, points.max(axis=0) + margin])
        spots = self.spots(corners) >> _SHIFT
        width, height = self.size
        left, right = max(int(spots[0, 0]), 0), min(int(spots[1, 0]) + 1, width)
        top, bottom = max(int(spots[1, 1]), 0), min(int(spots[0, 1]) + 1, height)
        return (slice(top, bottom), slice(left, right)) if left < right and top < bottom else None

    def mask(self, state: ObjectState, window: Window) -> np.ndarray:
        """Opacity (0–1) with which an object covers the pixels of its window. Kept: most things stand still most of the time."""
        faceted = state.kind in FACETED or bool(FACETED & set(state.bases))
        key = (state.outline, state.fill_opacity, state.stroke_opacity, state.stroke_width, state.image, state.curved, faceted)
        known = self._masks.get(key)
        if known is not None:
            self._masks.move_to_end(key)
            return known
        self._masks[key] = made = self._mask(state, window, faceted=faceted)
        made.flags.writeable = False
        self._kept_pixels += made.size
        while self._kept_pixels > _KEPT_PIXELS_MOST:
            self._kept_pixels -= self._masks.popitem(last=False)[1].size
        return made

    def _mask(self, state: ObjectState, window: Window, *, faceted: bool) -> np.ndarray:
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
        if state.fill_opacity > FAINT and paths:
            if faceted:
                for path in paths:  # faces lie over each other; together they would cancel out
                    cv2.fillPoly(layer, [path], (255,), lineType=cv2.LINE_8, shift=_SHIFT)
            else:
                cv2.fillPoly(layer, paths, (255,), lineType=cv2.LINE_8, shift=_SHIFT)
            alpha = np.where(layer > 0, np.float32(state.fill_opacity), np.float32(0))
        if state.stroke_opacity > FAINT and state.stroke_width > 0 and paths:
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
    layers = [
        _Layer(state.order, number, state, window)
        for number, states in things
        for state in states
        if state.outline and state.order >= 0 and (window := canvas.span(state)) is not None
    ]
    layers.sort(key=lambda layer: layer.order, reverse=True)
    shares, drawn = _sorted_out(canvas, layers)
    width, height = canvas.size
    through = np.ones((height, width), dtype=np.float32)
    sums: dict[int, tuple[float, float]] = {}
    pending: list[tuple[Window, np.ndarray]] = []
    for place, layer in enumerate(drawn):
        alpha = canvas.mask(layer.state, layer.window)
        visible, whole = sums.get(layer.number, (0.0, 0.0))
        sums[layer.number] = (visible + float((alpha * through[layer.window]).sum()), whole + float(alpha.sum()))
        pending.append((layer.window, alpha))
        if place + 1 == len(drawn) or drawn[place + 1].number != layer.number:
            # Parts of one thing are drawn one after another: what they cover is taken off once all of a run are counted.
            for span, covering in pending:
                through[span] *= 1 - covering
            pending.clear()
    return shares | {number: visible / whole for number, (visible, whole) in sums.items() if whole > 0 and number not in shares}


@dataclass(frozen=True)
class _Layer:
    order: int
    number: int
    state: ObjectState
    window: Window


def _sorted_out(canvas: Canvas, layers: Sequence[_Layer]) -> tuple[dict[int, float], list[_Layer]]:
    """Things of which boxes alone tell that nothing covers them, and the layers that must be drawn for the others.

    `layers` are front to back.
    """
    if not layers or len(layers) > _SORTED_OUT_MOST:
        return {}, list(layers)
    top, bottom, left, right = np.array(
        [(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in (layer.window for layer in layers)]
    ).T
    numbers = np.array([layer.number for layer in layers])
    meet = (top[:, None] < bottom) & (top < bottom[:, None]) & (left[:, None] < right) & (left < right[:, None])
    # Row: what lies behind; column: what lies before it, and is another thing.
    covers = meet & np.tri(len(layers), k=-1, dtype=bool) & (numbers[:, None] != numbers)
    doubtful = np.isin(numbers, numbers[covers.any(axis=1)])
    width, height = canvas.size
    # What reaches over the frame's edge may have all its ink outside.
    doubtful |= np.isin(numbers, numbers[(top <= 0) | (left <= 0) | (bottom >= height) | (right >= width)])
    # Without any ink a thing has no share.
    faint = [
        max(layer.state.fill_opacity, layer.state.stroke_opacity * bool(layer.state.stroke_width)) <= FAINT for layer in layers
    ]
    doubtful |= np.isin(numbers, numbers[faint])
    needed = doubtful | (covers & doubtful[:, None]).any(axis=0)
    clear = {layer.number: 1.0 for layer, doubt in zip(layers, doubtful.tolist(), strict=True) if not doubt}
    return clear, [layer for layer, need in zip(layers, needed.tolist(), strict=True) if need]


def drawing(canvas: Canvas, drawn: Sequence[ObjectState], background: str) -> np.ndarray:
    """The snapshot as these rooms understand it, height × width × 3 (RGB), to be held against Manim's own picture."""
    width, height = canvas.size
    picture = np.empty((height, width, 3), dtype=np.float32)
    picture[:] = rgb(background)
    for state in sorted((state for state in drawn if state.outline and state.order >= 0), key=lambda state: state.order):
        window = canvas.span(state)
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
