"""Games: the keys for the one way and the other, and a new game after the last life."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.deciders.protocol import Step
from agent.skills import forms, games, played_out, reopening, steering
from agent.skills.opened_forms import REOPENED
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, stepped
from tools.browser.actions import Press, Wait
from tools.browser.marks import Observation

CANVAS = mark("view", "canvas", at=(0, 0), size=(800, 500))
STEER = Press(keys=("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"))


def sky(ships: int, *, number: int = 0, moving: float = 0.02, over: bool = False, again: str = "") -> Observation:
    """A game with a display of ships; with a button in the middle where it does not run."""
    button = (mark(again, at=(400, 300)),) if again else ()
    text = f"Ships\n{ships}\nScore\n0\n" + ("Game over" if over else "")
    return page(CANVAS, *button, text=text, number=number, moving=0.0 if again else moving)


def pressed(taken: tuple[str, ...], left: tuple[str, ...], *before: Step) -> Step:
    """The arrows were pressed; those are the keys the page took and left."""
    given = decided(STEER, "keys_alike", key="ways", skill="steer with keys")
    after = sky(3, number=1).model_copy(update={"keys_taken": taken, "keys_left": left})
    return did(given, sky(3), after, *before)


@pytest.mark.parametrize(
    ("taken", "left", "held"),
    [
        (("ArrowLeft", "ArrowUp"), ("ArrowRight", "ArrowDown"), False),
        (("ArrowLeft", "ArrowRight", "ArrowUp"), ("ArrowDown",), True),
        (("ArrowUp", "ArrowDown"), ("ArrowLeft", "ArrowRight"), None),
    ],
)
def test_a_game_that_takes_one_of_two_keys_knows_but_one(
    taken: tuple[str, ...], left: tuple[str, ...], held: bool | None
) -> None:
    """At two presses; up without down is no lack, and a page that takes neither may use both."""
    first = pressed(taken, left)
    second = pressed(taken, left, first)
    assert second.outcomes[0].held is held if held is not None else not second.outcomes
    assert not first.outcomes or first.outcomes[0].held is (True if held else None)


def test_another_key_the_second_time_is_a_round_that_ended() -> None:
    """Keys that a game leaves once it is over are not those it does not know."""
    first = pressed(("ArrowLeft",), ("ArrowRight",))
    assert pressed(("ArrowRight",), ("ArrowLeft",), first).outcomes[0].held is None


def test_the_pair_is_pressed_once_more_where_one_of_them_seemed_unknown() -> None:
    """At once; not where both were taken, and not a third time."""
    for taken, left, more in ((("ArrowLeft",), ("ArrowRight",), True), (("ArrowLeft", "ArrowRight"), (), False)):
        first = pressed(taken, left)
        survey = see(CANVAS, text="Ships\n3", moving=0.02, brief="A lander game.", steps=(first,), past=(sky(3),))
        found = [one.decision for one in games.propose(survey) if one.decision.skill == steering.BOTH_WAYS]
        assert [one.action for one in found] == (
            [Press(keys=("ArrowLeft", "ArrowRight"), hold_ms=140, gap_ms=260)] if more else []
        )
    again = did(
        decided(Press(keys=("ArrowLeft", "ArrowRight")), "keys_alike", key="ways", skill=steering.BOTH_WAYS), sky(3), sky(3)
    )
    survey = see(CANVAS, text="Ships\n3", moving=0.02, brief="A lander game.", steps=(first, again), past=(sky(3),))
    assert not [one for one in games.propose(survey) if one.decision.skill == steering.BOTH_WAYS]


def test_that_a_page_takes_keys_says_nothing_of_what_came_of_them() -> None:
    """A board on which the keys did nothing visible gets the focus first, as before, though it kept them from the browser."""
    board = page(CANVAS, text="Moves\n0")
    given = decided(STEER, "keyboard_effect", key="steering keys", skill="steer with keys")
    keys = decided(STEER, "keys_alike", key="ways").expectations
    given = replace(given, expectations=(*given.expectations, *keys))
    taken = board.model_copy(update={"id": "o1", "keys_taken": STEER.keys})
    first = did(given, board, taken)
    assert [(one.oracle, one.held) for one in first.outcomes] == [("keyboard_effect", None), ("keys_alike", True)]
    survey = see(CANVAS, text="Moves\n0", brief="A sliding game with arrow keys.", steps=(first,), past=(board,))
    (focus,) = steering.steer(survey, waits=False)
    assert focus.decision.skill == "give a game the focus"


def steered() -> tuple[Step, ...]:
    """Two rounds of keys."""
    given = decided(STEER, skill="steer with keys")
    return (did(given, sky(3), sky(3, number=1)), did(given, sky(3, number=1), sky(3, number=2)))


def proposed(now: Observation, *more: Step) -> list[tuple[str, str]]:
    """Skill and act that are proposed."""
    survey = see(
        *now.marks, text=now.text, moving=now.moving, steps=(*steered(), *more), past=tuple(sky(3, number=at) for at in range(6))
    )
    return [(one.decision.skill, one.decision.action.act if one.decision.action else "") for one in played_out.propose(survey)]


def test_lives_are_lost_one_after_the_other_and_a_game_begun_anew() -> None:
    """By waiting while it runs, by its button after a loss, and at the end with an expectation."""
    assert proposed(sky(3)) == [(played_out.LEFT, "wait")]
    assert proposed(sky(2, again="Try again")) == [(played_out.ON, "click")]
    assert proposed(sky(0, again="New game", over=True)) == [(played_out.ANEW, "click")]
    assert not proposed(page(CANVAS, text="Score\n0", moving=0.02))
    waits = decided(Wait(ms=played_out.ALONE_MS), skill=played_out.LEFT)
    vain = [did(waits, sky(3, number=number), sky(3, number=number + 1)) for number in (3, 4)]
    assert not proposed(sky(3), *vain)


def test_whatever_begins_a_new_game_gives_the_lives_back() -> None:
    """Also the button that is known as one for a new round; nothing is asked of it while lives are left."""
    for ships, asked in ((0, True), (2, False)):
        now = sky(ships, again="Play again", over=True)
        survey = see(*now.marks, text=now.text, brief="A lander game.", steps=steered(), past=(sky(3), sky(3, number=1)))
        (anew,) = (one.decision for one in games.propose(survey) if one.decision.skill == "restart a game")
        assert any(one.oracle == "lives_anew" for one in anew.expectations) is asked


@pytest.mark.parametrize(("ships", "held"), [(3, True), (0, False), (2, None)])
def test_a_new_game_has_all_lives(ships: int, held: bool | None) -> None:
    """None, as the last one ended, is told; another number may be meant so."""
    over = sky(0, again="New game", over=True)
    act = decided(on(mark("New game", at=(400, 300))), "lives_anew", of="ships", first=3.0)
    told = [one.held for one in stepped(act, over, sky(ships, number=1)).outcomes]
    assert told == ([held] if held is not None else [])


def test_what_a_button_counted_up_since_is_no_value_that_was_lost() -> None:
    """`One more of Anna Keller` after it was saved with four: it holds five when it is opened again."""
    name, stock, save = (
        mark("Name", "input", at=(100, 100)),
        mark("In stock", "input", at=(100, 160)),
        mark("Save item", at=(100, 220)),
    )
    filled = page(name.model_copy(update={"value": "Anna Keller"}), stock.model_copy(update={"value": "4"}), save)
    edit, more = mark("Edit Anna Keller", at=(600, 100)), mark("One more of Anna Keller", at=(700, 100))
    shown = page(edit, more, text="Anna Keller", number=2)
    from agent.skills.controls import forms as forms_of  # noqa: PLC0415 - the module's own name is taken above
    from tools.browser.actions import Target, Type  # noqa: PLC0415

    key = forms_of(filled.marks)[0].key
    steps = [
        did(decided(Type(target=Target.of(name), text="Anna Keller"), skill=f"fill form {key}"), page(name, stock, save), filled)
    ]
    steps.append(did(decided(Type(target=Target.of(stock), text="4"), skill=f"fill form {key}"), filled, filled, *steps))
    steps.append(did(decided(on(save), skill=f"submit form {key}"), filled, shown, *steps))
    values = [
        reopening.propose(see(edit, more, steps=tuple(steps), past=(filled,), text="Anna Keller"))[0]
        .decision.expectations[0]
        .params["values"]
    ]
    steps.append(did(decided(on(more), skill="step a number"), shown, shown, *steps))
    values += [
        reopening.propose(see(edit, more, steps=tuple(steps), past=(filled,), text="Anna Keller"))[0]
        .decision.expectations[0]
        .params["values"]
    ]
    assert ["4" in str(one).split() for one in values] == [True, False]


def test_what_is_opened_to_be_looked_at_is_not_filled_again() -> None:
    """Only the press that opened it counts; later it is a form like any other."""
    name, save, edit = (
        mark("Name", "input", at=(100, 100), value="Anna"),
        mark("Save", at=(100, 160)),
        mark("Edit Anna", at=(600, 100)),
    )
    opened = did(decided(on(edit), skill=REOPENED), page(edit), page(name, save, number=1))
    other = did(decided(on(edit), skill="press a button"), page(edit), page(name, save, number=1))
    past = (page(edit),)
    assert not forms.propose(see(name, save, steps=(opened,), past=past))
    assert forms.propose(see(name, save, steps=(other,), past=past))
