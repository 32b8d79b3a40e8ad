"""Plots as inline SVG: no script, no fonts of their own, colours by class so that they follow the page's light or dark look.

Each takes plain values and gives one `<svg>` with a title; the figures drawn are also in the tables beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

TOP = 8.0
ROW = 26
LABEL_CHARS = 26
CHAR_WIDTH = 7.1
"""Width in px of a letter of the plots' 12.5 px text, wide ones included."""
SERIES = 8
"""Colours there are."""


class Whisker(NamedTuple):
    """A value with its interval; None where it was not measured."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    note: str = ""


def _short(text: str, limit: int = LABEL_CHARS) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _label(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    full = f"<title>{escape(text)}</title>" if len(text) > LABEL_CHARS else ""
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}>{escape(_short(text))}{full}</text>'


def _left(names: Sequence[str]) -> float:
    return 14 + CHAR_WIDTH * max((len(_short(name)) for name in names), default=4)


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    box = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    return f'<svg class="plot" {box} role="img" aria-label="{escape(title, quote=True)}">{"".join(parts)}</svg>'


def whiskers(rows: Sequence[Whisker], title: str, *, top: float = TOP, unit: str = "") -> str:
    """A dot and its interval for each row, on one scale from 0."""
    left, inner = _left([row.name for row in rows]), 430.0
    width, height = left + inner + 64, ROW * len(rows) + 34
    parts = _grid_lines(left, inner, height - 28, [top * step / 4 for step in range(5)], top, unit)
    for place, row in enumerate(rows):
        y = ROW * place + 16
        parts.append(_label(left - 10, y + 4, row.name, "end"))
        if row.value is None:
            parts.append(_label(left + 6, y + 4, row.note or "not measured", kind="soft"))
            continue
        x = left + inner * row.value / top
        if row.low is not None and row.high is not None:
            a, b = (left + inner * end / top for end in (row.low, row.high))
            parts.append(f'<path class="whisker" d="M{a:.1f} {y}H{b:.1f}M{a:.1f} {y - 4}v8M{b:.1f} {y - 4}v8"/>')
        note = f"{row.name}: {row.value:.2f}{unit}" + (
            f" ({row.low:.2f} to {row.high:.2f})" if row.low is not None and row.high is not None else ""
        )
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="5"><title>{escape(note)}</title></circle>')
        parts.append(_label(left + inner + 12, y + 4, f"{row.value:.2f}"))
    return _svg(width, height, title, parts)


def _grid_lines(left: float, inner: float, bottom: float, ticks: Sequence[float], top: float, unit: str) -> list[str]:
    parts: list[str] = []
    for tick in ticks:
        x = left + inner * tick / top
        parts.append(f'<path class="rule" d="M{x:.1f} 2V{bottom:.1f}"/>')
        parts.append(_label(x, bottom + 18, f"{tick:g}{unit}", "middle", "soft"))
    return parts


def histograms(spread: Mapping[str, Mapping[float, int]], bin_width: float, title: str) -> str:
    """One histogram a model, one above the other, all on the same scales."""
    left, inner, tall = _left(list(spread)), 430.0, 54
    most = max((count / sum(bins.values()) for bins in spread.values() for count in bins.values()), default=1.0)
    width, height = left + inner + 80, (tall + 12) * len(spread) + 30
    parts = _grid_lines(left, inner, height - 26, [0, 2, 4, 6, 8], TOP, "")
    for place, (model, bins) in enumerate(spread.items()):
        base = place * (tall + 12) + tall + 4
        total = sum(bins.values())
        mean = sum((edge + bin_width / 2) * count for edge, count in bins.items()) / total
        parts.append(_label(left - 10, base - 4, model, "end"))
        parts.append(_label(left + inner + 10, base - 4, f"{total:,} jobs", kind="soft"))
        for edge, count in bins.items():
            size = tall * (count / total) / most
            x, w = left + inner * edge / TOP, inner * bin_width / TOP - 1.5
            told = f"{model}: {count} jobs from {edge:g} to {edge + bin_width:g}"
            parts.append(
                f'<rect class="bar" x="{x:.1f}" y="{base - size:.1f}" width="{w:.1f}" height="{size:.1f}">'
                f"<title>{escape(told)}</title></rect>"
            )
        parts.append(f'<path class="mean" d="M{left + inner * mean / TOP:.1f} {base - tall}V{base}"/>')
        parts.append(f'<path class="base" d="M{left:.1f} {base}H{left + inner:.1f}"/>')
    return _svg(width, height, title, parts)


def radar(axes: Sequence[str], series: Mapping[str, Sequence[float | None]], title: str, *, top: float = TOP) -> str:
    """A polygon a series over at least three axes; a missing value leaves its corner open. At most `SERIES` of them."""
    middle, radius = (320.0, 216.0), 150.0
    corners = [(math.sin(turn), -math.cos(turn)) for turn in (2 * math.pi * place / len(axes) for place in range(len(axes)))]
    parts = [
        f'<polygon class="rule" points="{_points(middle, [(x * radius * ring, y * radius * ring) for x, y in corners])}"/>'
        for ring in (0.25, 0.5, 0.75, 1.0)
    ]
    parts += [_label(middle[0] + 4, middle[1] - radius * ring + 12, f"{top * ring:g}", kind="soft") for ring in (0.5, 1.0)]
    for (x, y), name in zip(corners, axes, strict=True):
        parts.append(f'<path class="rule" d="M{middle[0]} {middle[1]}l{x * radius:.1f} {y * radius:.1f}"/>')
        anchor = "middle" if abs(x) < 0.2 else "start" if x > 0 else "end"
        parts.append(_label(middle[0] + x * (radius + 14), middle[1] + y * (radius + 16) + 4, name, anchor))
    for place, (name, values) in enumerate(list(series.items())[:SERIES]):
        parts.append(_web(middle, radius, corners, values, top, place, name))
    for place, name in enumerate(list(series)[:SERIES]):
        x, y = 20 + (place % 3) * 205, 424 + (place // 3) * 22
        parts.append(f'<rect class="s{place} fill" x="{x}" y="{y - 10}" width="12" height="12"/>')
        parts.append(_label(x + 18, y, name))
    return _svg(640, 440 + 22 * ((min(len(series), SERIES) - 1) // 3), title, parts)


def _points(middle: tuple[float, float], offsets: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{middle[0] + x:.1f},{middle[1] + y:.1f}" for x, y in offsets)


def _web(
    middle: tuple[float, float],
    radius: float,
    corners: Sequence[tuple[float, float]],
    values: Sequence[float | None],
    top: float,
    place: int,
    name: str,
) -> str:
    there = [
        (x * radius * value / top, y * radius * value / top)
        for (x, y), value in zip(corners, values, strict=True)
        if value is not None
    ]
    shape = "polygon" if len(there) == len(corners) else "polyline"
    dots = "".join(f'<circle class="s{place} fill" cx="{middle[0] + x:.1f}" cy="{middle[1] + y:.1f}" r="3"/>' for x, y in there)
    return f'<g><title>{escape(name)}</title><{shape} class="s{place} web" points="{_points(middle, there)}"/>{dots}</g>'


def heat(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], float | None],
    title: str,
    *,
    notes: Mapping[tuple[str, str], str] | None = None,
    most: float | None = None,
) -> str:
    """A cell for each row and column, darker for more; `most` is the value of the darkest. None is drawn as a dash."""
    left, cell = _left(rows), 46
    limit = most if most is not None else max((value for value in values.values() if value is not None), default=1.0) or 1.0
    head = 16 + CHAR_WIDTH * 0.72 * max((len(_short(name, 22)) for name in columns), default=4)
    slack = head * 0.8
    parts: list[str] = []
    for place, name in enumerate(columns):
        x = left + place * cell + cell / 2
        full = f"<title>{escape(name)}</title>"
        parts.append(f'<text transform="translate({x:.1f} {head:.1f}) rotate(-40)">{escape(_short(name, 22))}{full}</text>')
    for line, row in enumerate(rows):
        y = head + 10 + line * ROW
        parts.append(_label(left - 10, y + 17, row, "end"))
        for place, column in enumerate(columns):
            parts.append(
                _cell(left + place * cell, y, cell, values.get((row, column)), limit, (notes or {}).get((row, column), ""))
            )
    return _svg(left + cell * len(columns) + slack, head + 16 + ROW * len(rows), title, parts)


def _cell(x: float, y: float, size: float, value: float | None, limit: float, note: str) -> str:
    told = f"<title>{escape(note)}</title>" if note else ""
    if value is None:
        return f'<text class="soft" x="{x + size / 2:.1f}" y="{y + 17:.1f}" text-anchor="middle">–{told}</text>'
    share = min(max(value / limit, 0.0), 1.0)
    ink = "deep" if share > 0.55 else "pale"
    return (
        f'<g>{told}<rect class="heat" x="{x:.1f}" y="{y:.1f}" width="{size - 2}" height="{ROW - 2}" fill-opacity="{share:.3f}"/>'
        f'<text class="{ink}" x="{x + size / 2 - 1:.1f}" y="{y + 17:.1f}" text-anchor="middle">{value:.0%}</text></g>'
    )


class Dot(NamedTuple):
    """A point of a reliability diagram, with the interval of its share."""

    x: float
    y: float
    low: float
    high: float
    n: int


def calibration(dots: Sequence[Dot], title: str) -> str:
    """Stated confidence against the share that held, with the line on which both agree."""
    size, left, top = 300.0, 56.0, 12.0
    parts: list[str] = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = left + size * tick, top + size * (1 - tick)
        parts.append(f'<path class="rule" d="M{x} {top}V{top + size}M{left} {y}H{left + size}"/>')
        parts.append(_label(x, top + size + 18, f"{tick:.0%}", "middle", "soft"))
        parts.append(_label(left - 8, y + 4, f"{tick:.0%}", "end", "soft"))
    parts.append(f'<path class="mean" d="M{left} {top + size}L{left + size} {top}"/>')
    for dot in dots:
        x, (y, low, high) = left + size * dot.x, (top + size * (1 - value) for value in (dot.y, dot.low, dot.high))
        told = f"said {dot.x:.0%}, confirmed {dot.y:.0%} of {dot.n} ({dot.low:.0%} to {dot.high:.0%})"
        parts.append(f'<path class="whisker" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{told}</title></circle>')
    parts.append(_label(left + size / 2, top + size + 40, "confidence stated", "middle"))
    parts.append(
        f'<text transform="translate(13 {top + size / 2}) rotate(-90)" text-anchor="middle">confirmed when replayed</text>'
    )
    return _svg(left + size + 24, top + size + 50, title, parts)


def scatter(points: Sequence[tuple[float, float, str]], title: str) -> str:
    """Points (x, y, what it is, already escaped) on two scales of equal range, with the line on which both agree."""
    size, left, top = 360.0, 46.0, 10.0
    values = [value for x, y, _ in points for value in (x, y)]
    low, high = min([0.0, *values]), max(values, default=1.0)
    span = (high - low) or 1.0
    parts: list[str] = []
    for step in range(5):
        at = size * step / 4
        tick = f"{low + span * step / 4:.3g}"
        parts.append(f'<path class="rule" d="M{left + at} {top}V{top + size}M{left} {top + size - at}H{left + size}"/>')
        parts.append(_label(left + at, top + size + 18, tick, "middle", "soft"))
        parts.append(_label(left - 8, top + size - at + 4, tick, "end", "soft"))
    parts.append(f'<path class="mean" d="M{left} {top + size}L{left + size} {top}"/>')
    parts += [
        f'<circle class="point" cx="{left + size * (x - low) / span:.1f}" cy="{top + size * (1 - (y - low) / span):.1f}" r="3">'
        f"<title>{told}: {x:g} and {y:g}</title></circle>"
        for x, y, told in points
    ]
    return _svg(left + size + 24, top + size + 30, title, parts)


def slopes(places: Sequence[tuple[str, float, float]], title: str) -> str:
    """Two rankings side by side, each name joined with itself; 1 is on top."""
    left = _left([name for name, _, _ in places]) + 26
    width, height = left * 2 + 160, ROW * max((max(each_value, other) for _, each_value, other in places), default=1) + 20
    parts: list[str] = []
    for name, value, other in places:
        y, z = ROW * value - 4, ROW * other - 4
        kind = "base" if value == other else "whisker"
        parts.append(f'<path class="{kind}" d="M{left} {y:.1f}L{left + 160} {z:.1f}"/>')
        parts.append(_label(left - 8, y + 4, f"{name} {value:g}", "end"))
        parts.append(_label(left + 168, z + 4, f"{other:g} {name}"))
    return _svg(width, height, title, parts)
