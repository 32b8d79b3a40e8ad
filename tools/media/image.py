"""Pictures as arrays: RGB `uint8` of shape (height, width, 3) throughout, origin top left, one pixel a CSS pixel."""

from __future__ import annotations

import io
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tools.evidence.rows import Box
from tools.media.bounds import NoPicture, opened, size_of

Picture = NDArray[np.uint8]
"""Shape (height, width, 3), RGB."""
Grey = NDArray[np.float32]
"""Shape (height, width), 0–255."""

_LUMA = np.array([0.299, 0.587, 0.114], dtype=np.float32)
"""ITU-R BT.601 weights of R, G, B."""


@dataclass(frozen=True)
class GreyStats:
    """Mean and population variance of the grey values (0–255)."""

    mean: float
    variance: float


def decode(data: bytes) -> Picture:
    """A PNG, JPEG, WebP, GIF or BMP file as a picture (of an animation its first); transparency is laid on white.

    Raises `NoPicture` (a `ValueError`) if it is none, or too large by its header: then nothing of it is decoded. Takes up to 7
    bytes a pixel, 16 where there is transparency.
    """
    with opened(data) as image:
        if not image.has_transparency_data:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
        layered = image.convert("RGBA")
        white = Image.new("RGBA", layered.size, (255, 255, 255, 255))
        return np.asarray(Image.alpha_composite(white, layered).convert("RGB"), dtype=np.uint8)


def decode_bgr(data: bytes) -> NDArray[np.uint8]:
    """The same as blue, green, red, for OpenCV, several times faster; transparency is left out. Raises `NoPicture`."""
    size_of(data)
    try:
        found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise NoPicture("not a picture") from error
    if found is None or not found.size:
        raise NoPicture("not a picture")
    return np.asarray(found, np.uint8)


def encode(picture: Picture) -> bytes:
    """The picture as a PNG file."""
    stream = io.BytesIO()
    Image.fromarray(_checked(picture)).save(stream, format="PNG")
    return stream.getvalue()


def crop(picture: Picture, box: Box) -> Picture:
    """The part of the picture inside the box, rounded outwards to whole pixels; of size 0 if they do not meet."""
    height, width = _checked(picture).shape[:2]
    left, top = max(int(np.floor(box.x)), 0), max(int(np.floor(box.y)), 0)
    right, bottom = min(int(np.ceil(box.x + box.width)), width), min(int(np.ceil(box.y + box.height)), height)
    return picture[top : max(bottom, top), left : max(right, left)]


def grey(picture: Picture) -> Grey:
    """Luma of each pixel."""
    return _checked(picture).astype(np.float32) @ _LUMA


def grey_stats(picture: Picture) -> GreyStats:
    """Mean and variance of the grey values. Raises `ValueError` for an empty picture."""
    values = grey(picture).astype(np.float64)
    if values.size == 0:
        raise ValueError("the picture has no pixels")
    return GreyStats(mean=float(values.mean()), variance=float(values.var()))


def count_colours(picture: Picture) -> int:
    """Number of different RGB values."""
    # Marking 2^24 flags is several times faster than sorting the pixels of a whole viewport.
    seen = np.zeros(1 << 24, dtype=np.bool_)
    seen[packed(picture)] = True
    return int(np.count_nonzero(seen))


def packed(picture: Picture) -> NDArray[np.uint32]:
    """Each pixel as one number 0xRRGGBB, shape (height × width,)."""
    pixels = _checked(picture).reshape(-1, 3).astype(np.uint32)
    return ((pixels[:, 0] << 16) | (pixels[:, 1] << 8) | pixels[:, 2]).astype(np.uint32, copy=False)


def main_colour(picture: Picture) -> tuple[tuple[int, int, int], float]:
    """The most frequent RGB value and the share of pixels that have it (0–1). Raises `ValueError` for an empty picture."""
    values, counts = np.unique(packed(picture), return_counts=True)
    if values.size == 0:
        raise ValueError("the picture has no pixels")
    best = int(counts.argmax())
    value = int(values[best])
    return (value >> 16, (value >> 8) & 255, value & 255), float(counts[best] / counts.sum())


def phash(picture: Picture, size: int = 8) -> int:
    """Perceptual hash: signs of the lowest `size`² cosine coefficients of a (4 size)² miniature against their median.

    The constant term says only how light the picture is; it is left out of the median.
    """
    small = cv2.resize(grey(picture), (4 * size, 4 * size), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small)[:size, :size]
    return _as_bits(low > np.median(low.ravel()[1:]))


def hamming(number: int, other: int) -> int:
    """Number of bits in which two hashes differ."""
    return (number ^ other).bit_count()


def changed_share(array: Picture, other: Picture, *, tolerance: int = 16) -> float:
    """Share of pixels (0–1) of which a channel differs by more than `tolerance` of 255. Raises `ValueError` if shapes differ."""
    _same_shape(array, other)
    if array.size == 0:
        return 0.0
    return float((cv2.absdiff(array, other).max(axis=2) > tolerance).mean())


def _as_bits(flags: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(flags.ravel()).tobytes(), "big")


def _same_shape(array: Picture, other: Picture) -> None:
    if _checked(array).shape != _checked(other).shape:
        raise ValueError(f"pictures differ in size: {array.shape} and {other.shape}")


def _checked(picture: Picture) -> Picture:
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise ValueError(f"expected RGB uint8 of shape (height, width, 3), got {picture.dtype} of shape {picture.shape}")
    return picture
