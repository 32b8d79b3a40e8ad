"""The pixels of a drawing split into flat surfaces (paper, fills) and ink (lines, letters), whatever the colours are.

A surface is a connected piece without steep steps in colour; the paper, the inside of an outlined box and a coloured fill all are
surfaces. Every other pixel takes the colour of the nearest surface as its ground, and it is ink if its colour lies outside the
range of the grounds around it: so the smooth seam between two fills is no ink, and pale lines on dark ground are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.picture.arms import arms_of
from tools.diagram.picture.copies import Look, evenly_coloured, look_of, spread_within
from tools.diagram.picture.crisp import crisp, ridges
from tools.diagram.picture.discs import copied_discs
from tools.diagram.picture.letters import USUAL_GLYPH, glyph_height, letter_height, lone_height
from tools.diagram.picture.masks import Mask, pieces
from tools.diagram.picture.shadows import commonest_colour, without_shadows
from tools.diagram.picture.solids import nearest, solid_pieces
from tools.media.image import Picture

_STEP = 9
"""Levels (of 255) between neighbours up to which a surface is flat."""
_CONTRAST = 14
"""Levels by which ink leaves the range of its grounds."""
_LEAST_OF_INK = 0.22
"""Share of the ink beside it from which on a rim is ink in a copy."""
_DARKEST = 110.0
"""Mean level below which a ground is dark."""
_LEAST_GLYPH, _MOST_GLYPH = 8.0, 24.0
"""Letters lower than so many pixels are enlarged, higher ones made smaller."""
_LEAST_LETTER = 6.8
"""Lower letters, looked for closely, are of a picture that was made smaller; drawn ones are as low only in height of glyphs."""
_LEAST_LETTER_OF_COPY = 14.0
"""Such letters of a copy that is worked on at twice its size are lower: thin lines are two pixels wide there."""
_LETTERS_TO_GLYPH = (0.9, 1.5)
"""Between these shares of the letters' median height, the capitals weighed in, lies the height that the ink shows."""
_LETTERS_USUALLY = 1.2
_MOST_TO_LETTERS = 4.0
"""Share of low letters' height beyond which pieces of ink are none."""
_OTHER_HEIGHT = 0.35
"""Share by which letters are higher or lower than was thought for surfaces to be told from ink anew."""
_MOST_MEASURED = 3
"""How often surfaces are told from ink anew because the letters turn out to be of another height than was thought."""
_MOST_ENLARGED_SIDE = 2400
_MOST_ENLARGED = 1_500_000
"""Pixels of the largest picture with a longer side that is enlarged."""


@dataclass(frozen=True)
class Scene:
    """A picture prepared for perception, at working scale. Arrays are shared and not to be changed."""

    picture: Picture
    scale: float
    """Working pixels per pixel of the original."""
    ink: Mask
    surfaces: NDArray[np.int32]
    """Label of the surface at each pixel, 0 where none is."""
    colours: NDArray[np.float32]
    """(count, 3): mean colour of each surface; row 0 unused."""
    boxes: NDArray[np.int32]
    """(count, 5): left, top, width, height, area of each surface."""
    paper: int
    """Label of the surface that the drawing lies on."""
    glyph: float
    """Median height of letters in working pixels."""
    noise: float = 0.0
    """Levels by which flat ground trembled before its rims were made steep."""
    legible: Picture | None = None
    """The picture that text is read in, where that is not `picture`."""
    dark: bool = False
    """Pale ink on a dark ground: `picture` and `colours` are those of its negative."""

    @property
    def copied(self) -> bool:
        """Its rims were made steep: it was seen through scaling or packing, or is of low letters."""
        return self.legible is not None


def prepare(picture: Picture) -> Scene:
    """Splits the picture at a scale at which its letters are about 10 to 24 pixels high.

    A picture on a dark ground is worked on as its negative: text is read better so, and shadows and rims are told alike.
    A picture with no flat ground at all (a photograph) gives a scene without surfaces and without ink.
    """
    if is_dark(picture):
        return replace(_prepared(np.asarray(255 - picture, np.uint8)), dark=True)
    return _prepared(picture)


