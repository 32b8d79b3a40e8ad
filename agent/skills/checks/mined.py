"""Boards with hidden mines, read off their cells: each number is that of the mines around it, once the mines are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.skills.checks.case import Case, Told
from agent.words import folded
from tools.browser.marks import Mark, Observation

_NAMED = re.compile(r"\bmine ?sweeper\b|\bmine ?field\b|扫雷", re.IGNORECASE)
_MINE_SIGN = re.compile("[💣💥✹✸☠🧨☢]|^[*✱✳]$")
_FLAG = re.compile(r"[🚩⚑⛳🏴❌✗✘]|\bflag|旗|标记")
_NUMBER = re.compile(
    r"^(?P<bare>[0-8])$|(?:^|[:：,，]\s*)(?P<about>[0-8])\s+(?:adjacent|neighbou?ring|nearby|surrounding)?\s*(?:mines?|bombs?)\b"
    r"|(?:[:：]|\bopen(?:ed)?|\brevealed)\s*(?P<last>[0-8])$|(?P<zh>[0-8])\s*(?:个|颗)(?:地?雷|炸弹)"
)
_MINE_WORD = re.compile(r"(?:[:：,，]|^|\ba|\brevealed)\s*(?:mine|bomb)\b(?!\s*field)|(?:[:：,，]|^)\s*(?:地雷|炸弹|雷)$")
LEAST_CELLS, LEAST_WRONG, LEAST_MINES = 16, 2, 2
_STEP = 0.35
"""Share of a cell's side by which the middles of a row may differ."""


def named(text: str) -> bool:
    """Whether a brief or a page is about such a game."""
    return _NAMED.search(text) is not None


def read(name: str) -> int | str:
    """What a cell shows, by its name: a number, `mine`, `flag`, or empty for anything else (closed, or open without a number)."""
    text = folded(name)
    if _MINE_SIGN.search(text):
        return "mine"
    if _FLAG.search(text):
        return "flag"
    found = _NUMBER.search(text)
    if found is not None:
        return int(next(one for one in found.groups() if one is not None))
    return "mine" if _MINE_WORD.search(text) else ""


def grid(cells: Iterable[Mark]) -> dict[tuple[int, int], Mark]:
    """Cells of one size by their row and column, from where they stand; empty where they stand in no grid."""
    marks = [mark for mark in cells if mark.box.width > 0 and mark.box.height > 0]
    if len(marks) < LEAST_CELLS:
        return {}
    rows = _lines([mark.box.centre[1] for mark in marks], min(mark.box.height for mark in marks))
    columns = _lines([mark.box.centre[0] for mark in marks], min(mark.box.width for mark in marks))
    found = {(_line(rows, mark.box.centre[1]), _line(columns, mark.box.centre[0])): mark for mark in marks}
    return found if len(found) == len(marks) and len(rows) > 1 and len(columns) > 1 else {}


def _lines(middles: list[float], side: float) -> list[float]:
    found: list[float] = []
    for at in sorted(middles):
        if not found or at - found[-1] > side * _STEP:
            found.append(at)
    return found


def _line(lines: list[float], at: float) -> int:
    return min(range(len(lines)), key=lambda place: abs(lines[place] - at))


def board(page: Observation) -> dict[tuple[int, int], Mark]:
    """The largest group of like cells on a page, by row and column."""
    groups: dict[tuple[str, str, float, float], list[Mark]] = {}
    for mark in page.marks:
        if 0.7 <= mark.box.width / max(mark.box.height, 1.0) <= 1.4:
            key = (mark.frame, mark.tag, round(mark.box.width / 4), round(mark.box.height / 4))
            groups.setdefault(key, []).append(mark)
    return grid(max(groups.values(), key=len, default=[]))


def _around(cells: dict[tuple[int, int], Mark], place: tuple[int, int]) -> list[Mark]:
    row, column = place
    near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    return [cells[one] for one in near if one in cells]


def numbers_right(case: Case) -> Told:
    """Each number shown is that of the mines around it. More mines in sight around two cells than they say: `wrong_result`.

    Told once mines are shown (a round is lost, or won). Fewer can't be told: not every game shows them all.
    """
    cells = board(case.after)
    shown = {place: read(mark.name) for place, mark in cells.items()}
    mines = sum(1 for what in shown.values() if what == "mine")
    numbers = {place: what for place, what in shown.items() if isinstance(what, int) and what > 0}
    if mines < LEAST_MINES or not numbers or case.after.marks_found > len(case.after.marks):
        return Told(None, "no mines are shown beside numbers", attempts=0)
    beside = {place: [read(one.name) for one in _around(cells, place)].count("mine") for place in numbers}
    wrong = [(numbers[place], beside[place]) for place in sorted(numbers) if beside[place] > numbers[place]]
    if len(wrong) >= LEAST_WRONG:
        said, are = max(wrong, key=lambda one: one[1] - one[0])
        told = f"{len(wrong)} of {len(numbers)} numbers are too low: a {said} has {are} mines in sight around it"
        return Told(False, told, "wrong_result")
    if wrong or not any(beside.values()):
        return Told(None, "too few numbers stand beside mines", attempts=0)
    return Told(True, f"{len(numbers)} numbers agree with the {mines} mines shown")


def closed_beside(cells: dict[tuple[int, int], Mark], untouched: set[str]) -> list[Mark]:
    """Cells that must hide a mine: a number has only as many neighbours left untouched (by id) as it says."""
    found: list[Mark] = []
    for place, mark in cells.items():
        said = read(mark.name)
        near = _around(cells, place)
        left = [one for one in near if read(one.name) == "" and one.id in untouched]
        flags = sum(1 for one in near if read(one.name) == "flag")
        if isinstance(said, int) and said > 0 and len(near) >= 3 and left and len(left) == said - flags:
            found += left
    return found
