"""Handles, rings and pins: what stands right outside a node's border in the border's colour, where lines have another."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.blackboard import TextNote
from tools.diagram.picture.surfaces import Mask, Scene

_SHADE_STEP = 32
_LEAST_APART = (32, 60)
"""Levels between the colours of lines and of a node's border by which what is even is told from a line, and by which all is."""
_EVEN = (14, 16)
"""Levels by which what is even changes about a pixel and is off its border's colour at most."""
_LEAST_THINNED = 0.45
"""Share of its contrast that a thin line keeps when a picture is made smaller."""
_MOST_OFF_TINT = 24.0
"""Levels within which a colour is a tint of another."""
_THIN = 2.0
"""Width in pixels of the picture up to which smoothing leaves no pixel of a slanting line its full colour."""
_LEAST_INK = 20
"""Pixels that tell the colour of lines."""
_LEAST_CORE = 0.9
_FULLEST = 50
_MOST_ROUNDS, _LEAST_OWN = 3, 0.05
"""How often colours are looked for in what is left, and the share of all ink that has to be left for it."""
_LEAST_COMMON = 0.03
"""Share of the fullest ink that a line's colour has."""


def nearest_taken(free: Mask) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Distance from each free pixel to the nearest that is not, and a number that is that pixel's own."""
    found = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    return np.asarray(found[0], np.float32), np.asarray(found[1], np.int32)


def with_handles(scene: Scene, drawn: Mask, owners: NDArray[np.int32], count: int, texts: list[TextNote]) -> NDArray[np.int32]:
    """Adds to each node the ink just outside it that has its border's colour, where lines have another: handles, rings, pins.

    `drawn`: the ink outside of nodes without the frames of groups, whose colour is not that of the lines.
    """
    free = (owners == 0).astype(np.uint8)
    if not owners.any() or not free.any():
        return owners
    distance, labels = nearest_taken(free)
    table = np.zeros(int(labels.max()) + 1, np.int32)
    table[labels[owners > 0]] = owners[owners > 0]
    far = (drawn > 0) & (distance > 1.5 * scene.glyph)
    for text in texts:
        box = text.pixels
        far[max(int(box.y), 0) : int(box.bottom) + 1, max(int(box.x), 0) : int(box.right) + 1] = False
    if far.sum() < _LEAST_INK:
        return owners
    paper = scene.colours[scene.paper].astype(np.float64)
    lines = _line_shades(scene.picture[_cores(scene, far)].astype(np.float64), paper, _MOST_ROUNDS)
    depth = cv2.distanceTransform(1 - free, cv2.DIST_L2, 5)
    rim = (scene.ink > 0) & (owners > 0) & (depth <= 4.5)
    borders = np.tile(lines[0], (count + 1, 1))
    for number in range(1, count + 1):
        shades = scene.picture[rim & (owners == number)] if count <= 60 else scene.picture[rim]
        if len(shades) >= 10:
            borders[number] = _full_shade(shades.astype(np.float64), paper, 75)
    near = (scene.ink > 0) & (distance > 0) & (distance <= 0.9 * scene.glyph)
    owner = table[labels[near]]
    shade = scene.picture[near].astype(np.float64)
    ground = _grounds(scene)[near].astype(np.float64)
    to_border = _off_tints(shade, ground, borders[owner])
    # Of a line thinner than a pixel or two only a tint is seen; its heads have its full colour.
    thin = _width(far) <= _THIN * max(scene.scale, 1.0)
    to_line = np.min([_off_tints(shade, ground, _fullest(line, paper) if thin else line[None]) for line in lines], axis=0)
    apart = np.min([np.abs(borders - line).max(axis=1) for line in lines], axis=0)
    if scene.scale > 1:
        apart[[_is_thinned(border, lines, paper) for border in borders]] = 0  # there handles can't be told from heads
    apart = apart[owner]
    even_to, alike_to = _EVEN
    # A pale border's colour is also that of a thin dark line's smoothed rim, but a rim is nowhere even.
    even = np.asarray(cv2.morphologyEx(scene.picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2))[near] <= even_to
    same = even & (np.abs(shade - borders[owner]).max(axis=1) <= alike_to)
    tinted = (apart > _LEAST_APART[1]) & (to_line > 24) & (to_border < 0.5 * to_line)
    taken = (same & (apart > _LEAST_APART[0])) | tinted
    result = owners.copy()
    places = np.flatnonzero(near.ravel())[taken]
    result.ravel()[places] = owner[taken]
    core = np.zeros(owners.shape, np.float32)
    core.ravel()[places] = owner[taken]
    # Their smoothed rims are of no clear colour.
    rim_too = np.asarray(cv2.dilate(core, np.ones((3, 3), np.uint8)), np.int32)
    soft = near & (result == 0) & (rim_too > 0)
    result[soft] = rim_too[soft]
    return result


