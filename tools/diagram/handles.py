"""Handles, rings and pins: what stands right outside a node's border in the border's colour, where lines have another."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.blackboard import TextNote
from tools.diagram.masks import pieces
from tools.diagram.palelines import by_heads
from tools.diagram.surfaces import Mask, Scene

_SHADE_STEP = 32
_LEAST_APART = (32, 60)
"""Levels between the colours of lines and of a node's border by which what is even is told from a line, and by which all is."""
_EVEN, _EVEN_ENLARGED = (14, 16), (40, 40)
"""Levels by which what is even changes about a pixel and is off its border's colour at most; the same in an enlarged copy."""
_LEAST_FULL = 0.75
"""Share of a border's contrast that its handles have."""
_LEAST_THINNED, _MOST_OFF_TINT = 0.5, 24.0
"""Share of its contrast that a thin line keeps when a picture is made smaller, and levels by which its colour stays a tint."""
_LEAST_HANDLE_GLYPHS = 0.2
"""Least breadth of a handle in an enlarged copy, in heights of letters."""
_TOUCHING = 1.5
"""Pixels from its node at which a piece touches it."""
_THIN = 2.0
"""Width in pixels up to which smoothing leaves no pixel of a slanting line its full colour."""
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
    if scene.enlarged_copy:
        thin = far & (by_heads(scene.ink, scene.glyph) == 0)
        far = thin if thin.sum() >= _LEAST_INK else far
    if far.sum() < _LEAST_INK:
        return owners
    paper = scene.colours[scene.paper].astype(np.float64)
    # The rims of a copy's strokes have tints of their own.
    rounds = 0 if scene.copied else _MOST_ROUNDS
    lines = _line_shades(scene.picture[_cores(scene, far)].astype(np.float64), paper, rounds)
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
    thin = _width(far) <= _THIN
    to_line = np.min([_off_tints(shade, ground, _fullest(line, paper) if thin else line[None]) for line in lines], axis=0)
    apart = np.min([np.abs(borders - line).max(axis=1) for line in lines], axis=0)
    if scene.enlarged_copy:
        apart[[_is_thinned(border, lines, paper) for border in borders]] = 0  # handles can't be told from heads there
    apart = apart[owner]
    even_to, alike_to = _EVEN_ENLARGED if scene.enlarged_copy else _EVEN
    # A pale border's colour is also that of a thin dark line's smoothed rim, but a rim is nowhere even.
    even = np.asarray(cv2.morphologyEx(scene.picture, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2))[near] <= even_to
    same = even & (np.abs(shade - borders[owner]).max(axis=1) <= alike_to)
    # Copying thins lines, so that their heads have a fuller tint than they; handles are as full as borders or fuller.
    fullness = np.abs(shade - ground).max(axis=1) / np.maximum(np.abs(borders[owner] - paper).max(axis=1), 1.0)
    tinted = (apart > _LEAST_APART[1]) & (to_line > 24) & (to_border < 0.5 * to_line)
    taken = ((same & (apart > _LEAST_APART[0])) | tinted) & (fullness >= (_LEAST_FULL if scene.copied else 0.0))
    result = owners.copy()
    if scene.enlarged_copy:
        taken &= _real(near, taken, distance, _LEAST_HANDLE_GLYPHS * scene.glyph)[near]
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


def _real(near: NDArray[np.bool_], taken: NDArray[np.bool_], distance: NDArray[np.float32], least: float) -> NDArray[np.bool_]:
    """Where the pieces are of what was taken that touch their node or are `least` pixels wide and high.

    A few pixels of a line within its head are no handle.
    """
    marked = np.zeros(near.shape, np.uint8)
    marked.ravel()[np.flatnonzero(near.ravel())[taken]] = 1
    _, labels, stats = pieces(marked)
    closest = np.full(len(stats), np.inf)
    np.minimum.at(closest, labels.ravel(), distance.ravel())
    real = (closest <= _TOUCHING) | (stats[:, 2:4].min(axis=1) >= least)
    real[0] = False
    return real[labels]


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
