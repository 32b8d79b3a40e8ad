"""Which flat pieces of a picture are surfaces: paper, fills, gaps between lines; not heads, dots, thick lines, letters."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.arms import is_line
from tools.diagram.picture.discs import is_dot
from tools.diagram.picture.lettered import deep_behind_letters, lettered_grounds
from tools.media.image import Picture

_LEAST_DEPTH = 0.36
"""Depth of a surface in heights of letters."""
_LEAST_WIDE = 0.55
"""Area of the smallest compact surface in squares of the letters' height: the flat part of a force layout's discs."""
_MOST_LETTERED_GLYPHS = 30.0
"""Longest side of a fill that letters may leave nothing broad of."""
_MOST_DOT_GLYPHS = 1.1
"""Largest flat part of a dot that is ink (a state machine's start, a round head) and no node, in heights of letters."""
_LEAST_DOT_CONTRAST = 60.0
"""Levels by which a dot differs from the paper, and grounds do not."""
_MOST_HEAD_GLYPHS = 0.9
"""Depth of the deepest head in heights of letters."""
_LEAST_PALE_DEPTH = 2.0
"""Depth in pixels of such a piece."""
_SAME_COLOUR = 10.0
"""Levels within which a narrow piece has the colour of a wide one."""
_LEAST_OF_WIDE = 0.7
"""Area of a narrow piece that is a surface wherever it lies, in that of a wide one of its colour."""
_MOST_UPON = 0.9
"""Share of a narrow piece that may be nearest to a surface of another colour."""
_LEAST_FILL, _FILL_DEPTH = 1.2, 0.5
"""Area of the smallest fill with a border in squares of letters' height; its depth in their heights, letters being no holes."""
_RIM, _LEAST_BORDER, _LEAST_ROUND = 5, 25.0, 0.95
"""Pixels within which such a border is, levels by which it stands out more than the fill, share of the way around that has it."""


def solid_pieces(
    picture: Picture,
    labels: NDArray[np.int32],
    stats: NDArray[np.int32],
    colours: NDArray[np.float32],
    glyph: float,
    *,
    copied: bool,
) -> NDArray[np.bool_]:
    """Which flat pieces are surfaces: wide enough, or narrow but of the colour of a wide one (a gap between two lines).

    In a copy so are those of a pale shade of which there are many: fat letters cut up the ground that they stand on.
    """
    distance = cv2.distanceTransform((labels > 0).astype(np.uint8), cv2.DIST_L2, 3)
    depth = np.zeros(len(stats), dtype=np.float32)
    np.maximum.at(depth, labels.ravel(), distance.ravel())
    area = stats[:, cv2.CC_STAT_AREA]
    compact = area >= 0.7 * stats[:, cv2.CC_STAT_WIDTH] * stats[:, cv2.CC_STAT_HEIGHT]
    least = max(_LEAST_DEPTH * glyph, 2.6)
    wide = (depth >= least) & (((area >= _LEAST_WIDE * glyph**2) & compact) | (area >= 4 * glyph**2))
    deep = np.bincount(labels.ravel()[distance.ravel() >= least], minlength=len(stats))
    # A thick line with its head is flat too, but hardly any of it lies deep; paper between lines is deep somewhere.
    enough = np.minimum(0.12 * area, 3 * glyph**2)
    lettered = wide & (deep < enough) & (area >= 4 * glyph**2) & (stats[:, 2:4].max(axis=1) <= _MOST_LETTERED_GLYPHS * glyph)
    lettered[0] = False
    largest = colours[1 + int(area[1:].argmax())] if len(area) > 1 else colours[0]
    for label in np.flatnonzero(lettered).tolist():
        if float(np.abs(colours[label] - largest).max()) > _LEAST_DOT_CONTRAST:
            deep[label] = deep_behind_letters(labels, stats[label], label, least, glyph)
    wide &= deep >= enough
    wide[0] = False
    if not wide.any():
        return wide
    paper = colours[int(np.where(wide, area, 0).argmax())]
    for label in np.flatnonzero(wide & (stats[:, 2:4].max(axis=1) <= _MOST_DOT_GLYPHS * glyph)).tolist():
        apart = float(np.abs(colours[label] - paper).max()) > _LEAST_DOT_CONTRAST
        wide[label] = not (apart and is_dot(picture, labels, stats[label], label))
    shallow = wide & (depth < _MOST_HEAD_GLYPHS * glyph) & (np.abs(colours - paper).max(axis=1) > _LEAST_DOT_CONTRAST)
    for label in np.flatnonzero(shallow).tolist():
        wide[label] = not is_line(labels, stats[label], label)
    if copied:
        wide |= _pale(colours, paper, area, depth, glyph)
    narrow = _of_shades(colours, wide) & ~wide & (area >= 4)
    narrow[0] = False
    narrow &= ~_drawn_upon_other(labels, colours, wide, narrow) | _as_large(colours, area, wide, narrow)
    found = wide | narrow
    found |= _bordered_fills(picture, labels, stats, colours, found, paper, glyph)
    return found | lettered_grounds(labels, stats, colours, found, glyph)


def _bordered_fills(
    picture: Picture,
    labels: NDArray[np.int32],
    stats: NDArray[np.int32],
    colours: NDArray[np.float32],
    solid: NDArray[np.bool_],
    paper: NDArray[np.float32],
    glyph: float,
) -> NDArray[np.bool_]:
    """Pale pieces, none of them `solid`, with a border all round that stands out more: low nodes, and small ones but for boxes.

    Heads and dots have no border of another colour.
    """
    result = np.zeros_like(solid)
    contrast = np.abs(colours - paper).max(axis=1)
    pale = ~solid & (contrast > _SAME_COLOUR) & (contrast <= _LEAST_DOT_CONTRAST)
    pale &= (stats[:, cv2.CC_STAT_AREA] >= _LEAST_FILL * glyph**2) & (stats[:, 2:4].max(axis=1) <= _MOST_LETTERED_GLYPHS * glyph)
    pale[0] = False
    for label in np.flatnonzero(pale).tolist():
        if not deep_behind_letters(labels, stats[label], label, _FILL_DEPTH * glyph, glyph):
            continue
        x, y, w, h = (int(value) for value in stats[label, :4])
        left, top = max(x - _RIM, 0), max(y - _RIM, 0)
        window = np.s_[top : y + h + _RIM, left : x + w + _RIM]
        own = (labels[window] == label).astype(np.uint8)
        contours, _ = cv2.findContours(own, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(own, contours, -1, (1,), cv2.FILLED)
        around = np.asarray(cv2.dilate(own, np.ones((5, 5), np.uint8)), np.uint8) & (1 - own)
        strongest = np.abs(picture[window].astype(np.float32) - paper).max(axis=2)
        strongest = np.asarray(cv2.dilate(strongest, np.ones((5, 5), np.uint8)), np.float32)
        result[label] = float((strongest[around > 0] >= contrast[label] + _LEAST_BORDER).mean()) >= _LEAST_ROUND
    return result


def _of_shades(colours: NDArray[np.float32], seeds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pieces that have the colour of one of the seeds."""
    shades = np.unique(np.round(colours[seeds] / 4).astype(np.int32), axis=0) * 4.0
    return np.asarray(np.abs(colours[:, None, :] - shades[None, :, :]).max(axis=2).min(axis=1) <= _SAME_COLOUR, np.bool_)


def _pale(
    colours: NDArray[np.float32], paper: NDArray[np.float32], area: NDArray[np.int32], depth: NDArray[np.float32], glyph: float
) -> NDArray[np.bool_]:
    """Pieces of a shade near the paper's of which there are many in all: the ground of a label that its letters cut up."""
    candidates = (depth >= _LEAST_PALE_DEPTH) & (np.abs(colours - paper).max(axis=1) <= _LEAST_DOT_CONTRAST)
    candidates[0] = False
    if not candidates.any():
        return candidates
    _, shade = np.unique(np.round(colours[candidates] / 4).astype(np.int32), axis=0, return_inverse=True)
    shade = np.asarray(shade).ravel()
    enough = np.bincount(shade, weights=area[candidates]) >= 4 * glyph**2
    result = np.zeros_like(candidates)
    result[candidates] = enough[shade]
    return result


def _drawn_upon_other(
    labels: NDArray[np.int32], colours: NDArray[np.float32], wide: NDArray[np.bool_], narrow: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The narrow pieces beside which lies a surface of another colour: heads and thick lines in the colour of some node's fill.

    A gap between two lines has its own colour on the far side of one of them at least.
    """
    beside_of = nearest(wide[labels])
    own = np.flatnonzero(narrow[labels].ravel())
    number = labels.ravel()[own]
    beside = labels.ravel()[beside_of.ravel()[own]]
    other = np.abs(colours[number] - colours[beside]).max(axis=1) > _SAME_COLOUR
    counts = np.bincount(number, minlength=len(colours))
    return np.bincount(number, weights=other, minlength=len(colours)) > _MOST_UPON * np.maximum(counts, 1)


def _as_large(
    colours: NDArray[np.float32], area: NDArray[np.int32], wide: NDArray[np.bool_], narrow: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The narrow pieces hardly smaller than some wide one of their colour: the smallest of many discs."""
    result = np.zeros_like(narrow)
    least = area[wide].min() if wide.any() else 0
    for label in np.flatnonzero(narrow & (area >= _LEAST_OF_WIDE * least)).tolist():
        alike = wide & (np.abs(colours - colours[label]).max(axis=1) <= _SAME_COLOUR)
        result[label] = bool((area[label] >= _LEAST_OF_WIDE * area[alike]).any())
    return result


def nearest(taken: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Index, in the flattened picture, of the nearest pixel that is taken, at each pixel; of the pixel itself if none is."""
    off = (~taken).astype(np.uint8)
    flat = np.flatnonzero(taken.ravel())
    if not len(flat):
        return np.arange(off.size).reshape(off.shape)
    nearest = np.asarray(cv2.distanceTransformWithLabels(off, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1], np.int32)
    places = np.zeros(int(nearest.max()) + 1, dtype=np.int64)
    places[nearest.ravel()[flat]] = flat
    return places[nearest]
