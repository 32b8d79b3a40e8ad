"""Correct apps that a naive look accuses: each rule that keeps silent about them, beside what it still tells."""

from __future__ import annotations

import pytest

from agent.skills import games, timers
from tests.unit.agent_skills.scenes import decided, did, mark, page, see, tell, twice
from tests.unit.agent_skills.test_simulations import CANVAS, START, _played
from tools.browser.actions import Press


@pytest.mark.parametrize("key", ["Control+y", "Control+z"])
def test_undo_and_redo_may_have_nothing_to_do(key: str) -> None:
    """Their button is off; or nothing was undone right before. Where it was, twice without an effect is a fault."""
    name = "Redo" if key.endswith("y") else "Undo"
    off = page(mark(name, disabled=True))
    assert [one.held for one in twice(Press(keys=(key,)), off, off.model_copy(), "keyboard_effect", changes={})] == [None, None]


def test_redo_is_told_right_after_an_undo() -> None:
    """Control+Z took something back, Control+Y does nothing."""
    bare = page(mark("Save"))
    undo = did(decided(Press(keys=("Control+z",))), bare, page(mark("Save"), text="empty", number=1))
    told = tell(Press(keys=("Control+y",)), bare, bare, "keyboard_effect", (undo,))
    assert "nothing to take back" not in told.observed
    assert "nothing to take back" in tell(Press(keys=("Control+y",)), bare, bare, "keyboard_effect").observed


def test_a_clock_that_starts_with_the_first_move_is_no_timer() -> None:
    """After Start alone it rightly stands."""
    start = mark("Start")
    assert timers.propose(see(start, text="0:00", brief="A puzzle with a clock")) != []
    assert timers.propose(see(start, text="0:00", brief="A puzzle. The clock starts with the first move.")) == []


def test_a_board_that_never_moved_need_not_move_on() -> None:
    """Going on after a pause is watched only where something moved before, or the game runs by itself."""
    steps, past = _played("start a game", "steer with keys", "pause a game", "watch a paused game")
    pause = mark("Go on", at=(240, 100))
    for moving, brief, told in ((0.0, "A sliding puzzle with a pause", []), (0.01, "A snake game with a pause", ["moves"])):
        seen = tuple(one.model_copy(update={"moving": moving}) for one in past)
        found = games._resume(see(START, pause, CANVAS, brief=brief, steps=steps, past=seen))
        assert [one.oracle for one in found[0].decision.expectations if one.oracle == "moves"] == told
