"""The insides of hollow heads: small holes in the ink near nodes, which a node's border may close."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.masks import Mask

_MOST_TIP = 5
"""Pixels of a head's opening at its tip."""
_MOST_WALLED_GLYPHS, _MOST_WALL = 1.6, 8
"""Longest hollow of a head that has a node along one side, and pixels of that side."""
_MOST_HOLLOW_GLYPHS, _MOST_POINTED_GLYPHS = 2.4, 4.5
"""Longest hollow of a head, and the same of a triangle that points at a node."""
_LEAST_TRIANGLE, _LEAST_EQUAL = 0.8, 0.8
"""Share of the triangle around it that such a hollow fills, and the shorter of its two long sides in the longer one."""
_TIP_GAP, _WIDE_TIP_GAP = 2, 4
"""Pixels between a node and the hollow of a head at it; the same where the hollow is a triangle that points there."""


def filled_hollows(ink: Mask, near: Mask, blocked: Mask, glyph: float) -> tuple[Mask, Mask]:
    """The ink with small holes near nodes filled, and the holes: the insides of hollow heads, which a node may cut.

    `near`: where to look; `blocked`: the nodes.
    """
    drawn = ink | blocked
    holes = _hollows(drawn, np.zeros_like(ink), blocked, near, glyph)
    # Tips are taken out with the rests of borders: heads are open there by a pixel or two.
    for gap, pointed in ((_TIP_GAP, False), (_WIDE_TIP_GAP, True)):
        around = np.ones((2 * gap + 1, 2 * gap + 1), np.uint8)
        rim = np.asarray(cv2.dilate(blocked, around), np.uint8) & (1 - drawn)
        holes |= _hollows(drawn | holes, rim, blocked, near, glyph, pointed=pointed)
    return ink | holes, holes


def _hollows(drawn: Mask, rim: Mask, blocked: Mask, near: Mask, glyph: float, *, pointed: bool = False) -> Mask:
    """Small compact holes in what is drawn and the rim around nodes; of the rim a hole may have no more in it than a tip is.

    `pointed`: triangles only, whose tips are told by their form.
    """
    holes = np.zeros_like(drawn)
    contours, tree = cv2.findContours(drawn | rim, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return holes
    for contour, (_, _, _, parent) in zip(contours, tree[0], strict=True):
        if parent < 0:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        small = max(w, h) <= _MOST_HOLLOW_GLYPHS * glyph and not pointed
        small = small or (max(w, h) <= _MOST_POINTED_GLYPHS * glyph and _points(contour, blocked))
        small &= min(w, h) >= 3
        if small and (near[y : y + h, x : x + w].any() or _is_round(contour, w, h)):
            window = np.zeros((h, w), np.uint8)
            cv2.drawContours(window, [contour - np.array([x, y])], -1, (1,), cv2.FILLED)
            hull = max(float(cv2.contourArea(cv2.convexHull(contour))), 1.0)
            tip = int((window & rim[y : y + h, x : x + w]).sum())
            looped = max(w, h) > _MOST_WALLED_GLYPHS * glyph and _walled(blocked, contour) > _MOST_WALL
            if cv2.contourArea(contour) >= 0.8 * hull and (pointed or tip <= _MOST_TIP) and not looped:
                holes[y : y + h, x : x + w] |= window & (1 - drawn[y : y + h, x : x + w])
    return holes


def _points(contour: NDArray[Any], blocked: Mask) -> bool:
    """The hole is a triangle of two equal sides, and the corner between those, and no other, is at a node."""
    area, triangle = cv2.minEnclosingTriangle(contour)
    if triangle is None or float(cv2.contourArea(contour)) < _LEAST_TRIANGLE * area:
        return False
    corners = triangle[:, 0]
    height, width = blocked.shape
    at_node = []
    for x, y in np.round(corners).astype(int):
        reach = 2 * _TIP_GAP + 1
        at_node.append(
            bool(blocked[max(y - reach, 0) : min(y + reach + 1, height), max(x - reach, 0) : min(x + reach + 1, width)].any())
        )
    if sum(at_node) != 1:
        return False
    tip = corners[at_node.index(True)]
    sides = sorted(float(np.hypot(*(corner - tip))) for corner, met in zip(corners, at_node, strict=True) if not met)
    return sides[0] >= _LEAST_EQUAL * sides[1]


def _walled(blocked: Mask, contour: NDArray[Any]) -> int:
    """Pixels of a hole's outline that have a node right behind them: a head stands at it with its tip, a loop with both ends."""
    height, width = blocked.shape
    x, y = contour[:, 0].T
    return max(
        int(blocked[np.clip(y + down, 0, height - 1), np.clip(x + right, 0, width - 1)].sum())
        for right, down in ((-_TIP_GAP, 0), (_TIP_GAP, 0), (0, -_TIP_GAP), (0, _TIP_GAP))
    )


def _is_round(contour: NDArray[Any], width: int, height: int) -> bool:
    area, around = float(cv2.contourArea(contour)), float(cv2.arcLength(contour, closed=True))
    return 0.8 <= width / height <= 1.25 and area >= 0.72 * around**2 / (4 * np.pi)
