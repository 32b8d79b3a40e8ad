"""The one picture that shows a failure: which screenshot, and what of it."""

from __future__ import annotations

from evaluator.record.sealed import Reading
from evaluator.reports.pictures import Album, Cut, Picture, covers, outlined_on, screenshots_for, where_it_stood
from evaluator.verdict.model import Failure


def picture_of(reading: Reading, failure: Failure, album: Album) -> Picture | Cut | None:
    """The cut around the failure's box, or its part, from the first screenshot that holds it and can be read.

    None where no picture was taken; a `Picture` with its problem where none can be read.
    """
    place = failure.place
    rows = screenshots_for(reading.record, failure.evidence, failure.step_ids, place.viewport)
    if place.box is None:
        placed = list(outlined_on(reading, rows, place.selector)) or [(row, None) for row in rows]
    else:
        box = place.box
        rows = where_it_stood(reading, rows, place.selector, box)
        placed = [(row, box) for row in rows if covers(row, box)] or [(row, box) for row in rows]
    made: Picture | Cut | None = None
    for row, box in placed:
        made = album.cut(row, box)
        if isinstance(made, Cut):
            return made
    return made
