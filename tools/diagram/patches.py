"""Texts on a ground of their own: a patch of colour without a border, set under a label so that it can be read across its line.

A node without an outline stands on the ground that everything stands on.
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.diagram.blackboard import TextNote
from tools.diagram.surfaces import Scene

_LEAST_CONTRAST = 3.0
"""Levels by which a patch differs from the ground around it."""
_ROOM_GLYPHS = (2.2, 0.9)
"""How much wider and higher than its text a patch may be."""
_MOST_WIDER = 0.35
_RING = 3
"""Pixels around the patch at which the ground around it begins."""


def on_patches(scene: Scene, texts: list[TextNote]) -> frozenset[str]:
    """Names of the texts that stand on patches; several that share one are taken together."""
    by_patch: dict[int, list[TextNote]] = {}
    for text in texts:
        patch = _beneath(scene, text)
        if patch and patch != scene.paper:
            by_patch.setdefault(patch, []).append(text)
    found = set()
    for patch, members in by_patch.items():
        if _hardly_larger(scene, patch, members) and _differs(scene, patch):
            found |= {text.id for text in members}
    return frozenset(found)


def _beneath(scene: Scene, text: TextNote) -> int:
    """Number of the surface that most of the text stands on; 0 if there is none."""
    box = text.pixels
    beneath = scene.surfaces[max(int(box.y), 0) : int(box.bottom) + 1, max(int(box.x), 0) : int(box.right) + 1]
    counts = np.bincount(beneath[beneath > 0], minlength=1)
    return int(counts.argmax()) if counts.sum() else 0


def _hardly_larger(scene: Scene, patch: int, members: list[TextNote]) -> bool:
    _, _, wide, high, _ = (int(value) for value in scene.boxes[patch])
    left, right = min(text.pixels.x for text in members), max(text.pixels.right for text in members)
    top, bottom = min(text.pixels.y for text in members), max(text.pixels.bottom for text in members)
    room = max(_ROOM_GLYPHS[0] * scene.glyph, _MOST_WIDER * wide), _ROOM_GLYPHS[1] * scene.glyph
    return wide - (right - left) <= room[0] and high - (bottom - top) <= room[1]


def _differs(scene: Scene, patch: int) -> bool:
    """The ground around it has another colour, and nothing is drawn along most of its rim."""
    x, y, w, h, _ = (int(value) for value in scene.boxes[patch])
    pad = 2 * _RING + 2
    part = np.s_[max(y - pad, 0) : y + h + pad, max(x - pad, 0) : x + w + pad]
    own = (scene.surfaces[part] == patch).astype(np.uint8)
    near = np.asarray(cv2.dilate(own, np.ones((2 * _RING + 1, 2 * _RING + 1), np.uint8)), np.uint8)
    far = np.asarray(cv2.dilate(near, np.ones((5, 5), np.uint8)), np.uint8)
    ring = (far > 0) & (near == 0)
    around = scene.surfaces[part][ring]
    counts = np.bincount(around[around > 0], minlength=1)
    if counts.sum() < 0.5 * max(int(ring.sum()), 1):
        return False
    others = np.flatnonzero(counts)
    apart = np.abs(scene.colours[others] - scene.colours[patch]).max(axis=1) > _LEAST_CONTRAST
    return float(counts[others][apart].sum()) >= 0.8 * float(counts.sum())
