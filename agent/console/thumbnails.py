"""A picture of the page in character cells: half-blocks, two pixels a cell; shades where a terminal has too few colours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw
from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from tools.media.bounds import NoPicture, opened

UPPER = "▀"
SHADES = " ░▒▓█"
STEP = 8
"""Colours are rounded to this: invisible, and equal neighbours become one run of text."""
MARKER = (255, 64, 129)
MOST_PIXELS = 40_000_000

Box = tuple[float, float, float, float]
Line = list[Segment]


def size_in_cells(width_px: int, height_px: int, columns: int, rows: int) -> tuple[int, int]:
    """The largest (columns, rows) inside the given ones in which a picture keeps its proportions; a cell is 1 wide, 2 high."""
    if min(width_px, height_px, columns, rows) < 1:
        return 0, 0
    scale = min(columns / width_px, 2 * rows / height_px)
    return max(1, min(columns, round(width_px * scale))), max(1, min(rows, round(height_px * scale / 2)))


def thumbnail(path: Path, columns: int, rows: int, *, colours: bool, box: Box | None = None) -> list[Line]:
    """Lines of styled text, at most `columns` × `rows`, with `box` (CSS pixels of the window) outlined.

    Empty when there is no picture that can be read. Meant for pictures one pixel a CSS pixel, as observations have.
    """
    try:
        with opened(path, most=MOST_PIXELS) as image:
            picture = image.convert("RGB")
    except NoPicture:
        return []
    across, down = size_in_cells(picture.width, picture.height, columns, rows)
    if not across:
        return []
    factor = across / picture.width
    small = picture.resize((across, down * 2), Image.Resampling.BOX)
    if box is not None:
        left, top, width, height = (value * factor for value in box)
        frame = (left - 0.5, top - 0.5, max(left + width - 0.5, left + 0.5), max(top + height - 0.5, top + 0.5))
        ImageDraw.Draw(small).rectangle(frame, outline=MARKER)
    return _blocks(small) if colours else _shades(small)


def _blocks(picture: Image.Image) -> list[Line]:
    values = picture.tobytes()
    lines: list[Line] = []
    for y in range(0, picture.height, 2):
        line: Line = []
        run, style = 0, None
        for x in range(picture.width):
            here = _style(_colour(values, picture.width, x, y), _colour(values, picture.width, x, y + 1))
            if here is not style and run:
                line.append(Segment(UPPER * run, style))
                run = 0
            run, style = run + 1, here
        line.append(Segment(UPPER * run, style))
        lines.append(line)
    return lines


def _shades(picture: Image.Image) -> list[Line]:
    grey = picture.convert("L").resize((picture.width, picture.height // 2), Image.Resampling.BOX)
    values = grey.tobytes()
    rows = (values[start : start + grey.width] for start in range(0, len(values), grey.width))
    return [[Segment("".join(SHADES[min(len(SHADES) - 1, value * len(SHADES) // 256)] for value in row))] for row in rows]


def _colour(values: bytes, width: int, x: int, y: int) -> tuple[int, int, int]:
    """Of one pixel of an RGB picture, rounded."""
    at = 3 * (y * width + x)
    red, green, blue = (min(255, (value + STEP // 2) // STEP * STEP) for value in values[at : at + 3])
    return red, green, blue


@lru_cache(maxsize=4096)
def _style(upper: tuple[int, int, int], lower: tuple[int, int, int]) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))
