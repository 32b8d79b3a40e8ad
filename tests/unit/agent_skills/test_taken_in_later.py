"""What a correct app does not show at once, and must not be accused of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from agent.deciders.protocol import Step
from agent.skills import choices, layers, playing, steering
from agent.skills.values import value_for
from agent.tongues import speaking, tongues_of
from tests.unit.agent_skills.scenes import acts, decided, mark, on, page, see, stepped, tell, twice
from tools.browser.actions import Press
from tools.browser.marks import Listing, Logged, Mark, Observation

PLANET = mark("Himmelskörper", "select", options=("1", "2", "3"), option_names=("Erde", "Mond", "Mars"), value="1", at=(100, 100))
GRAVITY = PLANET.model_copy(update={"name": "Planet", "option_names": ("Earth", "Moon", "Mars")})


@pytest.mark.parametrize(
    ("select", "button", "language", "asked"),
    [
        (PLANET, "Abfeuern", "de", False),
        (GRAVITY, "Fire", "en", False),
        (GRAVITY, "Start", "en", True),
        (GRAVITY, "About", "en", True),
    ],
)
def test_what_a_button_takes_in_need_not_follow_at_once(select: Mark, button: str, language: str, asked: bool) -> None:
    """A button that fires, or one whose word is not known, may take the choice in; Start and others do not."""
    brief = "Ein Wurflabor mit dem Himmelskörper zur Wahl" if language == "de" else "A lab: choose the planet"
    with speaking(tongues_of(brief, language)):
        found = choices.propose(see(select, mark(button, at=(100, 160)), brief=brief, language=language))
    told = [one.oracle for candidate in found for one in candidate.decision.expectations]
    assert ("choice_follows" in told) is asked


def test_a_file_chooser_is_an_answer() -> None:
    """The stage cancels it, so that nothing is left to see; the button worked."""
    button = mark("Open file")
    asked = Logged(events=("e7",))
    assert tell(on(button), page(button), page(button, number=1, logs=asked), "dialog_opens").held is True
    first, second = twice(on(button), page(button), page(button, number=1), "dialog_opens")
    assert (first.held, second.held) == (None, False)


def test_keys_that_take_each_other_back_are_not_the_last_word() -> None:
    """A cursor that went right, down, left and up stands where it stood: the next round goes one way only."""
    cell, brief = mark("Take back"), "Four in a row: use the arrow keys to move and Enter to drop"
    before, after = page(cell, listens=("keydown",)), page(cell, listens=("keydown",), number=1)
    round_ = stepped(
        decided(Press(keys=steering.ARROWS), "keyboard_effect", key="steering keys", skill="steer with keys"), before, after
    )
    assert round_.outcomes[0].held is None
    late = stepped(round_.decision, before, after, text=True)  # the computer's own move, while the keys were pressed
    assert late.outcomes[0].held is True
    for first in (round_, late):
        assert not takes_itself_back(_next_keys(first, cell, brief, before))


def takes_itself_back(keys: tuple[str, ...]) -> bool:
    """Whether as many go one way as the other."""
    return keys.count("ArrowLeft") == keys.count("ArrowRight") and keys.count("ArrowUp") == keys.count("ArrowDown")


def _next_keys(first: Step, cell: Mark, brief: str, before: Observation) -> tuple[str, ...]:
    found = acts(steering.steer(see(cell, brief=brief, steps=(first,), past=(before,), listens=("keydown",)), waits=False))
    return next(act.keys for act in found if isinstance(act, Press))


def test_keys_are_tried_again_beside_the_control_in_focus() -> None:
    """Some games leave the keys to the button that has the focus: it is taken off before the keys have the last word."""
    back, brief = mark("Take back"), "Four in a row: use the arrow keys to move and Enter to drop"
    before = page(back, listens=("keydown",))
    unfelt = stepped(
        decided(Press(keys=steering.ARROWS), "keyboard_effect", key="steering keys", skill="steer with keys"), before, before
    )
    given: dict[str, Any] = {"brief": brief, "past": (before,), "listens": ("keydown",), "focused": back.id}
    (aside,) = steering.steer(see(back, steps=(unfelt,), **given), waits=False)
    assert aside.decision.skill == playing.FOCUS_OFF
    beside = stepped(aside.decision, before, before, (unfelt,))
    (again,) = steering.steer(see(back, steps=(unfelt, beside), **given), waits=False)
    assert isinstance(again.decision.action, Press)


def test_what_closed_a_dialog_closes_the_next_one() -> None:
    """Escape that works is pressed as often as a dialog lies over the page; one that never did is given up."""
    open_, under = mark("Open"), [mark(f"Card {number}", at=(100, 200 + 40 * number)) for number in range(6)]
    bare, lid = page(open_, *under), [one.model_copy(update={"covered": True}) for one in (open_, *under)]
    inner = mark("Next picture", at=(600, 400))

    def after(works: bool) -> list[object]:
        steps: list[Step] = []
        seen = [bare]
        for round_ in range(4):
            covered = page(*lid, inner, number=2 * round_ + 1)
            closed = page(*(bare.marks if works else covered.marks), number=2 * round_ + 2)
            opened = stepped(decided(on(open_), "dialog_opens", skill="press a button"), seen[-1], covered, tuple(steps))
            steps.append(opened)
            steps.append(stepped(decided(Press(keys=("Escape",)), "any", skill="close by Escape"), covered, closed, tuple(steps)))
            seen += [covered, closed]
        now = page(*lid, inner, number=20)
        steps.append(stepped(decided(on(open_), "dialog_opens", skill="press a button"), seen[-1], now, tuple(steps)))
        return [
            act for act in acts(layers.propose(see(*now.marks, steps=tuple(steps), past=tuple(seen)))) if isinstance(act, Press)
        ]

    assert after(works=True) == [Press(keys=("Escape",))]
    assert after(works=False) == []


def _shares(gains: Sequence[str], percents: Sequence[str], *, number: int) -> Observation:
    legend = tuple((name, f"{10 + place}.0%") for place, name in enumerate("ABCDEFG"))
    rows = tuple(zip("PQRST", gains, percents, strict=True))
    lists = (
        Listing(selector="#legend", columns=("", ""), items=legend, count=len(legend)),
        Listing(selector="tbody", columns=("Symbol", "Gain ▼", "Gain %"), items=rows, count=len(rows)),
    )
    return page(mark("Gain"), lists=lists, number=number)


def test_a_sort_is_told_in_the_table_that_has_the_column() -> None:
    """A longer legend beside it says nothing; "Gain ▼" is the column Gain and not Gain %."""
    before = _shares(("$9.00", "$120.00", "$30.00", "$5.00", "$41.00"), ("4%", "3%", "9%", "1%", "2%"), number=0)
    as_text = _shares(("$120.00", "$30.00", "$41.00", "$5.00", "$9.00"), ("3%", "9%", "2%", "1%", "4%"), number=1)
    told = tell(on(mark("Gain")), before, as_text, "ordered", by="Gain")
    assert (told.held, told.symptom) == (False, "wrong_result")
    right = _shares(("$120.00", "$41.00", "$30.00", "$9.00", "$5.00"), ("3%", "2%", "9%", "4%", "1%"), number=1)
    assert tell(on(mark("Gain")), before, right, "ordered", by="Gain").held is True


@pytest.mark.parametrize(("label", "value"), [("Shares", "6"), ("Servings", "6"), ("Reps", "6"), ("股数", "6")])
def test_amounts_are_typed_into_fields_for_amounts(label: str, value: str) -> None:
    """A text field that is called after an amount gets a number, and no words that any form refuses."""
    field = mark(label, "input", input_type="text")
    assert value_for(field, page(field)) == value
