"""Alignment, spacing, likeness and clutter.

Sources: alignment lines and grid quality – Balinsky, Wiley & Roberts, Aesthetic measure of alignment and regularity (DocEng
2009), as in the Aalto Interface Metrics (Oulasvirta et al., UIST 2018 adjunct); regularity and economy – Ngo, Teo & Byrne,
Modelling interface aesthetics (Information Sciences 152, 2003); the 4-dp grid – Material Design 3, layout; clutter as edge
density – Mack & Oliva (2004) and Rosenholtz, Li & Nakano, Measuring visual clutter (Journal of Vision 7(2), 2007); line length –
WCAG 2.2, 1.4.8.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tools.probes.aesthetics.ramp import mean, mode_share, ramp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Thing = Mapping[str, Any]

SAME_PX = 1.6
"""Edges nearer than that stand on one line."""
SLOPPY_PX = 7.5
"""Edges up to that far apart look as if they were meant to; 8 px is the smallest indent that people choose."""
LEAST_THINGS, THINGS_AT_MOST = 5, 160
LEAST_DISTANCES = 12


def alignment(texts: Sequence[Thing], boxes: Sequence[Thing]) -> float | None:
    """Share of the things with an edge or middle in line with another's, less half of those whose left edge just misses one."""
    things = _distinct([*texts, *boxes])
    if len(things) < LEAST_THINGS:
        return None
    aligned = near = 0
    for thing in things:
        others = [other for other in things if other is not thing and not _nested(thing, other)]
        aligned += any(_offset(thing, other) <= SAME_PX for other in others)
        near += any(SAME_PX < abs(thing["x"] - other["x"]) <= SLOPPY_PX for other in others)
    return max((aligned - near / 2) / len(things), 0.0)


def _distinct(things: Sequence[Thing]) -> list[Thing]:
    found: dict[tuple[int, int, int, int], Thing] = {}
    for thing in things:
        found.setdefault((round(thing["x"] / 2), round(thing["y"] / 2), round(thing["w"] / 2), round(thing["h"] / 2)), thing)
    return list(found.values())[:THINGS_AT_MOST]


def _offset(first: Thing, second: Thing) -> float:
    """The smallest distance of two edges or middles that could stand in line, in px."""
    across = [abs(a - b) for a, b in zip(_lines(first, "x", "w"), _lines(second, "x", "w"), strict=True)]
    beside = abs(first["y"] + first["h"] / 2 - second["y"] - second["h"] / 2)
    in_row = min(first["y"] + first["h"], second["y"] + second["h"]) > max(first["y"], second["y"])
    return min([*across, beside] if in_row else across)


def _lines(entry: Thing, start: str, size: str) -> tuple[float, float, float]:
    return entry[start], entry[start] + entry[size] / 2, entry[start] + entry[size]


def _nested(first: Thing, second: Thing) -> bool:
    def holds(outer: Thing, inner: Thing) -> bool:
        return (
            outer["x"] <= inner["x"] + 1
            and outer["y"] <= inner["y"] + 1
            and outer["x"] + outer["w"] >= inner["x"] + inner["w"] - 1
            and outer["y"] + outer["h"] >= inner["y"] + inner["h"] - 1
        )

    return holds(first, second) or holds(second, first)


def rhythm(distances: Sequence[float], boxes: Sequence[Thing]) -> float | None:
    """Few distances that come again and again, on the 4-px grid; equal gaps between the like things of a row or column."""
    if len(distances) < LEAST_DISTANCES:
        return None
    counts = Counter(round(value * 2) / 2 for value in distances)
    needed, covered = 0, 0
    for _, count in counts.most_common():
        if covered >= 0.85 * len(distances):
            break
        covered, needed = covered + count, needed + 1
    few = ramp(needed, 14, 6)
    on_grid = ramp(sum(abs(value - round(value / 2) * 2) < 0.3 for value in distances) / len(distances), 0.3, 0.8)
    even = mean(mode_share(gaps, 1.5) for gaps in _gaps(boxes))
    return 0.4 * few + 0.25 * on_grid + 0.35 * (ramp(even, 0.3, 0.95) if even is not None else few)


