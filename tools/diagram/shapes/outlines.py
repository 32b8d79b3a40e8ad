"""What kind of outline a closed contour is, and how well the ideal outline explains it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.graph import Shape

Contour = NDArray[np.int32]
"""Shape (n, 1, 2), pixels."""
_TEMPLATE_SIDE, _TEMPLATE_LOW = 160, 32
"""Pixels of a mask's longer side; of its shorter one where a flat diamond's dents or its blunt ends are looked at closely."""
_GOOD = 0.93
_OBLONG, _LONGER = 2.5, (1.0, 1.06, 1.12, 1.18)
"""From which ratio of its sides on a diamond's ground may end before its tips, and by how much longer the diamond is."""
_LEAST_TURN = 0.14
"""Radians by which the sides of a polygon turn at a corner."""


@dataclass(frozen=True)
class Outline:
    """Kind of outline, its fit (intersection over union, 0–1) and the corners of a polygon."""

    shape: Shape
    fit: float
    corners: tuple[tuple[float, float], ...]


_MOST_LEAN, _MOST_LEANING = 3.0, 0.08
"""Pixels, and shares of the shorter side, by which a rectangle's corners may lie within its box."""


def classify(contour: Contour) -> Outline:
    """The ideal outline that explains the contour best; `unknown` with its solidity as fit if none does."""
    mask, (x, y), ratio = _normal(contour)
    height, width = mask.shape
    area = float(mask.sum())
    box_fit = area / (height * width)
    box = ((x, y), (x + width / ratio, y), (x + width / ratio, y + height / ratio), (x, y + height / ratio))
    ellipse = _overlap(mask, _ellipse(width, height))
    diamond, tips = _best_diamond(mask, ratio)
    if max(mask.shape) > _OBLONG * min(mask.shape):
        # Coarsely seen, dents of letters do not count; closely seen, the slope of the sides does.
        finer, _, fine_ratio = _normal(contour, _TEMPLATE_LOW)
        diamond, tips = max((diamond, tips), _best_diamond(finer, fine_ratio))
    radius = _corner_radius(mask)
    rounded = _overlap(mask, _rounded(width, height, radius))
    candidates = [(ellipse, 0), (diamond, 1), (max(rounded, box_fit), 2)]
    best, which = max(candidates)
    polygon, corners = _best_polygon(mask)
    if polygon > best + 0.015 or (best < _GOOD and polygon >= best):
        if _is_upright(corners, mask.shape, min(_MOST_LEAN * ratio, _MOST_LEANING * min(height, width))):
            return Outline(Shape.rectangle, polygon, box)
        placed = tuple((x + px / ratio, y + py / ratio) for px, py in corners)
        return Outline(_polygon_kind(corners, mask.shape), polygon, placed)
    if best < _GOOD - 0.03:
        hull = cv2.contourArea(cv2.convexHull(contour))
        return Outline(Shape.unknown, cv2.contourArea(contour) / max(hull, 1.0), ())
    if which == 0 and ellipse >= rounded - 0.004:
        return Outline(Shape.circle if 0.9 < width / height < 1.11 else Shape.ellipse, ellipse, ())
    if which == 1:
        return Outline(Shape.diamond, diamond, tuple((x + px, y + py) for px, py in tips))
    if radius > 0.4 * min(width, height):
        return Outline(Shape.stadium if max(width, height) > 1.15 * min(width, height) else Shape.circle, rounded, ())
    if radius > 0.06 * min(width, height) and radius / ratio > 2.2:
        return Outline(Shape.rounded, rounded, ())
    return Outline(Shape.rectangle, box_fit, box)


