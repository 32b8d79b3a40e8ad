"""Findings of one cause are one, and of two are two."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.manim.board import Board, scene
from tools.manim.audit import audit
from tools.manim.contract import Finding

SOLID = {"fill": "#3366cc", "fill_opacity": 1.0}


def told(*boards: Board) -> list[Finding]:
    """Findings of a scene with these stable frames, a second apart. Later boards bring their outlines into the first."""
    snapshots = []
    for place, board in enumerate(boards):
        for state in board.objects:
            if state.outline:
                boards[0].outlines.add(state.outline, board.outlines[state.outline].tobytes())
        snapshots.append(board.snapshot(place, float(place)))
    return list(audit(scene(snapshots), boards[0].outlines).findings)


def _panel(*, lines: tuple[int, ...] = (4,)) -> Board:
    board = Board()
    for place in range(4):
        board.text(-2, 1.5 - place, letters=8, text=f"line {place}", lines=(lines[place % len(lines)],))
    board.rectangle(0, 0, 3, 5, lines=(9,), **SOLID)
    return board


def _row(*, loop: bool) -> Board:
    board = Board()
    for place in range(3):
        made = (5,) if loop else (5 + place,)
        board.rectangle(4.4 * place - 4.4, 0, 2, 1, lines=made)
        board.text(4.4 * place - 4.4, 0, letters=7, text=f"box {place}", lines=(made[0] + 10,))
    return board


def _wide(*, grouped: bool) -> Board:
    board = Board()
    group = board.group() if grouped else None
    for place, x in enumerate((-7, 0, 7)):
        board.text(x, 0, letters=4, text=f"end {place}", lines=(place + 3,), parent=group)
    return board


def _crossed(texts: int) -> Board:
    board = Board()
    for place in range(texts):
        board.text(0, 2.0 * place, letters=6, text=f"name {place}", lines=(place + 3,))
    for place in range(2):
        y = 2.0 * place if texts > 1 else 0.1 * place
        board.line((-4, y), (4, y), lines=(place + 20,))
    return board


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (_panel, lambda: _panel(lines=(4, 5, 6, 7))),
        (lambda: _row(loop=True), lambda: _row(loop=False)),
        (lambda: _wide(grouped=True), lambda: _wide(grouped=False)),
        (lambda: _crossed(1), lambda: _crossed(2)),
    ],
    ids=["a panel over a list", "labels out of their boxes", "a row over both edges", "lines through a name"],
)
def test_one_cause_is_one_finding(one: Callable[[], Board], two: Callable[[], Board]) -> None:
    """The same picture, made by one line of the script and by several."""
    (finding,) = told(one())
    several = told(two())
    assert len(several) > 1
    assert len(finding.alike) == sum(1 + len(other.alike) for other in several) - 1


def test_what_else_suffers_is_named() -> None:
    """In the finding's message, three by name."""
    (finding,) = told(_panel())
    names = {party.text for parties in (finding.parties, *finding.alike) for party in parties if party.text}
    assert names == {f"line {place}" for place in range(4)}
    assert finding.message.count("“") == 4


def test_the_same_defect_at_two_times_is_told_once_with_both() -> None:
    """A text is covered, free, and covered again by something new of the same line."""
    boards = []
    for covered in (True, False, True):
        board = Board()
        board.text(0, 0, letters=6, lines=(3,))
        if covered:
            if boards:
                board.group()
            board.rectangle(1, 0, 2, 1, lines=(6,), **SOLID)
        boards.append(board)
    (finding,) = told(*boards)
    assert [(span.begin_s, span.end_s) for span in finding.spans] == [(0.0, 1.0), (2.0, 2.0)]
