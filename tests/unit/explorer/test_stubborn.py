"""The stubborn tester: everything in every state, many times, to the end, and a code keyed in."""

from __future__ import annotations

from datetime import date

from agent.explorer.stubborn import KEYS_EACH, MANY, PLAYED_ON, runs, stubborn
from evaluator.relations.base import NOTHING_ASKED, Ground
from evaluator.requirements import read_requirements
from tests.unit.explorer.test_agenda import button, page
from tools.evidence.rows import Box
from tools.page.model import PageModel
from tools.page.parts import Surface

TODAY = date(2026, 11, 27)


def offered(now: PageModel, *earlier: PageModel, brief: str = "") -> list[str]:
    """What is tried on a page, in words."""
    asked = read_requirements(brief).on(now) if brief else NOTHING_ASKED
    trials = stubborn(Ground(page=now, today=TODAY, asked=asked, earlier=earlier))
    return ["; ".join(act.words() for act in trial.acts) for trial in trials]


def test_each_button_is_pressed_once_and_many_times() -> None:
    """Amounts show what once does not."""
    assert offered(page(button("Feed"))) == ['press the button "Feed"', f'press the button "Feed" {MANY} times']


def test_what_is_off_is_left_alone() -> None:
    """It cannot be pressed."""
    assert offered(page(button("Feed", disabled=True))) == []


def test_what_is_started_is_left_alone_and_used_much_and_little_while_it_runs() -> None:
    """To its end each time; what governs the round is no use of it."""
    idle = page(button("Start"), button("Tap", disabled=True))
    running = page(button("Start", disabled=True), button("Tap"), button("Stop"))
    end = "wait until something ends, 30 s at most"
    assert f'press the button "Start"; {end}' in offered(idle)
    told = offered(running, idle)
    assert [f'press the button "Tap" {times} times; {end}' in told for times in (10, 3)] == [True, True]
    assert not [line for line in told if '"Stop"' in line and end in line]
    assert (runs(Ground(page=idle, today=TODAY)), runs(Ground(page=running, today=TODAY, earlier=(idle,)))) == (False, True)


def test_a_canvas_that_nothing_starts_is_steered_by_keys() -> None:
    """A game may run from the beginning, or begin by a key; one that a button starts is steered once it runs."""
    box = Box(x=0, y=0, width=320, height=480)
    board = Surface(key="board", node="b", name="board", selector="canvas", box=box, in_view=True, kind="canvas")
    assert any("ArrowLeft" in item for item in offered(page(surfaces=(board,))))
    assert not any("ArrowLeft" in item for item in offered(page(button("Start"), surfaces=(board,))))
    assert not any("ArrowLeft" in item for item in offered(page(surfaces=(board.model_copy(update={"kind": "svg"}),))))


def test_what_the_brief_wants_steered_by_keys_is_steered_without_a_canvas() -> None:
    """Tiles of a game may be plain elements, and its button to begin anew may stay."""
    for now in (page(), page(button("New Game"))):
        assert any("ArrowLeft" in item for item in offered(now, brief="Slide the tiles with the arrow keys."))
        ways = {item for item in offered(now, brief="Slide the tiles with the arrow keys.") if item.count("Arrow") == KEYS_EACH}
        assert len(ways) == PLAYED_ON, "what comes of a game only shows late"
        assert not any("ArrowLeft" in item for item in offered(now, brief="Slide the tiles by dragging them."))


def test_a_wrong_code_is_keyed_in_thrice() -> None:
    """A lock says so after the third."""
    keys = [button(item) for item in "123456789C0"]
    told = [item for item in offered(page(*keys, button("OK"))) if item.count('press the button "OK"') == 3]
    assert len(told) == 1
    assert not [item for item in offered(page(*keys)) if item.count("4 times") > 1]
