"""Simulations are run, watched, stopped, seen to stand, and set back; games that run by themselves are watched and left alone."""

from __future__ import annotations

import pytest

from agent.deciders.protocol import Step
from agent.skills import games, playing, simulations
from agent.skills.survey import Survey
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, tell, twice
from tools.browser.actions import Click, Press, Wait
from tools.browser.marks import Observation

SIMULATION = "A pendulum simulation with drag: start, stop and reset buttons"
START, STOP, RESET = mark("Start"), mark("Stop", at=(240, 100)), mark("Reset", at=(380, 100))
CANVAS = mark("", "canvas", at=(100, 200), size=(600, 400))
GAME = "A breakout game with three lives. The arrow keys move the paddle, P pauses. Game over when all lives are lost."


def _next(survey: Survey) -> tuple[str, object]:
    best = max(simulations.propose(survey), key=lambda one: one.priority, default=None)
    return (best.decision.skill, best.decision.action) if best is not None else ("", None)


def test_a_simulation_is_run_stopped_and_set_back() -> None:
    """Each step follows from what was seen of the one before."""
    pages = [page(START, STOP, RESET, text="Time 0.0 s", number=0)]
    steps: list[Step] = []
    names = []
    moving = {"start a simulation": 0.02, "watch a simulation": 0.02}
    for number in range(1, 7):
        now = pages[-1]
        survey = see(
            START, STOP, RESET, brief=SIMULATION, steps=tuple(steps), past=tuple(pages[:-1]), text=now.text, moving=now.moving
        )
        best = max(simulations.propose(survey), key=lambda one: one.priority, default=None)
        if best is None:
            break
        skill = best.decision.skill
        names.append(skill)
        runs = skill in moving or skill == "stop a simulation"
        text = "Time 0.0 s" if skill.startswith("reset") else f"Time {number}.0 s" if runs else now.text
        later = page(START, STOP, RESET, text=text, number=number, moving=moving.get(skill, 0.0))
        steps.append(did(best.decision, now, later, *steps))
        pages.append(later)
    assert names == [
        "start a simulation",
        "watch a simulation",
        "stop a simulation",
        "watch a stopped simulation",
        "reset a simulation",
    ]
    assert any(told.oracle == "begins_anew" and told.held for told in steps[-1].outcomes)


def test_a_throw_that_has_landed_is_thrown_again_and_stopped_at_once() -> None:
    """What ended before it could be stopped is started once more, and not watched in between."""
    first, flying = page(START, STOP, text="Time 0 s"), page(START, STOP, text="Time 2 s", number=1, moving=0.02)
    landed = page(START, STOP, text="Time 3 s", number=2)
    started = did(decided(on(START), skill="start a simulation"), first, flying)
    watched = did(decided(Wait(ms=1600), "moves", skill="watch a simulation"), flying, landed, started)
    past = (first, flying, landed)
    survey = see(START, STOP, brief=SIMULATION, steps=(started, watched), past=past, text=landed.text)
    skill, action = _next(survey)
    assert skill == "start a simulation"
    assert isinstance(action, Click)
    again = did(decided(on(START), skill="start a simulation"), landed, flying, started, watched)
    survey = see(
        START, STOP, brief=SIMULATION, steps=(started, watched, again), past=(*past, landed), text="Time 1 s", moving=0.02
    )
    assert _next(survey)[0] == "stop a simulation"


def _played(*skills: str) -> tuple[tuple[Step, ...], tuple[Observation, ...]]:
    steps: list[Step] = []
    first, after = page(START, CANVAS, text="Lives: 3"), page(START, CANVAS, text="Lives: 3 ", number=1, moving=0.01)
    for skill in skills:
        steps.append(
            did(
                decided(on(START) if skill != "steer with keys" else Press(keys=("ArrowLeft",)), skill=skill),
                first,
                after,
                *steps,
            )
        )
    return tuple(steps), (first, after)


def test_a_game_that_stands_still_after_its_start_is_watched() -> None:
    """Once after the start, once after the first keys; what moves needs no watching."""
    steps, past = _played("start a game")
    (watch,) = playing.watch(see(START, CANVAS, brief=GAME, steps=steps, past=past, text="Lives: 3"))
    assert watch.decision.expectations[0].oracle == "moves"
    assert not playing.watch(see(START, CANVAS, brief=GAME, steps=steps, past=past, text="Lives: 3", moving=0.01))
    assert not playing.watch(see(START, CANVAS, brief="A chess game", steps=steps, past=past, text="White moves"))


