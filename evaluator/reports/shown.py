"""The one picture that shows a failure: which screenshot, and what of it."""

from __future__ import annotations

from evaluator.record.sealed import Reading
from evaluator.reports.pictures import Album, Cut, Picture, covers, outlined_on, screenshots_for, where_it_stood
from evaluator.verdict.model import Failure
from tools.evidence.record import Record
from tools.evidence.rows import Audited, Box, Screenshot


def picture_of(reading: Reading, failure: Failure, album: Album) -> Picture | Cut | None:
    """The cut around the failure's box, or its part, from the first screenshot that holds it and can be read.

    None where no picture was taken; a `Picture` with its problem where none can be read.
    """
    place = failure.place
    rows = screenshots_for(reading.record, failure.evidence, failure.step_ids, place.viewport)
    if place.box is None:
        placed = list(outlined_on(reading, rows, place.selector)) or [(row, None) for row in rows]
    else:
        rows = where_it_stood(reading, rows, place.selector, place.box)
        box = _zoomed(place.box, phone_zoom(reading.record)) if place.viewport == "mobile" else place.box
        placed = [(row, box) for row in rows if covers(row, box)] or [(row, box) for row in rows]
    made: Picture | Cut | None = None
    for row, box in placed:
        made = album.cut(row, box)
        if isinstance(made, Cut):
            return made
    return made


def phone_zoom(record: Record) -> float:
    """How far the phone's first picture is zoomed out (1: not at all).

    A mobile browser zooms out until all the width of the content fits the window (Chromium does so where `minimum-scale` does
    not forbid it), while boxes are measured in the page's own pixels.
    """
    window = next((picture.width for _, picture in record.of(Screenshot) if picture.label == "mobile"), 0)
    for _, audit in record.of(Audited):
        wide = audit.values.get("content_width_px")
        if audit.viewport == "mobile" and isinstance(wide, int | float) and wide > window > 0:
            return window / wide
    return 1.0


def _zoomed(box: Box, zoom: float) -> Box:
    return Box(x=box.x * zoom, y=box.y * zoom, width=box.width * zoom, height=box.height * zoom)
