"""Screenshots as the report carries them: small JPEGs for the steps, cuts around a failure, all within a budget of bytes."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from evaluator.attribution.signals import box_in
from evaluator.record.naming import place_of
from evaluator.record.sealed import Reading
from tools.errors import RunError
from tools.evidence.blobs import BlobStore
from tools.evidence.record import Record
from tools.evidence.rows import Box, Finding, Observed, Phase, Row, Screenshot
from tools.evidence.trial_rows import ActDone
from tools.media.bounds import NoPicture
from tools.media.image import decode_bgr

Pixels = NDArray[np.uint8]

WIDE_PX = 1280
TALLEST_PX = 6000
"""A longer page is cut here, and said to be."""
CUT_MARGIN_PX = 90
CUT_LEAST_PX = (560, 350)
PEEK_PX = 300
"""A small picture shows at least so much of a cut, or one could not tell where it is."""
GRADES = ((640, 60), (480, 50), (400, 45), (320, 40), (200, 30))
"""Width and WebP quality of the step pictures, tried in turn until they fit."""
PICTURE_BYTES = 660_000
"""What all pictures of a page may take (in base64 a third more): small enough to be sent by mail and to open at once."""
STEP_BYTES = 250_000
"""What those of the steps may take however much the others took."""
WORKERS = 2
SAME_PX = 3
"""Boxes that differ by no more are of the same place."""


@dataclass(frozen=True)
class Picture:
    """A WebP picture as a data URI with its size in pixels, or the reason why there is none."""

    id: str
    """Row of the screenshot."""
    uri: str = ""
    width: int = 0
    height: int = 0
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Cut:
    """The part of a screenshot around a box. `outline` is the box within the cut, `window` the cut within the whole picture."""

    picture: Picture
    outline: Box | None
    window: Box
    whole: tuple[int, int]
    """Width and height of the whole picture (px), in which `window` lies."""
    at: Box | None
    """The box within the whole picture."""

    @property
    def peek(self) -> Box:
        """The part that a small picture shows, twice as wide as it is tall: around the outline, else the top."""
        width, height = self.picture.width, self.picture.height
        out = self.outline
        wide = min(max(out.width * 1.5, out.height * 3, PEEK_PX) if out else width, width, 2 * height)
        x, y = (out.centre[0] - wide / 2, out.centre[1] - wide / 4) if out else (0.0, 0.0)
        return Box(x=min(max(x, 0.0), width - wide), y=min(max(y, 0.0), height - wide / 2), width=wide, height=wide / 2)


class Album:
    """Reads a run's screenshots, each checked against its hash, and makes the report's pictures of them."""

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs
        self.checked = 0
        """Pictures whose content was what the ledger says."""
        self._taken = 0

    def steps(self, rows: Sequence[Row]) -> dict[str, Picture]:
        """Small pictures of those screenshots by row id, graded down together until they fit into what the others left."""
        room = max(PICTURE_BYTES - self._taken, STEP_BYTES)
        pictures: dict[str, Picture] = {}
        for width, quality in GRADES:
            with ThreadPoolExecutor(WORKERS) as workers:
                made = workers.map(lambda row, w=width, q=quality: self._small(row, w, q), rows)
                pictures = {picture.id: picture for picture in made}
            if sum(len(picture.uri) for picture in pictures.values()) * 3 / 4 <= room:
                return pictures
        return _within(pictures, room)

    def wide(self, row: Row) -> Picture:
        """A screenshot at full size, at most 1280 px wide and 6000 px tall."""
        pixels = self._pixels(row)
        if isinstance(pixels, Picture):
            return pixels
        note = f"cut off after {TALLEST_PX} px of {pixels.shape[0]} px" if pixels.shape[0] > TALLEST_PX else ""
        return self._kept(_encoded(row.id, _narrowed(pixels[:TALLEST_PX], WIDE_PX), 60, note))

    def cut(self, row: Row, box: Box | None) -> Cut | Picture:
        """The part around `box` (CSS px of the viewport) with some of its surroundings; the top of the picture without a box.

        A `Picture` with a problem where there is nothing to cut.
        """
        pixels = self._pixels(row)
        if isinstance(pixels, Picture):
            return pixels
        height, width = pixels.shape[:2]
        scale = width / row.body.width if isinstance(row.body, Screenshot) and row.body.width else 1.0
        scaled = Box(x=box.x * scale, y=box.y * scale, width=box.width * scale, height=box.height * scale) if box else None
        at = _clipped(scaled, width, height) if scaled else None
        window = _window(at, width, height)
        x, y = int(window.x), int(window.y)
        part = pixels[y : y + int(window.height), x : x + int(window.width)]
        picture = self._kept(_encoded(row.id, _narrowed(part, WIDE_PX), 70))
        ratio = picture.width / window.width
        outline = (
            Box(x=(at.x - x) * ratio, y=(at.y - y) * ratio, width=at.width * ratio, height=at.height * ratio) if at else None
        )
        return Cut(picture, outline, window, (width, height), at)

    def _kept(self, picture: Picture) -> Picture:
        self._taken += len(picture.uri) * 3 // 4
        return picture

    def _small(self, row: Row, width: int, quality: int) -> Picture:
        pixels = self._pixels(row)
        if isinstance(pixels, Picture):
            return pixels
        tallest = pixels.shape[1] * 3 // 2
        return _encoded(row.id, _narrowed(pixels[:tallest], width), quality)

    def _pixels(self, row: Row) -> Pixels | Picture:
        if row.blob is None:
            return Picture(row.id, problem="this picture was not kept")
        try:
            data = self._blobs.get(row.blob)
        except RunError as error:
            return Picture(row.id, problem=error.message)
        try:
            pixels = decode_bgr(data)
        except NoPicture as error:
            return Picture(row.id, problem=f"this picture cannot be read: {error}")
        self.checked += 1
        return pixels


def screenshots_for(record: Record, evidence: Iterable[str], step_ids: Iterable[str], viewport: str) -> list[Row]:
    """Screenshots in which a failure may be seen, most telling first.

    For what was seen in use: the pictures it cites, those after the acts it cites and after its steps, the last one before it.
    For what was measured at first sight: the first pictures of its viewport, for the boxes were measured on them.
    """
    cited = [row for row in map(record.row, evidence) if row is not None]
    acts = [row for row in map(record.row, reversed(tuple(step_ids))) if row is not None]
    found = [row for row in cited if isinstance(row.body, Screenshot)]
    found += [seen for row in cited + acts if (seen := _seen(record, row)) is not None]
    found += [seen for row in cited if row.phase is Phase.explore and (seen := _before(record, row)) is not None]
    static = not found or any(isinstance(row.body, Finding) and row.phase is Phase.perceive for row in cited)
    labels = ("mobile",) if viewport == "mobile" else ("first", "full")
    passive = [row for label in labels for row, picture in record.of(Screenshot) if picture.label == label]
    return list({row.id: row for row in (passive + found if static else found + passive)}.values())


def where_it_stood(reading: Reading, rows: Sequence[Row], selector: str, box: Box | None) -> list[Row]:
    """The screenshots, those first on which the thing of that selector stood in that very box.

    A box is measured before the act as a rule, and what moves through the act is elsewhere in the picture after it.
    """
    if box is None or not selector:
        return list(rows)
    first = {body.screenshot for _, body in reading.observations[:1]}
    pictured = {act.body.screenshot: act.body.after for act in reading.acts}
    names: dict[str, str] = {}
    for row in rows:
        for part in reading.parts(pictured.get(row.id, "")):
            if place_of(part) == selector and _same(part.box, box):
                names.setdefault(row.id, part.name)
        for mark in reading.first_marks if row.id in first else ():
            if place_of(mark) == selector and _same(box_in(mark), box):
                names.setdefault(row.id, str(mark.get("name", "")))
    # What stands there afterwards under the same selector may be the next in the list: it is called otherwise.
    own = names[min(names, key=reading.index)] if names else ""
    return sorted(rows, key=lambda row: names.get(row.id) != own)


def outlined_on(reading: Reading, rows: Sequence[Row], selector: str) -> Iterator[tuple[Row, Box]]:
    """The screenshots on which the part of that selector stands, with its box, in the rows' order.

    What was seen in use has no box of its own: the part is looked up in the page model that was read with the picture.
    """
    pictured = {act.body.screenshot: act.body.after for act in reading.acts}
    if reading.observations and reading.acts:
        pictured.setdefault(reading.observations[0][1].screenshot, reading.acts[0].body.before)
    for row in rows if selector else ():
        boxes = (part.box for part in reading.parts(pictured.get(row.id, "")) if place_of(part) == selector)
        box = next((each_box for each_box in boxes if each_box is not None and covers(row, each_box)), None)
        if box is not None:
            yield row, box


def _same(box: Box | None, other: Box) -> bool:
    """Equal to a few pixels."""
    pairs = () if box is None else ((box.x, other.x), (box.y, other.y), (box.width, other.width), (box.height, other.height))
    return bool(pairs) and all(abs(first - second) <= SAME_PX for first, second in pairs)


def _seen(record: Record, row: Row) -> Row | None:
    """The screenshot of what was seen at an observation, or after an act."""
    if not isinstance(row.body, ActDone | Observed):
        return None
    picture = record.row(row.body.screenshot)
    return picture if picture is not None and isinstance(picture.body, Screenshot) else None


def _before(record: Record, row: Row) -> Row | None:
    """The last screenshot before a row."""
    earlier = record.rows[: int(row.id[1:]) - 1]
    return next((other for other in reversed(earlier) if isinstance(other.body, Screenshot)), None)


def covers(row: Row, box: Box) -> bool:
    """Whether the middle of the box lies within the screenshot."""
    picture = row.body
    x, y = box.centre
    return isinstance(picture, Screenshot) and 0 <= x <= picture.width and 0 <= y <= picture.height


def _clipped(box: Box, width: int, height: int) -> Box | None:
    """The part of the box within the picture; None if there is none."""
    x0, y0 = max(box.x, 0.0), max(box.y, 0.0)
    x1, y1 = min(box.x + box.width, float(width)), min(box.y + box.height, float(height))
    return Box(x=x0, y=y0, width=x1 - x0, height=y1 - y0) if x1 > x0 and y1 > y0 else None


def _window(box: Box | None, width: int, height: int) -> Box:
    """What is shown around the box: it with a margin, grown to a size in which one finds one's way, moved into the picture."""
    if box is None:
        return Box(x=0, y=0, width=width, height=min(height, width * 3 // 4))
    wide = min(max(box.width + 2 * CUT_MARGIN_PX, CUT_LEAST_PX[0]), width)
    tall = min(max(box.height + 2 * CUT_MARGIN_PX, CUT_LEAST_PX[1]), height)
    x = min(max(box.centre[0] - wide / 2, 0.0), width - wide)
    y = min(max(box.centre[1] - tall / 2, 0.0), height - tall)
    return Box(x=int(x), y=int(y), width=int(wide), height=int(tall))


def _narrowed(pixels: Pixels, width: int) -> Pixels:
    if pixels.shape[1] <= width:
        return pixels
    height = max(round(pixels.shape[0] * width / pixels.shape[1]), 1)
    return cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)


def _encoded(row_id: str, pixels: Pixels, quality: int, note: str = "") -> Picture:
    _, encoded = cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, quality])
    uri = "data:image/webp;base64," + base64.b64encode(encoded.tobytes()).decode("ascii")
    return Picture(row_id, uri, pixels.shape[1], pixels.shape[0], note=note)


def _within(pictures: dict[str, Picture], budget: int) -> dict[str, Picture]:
    """The first pictures that fit into the budget; the others say why they are not shown."""
    left = budget
    kept: dict[str, Picture] = {}
    for row_id, picture in pictures.items():
        left -= len(picture.uri) * 3 // 4
        kept[row_id] = picture if left >= 0 else Picture(row_id, problem="left out to keep this page small")
    return kept