def test_a_game_is_left_alone_after_it_was_played() -> None:
    """Only one that is lost by doing nothing, and only where no loss was seen."""
    steps, past = _played("start a game", "steer with keys", "steer with keys")
    (left,) = playing.leave_alone(see(START, CANVAS, brief=GAME, steps=steps, past=past, text="Lives: 3", moving=0.01))
    assert left.decision.expectations[0].oracle == "lost"
    (anew,) = playing.leave_alone(see(START, CANVAS, brief=GAME, steps=steps, past=past, text="Lives: 3"))
    assert isinstance(anew.decision.action, Click)
    over = page(START, CANVAS, text="Game over", number=3)
    assert not playing.leave_alone(see(START, CANVAS, brief=GAME, steps=steps, past=(*past, over), text="Lives: 3"))
    assert not playing.leave_alone(see(START, CANVAS, brief="A tetris game", steps=steps, past=past, text="Lives: 3"))


@pytest.mark.parametrize(
    ("before", "after", "moving", "held"),
    [
        ("Lives: 3", "Lives: 2", 0.01, True),
        ("Lives: ❤❤❤", "Lives: ❤❤", 0.01, True),
        ("Score: 0", "Game over\nScore: 0", 0.01, True),
        ("Lives: 3\nScore: 0", "Lives: 3\nScore: 40", 0.01, False),
        ("Score: 0", "Score: 40", 0.01, None),
        ("Score: 0", "Score: 0", 0.01, False),
        ("Score: 0", "Score: 0", 0.0, None),
    ],
)
def test_who_does_nothing_loses(before: str, after: str, moving: float, held: bool | None) -> None:
    """A life less, the end, or twice nothing of the kind while the game runs; one that waits tells nothing."""
    told = twice(
        Wait(ms=9000),
        page(CANVAS, text=before, moving=moving),
        page(CANVAS, text=after, number=9, moving=moving),
        "lost",
        changes={"picture": 0.0 if not moving else 0.01},
    )
    assert told[1].held is held


def test_a_game_that_ends_in_an_error_stands_still() -> None:
    """It throws when the wall is met, and nothing moves from then on; one that throws and goes on may be lost yet."""
    before, after = page(CANVAS, text="Score: 0", moving=0.01), page(CANVAS, text="Score: 0", number=9)
    wait = decided(Wait(ms=9000), "lost")
    assert did(wait, before, after, errors=3).outcomes[0].symptom == "animation_frozen"
    assert did(wait, before, after.model_copy(update={"moving": 0.01}), errors=3).outcomes[0].held is None
    over = page(CANVAS, text="Game over", number=9)
    assert did(wait, before, over, errors=3).outcomes[0].held is True


def test_a_round_that_ended_meanwhile_is_not_frozen() -> None:
    """What was let go on and lost at once did go on."""
    before, over = page(CANVAS, text="Paused"), page(CANVAS, text="Game over", number=1)
    assert all(one.held is None for one in twice(Press(keys=("Space",)), before, over, "moves", key="resumed game"))


def test_a_new_round_is_not_over() -> None:
    """The words of the end go; that they stay is told at the second attempt."""
    over = page(START, text="Game over\nScore: 3")
    assert tell(on(START), over, page(START, text="Score: 0", number=1), "restarted").held is True
    again = page(START, text="Game over\nScore: 0", number=1)
    assert [one.held for one in twice(on(START), over, again, "restarted")] == [None, False]


@pytest.mark.parametrize(
    ("brief", "key"),
    [
        ("Start buttons; the arrow keys steer, space pauses.", "Space"),
        ("A pause button (P key).", "p"),
        ("贪吃蛇游戏，空格暂停", "Space"),
        ("A pause button", ""),
    ],
)
def test_the_key_of_the_pause_is_read(brief: str, key: str) -> None:
    """From the sentence that speaks of the pause."""
    assert playing.pause_key(see(START, CANVAS, brief=brief)) == key


def test_the_pause_is_tried_by_its_key_too() -> None:
    """After the button; a focused button loses the focus first, for the space bar would press it."""
    pause = mark("Pause", at=(240, 100))
    steps, past = _played("start a game", "steer with keys", "pause a game", "resume a game")
    brief = "A snake game. Space pauses it, arrow keys steer."
    keyed = games.propose(see(START, pause, CANVAS, brief=brief, steps=steps, past=past, moving=0.01))
    assert any(one.decision.action == Press(keys=("Space",)) and one.decision.skill == "pause a game" for one in keyed)
    focused = see(START, pause, CANVAS, brief=brief, steps=steps, past=past, moving=0.01, focused=pause.id)
    assert "take the focus off a button" in {one.decision.skill for one in games.propose(focused)}


