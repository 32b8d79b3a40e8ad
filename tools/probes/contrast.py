"""Contrast of text against what is really behind it (WCAG 2.x ratio).

Styles are compared first; the picture then has the last word on every text in view: it replaces the background where styles
cannot tell it (images, gradients, layers), and it acquits a text that is painted with more contrast than its style says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.evidence.rows import Box, Finding
from tools.media.image import crop, main_colour
from tools.probes.look import Look, box_of, quote
from tools.probes.protocol import Figure, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOW_BELOW = 3.0
LARGE_LOW_BELOW = 2.2
"""Large letters are read with less: from here to 3:1 they are faint, not hard to read."""
NORMAL_BELOW = 4.5
GROUPS_AT_MOST = 400
FINDINGS_AT_MOST = 12

_FLAT_SHARE = 0.3
"""With at least that share of a text's box in one colour, that colour is its background."""
_SAME_COLOUR = 14
"""Largest difference of a channel at which two colours count as one (rounding, antialiasing, dithering)."""
_INK_DISTANCE = 60.0
"""Pixels nearer than that to the text's colour (Euclidean, RGB) are glyphs, not background."""
_GLYPH_SHARE = 0.004
"""Share of a text's box that must have a contrast for the glyphs to be said to have it."""

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class _Measured:
    """One text as measured: ratio, the colours it rests on, and how the background was found."""

    ratio: float
    ink: Colour
    ground: Colour
    method: str
    sample: dict[str, Any]


@dataclass(frozen=True)
class _Failing:
    """Texts of one look that fail alike: the worst, the group it was found in, and how many there are."""

    worst: _Measured
    group: dict[str, Any]
    count: int


async def probe(look: Look) -> Result:
    """Symptoms `contrast.low` (below 3:1, large text 2.2:1), `contrast.weak` (to 4.5:1, large text 3:1); like styles are one."""
    raw = await look.run("contrast", {"weak": NORMAL_BELOW, "groups": GROUPS_AT_MOST})
    picture = await look.picture() if await look.is_aligned() else None
    failing: dict[tuple[Any, ...], _Failing] = {}
    unmeasured = acquitted = 0
    for group in raw["groups"]:
        known = [measured for sample in group["samples"] if (measured := _measure(group, sample, picture)) is not None]
        low = [each_measured for each_measured in known if _symptom(each_measured, large=group["large"])]
        if not known:
            unmeasured += group["count"]
        elif not low:
            acquitted += group["count"]
        else:
            worst = min(low, key=lambda each_measured: each_measured.ratio)
            key = (_hex(worst.ink), *(round(channel / 24) for channel in worst.ground), group["large"])
            before = failing.get(key)
            worst = worst if before is None or worst.ratio < before.worst.ratio else before.worst
            failing[key] = _Failing(worst, group, group["count"] + (before.count if before else 0))
    ranked = sorted(failing.values(), key=lambda each_failing: each_failing.worst.ratio)
    findings = tuple(_finding(look, each_failing) for each_failing in ranked[:FINDINGS_AT_MOST])
    values: dict[str, Figure] = {
        "picture_used": picture is not None,
        "texts": raw["texts"],
        "exempt": raw["exempt"],
        "unseen": raw["unseen"],
        "unmeasured": unmeasured,
        "acquitted_by_picture": acquitted,
        "styles_low": len(failing),
        "sampled": raw["sampled"],
    }
    return Result("contrast", measured=True, reason="", findings=findings, values=values)


