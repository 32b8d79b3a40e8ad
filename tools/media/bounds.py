"""The one door for pictures that others made: measured by their header, so that what claims to be huge is never decoded.

A PNG of 20 KB can claim thousands of times the pixels of a screen. Nothing of such a file is decoded; there is one line instead.
"""

from __future__ import annotations

import contextlib
import io
import struct
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

MOST_PIXELS = 64_000_000
"""Pixels of a picture that is decoded: twice an 8K screen, eight full-page screenshots of 1280×6000."""
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
"""What is opened at all: Pillow knows others by which programs are started (EPS) or files are read in pieces."""


class NoPicture(ValueError):
    """Not a picture of a kind that is opened, broken, or too large; the text is one line that says which."""


class TooLarge(NoPicture):
    """By its header it has more pixels than are decoded."""


@contextlib.contextmanager
def opened(source: bytes | Path, *, most: int = MOST_PIXELS) -> Iterator[Image.Image]:
    """A picture whose size is known and bounded, and whose pixels are decoded only by what is done inside the block.

    Raises `NoPicture`, also for what decoding it inside the block finds broken.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the bound is ours, below
            image = Image.open(io.BytesIO(source) if isinstance(source, bytes) else source, formats=FORMATS)
        with image:
            check_size(image.width, image.height, most=most)
            yield image
    except Image.DecompressionBombError as error:
        raise TooLarge(f"the picture is too large to be decoded: more than {most:,} pixels") from error
    except (OSError, SyntaxError, EOFError, struct.error, zlib.error) as error:
        raise NoPicture("not a picture") from error


def size_of(source: bytes | Path, *, most: int = MOST_PIXELS) -> tuple[int, int]:
    """Width and height by the header. Raises `NoPicture`."""
    with opened(source, most=most) as image:
        return image.size


def check_size(width: int, height: int, *, most: int = MOST_PIXELS) -> None:
    """Raises `TooLarge` for more than `most` pixels."""
    if width * height > most:
        raise TooLarge(f"the picture is too large to be decoded: {width}×{height} pixels, at most {most:,}")
