"""A choice that names the size of a board (`Expert 30×16`, `4 × 4`): the board that is shown then has so many cells."""

from __future__ import annotations

import re
from collections import Counter

from agent.skills.checks.case import Case, Told
from agent.words import folded, keywords
from tools.browser.marks import Observation

_SIZE = re.compile(r"(?<![\d.])(\d{1,2})\s*(?:[×xX*✕]|by|乘)\s*(\d{1,2})(?![\d.])")
LEAST_SIDE, LEAST_CELLS = 2, 4
_NEAR = 24
"""Signs between a name and its size in a brief: `expert (30×16, 99)`."""


def size_in(text: str) -> tuple[int, int] | None:
    """`(one side, the other)` of the only size a text names; None where it names none or several."""
    found = {(int(one), int(other)) for one, other in _SIZE.findall(text) if min(int(one), int(other)) >= LEAST_SIDE}
    return next(iter(found)) if len(found) == 1 else None


def size_of(name: str, brief: str) -> tuple[int, int] | None:
    """The size that a choice stands for: by its own name, else by the brief's words right after its name."""
    own = size_in(name)
    words = keywords(name)
    if own is not None or _SIZE.search(name) or len(words) != 1 or len(name) > _NEAR:
        return own
    at = folded(brief).find(folded(name))
    return _first(folded(brief)[at + len(folded(name)) : at + len(folded(name)) + _NEAR]) if at >= 0 else None


def _first(after: str) -> tuple[int, int] | None:
    """The size that follows a name before anything else is named."""
    found = re.match(r"\W{0,3}" + _SIZE.pattern, after)
    return (int(found.group(1)), int(found.group(2))) if found else None


def cells(page: Observation) -> int:
    """How many cells the largest group of like squares on a page has; 0 where the page holds more marks than were read."""
    if page.marks_found > len(page.marks) or page.truncated:
        return 0
    sizes = Counter(
        (mark.frame, mark.tag, mark.group or mark.context, round(mark.box.width / 4), round(mark.box.height / 4))
        for mark in page.marks
        if 0.7 <= mark.box.width / max(mark.box.height, 1.0) <= 1.4
    )
    most = max(sizes.values(), default=0)
    return most if most >= LEAST_CELLS else 0


def sized(case: Case) -> Told:
    """The board has as many cells as the size chosen (`cells`). As many as another of the sizes offered: `input_ignored`.

    `others`: the numbers of cells of the other sizes, as words. A board that fits none of them is none to these eyes.
    """
    wanted, now = int(case.number("cells")), cells(case.after)
    others = {int(one) for one in case.word("others").split()} - {wanted}
    if now == wanted:
        return Told(True, f"the board has {now} cells")
    if now in others and not case.changes.dialogs:
        # Pressing it is one look and the board of another size the second: no further press could tell more.
        return Told(False, f"the board has {now} cells instead of {wanted}", "input_ignored", attempts=2)
    return Told(None, "no board of such a size is shown", attempts=0)
