"""Which of the things on a page are the cells of a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Survey
from tools.browser.marks import Mark

LEAST_CELLS = 4
LEAST_SWITCHES, LEAST_LIT = 9, 2
"""Things that can be on or off make a board from so many on; a single one that is on may be no part of it (Mute)."""


def lit_of_switches(marks: Sequence[Mark]) -> int | None:
    """How many are on of the largest board of switches (steps of a beat, pads, pixels); None where there is no such board."""
    groups = Counter(mark.group for mark in marks if mark.group and mark.checked is not None)
    group, switches = next(iter(groups.most_common(1)), ("", 0))
    return sum(1 for mark in marks if mark.group == group and mark.checked) if switches >= LEAST_SWITCHES else None


def switches_of_a_size(marks: Sequence[Mark]) -> list[Mark]:
    """The most switches of one kind and size: steps of a beat, not the mutes beside its tracks."""
    kinds: dict[tuple[str, str, int, int], list[Mark]] = {}
    for mark in marks:
        if mark.checked is not None and mark.kind == "element":
            kinds.setdefault((mark.role, mark.tag, round(mark.box.width / 6), round(mark.box.height / 6)), []).append(mark)
    return max(kinds.values(), key=len, default=[])


def board_of(survey: Survey) -> list[Mark]:
    """The largest group of things alike that could be a board's cells: at least four, with short names, about one size."""
    return largest_board(survey, survey.usable)


def largest_board(survey: Survey, marks: Sequence[Mark]) -> list[Mark]:
    """The same among some marks; where the eyes saw no group (cells with names of their own), like boxes in rows and columns."""
    groups: dict[str, list[Mark]] = {}
    longest = 40 if survey.domain == "game" else 12  # "Row 3, column 5, empty" says what it is to those who can't see it
    for mark in marks:
        if kind_of(mark) in (Kind.button, Kind.option, Kind.other) and len(mark.name) <= longest:
            size = f"{mark.box.width / 8:.0f} x {mark.box.height / 8:.0f}"
            groups.setdefault(mark.group or f"{mark.role} {mark.tag} {mark.context} {size}", []).append(mark)
    boards = [cells for cells in groups.values() if len(cells) >= LEAST_CELLS and _alike(cells)]
    return max((cells for cells in boards if cells[0].group or _in_a_grid(cells)), key=len, default=[])


def _in_a_grid(cells: list[Mark]) -> bool:
    """Whether they stand in two rows and two columns or more."""
    rows, columns = ({round(mark.box.centre[axis] / 8) for mark in cells} for axis in (1, 0))
    return len(rows) > 1 and len(columns) > 1


def _alike(cells: list[Mark]) -> bool:
    areas = sorted(mark.box.area for mark in cells)
    square = sum(1 for mark in cells if 0.5 <= mark.box.width / max(mark.box.height, 1.0) <= 2.0)
    return areas[0] > 0 and areas[-1] <= areas[0] * 1.7 and square >= len(cells) * 0.8
