"""Skills for special apps: calculators, games, timers, themes, searches, drawings, boards, short cuts."""

from __future__ import annotations

from agent.deciders.protocol import Step
from agent.skills import (
    calculator,
    canvases,
    dragging,
    games,
    keyboard,
    searching,
    themes,
    timers,
)
from tests.unit.agent_skills.scenes import acts, aims, decided, did, mark, page, see, sha, stepped
from tools.browser.actions import Drag, Press, Type, Wait

TASK = mark("New task", "input", input_type="text", at=(100, 60), size=(300, 32))
ADD = mark("Add", at=(410, 60))


# ---- special apps -------------------------------------------------------------------------------------------------------

KEYPAD = (
    *(mark(key, at=(100 + 50 * n, 300), size=(40, 40)) for n, key in enumerate("7894561230+−×÷=")),
    mark("AC", at=(100, 250)),
)


def test_a_sum_is_pressed_key_by_key() -> None:
    """7, +, 8, =, and the last expects 15; a page with a few digits is no calculator."""
    steps: list[Step] = []
    texts = ("0", "7", "7 +", "8")
    for number, key in enumerate("7+8"):
        found = calculator.propose(see(*KEYPAD, steps=tuple(steps), text=texts[number]))
        assert aims(found) == [key]
        steps.append(did(found[0].decision, page(*KEYPAD, text=texts[number]), page(*KEYPAD, text=texts[number + 1]), *steps))
    last = calculator.propose(see(*KEYPAD, steps=tuple(steps), text="8"))[0].decision
    assert (last.expectations[0].oracle, last.expectations[0].params["value"]) == ("equals", 15.0)
    assert calculator.propose(see(*KEYPAD[:5])) == []


def test_a_key_that_was_missed_is_pressed_again() -> None:
    """A press that did not arrive is no part of the sum."""
    first = calculator.propose(see(*KEYPAD))[0].decision
    missed = stepped(first, page(*KEYPAD), page(*KEYPAD), delivered=False)
    assert aims(calculator.propose(see(*KEYPAD, steps=(missed,)))) == ["7"]


CANVAS = mark("", "canvas", size=(480, 480))


def test_a_game_is_started_by_the_key_the_page_names() -> None:
    """`Press Space to start` is obeyed; once it moves, the arrows follow."""
    text = "Snake\nPress Space to start\nScore: 0"
    found = games.propose(see(CANVAS, brief="A snake game with arrow keys", text=text))
    assert acts(found)[0] == Press(keys=("Space",))
    still, moving = page(CANVAS, text=text, number=1), page(CANVAS, text="Snake\nScore: 0", moving=0.01, number=2)
    step = did(found[0].decision, still, moving)
    assert step.outcomes[0].held is True
    steering = acts(
        games.propose(
            see(CANVAS, brief="A snake game with arrow keys", steps=(step,), past=(still,), text="Score: 0", moving=0.01)
        )
    )[0]
    assert isinstance(steering, Press)
    assert steering.keys[0] == "ArrowRight"


