"""Text that is drawn but cannot be told from what is behind it: measured on Manim's own picture of the frame."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tools.manim.contract import ObjectState, SceneRecord
from tools.manim.geometry import Geometry
from tools.manim.recording import read_picture, still_path
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.units import Unit
from tools.manim.visibility import Canvas

CONTRAST_LEAST = 1.12
"""Ratio of luminances (WCAG) below which letters are not there for an eye."""
COLOR_LEAST = 24.0
"""Largest difference of a channel (0–255) that goes unseen beside that."""
PIXELS_LEAST = 30
_LEAST = 1e-3
"""Of a lack of contrast, where there is one at all."""
REACH = 6
"""Pixels around the letters that count as their ground."""


class Legibility:
    """Which texts of a scene's stable snapshots cannot be read. `folder` is the recording's."""

    def __init__(self, geometry: Geometry, folder: Path, record: SceneRecord) -> None:
        self._folder = folder
        self._record = record
        self._canvas = Canvas(geometry, record.view_width, record.view_height, record.pixel_width / record.view_width)
        self._known: dict[tuple[Any, ...], float] = {}

    def unreadable(self, around: Surroundings) -> Iterator[Suspicion]:
        """Texts whose pixels do not differ from those around them."""
        path = still_path(self._folder, self._record, around.snapshot)
        picture = read_picture(path) if path is not None else None
        if picture is None or picture.shape[:2] != (self._record.pixel_height, self._record.pixel_width):
            return
        for unit in around.units:
            if unit.role != "text" or unit.strength < 0.3 or around.visible.get(unit.id, 0.0) < 0.5:
                continue
            lack = self._lack(unit, picture)
            if lack > 0:
                yield Suspicion("invisible", unit, None, lack, unit.box)

    def _lack(self, unit: Unit, picture: np.ndarray) -> float:
        """How much of the contrast that a text needs is missing (0–1). Judged once for the same letters on the same pixels."""
        windows = [window for state in unit.members if (window := self._canvas.span(state)) is not None]
        if not windows:
            return 0.0
        top, left = (max(min(window[axis].start for window in windows) - REACH, 0) for axis in (0, 1))
        bottom, right = (max(window[axis].stop for window in windows) + REACH for axis in (0, 1))
        near = picture[top:bottom, left:right]
        letters = tuple((state.outline, state.fill_opacity, state.stroke_opacity, state.stroke_width) for state in unit.members)
        key = (letters, hashlib.blake2b(near.tobytes(), digest_size=16).digest())
        if key not in self._known:
            ink, ring = _masks(unit.members, self._canvas, picture.shape[:2], (top, left, bottom, right))
            self._known[key] = _missing(near, ink, ring)
        return self._known[key]


def _missing(near: np.ndarray, ink: np.ndarray, ring: np.ndarray) -> float:
    if ink.sum() < PIXELS_LEAST or ring.sum() < PIXELS_LEAST:
        return 0.0
    letters, ground = np.median(near[ink], axis=0), np.median(near[ring], axis=0)
    spread = np.percentile(np.abs(near[ink].astype(np.int16) - ground.astype(np.int16)).max(axis=1), 90)
    contrast = _contrast(letters, ground)
    if contrast >= CONTRAST_LEAST or spread >= COLOR_LEAST:
        return 0.0
    return min(max(float(1 - (contrast - 1) / (CONTRAST_LEAST - 1)), _LEAST), 1.0)


def _masks(
    members: Sequence[ObjectState], canvas: Canvas, shape: tuple[int, ...], part: tuple[int, int, int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of the letters (their cores) and of the ground close around them, within a part (top, left, bottom, right)."""
    top, left, bottom, right = part
    mask = np.zeros((min(bottom, shape[0]) - top, min(right, shape[1]) - left), dtype=np.uint8)
    for state in members:
        if (window := canvas.span(state)) is not None:
            rows, columns = window
            layer = canvas.mask(state, window) > 0
            place = mask[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
            place[layer[: place.shape[0], : place.shape[1]]] = 255
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    wide = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return mask > 0, (wide > 0) & (near == 0)


def _contrast(first: np.ndarray, two: np.ndarray) -> float:
    bright, dark = sorted((_luminance(first), _luminance(two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(rgb: np.ndarray) -> float:
    channels = rgb / 255.0
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