def test_the_key_of_the_pause_is_no_use_on_a_game_that_stands() -> None:
    """Another press may have paused it: the key would let it go on. And what moves goes on already, whoever resumed it."""
    steps, past = _played("start a game", "steer with keys", "pause a game", "watch a paused game", "press a button")
    pause, brief = mark("Pause", at=(240, 100)), "A snake game. Space pauses it, arrow keys steer."
    moving = see(START, pause, CANVAS, brief=brief, steps=steps, past=past, moving=0.01)
    assert "resume a game" not in {one.decision.skill for one in games.propose(moving)}
    steps, past = _played("start a game", "steer with keys", "pause a game", "resume a game", "press a button")
    still = see(START, pause, CANVAS, brief=brief, steps=steps, past=past)
    assert not any(
        isinstance(one.decision.action, Press) and one.decision.skill == "pause a game" for one in games.propose(still)
    )


SNAKE = "A snake game. Start and restart buttons. Space pauses it, arrow keys steer."
RESTART = mark("Restart", at=(400, 100))


def test_a_round_that_is_over_begins_anew_for_the_key_of_the_pause() -> None:
    """Then a button loses the focus, the key is pressed, all at once: such a round ends by itself in two seconds."""
    steps, past = _played("start a game", "steer with keys", "restart a game", playing.FOCUS_OFF)
    over = see(START, RESTART, CANVAS, brief=SNAKE, steps=steps, past=past, text="Game over")
    assert playing.ANEW in {one.decision.skill for one in games.propose(over)}
    steps, past = _played("start a game", "steer with keys", "restart a game", playing.FOCUS_OFF, playing.ANEW)
    running = see(START, RESTART, CANVAS, brief=SNAKE, steps=steps, past=past, moving=0.01, focused=RESTART.id)
    best = max(games.propose(running), key=lambda one: one.priority)
    assert best.decision.skill == playing.FOCUS_OFF
    steps, past = _played("start a game", "steer with keys", "restart a game", playing.FOCUS_OFF, playing.ANEW, playing.FOCUS_OFF)
    free = see(START, RESTART, CANVAS, brief=SNAKE, steps=steps, past=past, moving=0.01)
    best = max(games.propose(free), key=lambda one: one.priority)
    assert (best.decision.action, best.decision.skill) == (Press(keys=("Space",)), "pause a game")


def test_a_pause_by_its_key_rests_on_what_began_the_round() -> None:
    """That is what its proof repeats: the new round, the click beside the buttons, the key."""
    begun, past = _played("start a game", "steer with keys", "restart a game", playing.FOCUS_OFF)
    key = did(decided(Press(keys=("Space",)), skill="pause a game"), past[0], past[1], *begun)
    survey = see(START, RESTART, CANVAS, brief=SNAKE, steps=(*begun, key), past=past, moving=0.01)
    assert playing.paused_by(survey) == "a3 a4 a5"
    (watch,) = [one for one in games.propose(survey) if one.decision.skill == "watch a paused game"]
    assert watch.decision.expectations[0].params["symptom"] == "keyboard_ignored"
    assert playing.paused_by(see(START, CANVAS, brief=SNAKE, steps=begun, past=past)) == ""


def test_a_round_left_alone_is_proved_from_its_own_beginning() -> None:
    """What has gone off the board in one round is not there in the next watch of it; nor does an error's doing count."""
    first, runs = page(START, RESTART, CANVAS, moving=0.01), page(START, RESTART, CANVAS, number=1, moving=0.01)
    alone = decided(Wait(ms=6500), "lost", skill="leave a game alone", key="left alone")
    steps: tuple[Step, ...] = ()
    for decision in (decided(on(START), skill="start a game"), decided(on(RESTART), skill=playing.ANEW), alone):
        steps = (*steps, did(decision, first, runs, *steps))
    steps = (*steps, did(decided(on(RESTART), skill=playing.ANEW), first, runs, *steps))
    told = did(alone, first, runs, *steps).outcomes[0]
    assert (told.held, told.steps) == (False, ("a1", "a2", "a3", "a4", "a5"))
    threw = did(decided(on(RESTART), skill=playing.ANEW), first, runs, *steps[:3], errors=2)
    assert did(alone, first, runs, *steps[:3], threw).outcomes[0].held is None


def test_a_game_that_was_resumed_is_watched_for_a_while() -> None:
    """What falls once a second is not seen to move at a glance; on a board of tiles nothing moves by itself."""
    pause, brief = mark("Pause", at=(240, 100)), "A snake game. Space pauses it, arrow keys steer."
    steps, past = _played("start a game", "steer with keys", "pause a game", "resume a game")
    resumed = games.propose(see(START, pause, CANVAS, brief=brief, steps=steps, past=past))
    (watch,) = (one.decision for one in resumed if one.decision.skill == "watch a resumed game")
    assert (watch.action, watch.expectations[0].oracle) == (Wait(ms=playing.RUN_MS), "moves")
    quiet = tuple(one.model_copy(update={"moving": 0.0}) for one in past)
    tiles = games.propose(see(START, pause, CANVAS, brief="A 2048 game with a pause.", steps=steps, past=quiet))
    assert not any(one.decision.skill == "watch a resumed game" for one in tiles)