def test_a_board_is_played_cell_by_cell() -> None:
    """Cells of a game's board are pressed one after another, never the same twice."""
    cells = tuple(
        mark("", at=(100 + 60 * (n % 3), 100 + 60 * (n // 3)), size=(58, 58), group="b", selector=f"#c{n}", signature=f"c{n}")
        for n in range(9)
    )
    steps: list[Step] = []
    chosen = []
    for _ in range(4):
        found = [
            one
            for one in games.propose(see(*cells, brief="A tic-tac-toe game", steps=tuple(steps)))
            if one.decision.skill == "play a cell"
        ]
        chosen.append(found[0].decision.action.target.selector)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
        steps.append(did(found[0].decision, page(*cells, text=str(len(steps))), page(*cells, text=str(len(steps) + 1)), *steps))
    assert len(set(chosen)) == 4


def test_a_paused_game_is_watched_and_resumed() -> None:
    """Pause, watch, go on with the same key; nothing else is played meanwhile."""
    brief = "A snake game. Steer with the arrow keys. Press P to pause."
    still, run = page(CANVAS, text="Score: 0", number=1), page(CANVAS, text="Score: 0", moving=0.01, number=2)
    start = did(decided(Press(keys=("Space",)), "keyboard_effect", skill="start a game", key="s"), still, run)
    steer = did(decided(Press(keys=("ArrowUp",)), skill="steer with keys"), run, run, start)
    pause = did(decided(Press(keys=("p",)), skill="pause a game"), run, still, start, steer)
    steps = (start, steer, pause)
    watch = games.propose(see(CANVAS, brief=brief, steps=steps, past=(still, run, run), text="Score: 0"))
    assert [type(act) for act in acts(watch)][:1] == [Wait]
    assert not any(one.decision.skill == "steer with keys" for one in watch)
    seen = did(watch[0].decision, still, still, *steps)
    on = games.propose(see(CANVAS, brief=brief, steps=(*steps, seen), past=(still, run, run, still), text="Score: 0"))
    assert (on[0].decision.skill, on[0].decision.action) == ("resume a game", Press(keys=("p",)))


def test_a_timer_is_started_watched_paused_and_watched() -> None:
    """Each phase follows the one before."""
    start, pause = mark("Start"), mark("Pause", at=(300, 100))
    brief = "A pomodoro timer"
    ready, runs = page(start, pause, text="25:00", number=1), page(start, pause, text="24:58", number=2)
    first = timers.propose(see(start, pause, brief=brief, text="25:00"))
    assert aims(first) == ["Start"]
    one = did(first[0].decision, ready, ready, dom=True)
    watch = timers.propose(see(start, pause, brief=brief, text="25:00", steps=(one,)))
    assert isinstance(acts(watch)[0], Wait)
    two = did(watch[0].decision, ready, runs, one)
    assert two.outcomes[0].held is True
    stop = timers.propose(see(start, pause, brief=brief, text="24:58", steps=(one, two)))
    assert aims(stop)[:1] == ["Pause"]
    three = did(stop[0].decision, runs, runs, one, two)
    again = timers.propose(see(start, pause, brief=brief, text="24:58", steps=(one, two, three)))
    assert again[0].decision.expectations[0].oracle == "still"


def test_a_theme_is_switched_and_switched_back() -> None:
    """The way back is known by the fingerprint before both."""
    switch = mark("Dark mode")
    light, dark = page(switch, number=1), page(switch, number=2, fingerprint=sha("dark"))
    first = themes.propose(see(switch))[0].decision
    step = did(first, light, dark, picture=0.9)
    back = themes.propose(see(switch, steps=(step,), past=(light,), fingerprint=sha("dark")))[0].decision
    assert back.expectations[0].params["fingerprint"] == light.fingerprint
    assert themes.propose(see(mark("About"))) == []


def test_a_search_is_typed_retried_with_enter_and_emptied() -> None:
    """Nothing happened: Enter; it narrowed: the field is emptied again."""
    field = mark("Search", "input", role="searchbox", input_type="search")
    text = "Apple pie\nPumpkin soup\nLentil stew\nCarrot cake\nPlum jam"
    whole = page(field, text=text, number=1)
    filled = field.model_copy(update={"value": "Pumpkin"})
    first = searching.propose(see(field, text=text, brief="Recipes can be searched"))[0].decision
    assert isinstance(first.action, Type)
    dead = did(first, whole, page(filled, text=text, number=2))
    retry = searching.propose(see(filled, text=text, steps=(dead,), brief="Recipes can be searched"))[0].decision
    assert isinstance(retry.action, Type)
    assert retry.action.submit
    live = did(first, whole, page(filled, text="Pumpkin soup" if "Pumpkin" in first.action.text else first.action.text, number=2))
    empty = searching.propose(see(filled, text="Pumpkin soup", steps=(live,), brief="Recipes can be searched"))[0].decision
    assert isinstance(empty.action, Type)
    assert empty.action.text == ""


def test_a_drawing_gets_strokes_and_a_chart_is_only_touched() -> None:
    """What is demanded of a canvas depends on the brief."""
    stroke = canvases.propose(see(CANVAS, brief="A drawing app with a brush"))[0].decision
    assert isinstance(stroke.action, Drag)
    assert stroke.expectations[0].oracle == "draws"
    touch = canvases.propose(see(CANVAS, brief="A dashboard with a chart"))[0].decision
    assert all(one.oracle == "sane" for one in touch.expectations)


def test_cards_are_dragged_onto_another_column() -> None:
    """A drop zone that listens, else a card of another column."""
    cards = (mark("Write", "div", draggable=True, at=(100, 100)), mark("Review", "div", draggable=True, at=(500, 100)))
    act = dragging.propose(see(*cards, brief="A kanban board with drag and drop"))[0].decision.action
    assert isinstance(act, Drag)
    assert act.to is not None
    assert act.to.name == "Review"
    zone = mark("Done", "div", listeners=("dragover", "drop"), at=(800, 80), size=(200, 400))
    act = dragging.propose(see(*cards, zone))[0].decision.action
    assert isinstance(act, Drag)
    assert act.to is not None
    assert act.to.name == "Done"


def test_named_keys_are_pressed_unless_a_field_would_take_them() -> None:
    """`"N" starts a new note` is tried while no field has the focus."""
    brief = 'A notes app. Keyboard: "N" starts a new note.'
    assert acts(keyboard.propose(see(ADD, brief=brief))) == [Press(keys=("n",))]
    assert keyboard.propose(see(TASK, brief=brief, focused=TASK.id)) == []
    assert keyboard.propose(see(ADD, brief="A notes app.")) == []
