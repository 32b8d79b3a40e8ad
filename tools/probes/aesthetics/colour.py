"""Whether the colours belong together.

Sources: hue templates – Matsuda (1995), Tokumaru et al. (2002), as used by Cohen-Or et al., Color harmonization (SIGGRAPH 2006);
colourfulness – Hasler & Süsstrunk, Measuring colourfulness in natural images (2003); both as in the Aalto Interface Metrics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tools.probes.aesthetics.ramp import ramp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TEMPLATES: Mapping[str, tuple[tuple[float, float], ...]] = {
    "i": ((0.0, 18.0),),
    "V": ((0.0, 93.6),),
    "L": ((0.0, 18.0), (90.0, 79.2)),
    "I": ((0.0, 18.0), (180.0, 18.0)),
    "Y": ((0.0, 93.6), (180.0, 18.0)),
    "X": ((0.0, 93.6), (180.0, 93.6)),
}
"""(middle, width) of the sectors in degrees."""
_COLOURED_LEAST = 0.004
"""With a smaller share of coloured pixels a page is black, white and grey: nothing can clash."""
_CLUSTER_LEAST = 0.04


def palette(picture: NDArray[np.uint8], masks: Sequence[Mapping[str, Any]]) -> float | None:
    """Hues fit a template of harmony, there are few of them, and the page as a whole is not garish; media are left out."""
    import numpy as np  # noqa: PLC0415 - heavy, and only needed once a page is measured

    free = np.ones(picture.shape[:2], bool)
    for box in masks:
        x, y = max(int(box["x"]), 0), max(int(box["y"]), 0)
        free[y : int(box["y"] + box["height"]) + 1, x : int(box["x"] + box["width"]) + 1] = False
    if free.mean() < 0.1:
        return None
    # Every second pixel of every second row: areas, not details, make a palette.
    pixels = picture[::2, ::2][free[::2, ::2]].astype(np.float32)
    hue, saturation = _hue_and_saturation(pixels)
    coloured = saturation > 0.18
    calm = ramp(_colourfulness(pixels), 110, 60)
    if coloured.mean() < _COLOURED_LEAST:
        return 0.85 + 0.15 * calm
    weights, _ = np.histogram(hue[coloured], bins=72, range=(0.0, 360.0), weights=saturation[coloured])
    weights = weights / weights.sum()
    harmony = ramp(_distance(weights), 14.0, 3.0)
    few = ramp(_clusters(weights), 8, 4)
    return 0.45 * harmony + 0.25 * few + 0.3 * calm


def _hue_and_saturation(pixels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Hue in degrees, and saturation as share of the full range of a channel, so that dark and pale tints weigh little."""
    import numpy as np  # noqa: PLC0415

    red, green, blue = pixels[:, 0], pixels[:, 1], pixels[:, 2]
    top, bottom = pixels.max(axis=1), pixels.min(axis=1)
    span = np.where(top > bottom, top - bottom, 1.0)
    hue = np.where(
        top == red, (green - blue) / span % 6, np.where(top == green, (blue - red) / span + 2, (red - green) / span + 4)
    )
    return hue * 60 % 360, (top - bottom) / 255


def _colourfulness(pixels: NDArray[Any]) -> float:
    """Hasler and Süsstrunk's M: 0 grey, 33 averagely colourful, above 80 extremely."""
    import numpy as np  # noqa: PLC0415

    first = pixels[:, 0] - pixels[:, 1]
    second = (pixels[:, 0] + pixels[:, 1]) / 2 - pixels[:, 2]
    spread = np.hypot(first.std(), second.std())
    return float(spread + 0.3 * np.hypot(first.mean(), second.mean()))


def _distance(weights: NDArray[Any]) -> float:
    """Mean degrees by which the hues lie outside of the template that fits best."""
    import numpy as np  # noqa: PLC0415

    angles = (np.arange(72) + 0.5) * 5
    best = 180.0
    for sectors in TEMPLATES.values():
        for turn in range(0, 360, 5):
            outside = np.full(72, 180.0)
            for middle, width in sectors:
                off = np.abs((angles - middle - turn + 180) % 360 - 180)
                outside = np.minimum(outside, np.maximum(off - width / 2, 0.0))
            best = min(best, float((outside * weights).sum()))
    return best


def _clusters(weights: NDArray[Any]) -> int:
    """Groups of neighbouring hues, 15° apart or more, each of some weight."""
    groups: list[float] = []
    inside = False
    for weight in [*weights, *weights[:0]]:
        if weight > 0.004:
            groups = [*groups[:-1], groups[-1] + weight] if inside else [*groups, weight]
            inside = True
        else:
            inside = False
    if len(groups) > 1 and weights[0] > 0.004 and weights[-1] > 0.004:
        groups = [groups[0] + groups[-1], *groups[1:-1]]
    return sum(group >= _CLUSTER_LEAST for group in groups)
