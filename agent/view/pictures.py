"""Thumbnails of runs, made of their first pictures and kept in memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

import cv2

from tools.media.bounds import NoPicture
from tools.media.image import decode_bgr

WIDTH_PX, HEIGHT_PX = 320, 200
MOST_BYTES = 20_000_000
"""A larger file is no screenshot."""
KEPT = 400
"""Thumbnails in memory, some 6 kB each."""


class Thumbnails:
    """Small WebP pictures, 320 px wide and at most 200 px tall, of the top of a picture. Safe to use from several threads."""

    def __init__(self) -> None:
        self._made: OrderedDict[Path, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, path: Path) -> bytes:
        """The thumbnail of a PNG or JPEG that never changes, as blobs do not. Raises `NoPicture` or `OSError`."""
        with self._lock:
            if path in self._made:
                self._made.move_to_end(path)
                return self._made[path]
        made = _thumbnail(path)
        with self._lock:
            self._made[path] = made
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made


def _thumbnail(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise NoPicture("too large for a picture")
    pixels = decode_bgr(path.read_bytes())
    height, width = pixels.shape[:2]
    top = pixels[: max(1, min(height, round(width * HEIGHT_PX / WIDTH_PX)))]
    size = (WIDTH_PX, max(1, round(top.shape[0] * WIDTH_PX / width)))
    small = cv2.resize(top, size, interpolation=cv2.INTER_AREA)
    made, data = cv2.imencode(".webp", small, [cv2.IMWRITE_WEBP_QUALITY, 70])
    if not made:
        raise NoPicture("it can't be made smaller")
    return data.tobytes()
