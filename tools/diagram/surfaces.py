"""The pixels of a drawing split into flat surfaces (paper, fills) and ink (lines, letters), whatever the colours are.

A surface is a connected piece without steep steps in colour; the paper, the inside of an outlined box and a coloured fill all are
surfaces. Every other pixel takes the colour of the nearest surface as its ground, and it is ink if its colour lies outside the
range of the grounds around it: so the smooth seam between two fills is no ink, and pale lines on dark ground are.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.diagram.arms import arms_of
from tools.diagram.copies import Look, look_of, spread_within
from tools.diagram.discs import copied_discs
from tools.diagram.letters import USUAL_GLYPH, glyph_height, letter_height, lone_height
from tools.diagram.masks import Mask, pieces
from tools.diagram.palelines import by_heads, middles
from tools.diagram.ringing import rejoined
from tools.diagram.shadows import without_shadows
from tools.diagram.solids import LEAST_DEPTH, LEAST_DEPTH_ENLARGED, nearest, solid_pieces
from tools.media.image import Picture

_CLEAN_STEP = 9
"""Levels (of 255) between neighbours up to which a surface of a picture without noise is flat."""
_CLEAN_CONTRAST = 14
"""Levels by which ink leaves the range of its grounds in a picture without noise."""
_LEAST_GLYPH = 8.0
"""Letters lower than this many pixels are enlarged."""
_LEAST_LETTER = 6.8
"""The same for letters looked for closely, in small pictures where their blurred rims touch."""
_LEAST_LETTER_OF_COPY = 9.6
"""The same in a picture that was made smaller: Chinese characters are still high where lines and heads have become faint."""
_LETTERS_TO_GLYPH = (0.9, 1.7)
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
_LEAST_STIR = 0.05
"""Levels by which all must tremble where drawn pictures with shadows must not be taken for copies."""
_OVERSHOOT, _OVERSHOOT_REACH = 0.25, 4
"""Share of a dark line's contrast by which scaling makes its sides lighter than their ground, and within how many pixels."""


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
    noise: float
    """Levels by which flat ground trembles."""
    contrast: float
    """Levels by which ink was asked to leave its ground."""
    copied: bool = False
    """Seen through scaling or packing, which thin its lines and soften their rims."""

    @property
    def enlarged_copy(self) -> bool:
        """A copy that was too small and is worked on at a larger scale."""
        return self.copied and self.scale > 1

    @property
    def dark(self) -> bool:
        """Pale ink on a dark ground."""
        return float(self.colours[self.paper].mean()) < 110 if self.paper else False


@dataclass(frozen=True)
class _Rim:
    """What parts ink from its ground: levels it must differ by, and the share of what the strongest ink within reach does."""

    contrast: float
    share: float
    reach: int
    depth: float
    """Least depth of a surface, in heights of letters."""
    pale: bool = False
    """Pale lines are looked for beside stronger ink."""


def _rim_of(contrast: float, scale: float, look: Look) -> _Rim:
    """An enlarged stroke's rim is two pixels wide, JPEG's ringing is a share of the stroke beside it.

    A picture that was drawn as it is needs none: all that leaves its ground is ink.
    """
    if scale > 1:
        return _Rim(contrast, 0.45, 2, LEAST_DEPTH_ENLARGED, pale=True)
    if look.scaled:
        return _Rim(contrast, 0.4, 1, LEAST_DEPTH, pale=True)
    return _Rim(contrast, 0.3, 3, LEAST_DEPTH) if look.rings else _Rim(contrast, 0.0, 0, LEAST_DEPTH)


