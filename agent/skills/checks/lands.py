"""Where a stroke falls: what changes on a canvas lies where the pointer was, also after the view was zoomed or moved."""

from __future__ import annotations

from agent.skills.checks.case import VISIBLE, Case, Told, lack
from tools.browser.actions import Click, Drag
from tools.browser.marks import BAND_PX, Drawing, Mark, Observation

MARGIN_PX = 24.0
"""How far what is painted may lie beside the pointer: a wide brush, a cell, a line that lags behind."""


def lands(case: Case) -> Told:
    """What a click or stroke changed on the canvas is where the pointer went down. Beside it, at two places: `wrong_result`.

    Told of a canvas that is in view as a whole and does not move by itself; a change is known by bands of `BAND_PX`.
    """
    mark, action = case.mark, case.action
    if mark is None or not isinstance(action, Click | Drag) or case.moved_before or case.after.moving > VISIBLE:
        return Told(None, "no canvas that stands still was drawn on", attempts=0)
    one, other = _drawing(case.before, mark), _drawing(case.after, mark)
    if one is None or other is None or one.digest == other.digest or len(one.rows) != len(other.rows):
        return Told(None, "nothing changed on the canvas, or it is not in view as a whole", attempts=0)
    across, down = _changed(one.columns, other.columns, mark.box.x), _changed(one.rows, other.rows, mark.box.y)
    if not across or not down:
        return Told(None, "where the canvas changed is not known", attempts=0)
    # Where a stroke ends something may be painted already: where the pointer went down is what is told of.
    x = mark.box.centre[0] + action.target.dx * mark.box.width
    y = mark.box.centre[1] + action.target.dy * mark.box.height
    off = max(_off(x, across), _off(y, down))
    where = f"x {across[0]:.0f}–{across[-1] + BAND_PX:.0f}, y {down[0]:.0f}–{down[-1] + BAND_PX:.0f}"
    if off <= MARGIN_PX:
        return Told(True, f"what changed ({where}) is where the pointer was")
    return lack(case, "wrong_result", f"the pointer was at {x:.0f}, {y:.0f}, and what changed lies {off:.0f} px off it ({where})")


def whole(page: Observation, mark: Mark) -> bool:
    """Whether a canvas can be looked at in bands."""
    return _drawing(page, mark) is not None


def _drawing(page: Observation, mark: Mark) -> Drawing | None:
    return next((one for one in page.drawings if one.selector == mark.selector and one.rows), None)


def _changed(one: tuple[int, ...], other: tuple[int, ...], start: float) -> list[float]:
    """Where the bands that changed begin, in the viewport."""
    return [start + place * BAND_PX for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]


def _off(at: float, bands: list[float]) -> float:
    """How far the nearest band that changed is."""
    return min(max(band - at, at - band - BAND_PX, 0.0) for band in bands)
