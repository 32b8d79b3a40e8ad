"""Boards with hidden mines: which cells are still closed, and which must be a mine, so that a round ends and shows them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agent.skills.checks import mined
from agent.skills.survey import Survey
from agent.words import folded
from tools.browser.marks import Mark

FIRST_MOVES = 4
"""So many cells are opened before a round is ended: until then flags and the time are looked at."""
_FLAGS = re.compile(r"\bflag|旗|🚩|⚑", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def plays(survey: Survey) -> bool:
    """Whether the brief or the page is about such a game."""
    return mined.named(f"{survey.view.brief[:400]}\n{survey.now.title}")


def closed(survey: Survey, board: Sequence[Mark]) -> list[Mark]:
    """Cells that look as all of them did at first, whatever place their names give, and that were not pressed."""
    first = survey.view.past[0] if survey.view.past else survey.now
    looks = Counter(_bare(mark.name) for mark in mined.board(first).values())
    if not looks:
        return [mark for mark in board if not survey.tried(mark)]
    usual = looks.most_common(1)[0][0]
    return [mark for mark in board if _bare(mark.name) == usual and not survey.tried(mark)]


def next_cell(survey: Survey, board: Sequence[Mark]) -> list[Mark]:
    """The cells to choose the next from: after some moves those that must be a mine, as far as the numbers tell."""
    left = closed(survey, board)
    if survey.count("play a cell") < FIRST_MOVES:
        return left
    sure = mined.closed_beside(mined.grid(board), {mark.id for mark in left})
    return sure[:1] or left


def opened(survey: Survey, board: Sequence[Mark]) -> bool:
    """Whether a cell was opened, so that a round runs: a click may as well have set a flag."""
    first = survey.view.past[0] if survey.view.past else survey.now
    known = {_bare(mark.name) for mark in mined.board(first).values()}
    return any(isinstance(mined.read(mark.name), int) or _bare(mark.name) not in known for mark in board if _shut(mark)) or (
        any(mark.disabled for mark in board)
    )


def _shut(mark: Mark) -> bool:
    return mined.read(mark.name) not in ("flag", "mine")


def sets_flags(mark: Mark) -> bool:
    """Whether a control makes presses set flags: pressed, it stands in the way of every other move."""
    return _FLAGS.search(mark.name) is not None


def _bare(name: str) -> str:
    return _DIGITS.sub("", folded(name))