def prepare(picture: Picture) -> Scene:
    """Splits the picture at a scale at which its letters are about 10 to 24 pixels high.

    A picture with no flat ground at all (a photograph) gives a scene without surfaces and without ink.
    """
    look, letters = look_of(picture), letter_height(picture)
    if not (look.scaled or look.rings):  # the blurred borders of a copy look like shadows
        picture = without_shadows(picture, letters)
        look = look_of(picture)
    first, full = _split(picture, 1.0, look, letters)
    height, width = picture.shape[:2]
    small_enough = max(height, width) <= _MOST_ENLARGED_SIDE or height * width <= _MOST_ENLARGED
    least = _LEAST_LETTER_OF_COPY if look.stir > _LEAST_STIR and look.scaled else _LEAST_LETTER
    low = small_enough and (first.glyph < _LEAST_GLYPH or letters < least)
    # Looked for closely, the corners of heads are in each other's company where no letters are.
    if low and lone_height(full) < _LEAST_GLYPH:
        return _split(_enlarged(picture), 2.0, look, letters)[0]
    if first.glyph > 24:
        smaller = cv2.resize(picture, (max(width // 2, 1), max(height // 2, 1)), interpolation=cv2.INTER_AREA)
        halved = np.asarray(smaller, dtype=np.uint8)
        return _split(halved, 0.5, look_of(halved), letters)[0]
    return first


def _enlarged(picture: Picture) -> Picture:
    """The picture at twice its size."""
    height, width = picture.shape[:2]
    return np.asarray(cv2.resize(picture, (width * 2, height * 2), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _credible(glyph: float, letters: float) -> float:
    """The height of letters found in blurred ink, if it is about that of the letters looked for closely."""
    return glyph if _LETTERS_TO_GLYPH[0] <= glyph / letters <= _LETTERS_TO_GLYPH[1] else _LETTERS_USUALLY * letters


def _grown(surfaces: NDArray[np.int32], ink: Mask, reach: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The surfaces grown by up to `reach` pixels to the ink that bounds them, and their new boxes."""
    from scipy.ndimage import find_objects  # noqa: PLC0415  (heavy: only who looks at a picture pays for it)

    labels = surfaces.astype(np.float32)
    cross = np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)), np.uint8)
    free = ink == 0
    for _ in range(reach):
        labels = np.where((labels == 0) & free, cv2.dilate(labels, cross), labels)
    grown = labels.astype(np.int32)
    areas = np.bincount(grown.ravel())
    boxes = np.zeros((len(areas), 5), np.int32)
    for label, found in enumerate(find_objects(grown), start=1):
        rows, columns = found
        boxes[label] = columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start, areas[label]
    return grown, boxes


def _split(picture: Picture, scale: float, look: Look, letters: float) -> tuple[Scene, Mask]:
    """The scene, and its ink without the pale lines that only their middles tell: letters are measured on that."""
    noise = look.noise
    smooth = np.asarray(cv2.bilateralFilter(picture, 5, 18 + 4 * noise, 1.6), dtype=np.uint8) if noise > 1 else picture
    step, contrast = _CLEAN_STEP + 2.5 * noise, _CLEAN_CONTRAST + 3.0 * noise
    flat = (spread_within(smooth, 3) <= step).astype(np.uint8)
    rim = _rim_of(contrast, scale, look)
    found = _pieces_of(smooth, flat)
    (solid, ink, pale), glyph = _measured(smooth, found, rim, letters * scale)
    arms = arms_of(found.labels, found.stats, found.colours, solid, glyph)
    if arms.any() and not rim.share:
        flat = flat & (1 - arms)
        found = _pieces_of(smooth, flat)
        solid, ink, pale = _separated(smooth, found, rim, glyph)
    copied = look.scaled or look.rings
    if copied:
        inner, rims = copied_discs(ink, glyph)
        if inner.any():
            found = _pieces_of(smooth, (flat & (1 - rims)) | inner)
            solid, ink, pale = _separated(smooth, found, rim, glyph)
            ink |= rims
    keep = np.flatnonzero(solid)
    renumber = np.zeros(len(found.stats), dtype=np.int32)
    renumber[keep] = np.arange(1, len(keep) + 1)
    surfaces = renumber[found.labels]
    boxes = np.vstack([np.zeros((1, 5), np.int32), found.stats[keep]]).astype(np.int32)
    shades = np.vstack([np.zeros((1, 3), np.float32), found.colours[keep]]).astype(np.float32)
    if copied:
        surfaces, shades = rejoined(surfaces, shades, boxes[:, 4], ink, _paper(boxes, surfaces), glyph, soft=look.scaled)
    whole = ink | (pale & by_heads(ink, glyph)) if rim.pale else ink
    if rim.share:
        surfaces, boxes = _grown(surfaces, whole, min(rim.reach + 1, 3))
    return Scene(smooth, scale, whole, surfaces, shades, boxes, _paper(boxes, surfaces), glyph, noise, contrast, copied), ink


@dataclass(frozen=True)
class _Pieces:
    """The flat pieces of a picture: the number of the one at each pixel, OpenCV's row of each, and its mean colour."""

    labels: NDArray[np.int32]
    stats: NDArray[np.int32]
    colours: NDArray[np.float32]


def _pieces_of(picture: Picture, flat: Mask) -> _Pieces:
    count, labels, stats = pieces(flat, 4)
    return _Pieces(labels, stats, _mean_colours(picture, labels, count))


def _separated(picture: Picture, found: _Pieces, rim: _Rim, glyph: float) -> tuple[NDArray[np.bool_], Mask, Mask]:
    """Which pieces are surfaces, the ink, and the pale lines beside stronger ink, if letters are as high as `glyph`."""
    solid = solid_pieces(picture, found.labels, found.stats, found.colours, glyph, rim.depth, rim.share > 0)
    return solid, *_ink(picture, _ground(picture, found.labels, solid), found.labels, solid, rim)


def _mean_colours(picture: Picture, labels: NDArray[np.int32], count: int) -> NDArray[np.float32]:
    flat = labels.ravel()
    sizes = np.maximum(np.bincount(flat, minlength=count), 1)
    channels = [np.bincount(flat, weights=picture[:, :, c].ravel(), minlength=count) / sizes for c in range(3)]
    return np.stack(channels, axis=1).astype(np.float32)


def _measured(picture: Picture, found: _Pieces, rim: _Rim, letters: float) -> tuple[tuple[NDArray[np.bool_], Mask, Mask], float]:
    """What `_separated` gives for the height of letters that it leads to, and that height. `letters`: looked for closely."""
    used, parted = USUAL_GLYPH, _separated(picture, found, rim, USUAL_GLYPH)
    for attempt in range(1, _MOST_MEASURED + 1):
        high = glyph_height(parted[1])
        # Where one height leads to another, and that to a third, what was looked for closely decides.
        unsettled = attempt > 1 and abs(high - used) >= _OTHER_HEIGHT * used
        # So does it where few large things in a letter's form (actors) weigh more than letters whose grounds are not known yet.
        unsettled = unsettled or (high > _MOST_TO_LETTERS * letters and letters < USUAL_GLYPH)
        glyph = _credible(high, letters) if rim.share or unsettled else high
        if abs(glyph - used) < _OTHER_HEIGHT * used or attempt == _MOST_MEASURED:
            return parted, glyph
        used, parted = glyph, _separated(picture, found, rim, glyph)
    return parted, used


def _ground(picture: Picture, labels: NDArray[np.int32], solid: NDArray[np.bool_]) -> Picture:
    """The colour of the nearest surface pixel, at each pixel."""
    return picture.reshape(-1, 3)[nearest(solid[labels]).ravel()].reshape(picture.shape)


def _ink(picture: Picture, ground: Picture, labels: NDArray[np.int32], solid: NDArray[np.bool_], rim: _Rim) -> tuple[Mask, Mask]:
    """The ink, and the middles of lines too pale to be ink so near to stronger ink."""
    kernel = np.ones((5, 5), np.uint8)
    low = cv2.erode(ground, kernel).astype(np.int16)
    high = cv2.dilate(ground, kernel).astype(np.int16)
    values = picture.astype(np.int16)
    darker, lighter = (low - values).max(axis=2), (values - high).max(axis=2)
    if rim.pale:
        darker, lighter = _without_overshoot(darker, lighter), _without_overshoot(lighter, darker)
    beyond = np.maximum(darker, lighter)
    off = ~solid[labels]
    around = np.ones((2 * rim.reach + 1, 2 * rim.reach + 1), np.uint8)
    asked = np.maximum(rim.share * np.asarray(cv2.dilate(beyond, around), np.float32), rim.contrast)
    pale = middles(beyond, asked, rim.contrast) & off if rim.pale else np.zeros(off.shape, np.bool_)
    return ((beyond > asked) & off).astype(np.uint8), pale.astype(np.uint8)


def _without_overshoot(levels: NDArray[np.int16], others: NDArray[np.int16]) -> NDArray[np.int16]:
    """Levels by which pixels leave their ground one way, less what strong ink that leaves it the other way makes of its sides."""
    around = np.ones((2 * _OVERSHOOT_REACH + 1, 2 * _OVERSHOOT_REACH + 1), np.uint8)
    return np.where(levels < _OVERSHOOT * cv2.dilate(others, around), np.int16(0), levels)


def _paper(boxes: NDArray[np.int32], surfaces: NDArray[np.int32]) -> int:
    """The surface with most of the picture's rim; the largest one if none touches the rim."""
    if len(boxes) < 2:
        return 0
    rim = np.concatenate([surfaces[0], surfaces[-1], surfaces[:, 0], surfaces[:, -1]])
    counts = np.bincount(rim[rim > 0], minlength=len(boxes))
    return int(counts.argmax()) if counts.any() else int(boxes[:, 4].argmax())
