"""App time against positions in a film: pairs (app time in ms, position in s), ascending in both, linear between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

Points = Sequence[tuple[float, float]]


def position_s(points: Points, app_ms: float, duration_s: float) -> float | None:
    """Where in a film of that length a moment of app time is; None for a film without a timeline.

    A moment before the film is its first position, one after it the last. Where app time stands, the last position of those that
    show the moment.
    """
    if not points:
        return None
    index = bisect_right(points, (app_ms, float("inf")))
    if index == 0:
        return points[0][1]
    if index == len(points):
        return min(points[-1][1] + max(app_ms - points[-1][0], 0.0) / 1000, duration_s)
    (a0, v0), (a1, v1) = points[index - 1], points[index]
    return v0 if a1 <= a0 else v0 + (v1 - v0) * (app_ms - a0) / (a1 - a0)


def app_ms(points: Points, at_s: float) -> float | None:
    """App time of a position; None before the first and after the last point, and without a timeline."""
    if not points or not points[0][1] - 1e-9 <= at_s <= points[-1][1] + 1e-9:
        return None
    index = bisect_right(points, at_s, key=lambda point: point[1])
    if index == 0:
        return points[0][0]
    if index == len(points):
        return points[-1][0]
    (a0, v0), (a1, v1) = points[index - 1], points[index]
    return a0 if v1 <= v0 else a0 + (a1 - a0) * (at_s - v0) / (v1 - v0)