def contrast_ratio(foreground: Colour, background: Colour) -> float:
    """WCAG 2.x contrast ratio of two sRGB colours (channels 0–255): 1 to 21."""
    lighter, darker = sorted((float(_luminance(np.asarray(colour))) for colour in (foreground, background)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colours: NDArray[Any]) -> NDArray[np.float64]:
    """Relative luminance (0–1) of sRGB colours, last axis the channels."""
    share = np.asarray(colours, dtype=np.float64) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def _symptom(verdict: _Measured, *, large: bool) -> str:
    if verdict.ratio < (LARGE_LOW_BELOW if large else LOW_BELOW):
        return "contrast.low"
    # Over pictures and gradients the ratio is a median of very different pixels: good enough for the strong symptom only.
    weak = verdict.ratio < (LOW_BELOW if large else NORMAL_BELOW) and verdict.method != "picture median"
    return "contrast.weak" if weak else ""


def _measure(group: dict[str, Any], sample: dict[str, Any], picture: NDArray[np.uint8] | None) -> _Measured | None:
    """The contrast of one text, or None where neither styles nor picture can tell."""
    by_style: Colour = tuple(group["bg"])
    ink: Colour = tuple(group["fg"])
    parts = [] if picture is None else [part for line in sample["lines"] if (part := _in_view(picture, box_of(line))) is not None]
    if not parts:
        return _Measured(contrast_ratio(ink, by_style), ink, by_style, "styles", sample) if group["known"] else None
    part = max(parts, key=lambda pixels: pixels.size)
    pixels = part.reshape(-1, 3).astype(np.float64)
    ground, share = main_colour(part)
    if share < _FLAT_SHARE:
        return _over_texture(group, pixels, sample)
    agrees = max(abs(a - b) for a, b in zip(ground, by_style, strict=True)) <= _SAME_COLOUR
    method = "styles" if group["known"] and agrees else "picture"
    chosen: Colour = by_style if method == "styles" else (float(ground[0]), float(ground[1]), float(ground[2]))
    painted = ink if method == "styles" else _blend(group["ink"], chosen)
    ratio = contrast_ratio(painted, chosen)
    seen = _strongest_contrast(pixels, ground)
    needed = LOW_BELOW if group["large"] else NORMAL_BELOW
    if seen >= needed:
        return _Measured(seen, painted, chosen, "picture", sample)
    if seen < 1.03 and ratio > 1.2:
        return None  # nothing is painted there although the styles say so: covered, or still to appear
    return _Measured(ratio, painted, chosen, method, sample)


def _over_texture(group: dict[str, Any], pixels: NDArray[np.float64], sample: dict[str, Any]) -> _Measured | None:
    """Text over an image or gradient: the median of the ratios with the pixels around the glyphs."""
    middle = np.median(pixels, axis=0)
    ink = _blend(group["ink"], (float(middle[0]), float(middle[1]), float(middle[2])))
    around = pixels[np.linalg.norm(pixels - np.asarray(ink), axis=1) > _INK_DISTANCE]
    if len(around) < 0.3 * len(pixels):
        around = pixels  # the background itself is about the colour of the text
    light = _luminance(around)
    own = float(_luminance(np.asarray(ink)))
    ratios = (np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05)
    ground = np.median(around, axis=0)
    return _Measured(
        float(np.median(ratios)), ink, (float(ground[0]), float(ground[1]), float(ground[2])), "picture median", sample
    )


def _blend(ink: list[float], ground: Colour) -> Colour:
    red, green, blue, alpha = ink
    return (
        red * alpha + ground[0] * (1 - alpha),
        green * alpha + ground[1] * (1 - alpha),
        blue * alpha + ground[2] * (1 - alpha),
    )


def _strongest_contrast(pixels: NDArray[np.float64], ground: tuple[int, int, int]) -> float:
    """The contrast with the ground that a noticeable share of the box's pixels reaches: what the glyphs are painted with."""
    light = _luminance(pixels)
    own = float(_luminance(np.asarray(ground)))
    ratios = np.sort((np.maximum(light, own) + 0.05) / (np.minimum(light, own) + 0.05))
    return float(ratios[-max(1, int(_GLYPH_SHARE * len(ratios)))])


def _in_view(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8] | None:
    """The part of the picture under a line; None unless most of the line is in the picture."""
    part = crop(picture, box)
    return part if part.shape[0] * part.shape[1] >= max(0.6 * box.area, 12) else None


def _finding(look: Look, failing: _Failing) -> Finding:
    worst, group, count = failing.worst, failing.group, failing.count
    needed = LOW_BELOW if group["large"] else NORMAL_BELOW
    more = f" and {count - 1} more like it" if count > 1 else ""
    return look.finding(
        _symptom(worst, large=group["large"]),
        f"{quote(worst.sample['text'])}{more}: contrast {worst.ratio:.2f}:1, {needed:g}:1 is needed.",
        selector=worst.sample["selector"],
        box=box_of(worst.sample["box"]),
        measured={
            "ratio": round(worst.ratio, 2),
            "needed": needed,
            "foreground": _hex(worst.ink),
            "background": _hex(worst.ground),
            "font_px": group["size"],
            "bold": group["bold"],
            "method": worst.method,
            "count": count,
        },
    )


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{min(max(round(channel), 0), 255):02x}" for channel in colour)
