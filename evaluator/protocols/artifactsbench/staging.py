"""Three pictures of a run – before, during and after interaction – taken from its sealed evidence.

The paper's pictures are meant to show interaction; its released code takes three of an untouched page, a second apart. Here
*before* is the page as it was first seen, *during* the state right after the action that changed most of what is seen,
*after* the last state.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tools.evidence.record import Record
from tools.evidence.rows import Acted, Observed, Row, Screenshot

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
    """The action it was taken after; None for the untouched page."""
    why: str

    @property
    def taken(self) -> bool:
        """There is a picture."""
        return bool(self.row)


def stills(record: Record) -> tuple[Still, Still, Still]:
    """Before, during and after. A run without an action that reached the page has only the first: nothing is shown twice."""
    before = _before(record)
    acts = [body for _, body in record.of(Acted) if body.delivered and _picture(record, body.after) is not None]
    if not acts:
        why = "no action was delivered and observed afterwards"
        return before, Still(moment="during", why=why), Still(moment="after", why=why)
    last = acts[-1]
    between = acts[:-1]
    if not between:
        lone = "a single action: its result is the last state"
        return before, Still(moment="during", why=lone), _still(record, "after", last, "the state after the only action")
    most = max(between, key=_how_much)
    words = f"the state after the action that changed most ({_how_much(most)[0]:.0%} of the picture)"
    return before, _still(record, "during", most, words), _still(record, "after", last, "the last state")


def png(record: Record, still: Still) -> bytes:
    """The picture's bytes. Raises `ValueError` for a still that was not taken."""
    row = record.row(still.row)
    if row is None or row.blob is None:
        raise ValueError(f"there is no picture {still.moment}: {still.why}")
    return record.blobs.get(row.blob)


def _how_much(act: Acted) -> tuple[float, bool, bool, int]:
    """By how much of the picture changed; what is equal there, by text, address and place in the run: the later is deeper."""
    return act.changes.picture or 0.0, act.changes.text, act.changes.url, act.step


def _before(record: Record) -> Still:
    for row, body in record.of(Screenshot):
        if not body.full_page and row.blob is not None:
            return Still(moment="before", row=row.id, app_ms=row.app_ms, why="the page as it was first seen")
    return Still(moment="before", why="no screenshot was taken")


def _still(record: Record, moment: Moment, act: Acted, why: str) -> Still:
    row = _picture(record, act.after)
    if row is None:
        return Still(moment=moment, why="its screenshot is missing")
    return Still(moment=moment, row=row.id, app_ms=row.app_ms, step=act.step, why=why)


def _picture(record: Record, observation: str) -> Row | None:
    seen = record.row(observation) if observation else None
    if seen is None or not isinstance(seen.body, Observed):
        return None
    shot = record.row(seen.body.screenshot)
    return shot if shot is not None and shot.blob is not None else None