def _gaps(boxes: Sequence[Thing]) -> list[list[float]]:
    """Gaps between neighbours of one look in one parent, for each row or column of three or more."""
    groups: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for box in boxes:
        groups[box["parent"], box["kind"]].append(box)
    found: list[list[float]] = []
    for group in groups.values():
        for start, size, other in (("x", "w", "y"), ("y", "h", "x")):
            rows: dict[int, list[Thing]] = defaultdict(list)
            for entry in group:
                rows[round(entry[other] / 4)].append(entry)
            for row in rows.values():
                if len(row) >= 3:
                    line = sorted(row, key=lambda each_entry, start=start: each_entry[start])
                    found.append([after[start] - before[start] - before[size] for before, after in pairwise(line)])
    return found


def likeness(boxes: Sequence[Thing]) -> float | None:
    """Like elements – controls and panels of one kind in one place – share height, corner, letter size, padding and border."""
    groups: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for box in boxes:
        if box["kind"] in {"button", "field", "panel", "link"}:
            groups[box["parent"], box["kind"]].append(box)
    shares: list[tuple[float, int]] = []
    for (_, kind), group in groups.items():
        if len(group) < 2:
            continue
        sides = [("radius", 1.0), ("font", 0.6), ("border", 0.6)]
        sides += [("h", 2.0)] if kind in {"button", "field"} else []
        sides += [("pad", 1.5)] if kind == "panel" else []
        parts = [mode_share([float(entry[side]) for entry in group], tolerance) for side, tolerance in sides]
        families = Counter(str(entry["family"]) for entry in group).most_common(1)[0][1] / len(group)
        shares.append((sum((*parts, families)) / (len(parts) + 1), len(group)))
    total = sum(count for _, count in shares)
    return ramp(sum(share * count for share, count in shares) / total, 0.5, 0.97) if total >= 3 else None


def openness(picture: NDArray[np.uint8], masks: Sequence[Thing], texts: Sequence[Thing], boxes: Sequence[Thing]) -> float | None:
    """Room to breathe: empty area, few edges outside of media, padding inside boxes, lines that are not too long."""
    import cv2  # noqa: PLC0415 - heavy, and only needed once a page is measured
    import numpy as np  # noqa: PLC0415

    shade = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    free = np.ones(shade.shape, bool)
    for box in masks:
        x, y = max(int(box["x"]), 0), max(int(box["y"]), 0)
        free[y : int(box["y"] + box["height"]) + 1, x : int(box["x"] + box["width"]) + 1] = False
    if free.mean() < 0.1:
        return None
    edges = np.array(cv2.Canny(shade, 80, 160), dtype=np.bool_)
    density = float(edges[free].mean())
    rows, columns = shade.shape[0] // 10 * 10, shade.shape[1] // 10 * 10
    blocks = edges[:rows, :columns].reshape(rows // 10, 10, columns // 10, 10).any(axis=(1, 3))
    room = free[:rows, :columns].reshape(rows // 10, 10, columns // 10, 10).all(axis=(1, 3))
    empty = float(1 - np.asarray(blocks)[np.asarray(room)].mean()) if np.any(room) else 1.0
    padded = [ramp(float(entry["inner"]), 1.0, 6.0) for entry in boxes if entry["inner"] is not None and entry["w"] > 40]
    long = [
        ramp(text["w"] / max(text["size"], 1) / 0.5, 150, 100)
        for text in texts
        if text["lines"] >= 2 and text["characters"] > 120
    ]
    parts = [(ramp(density, 0.16, 0.07), 0.35), (ramp(empty, 0.2, 0.5), 0.35)]
    for values, weight in ((padded, 0.2), (long, 0.1)):
        found = mean(values)
        if found is not None:
            parts.append((found, weight))
    return sum(value * weight for value, weight in parts) / sum(weight for _, weight in parts)


def touch_comfort(targets: Sequence[Thing]) -> float | None:
    """How near the smaller sides of what is touched come to 44 px (Apple HIG: 44 pt; Material 3: 48 dp; WCAG 2.2, 2.5.5)."""
    return mean(ramp(min(target["w"], target["h"]), 16, 44) for target in targets) if targets else None
