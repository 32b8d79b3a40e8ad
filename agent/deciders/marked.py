"""The picture of a page with its numbered parts drawn: a frame around each and its number beside it."""

from __future__ import annotations

import io

from PIL import Image, ImageDraw, ImageFont

from agent.deciders.board import Board
from tools.evidence.rows import Box
from tools.media.image import Picture

COLOURS = ("#d81b60", "#1e6fd9", "#00796b", "#b35900", "#6a1b9a", "#33691e")
"""Dark enough for white figures on them (contrast above 4.5)."""
MOST = 90
LABEL_PX = 14
SCALE = 0.8
"""Pixels of the picture for each of the window's: a third fewer tokens, and words of 12 px can be read still."""
LEAST_PX = 3
Area = tuple[float, float, float, float]


def draw(picture: Picture, board: Board) -> bytes:
    """JPEG of the window, `SCALE` pixels a CSS pixel, with the numbered parts that are in view."""
    image = Image.fromarray(picture).convert("RGB")
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=LABEL_PX)
    taken: list[Area] = []
    shown = [
        (number, part.box)
        for number, part in enumerate(board.numbered, 1)
        if part.in_view and part.box.width >= LEAST_PX and part.box.height >= LEAST_PX
    ]
    # Large frames first: the labels of small parts within them are drawn over their lines, not under.
    for number, box in sorted(shown[:MOST], key=lambda entry: -entry[1].area):
        colour, label = COLOURS[number % len(COLOURS)], str(number)
        pen.rectangle((box.x, box.y, box.x + box.width - 1, box.y + box.height - 1), outline=colour, width=2)
        left, top, right, bottom = pen.textbbox((0, 0), label, font=font)
        width, height = right - left + 4, bottom - top + 4
        x, y = _free(box, width, height, image.size, taken)
        taken.append((x, y, x + width, y + height))
        pen.rectangle((x, y, x + width, y + height), fill=colour)
        pen.text((x + 2 - left, y + 2 - top), label, fill="white", font=font)
    return as_jpeg(image.resize(scaled(*image.size), Image.Resampling.LANCZOS))


def scaled(width: int, height: int) -> tuple[int, int]:
    """Size of the picture of a window of that size."""
    return round(width * SCALE), round(height * SCALE)


def as_jpeg(image: Image.Image) -> bytes:
    """A picture as it is sent."""
    stream = io.BytesIO()
    image.save(stream, format="JPEG", quality=82)
    return stream.getvalue()


def _free(box: Box, width: float, height: float, size: tuple[int, int], taken: list[Area]) -> tuple[float, float]:
    """Where a label covers neither the thing's own words nor another label: above it, below, beside, else in its corner."""
    x, y, box_width, box_height = box.x, box.y, box.width, box.height
    places = (
        (x, y - height - 1),
        (x, y + box_height + 1),
        (x + box_width + 1, y),
        (x - width - 1, y),
        (x + box_width - width, y - height - 1),
        (x, y),
    )
    for left, top in places:
        inside = left >= 0 and top >= 0 and left + width < size[0] and top + height < size[1]
        if inside and not any(left < b and a < left + width and top < d and c < top + height for a, c, b, d in taken):
            return left, top
    return min(max(x, 0.0), size[0] - width - 1), min(max(y, 0.0), size[1] - height - 1)
