"""Pictures in character cells: proportions, colours, the frame around what is aimed at, and what is no picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from rich.segment import Segment

from agent.console.thumbnails import MARKER, UPPER, size_in_cells, thumbnail


@pytest.fixture
def flag(tmp_path: Path) -> Path:
    """A picture of 1280 × 800, its upper half red, its lower half blue."""
    picture = Image.new("RGB", (1280, 800), (200, 0, 0))
    picture.paste((0, 0, 200), (0, 400, 1280, 800))
    path = tmp_path / "flag.png"
    picture.save(path)
    return path


def test_proportions_are_kept() -> None:
    """A cell is half as wide as it is high."""
    assert size_in_cells(1280, 800, 38, 12) == (38, 12)
    assert size_in_cells(1280, 800, 200, 10) == (32, 10)
    assert size_in_cells(390, 844, 80, 20) == (18, 20)
    assert size_in_cells(0, 800, 80, 20) == (0, 0)


def test_colours_are_where_they_were(flag: Path) -> None:
    """Red above, blue below, in runs of half-blocks."""
    lines = thumbnail(flag, 32, 10, colours=True)
    assert [Segment.get_line_length(line) for line in lines] == [32] * 10
    assert all(segment.text == UPPER * 32 for line in lines for segment in line)
    colours = [line[0].style.color.triplet for line in lines if line[0].style and line[0].style.color]
    assert colours[0] == (200, 0, 0)
    assert colours[-1] == (0, 0, 200)


def test_the_aim_is_framed(flag: Path) -> None:
    """The marker's colour appears where the box is, not elsewhere."""
    lines = thumbnail(flag, 32, 10, colours=True, box=(640, 400, 320, 200))

    def marked(row: int) -> bool:
        return any(
            MARKER_ROUNDED in {side.triplet for side in (part.style.color, part.style.bgcolor) if side}
            for part in lines[row]
            if part.style
        )

    assert not any(marked(row) for row in range(4))
    assert any(marked(row) for row in range(4, 9))


MARKER_ROUNDED = tuple(min(255, (value + 4) // 8 * 8) for value in MARKER)


def test_without_colours_there_are_shades(flag: Path) -> None:
    """Text without styles, of the same size."""
    lines = thumbnail(flag, 32, 10, colours=False)
    assert len(lines) == 10
    assert all(len(line) == 1 and len(line[0].text) == 32 and line[0].style is None for line in lines)


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n", b"<html>", b"\x89PNG\r\n\x1a\n" + b"\0" * 400])
def test_no_picture_is_an_empty_one(content: bytes, tmp_path: Path) -> None:
    """Torn, foreign, missing: nothing is shown, nothing is raised."""
    path = tmp_path / "torn.png"
    path.write_bytes(content)
    assert thumbnail(path, 32, 10, colours=True) == []
    assert thumbnail(tmp_path / "missing.png", 32, 10, colours=True) == []