def _normal(contour: Contour, low: int = 0) -> tuple[NDArray[np.uint8], tuple[int, int], float]:
    """The contour filled in a mask of bounded size, its upper left corner, mask pixels per pixel. `low`: least side wished."""
    x, y, width, height = cv2.boundingRect(contour)
    ratio = min(1.0, max(_TEMPLATE_SIDE / max(width, height), low / min(width, height)))
    size = (max(round(height * ratio), 3), max(round(width * ratio), 3))
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [contour - np.array([x, y])], -1, (1,), cv2.FILLED)
    small = cv2.resize(mask * 255, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    return (small > 127).astype(np.uint8), (x, y), ratio


def _overlap(mask: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    return float((mask & other).sum()) / max(float((mask | other).sum()), 1.0)


def _best_diamond(mask: NDArray[np.uint8], ratio: float) -> tuple[float, list[tuple[float, float]]]:
    """How well a diamond explains the mask, and its tips, which may lie beyond the mask's box, in pixels of the picture.

    A flat diamond's ground ends before its tips do: where its borders are nearer to each other than they are wide.
    """
    height, width = mask.shape
    best, chosen = 0.0, []
    for longer in _LONGER if max(mask.shape) > _OBLONG * min(mask.shape) else _LONGER[:1]:
        half = (longer * width / 2, height / 2) if width > height else (width / 2, longer * height / 2)
        middle = width / 2, height / 2
        tips = [
            (middle[0], middle[1] - half[1]), (middle[0] + half[0], middle[1]),
            (middle[0], middle[1] + half[1]), (middle[0] - half[0], middle[1]),
        ]  # fmt: skip
        fit = _overlap(mask, _polygon(tips, mask))
        if fit > best:
            best, chosen = fit, [(px / ratio, py / ratio) for px, py in tips]
    return best, chosen


def _ellipse(width: int, height: int) -> NDArray[np.uint8]:
    ys, xs = np.mgrid[0:height, 0:width]
    inside = ((xs + 0.5 - width / 2) / (width / 2)) ** 2 + ((ys + 0.5 - height / 2) / (height / 2)) ** 2 <= 1
    return inside.astype(np.uint8)


def _polygon(points: list[tuple[float, float]], like: NDArray[np.uint8]) -> NDArray[np.uint8]:
    mask = np.zeros_like(like)
    cv2.fillPoly(mask, [np.round(np.array(points) * 16 - 8).astype(np.int32)], (1,), shift=4)
    return mask


def _rounded(width: int, height: int, radius: float) -> NDArray[np.uint8]:
    ys, xs = np.mgrid[0:height, 0:width]
    dx = np.maximum(np.maximum(radius - (xs + 0.5), (xs + 0.5) - (width - radius)), 0)
    dy = np.maximum(np.maximum(radius - (ys + 0.5), (ys + 0.5) - (height - radius)), 0)
    return (dx**2 + dy**2 <= max(radius, 0.75) ** 2).astype(np.uint8)


def _corner_radius(mask: NDArray[np.uint8]) -> float:
    """Radius of the corners, from how far the mask keeps off the box's corners along the diagonals; mask pixels."""
    reach = min(mask.shape) // 2
    gaps = []
    for turned in (mask, mask[:, ::-1], mask[::-1], mask[::-1, ::-1]):
        along = turned[np.arange(reach), np.arange(reach)]
        gaps.append(float(np.argmax(along)) if along.any() else float(reach))
    return min(float(np.median(gaps)) / (1 - 1 / np.sqrt(2)), min(mask.shape) / 2)


def _best_polygon(mask: NDArray[np.uint8]) -> tuple[float, list[tuple[float, float]]]:
    """The convex polygon of 3 to 8 corners that explains the mask best, preferring few corners."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    length = cv2.arcLength(hull, closed=True)
    best, chosen = 0.0, []
    for tolerance in (0.05, 0.035, 0.025, 0.018):
        corners = cv2.approxPolyDP(hull, tolerance * length, closed=True)[:, 0].astype(float)
        if not 3 <= len(corners) <= 8:
            continue
        fit = _overlap(mask, _polygon([(float(px) + 0.5, float(py) + 0.5) for px, py in corners], mask))
        if fit > best + 0.012:
            best, chosen = fit, [(float(px), float(py)) for px, py in corners]
    straight = _without_flat_corners(chosen)
    if len(straight) < len(chosen):
        fit = _overlap(mask, _polygon([(px + 0.5, py + 0.5) for px, py in straight], mask))
        if fit > best - 0.012:
            return fit, straight
    return best, chosen


def _without_flat_corners(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without corners at which a side hardly turns: a line that ends at a side dents it there."""
    kept = list(corners)
    while len(kept) > 3:
        points = np.array(kept)
        back, on = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
        turns = np.abs(np.arctan2(back[:, 0] * on[:, 1] - back[:, 1] * on[:, 0], (back * on).sum(axis=1)))
        flattest = int(turns.argmin())
        if turns[flattest] > _LEAST_TURN:
            break
        del kept[flattest]
    return kept


def _polygon_kind(corners: list[tuple[float, float]], size: tuple[int, ...]) -> Shape:
    count = len(corners)
    if count == 3:
        return Shape.triangle
    if count == 6:
        return Shape.hexagon
    if count != 4:
        return Shape.polygon
    points = np.array(corners)
    sides = np.roll(points, -1, axis=0) - points
    parallel = [abs(_sine(sides[i], sides[i + 2])) < 0.12 for i in range(2)]
    if all(parallel):
        middles = np.abs(points - np.array([size[1], size[0]]) / 2).min(axis=1)
        return Shape.diamond if (middles < 0.12 * max(size)).all() else Shape.parallelogram
    return Shape.trapezium if any(parallel) else Shape.polygon


def _is_upright(corners: list[tuple[float, float]], size: tuple[int, ...], slack: float) -> bool:
    """Four corners, each within `slack` of one of the box's: the rim of a packed picture's rectangle is a pixel or two off."""
    height, width = size
    ends = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], np.float64)
    if len(corners) != len(ends):
        return False
    off = np.abs(np.array(corners)[:, None] - ends[None]).max(axis=2)
    return bool((off.min(axis=1) <= slack).all()) and len(set(off.argmin(axis=1).tolist())) == len(ends)


def _sine(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float((a[0] * b[1] - a[1] * b[0]) / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-9))