def _width(ink: NDArray[np.bool_]) -> float:
    """Median width in pixels of what is drawn."""
    distance = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    ridge = distance[ink & (distance >= cv2.dilate(distance, np.ones((3, 3), np.uint8)) - 1e-3)]
    return float(2 * np.median(ridge) - 0.5) if len(ridge) else 0.0


def _fullest(tint: NDArray[np.float64], paper: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (1, 3): the colour farthest from the paper that smoothing may have made the tint from."""
    way = tint - paper
    room = np.where(way < 0, paper, 255.0 - paper) / np.maximum(np.abs(way), 1.0)
    return (paper + way * max(float(room[np.abs(way) >= 1.0].min(initial=np.inf)), 1.0))[None] if way.any() else tint[None]


def _is_thinned(border: NDArray[np.float64], lines: list[NDArray[np.float64]], paper: NDArray[np.float64]) -> bool:
    """Some lines have the border's colour, but are thinner or thicker than it, so that scaling made one of the two paler."""
    for line in lines:
        pale, full = sorted((line, border), key=lambda shade: float(np.abs(shade - paper).max()))
        kept = float(np.abs(pale - paper).max()) / max(float(np.abs(full - paper).max()), 1.0)
        if kept >= _LEAST_THINNED and float(_off_tints(pale[None], paper[None], full[None])[0]) <= _MOST_OFF_TINT:
            return True
    return False


def _cores(scene: Scene, ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where ink is about as full as any within a stroke's width: not the smoothed rims of strokes."""
    contrast = np.abs(scene.picture.astype(np.float32) - scene.colours[scene.paper]).max(axis=2) * ink
    most = np.asarray(cv2.dilate(contrast, np.ones((5, 5), np.uint8)))
    return ink & (contrast >= _LEAST_CORE * most)


def _line_shades(shades: NDArray[np.float64], paper: NDArray[np.float64], rounds: int) -> list[NDArray[np.float64]]:
    """The colours of what is drawn far from nodes, each that of a good part of its fullest ink: lines, and frames of groups.

    `shades`: shape (n, 3). What is no tint of the fullest has colours of its own (thin lines are paler than black frames): they
    are looked for so many `rounds` more.
    """
    found, left = _common_shades(shades, paper), shades
    for _ in range(rounds):
        off = np.min([_off_tints(left, paper[None], line[None]) for line in found], axis=0)
        left = left[off > _MOST_OFF_TINT]
        if len(left) < max(_LEAST_OWN * len(shades), _LEAST_INK):
            break
        found += _common_shades(left, paper)
    return found


def _common_shades(shades: NDArray[np.float64], paper: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The colours that each have a good part of the fullest half of the ink."""
    contrast = np.abs(shades - paper).max(axis=1)
    full = shades[contrast >= np.percentile(contrast, _FULLEST)]
    _, kinds, counts = np.unique(full // _SHADE_STEP, axis=0, return_inverse=True, return_counts=True)
    kinds = kinds.ravel()
    common = [kind for kind in np.argsort(-counts, kind="stable") if counts[kind] >= _LEAST_COMMON * len(full)]
    return [np.asarray(full[kinds == kind].mean(axis=0)) for kind in common] or [np.asarray(full.mean(axis=0))]


def _full_shade(shades: NDArray[np.float64], paper: NDArray[np.float64], percentile: float) -> NDArray[np.float64]:
    """The colour of ink that is not thinned by smoothing: the mean of what differs from the paper at least that much."""
    contrast = np.abs(shades - paper).max(axis=1)
    return np.asarray(shades[contrast >= np.percentile(contrast, percentile)].mean(axis=0))


def _grounds(scene: Scene) -> NDArray[np.float32]:
    """Shape (height, width, 3): the colour of the nearest surface at each pixel."""
    _, nearest = nearest_taken((scene.surfaces == 0).astype(np.uint8))
    table = np.zeros(int(nearest.max()) + 1, np.int32)
    table[nearest[scene.surfaces > 0]] = scene.surfaces[scene.surfaces > 0]
    return np.asarray(scene.colours[table[nearest]], np.float32)


def _off_tints(shades: NDArray[np.float64], paper: NDArray[np.float64], ink: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far each shade (n, 3) is from all tints between the ground's colour (n, 3) and the ink's (n or 1, 3)."""
    way = ink - paper
    along = ((shades - paper) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1.0)
    return np.asarray(np.linalg.norm(shades - paper - np.clip(along, 0, 1)[:, None] * way, axis=1))
