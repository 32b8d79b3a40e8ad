"""Text is read level, turned and in Chinese, and the same each time."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from tools.media.image import Picture
from tools.media.ocr import read_crops, read_text

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def _written(words: dict[str, tuple[int, int]], size: int = 20) -> Picture:
    image = Image.new("RGB", (640, 300), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, size)
    for word, place in words.items():
        draw.text(place, word, fill="black", font=font)
    return np.asarray(image, np.uint8)


def test_lines_are_read_in_order() -> None:
    """Lines come from top to bottom with boxes around their letters."""
    lines = read_text(_written({"Delivery note": (60, 40), "Return request 42": (300, 150)}))
    assert [line.text for line in lines] == ["Delivery note", "Return request 42"]
    left, top, right, bottom = lines[0].box
    assert left < 66
    assert right > 180
    assert top < 48
    assert bottom > 58
    assert lines == read_text(_written({"Delivery note": (60, 40), "Return request 42": (300, 150)}))


@pytest.mark.parametrize("turn", [90, 270])
def test_turned_text_is_read(turn: int) -> None:
    """A second pass reads what runs up or down the page."""
    level = _written({"Text encoder": (60, 40)})
    lines = read_text(np.ascontiguousarray(np.rot90(level, k=turn // 90)))
    assert [line.text for line in lines] == ["Text encoder"]
    assert lines[0].turned in {90, 270}


def test_crops_do_not_depend_on_their_neighbours() -> None:
    """A line reads the same alone and among others, and an empty crop reads as nothing."""
    crop = _written({"Ledger": (4, 4)})[:32, :100]
    wide = _written({"A longer line of text": (4, 4)})[:32, :260]
    together = read_crops([wide, crop, np.zeros((0, 0, 3), np.uint8)])
    assert [reading.text for reading in together] == ["A longer line of text", "Ledger", ""]
    assert read_crops([crop])[0] == together[1]


@pytest.mark.parametrize("left", [100, 500, 820])
def test_a_line_longer_than_tiles_overlap_is_read_whole(left: int) -> None:
    """Large pictures are looked at in tiles: what both have only a part of is put together."""
    image = Image.new("RGB", (2200, 300), "white")
    words = "Normalize every region proposal before it is pooled"
    ImageDraw.Draw(image).text((left, 120), words, fill="black", font=ImageFont.truetype(FONT, 30))
    assert [line.text for line in read_text(np.asarray(image, np.uint8))] == [words]
