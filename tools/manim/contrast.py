"""Text that is drawn but cannot be told from what is behind it: measured on Manim's own picture of the frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from tools.manim.contract import ObjectState, SceneRecord
from tools.manim.recording import still_path
from tools.manim.suspicion import Surroundings, Suspicion
from tools.manim.visibility import Canvas

CONTRAST_LEAST = 1.12
"""Ratio of luminances (WCAG) below which letters are not there for an eye."""
COLOR_LEAST = 24.0
"""Largest difference of a channel (0–255) that goes unseen beside that."""
PIXELS_LEAST = 30
REACH = 6
"""Pixels around the letters that count as their ground."""


def unreadable(around: Surroundings, canvas: Canvas, folder: Path, record: SceneRecord) -> Iterator[Suspicion]:
    """Texts of a stable snapshot whose pixels do not differ from those around them."""
    path = still_path(folder, record, around.snapshot)
    picture = cv2.imread(str(path)) if path is not None else None
    if picture is None:
        return
    drawn = Canvas(canvas.geometry, record.view_width, record.view_height, picture.shape[1] / record.view_width)
    for unit in around.units:
        if unit.role != "text" or unit.strength < 0.3 or around.visible.get(unit.id, 0.0) < 0.5 or unit.body.is_empty:
            continue
        windows = [window for state in unit.members if (window := drawn.window(state)) is not None]
        if not windows:
            continue
        top, left = (max(min(window[axis].start for window in windows) - REACH, 0) for axis in (0, 1))
        bottom, right = (max(window[axis].stop for window in windows) + REACH for axis in (0, 1))
        near = picture[top:bottom, left:right]
        ink, ring = _masks(unit.members, drawn, picture.shape[:2], (top, left, bottom, right))
        if ink.sum() < PIXELS_LEAST or ring.sum() < PIXELS_LEAST:
            continue
        letters, ground = np.median(near[ink], axis=0), np.median(near[ring], axis=0)
        spread = np.percentile(np.abs(near[ink].astype(np.int16) - ground.astype(np.int16)).max(axis=1), 90)
        if _contrast(letters, ground) < CONTRAST_LEAST and spread < COLOR_LEAST:
            amount = 1 - (_contrast(letters, ground) - 1) / (CONTRAST_LEAST - 1)
            yield Suspicion("invisible", unit, None, min(max(float(amount), 0.0), 1.0), unit.box)


def _masks(
    members: Sequence[ObjectState], canvas: Canvas, shape: tuple[int, ...], part: tuple[int, int, int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Pixels of the letters (their cores) and of the ground close around them, within a part (top, left, bottom, right)."""
    top, left, bottom, right = part
    mask = np.zeros((min(bottom, shape[0]) - top, min(right, shape[1]) - left), dtype=np.uint8)
    for state in members:
        if (window := canvas.window(state)) is not None:
            rows, columns = window
            layer = canvas.mask(state, window) > 0
            place = mask[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
            place[layer[: place.shape[0], : place.shape[1]]] = 255
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8))
    wide = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return mask > 0, (wide > 0) & (near == 0)


def _contrast(one: np.ndarray, two: np.ndarray) -> float:
    bright, dark = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(bgr: np.ndarray) -> float:
    channels = bgr / 255.0
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(0.0722 * linear[0] + 0.7152 * linear[1] + 0.2126 * linear[2])
