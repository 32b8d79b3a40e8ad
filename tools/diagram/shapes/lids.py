"""Lids of cylinders: a second line that follows a box's side closely, and meets it at both ends."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.diagram.model.graph import Frame
from tools.diagram.picture.surfaces import Mask, Scene

_LEAST_HAS = 0.9
"""Share of the columns in which there is a second line, and of steps from one to the next that are small."""
_LEAST_LENS, _LEAST_CLOSED = 0.5, 1.5
"""Pixels by which a lid's two lines must be farther apart in its middle than towards its ends, and than right at them."""
_MOST_LOPSIDED = 1.5
"""Pixels by which a lid may be higher on one side than on the other."""
_NARROWING = 0.7
"""Gap right at a lid's ends in that of its middle, at the most."""
_ENDS = (0.02, 0.07)
"""Where the ends of a flat lid are, as shares of the side: nearly all of it is equally wide."""


def lid_height(scene: Scene, box: Frame, *, upwards: bool) -> float:
    """Height of the lid over (under) a box in pixels, 0 if there is none."""
    reach = round(min(0.4 * box.height, 1.6 * scene.glyph))
    columns = np.arange(round(box.x + 0.2 * box.width), round(box.right - 0.2 * box.width))
    strip = _strip(scene, box, columns, reach, upwards=upwards)
    if strip is None:
        return 0.0
    has, gaps, at = _second_line(strip)
    if has.mean() < _LEAST_HAS:
        return 0.0
    at = at[has]
    smooth = (np.abs(np.diff(at)) <= 2).mean() > _LEAST_HAS
    # Between the two lines of a lid lies a lens: a frame's border or a line that passes stays as far away all along.
    sixth = max(len(at) // 6, 1)
    middle, sides = float(at[2 * sixth : -2 * sixth].mean()), (float(at[:sixth].mean()), float(at[-sixth:].mean()))
    usual = float(np.median(gaps[has])), float(np.median(_thick(strip)[has]))
    level = abs(sides[0] - sides[1]) <= _MOST_LOPSIDED  # a line that comes up slanting meets the border at one end, too
    lens = middle - max(sides) >= _LEAST_LENS or (level and _is_closed(scene, box, reach, *usual, upwards=upwards))
    return float(np.percentile(at, 80)) if smooth and lens else 0.0


def _strip(scene: Scene, box: Frame, columns: NDArray[np.int_], reach: int, *, upwards: bool) -> Mask | None:
    """The ink above (below) the box in those columns, the rows from the box outwards; `None` beyond the picture."""
    start = round(box.y) if upwards else round(box.bottom)
    rows = start + np.arange(-2, reach) * (-1 if upwards else 1)
    if reach < 5 or len(columns) < 5 or rows.min() < 0 or rows.max() >= scene.ink.shape[0] or columns.max() >= scene.ink.shape[1]:
        return None
    return scene.ink[np.ix_(rows, columns)]


def _second_line(strip: Mask) -> tuple[NDArray[np.bool_], NDArray[np.int_], NDArray[np.int_]]:
    """For each column whether a second line follows the border, the gap between them, and the row where it begins."""
    border = strip[:5].any(axis=0)
    leaves = np.where(border, np.argmax((np.cumsum(strip, axis=0) > 0) & (strip == 0), axis=0), 0)
    again = (strip > 0) & (np.arange(len(strip))[:, None] > leaves[None, :])
    at = np.argmax(again, axis=0)
    return border & (leaves > 0) & again.any(axis=0), at - leaves, at


def _is_closed(scene: Scene, box: Frame, reach: int, gap: float, thick: float, *, upwards: bool) -> bool:
    """At both ends of the side the two lines come together. `thick`: rows of the first one in the side's middle."""
    for ends in (_ENDS, (1 - _ENDS[1], 1 - _ENDS[0])):
        first, last = (round(box.x + share * box.width) for share in ends)
        strip = _strip(scene, box, np.arange(first, max(last, first + 5)), reach, upwards=upwards)
        if strip is None:
            return False
        has, gaps, _ = _second_line(strip)
        near = has & (gaps <= min(gap - _LEAST_CLOSED, _NARROWING * gap))
        touched = strip[:5].any(axis=0) & ~has & (_thick(strip) >= 1.5 * thick + 1)
        if not (near | touched).any():
            return False
    return True


def _thick(strip: Mask) -> NDArray[np.int_]:
    """Rows of the first line in each column."""
    begins = np.argmax(strip > 0, axis=0)
    ended = (np.cumsum(strip, axis=0) > 0) & (strip == 0)
    return np.where(ended.any(axis=0), np.argmax(ended, axis=0), len(strip)) - begins
