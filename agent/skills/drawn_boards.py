"""Games whose board is one still drawing (mines, Go, chess on a canvas): clicked here and there, as who plays it does.

Nobody but the page knows where its fields are, so nothing is held against a click that hits none: what it brings about is seen by
what looks at every step, and a new round after it has something to clear.
"""

from __future__ import annotations

import re

from agent.skills.boards import board_of
from agent.skills.checks.case import VISIBLE
from agent.skills.controls import Kind, kind_of
from agent.skills.survey import Candidate, Survey, because, candidate
from agent.words import says
from tools.browser.actions import Click, Target
from tools.browser.marks import Mark

PLAY, BASE, MOST, LEAST_BOARD = "play on a drawn board", 74.0, 8, 9
LEAST_PX2 = 22_500.0
_PLACES = ((-0.3, -0.3), (0.3, 0.3), (-0.3, 0.3), (0.3, -0.3), (0.06, 0.06), (-0.06, -0.4), (0.42, 0.06), (-0.42, 0.06))
"""In shares of the board's size from its middle; on no line between fields of the usual numbers."""
_CLICKED = re.compile(r"\b(?:clicks?|taps?|klick\w*|cliqu\w*|clics?|pulsa\w*)\b|点击|单击|左键", re.IGNORECASE)
_HEARD = frozenset({"click", "mousedown", "pointerdown", "mouseup", "pointerup"})


def propose(survey: Survey) -> list[Candidate]:
    """The next click on the board, while the round goes on."""
    board = next((mark for mark in survey.usable if _is_board(mark)), None)
    if (
        board is None
        or says("game_over", survey.now.text)
        or not _CLICKED.search(f"{survey.view.brief} {survey.now.text[:2000]}")
    ):
        return []
    done = survey.count(PLAY)
    if done >= MOST or survey.now.animated or survey.now.moving > VISIBLE or len(board_of(survey)) >= LEAST_BOARD:
        return []
    dx, dy = _PLACES[done]
    why = because(survey.match(board), survey, "a board that is drawn is played with clicks")
    return [candidate(BASE - 2 * done, Click(target=Target.of(board, dx=dx, dy=dy)), why, PLAY)]


def _is_board(mark: Mark) -> bool:
    return kind_of(mark) is Kind.canvas and mark.box.area >= LEAST_PX2 and bool(_HEARD & set(mark.listeners))
