"""Three pictures of a run – before, during and after interaction – taken from its sealed evidence.

The paper's pictures are meant to show interaction; its released code takes three of an untouched page, a second apart. Here
*before* is the page as it was first seen, *during* the state right after the act that changed most of what is seen, *after* the
last state.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tools.evidence.record import Record
from tools.evidence.rows import Row, Screenshot, StageOpened
from tools.evidence.trial_rows import ActDone

Moment = Literal["before", "during", "after"]
MOMENTS: tuple[Moment, ...] = ("before", "during", "after")


class Still(BaseModel):
    """One picture of the three. `row` is empty where it was not taken, and `why` says why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    moment: Moment
    row: str = ""
    """Id of the screenshot's row."""
    app_ms: float | None = None
    step: int | None = None
    """Number of the act it was taken after, from 1; None for the untouched page."""
    why: str

    @property
    def taken(self) -> bool:
        """There is a picture."""
        return bool(self.row)


def stills(record: Record) -> tuple[Still, Still, Still]:
    """Before, during and after. A run without an act that reached the page has only the first: nothing is shown twice."""
    before = _before(record)
    done = enumerate((body for _, body in record.of(ActDone)), start=1)
    acts = [(number, act) for number, act in done if act.delivered and _picture(record, act) is not None]
    if not acts:
        why = "no act was delivered and pictured afterwards"
        return before, Still(moment="during", why=why), Still(moment="after", why=why)
    last, between = acts[-1], acts[:-1]
    if not between:
        lone = "a single act: its result is the last state"
        return before, Still(moment="during", why=lone), _still(record, "after", *last, "the state after the only act")
    size = _window(record)
    most = max(between, key=lambda entry: (_share(entry[1], size), entry[0]))
    words = f"the state after the act that changed most ({_share(most[1], size):.0%} of the picture)"
    return before, _still(record, "during", *most, words), _still(record, "after", *last, "the last state")


def png(record: Record, still: Still) -> bytes:
    """The picture's bytes. Raises `ValueError` for a still that was not taken."""
    row = record.row(still.row)
    if row is None or row.blob is None:
        raise ValueError(f"there is no picture {still.moment}: {still.why}")
    return record.blobs.get(row.blob)


def _share(act: ActDone, size: tuple[int, int]) -> float:
    """How much of the picture lies in regions that changed with an act, 0–1; 0 where that was not measured."""
    boxes = act.witness.get("picture") or ()
    covered = sum(float(box["width"]) * float(box["height"]) for box in boxes)
    return min(covered / (size[0] * size[1]), 1.0)


def _window(record: Record) -> tuple[int, int]:
    stage = record.last(StageOpened)
    return stage[1].viewport if stage is not None else (1280, 800)


def _before(record: Record) -> Still:
    for row, body in record.of(Screenshot):
        if not body.full_page and row.blob is not None:
            return Still(moment="before", row=row.id, app_ms=row.app_ms, why="the page as it was first seen")
    return Still(moment="before", why="no screenshot was taken")


def _still(record: Record, moment: Moment, number: int, act: ActDone, why: str) -> Still:
    row = _picture(record, act)
    if row is None:
        return Still(moment=moment, why="its screenshot is missing")
    return Still(moment=moment, row=row.id, app_ms=row.app_ms if row.app_ms is not None else act.ended_ms, step=number, why=why)


def _picture(record: Record, act: ActDone) -> Row | None:
    shot = record.row(act.screenshot) if act.screenshot else None
    return shot if shot is not None and shot.blob is not None else None
