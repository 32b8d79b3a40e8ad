"""Type scale and hierarchy.

Sources: a scale of few sizes that differ visibly – Bringhurst, The Elements of Typographic Style, 8.1; Material Design 3, type
scale (five roles); body text of 14 to 17 px – Material 3 (14–16 sp) and Apple HIG (17 pt, least 11 pt); headings that stand out
and fall in order – WCAG 2.2, technique G141, and the contrast of sizes in the Aalto Interface Metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from tools.probes.aesthetics.ramp import ramp

Text = Mapping[str, Any]

LEAST_TEXTS = 4
_SEEN_SHARE = 0.02
"""A size or family that sets less than this share of the text's area is one stray thing, not the page's scale."""


def type_scale(texts: Sequence[Text]) -> float | None:
    """Few sizes, no two that are nearly the same, few families, body text large enough to read."""
    if len(texts) < LEAST_TEXTS:
        return None
    sizes, families = Counter[float](), Counter[str]()
    for text in texts:
        area = text["w"] * text["h"]
        sizes[text["size"]] += area
        families[text["family"]] += area
    used = sorted(_common(sizes))
    twins = sum(other - item < max(1.0, 0.06 * item) for item, other in pairwise(used))
    body = max(sizes, key=lambda size: sizes[size] if size < 24 else 0.0)
    few = ramp(len(used), 9, 5)
    apart = ramp(twins, 3, 0)
    alike = ramp(len(_common(families)), 5, 3)
    readable = ramp(body, 10, 14)
    return 0.35 * few + 0.25 * apart + 0.2 * alike + 0.2 * readable


def _common(areas: Counter[Any]) -> list[Any]:
    total = sum(areas.values()) or 1.0
    return [value for value, area in areas.items() if area >= _SEEN_SHARE * total]


def hierarchy(texts: Sequence[Text]) -> float | None:
    """The title stands out from the body by size or weight, headings fall in order of their level, emphasis is not everywhere."""
    plain = [text for text in texts if not text["heading"] and not text["control"]]
    heads = [text for text in texts if text["heading"]]
    if len(texts) < LEAST_TEXTS or not plain or not heads:
        return None
    body = _middle([entry["size"] for entry in plain for _ in range(max(1, entry["characters"] // 20))])
    largest = max(head["size"] for head in heads)
    stands_out = ramp(largest / body, 0.95, 1.3)
    bolder = ramp(max(head["weight"] for head in heads) - _middle([entry["weight"] for entry in plain]), -100, 150)
    levels = sorted({head["heading"] for head in heads})
    tops = [_middle([head["size"] for head in heads if head["heading"] == level]) for level in levels]
    ordered = sum(top >= other for top, other in pairwise(tops)) / (len(tops) - 1) if len(tops) > 1 else 1.0
    loud = sum(entry["size"] >= 1.6 * body for entry in plain) / len(plain)
    return 0.45 * max(stands_out, 0.6 * bolder) + 0.3 * ordered + 0.25 * ramp(loud, 0.7, 0.35)


def _middle(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return float(ordered[len(ordered) // 2])
