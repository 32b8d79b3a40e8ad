"""The pairs of pictures as a page carries them, with what differs between the two outlined."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from evaluator.comparison.model import Item, Otherwise, Shot, Side
from evaluator.reports.pictures import Album, Picture, Pixels
from tools.errors import RunError
from tools.evidence.record import Record
from tools.evidence.rows import Box
from tools.media.bounds import NoPicture
from tools.media.image import decode_bgr

PAGE_BYTES = 14_000_000
"""Of all pictures of one page together; what does not fit is left out, and said to be."""
NOISE = 24
"""Smallest difference of a colour channel (of 255) that counts."""
NEAR_PX = 24
"""Changed pixels this near to each other are one region."""
REGIONS_AT_MOST = 6
MOST = 0.6
"""Where more of the picture differs, nothing is outlined: it is another page."""


@dataclass(frozen=True)
class PairOfPictures:
    """What both versions show. `regions`: where they differ, in pixels of either picture."""

    a: Picture | None
    b: Picture | None
    words: dict[Side, str]
    regions: tuple[Box, ...] = ()

    @property
    def sides(self) -> tuple[tuple[str, Picture | None, str], ...]:
        """Name, picture and words of each."""
        return ("A", self.a, self.words.get("a", "")), ("B", self.b, self.words.get("b", ""))


class Pairs:
    """Makes the pairs of one page, within its budget. `home`: the comparison's folder."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._left = PAGE_BYTES
        self._records: dict[str, Record | None] = {}

    def of(self, item: Item | Otherwise) -> PairOfPictures:
        """The pictures of one failure, or of one trial."""
        made: dict[Side, Picture | None] = {side: self._picture(item.shots.get(side)) for side in ("a", "b")}
        words: dict[Side, str] = {side: shot.words for side, shot in item.shots.items()}
        return PairOfPictures(made["a"], made["b"], words, self._regions(item, made["a"], made["b"]))

    def _picture(self, shot: Shot | None) -> Picture | None:
        if shot is None:
            return None
        record = self._record(shot.run)
        row = record.row(shot.row) if record is not None else None
        if record is None or row is None:
            return Picture(shot.row, problem="the ledger that holds this picture is not there any more")
        picture = Album(record.blobs).wide(row)
        self._left -= len(picture.uri)
        return picture if self._left >= 0 else Picture(shot.row, problem="left out to keep this page small")

    def _record(self, run: str) -> Record | None:
        if run not in self._records:
            try:
                self._records[run] = Record.read(self._home / run if not Path(run).is_dir() else Path(run))
            except RunError:
                self._records[run] = None
        return self._records[run]

    def _regions(self, item: Item | Otherwise, a: Picture | None, b: Picture | None) -> tuple[Box, ...]:
        if a is None or b is None or a.problem or b.problem or (a.width, a.height) != (b.width, b.height):
            return ()
        both = [self._pixels(item.shots[side]) for side in ("a", "b")]
        if both[0] is None or both[1] is None or both[0].shape != both[1].shape:
            return ()
        scale = a.width / both[0].shape[1]
        return tuple(
            Box(x=box.x * scale, y=box.y * scale, width=box.width * scale, height=box.height * scale)
            for box in differing(both[0], both[1])
        )

    def _pixels(self, shot: Shot) -> Pixels | None:
        record = self._record(shot.run)
        row = record.row(shot.row) if record is not None else None
        if record is None or row is None or row.blob is None:
            return None
        try:
            return decode_bgr(record.blobs.get(row.blob))
        except (RunError, NoPicture):
            return None


def differing(a: Pixels, b: Pixels) -> tuple[Box, ...]:
    """Where two pictures of one size differ, the largest first; nothing where they are of different pages."""
    mask = (cv2.absdiff(a, b).max(axis=2) > NOISE).astype(np.uint8)
    if not mask.any() or mask.mean() > MOST:
        return ()
    joined = cv2.dilate(mask, np.ones((NEAR_PX, NEAR_PX), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(joined)
    boxes = [Box(x=float(x), y=float(y), width=float(w), height=float(h)) for x, y, w, h, _ in stats[1:]]
    return tuple(sorted(boxes, key=lambda box: -box.area)[:REGIONS_AT_MOST])