def is_dark(picture: Picture) -> bool:
    """Its commonest colour is dark."""
    return float(commonest_colour(picture).mean()) < _DARKEST


def _prepared(picture: Picture) -> Scene:
    look, letters = look_of(picture), letter_height(picture)
    if look.is_copy:
        return _of_copy(picture, look, letters)
    picture = without_shadows(picture, letters)
    first = _split(picture, 1.0, letters)
    height, width = picture.shape[:2]
    # Looked for closely, the corners of heads are in each other's company where no letters are.
    if letters < _LEAST_LETTER and _may_grow(picture) and lone_height(first.ink) < _LEAST_GLYPH:
        return _of_copy(picture, look, letters)
    if first.glyph > _MOST_GLYPH:
        smaller = cv2.resize(picture, (max(width // 2, 1), max(height // 2, 1)), interpolation=cv2.INTER_AREA)
        return _split(np.asarray(smaller, dtype=np.uint8), 0.5, letters)
    return first


def _of_copy(picture: Picture, look: Look, letters: float) -> Scene:
    """A picture seen through scaling or packing, or of low letters: with steep rims it is as one that was drawn.

    Where its letters are not large that is done at twice its size. Texts are read in it as it is.
    """
    scale = 2.0 if letters < _LEAST_LETTER_OF_COPY and _may_grow(picture) else 1.0
    legible = picture
    if scale > 1:
        size = picture.shape[1] * 2, picture.shape[0] * 2
        legible = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    seen = evenly_coloured(legible, letters * scale) if look.rings else legible
    clear = crisp(without_shadows(seen, letters * scale, ridges(seen, scale)), scale, look.noise)
    return replace(_split(clear, scale, letters, copied=True), legible=legible, noise=look.noise)


def _may_grow(picture: Picture) -> bool:
    height, width = picture.shape[:2]
    return max(height, width) <= _MOST_ENLARGED_SIDE or height * width <= _MOST_ENLARGED


def _split(picture: Picture, scale: float, letters: float, *, copied: bool = False) -> Scene:
    """The scene. `letters`: their height in the picture, looked for closely; where it is `copied` letters run into each other."""
    flat = (spread_within(picture, 3) <= _STEP).astype(np.uint8)
    found = _pieces_of(picture, flat)
    (solid, ink), glyph = _measured(picture, found, letters * scale, copied)
    arms = arms_of(found.labels, found.stats, found.colours, solid, glyph)
    if arms.any():
        found = _pieces_of(picture, flat & (1 - arms))
        solid, ink = _separated(picture, found, glyph, copied)
    if copied:
        paper = int(np.where(solid, found.stats[:, cv2.CC_STAT_AREA], 0).argmax())
        # Within rings lies paper, too.
        inner, rims = copied_discs(ink, _alike(found, paper)[found.labels], glyph)
        if inner.any():
            found = _pieces_of(picture, (flat & (1 - rims)) | inner)
            solid, ink = _separated(picture, found, glyph, copied)
            ink |= rims
    keep = np.flatnonzero(solid)
    renumber = np.zeros(len(found.stats), dtype=np.int32)
    renumber[keep] = np.arange(1, len(keep) + 1)
    surfaces = renumber[found.labels]
    boxes = np.vstack([np.zeros((1, 5), np.int32), found.stats[keep]]).astype(np.int32)
    shades = np.vstack([np.zeros((1, 3), np.float32), found.colours[keep]]).astype(np.float32)
    return Scene(picture, scale, ink, surfaces, shades, boxes, _paper(boxes, surfaces), glyph)


@dataclass(frozen=True)
class _Pieces:
    """The flat pieces of a picture: the number of the one at each pixel, OpenCV's row of each, and its mean colour."""

    labels: NDArray[np.int32]
    stats: NDArray[np.int32]
    colours: NDArray[np.float32]


def _pieces_of(picture: Picture, flat: Mask) -> _Pieces:
    count, labels, stats = pieces(flat, 4)
    return _Pieces(labels, stats, _mean_colours(picture, labels, count))


def _alike(found: _Pieces, label: int) -> Mask:
    """Which pieces have the colour of the one."""
    alike = np.asarray(np.abs(found.colours - found.colours[label]).max(axis=1) <= _STEP, np.uint8)
    alike[0] = 0
    return alike


def _separated(picture: Picture, found: _Pieces, glyph: float, copied: bool) -> tuple[NDArray[np.bool_], Mask]:
    """Which pieces are surfaces, and the ink, if letters are as high as `glyph`."""
    solid = solid_pieces(picture, found.labels, found.stats, found.colours, glyph, copied=copied)
    return solid, _ink(picture, _ground(picture, found.labels, solid), found.labels, solid, copied)


def _mean_colours(picture: Picture, labels: NDArray[np.int32], count: int) -> NDArray[np.float32]:
    flat = labels.ravel()
    sizes = np.maximum(np.bincount(flat, minlength=count), 1)
    channels = [np.bincount(flat, weights=picture[:, :, c].ravel(), minlength=count) / sizes for c in range(3)]
    return np.stack(channels, axis=1).astype(np.float32)


def _measured(picture: Picture, found: _Pieces, letters: float, copied: bool) -> tuple[tuple[NDArray[np.bool_], Mask], float]:
    """What `_separated` gives for the height of letters that it leads to, and that height. `letters`: looked for closely."""
    used, parted = USUAL_GLYPH, _separated(picture, found, USUAL_GLYPH, copied)
    for attempt in range(1, _MOST_MEASURED + 1):
        high = glyph_height(parted[1])
        # Where one height leads to another, and that to a third, what was looked for closely decides.
        unsettled = attempt > 1 and abs(high - used) >= _OTHER_HEIGHT * used
        # So does it where few large things in a letter's form (actors) weigh more than letters whose grounds are not known yet.
        unsettled = unsettled or (high > _MOST_TO_LETTERS * letters and letters < USUAL_GLYPH)
        glyph = _credible(high, letters) if unsettled or copied else high
        if abs(glyph - used) < _OTHER_HEIGHT * used or attempt == _MOST_MEASURED:
            return parted, glyph
        used, parted = glyph, _separated(picture, found, glyph, copied)
    return parted, used


def _credible(glyph: float, letters: float) -> float:
    """The height of letters found in the ink, if it is about that of the letters looked for closely."""
    return glyph if _LETTERS_TO_GLYPH[0] <= glyph / letters <= _LETTERS_TO_GLYPH[1] else _LETTERS_USUALLY * letters


def _ground(picture: Picture, labels: NDArray[np.int32], solid: NDArray[np.bool_]) -> Picture:
    """The colour of the nearest surface pixel, at each pixel."""
    return picture.reshape(-1, 3)[nearest(solid[labels]).ravel()].reshape(picture.shape)


def _ink(picture: Picture, ground: Picture, labels: NDArray[np.int32], solid: NDArray[np.bool_], copied: bool) -> Mask:
    """What leaves the range of the grounds about it and is no surface; in a copy not what is far paler than the ink beside it."""
    kernel = np.ones((5, 5), np.uint8)
    low = cv2.erode(ground, kernel).astype(np.int16)
    high = cv2.dilate(ground, kernel).astype(np.int16)
    values = picture.astype(np.int16)
    beyond = np.maximum((low - values).max(axis=2), (values - high).max(axis=2))
    asked = np.maximum(_CONTRAST, _LEAST_OF_INK * cv2.dilate(beyond, np.ones((3, 3), np.uint8))) if copied else _CONTRAST
    return ((beyond > asked) & ~solid[labels]).astype(np.uint8)


def _paper(boxes: NDArray[np.int32], surfaces: NDArray[np.int32]) -> int:
    """The surface with most of the picture's rim; the largest one if none touches the rim."""
    if len(boxes) < 2:
        return 0
    rim = np.concatenate([surfaces[0], surfaces[-1], surfaces[:, 0], surfaces[:, -1]])
    counts = np.bincount(rim[rim > 0], minlength=len(boxes))
    return int(counts.argmax()) if counts.any() else int(boxes[:, 4].argmax())
