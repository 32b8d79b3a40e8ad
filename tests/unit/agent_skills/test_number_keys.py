"""Number keys for a row of buttons."""

from __future__ import annotations

import pytest

from agent.skills import number_keys
from tests.unit.agent_skills.scenes import acts, did, mark, page, see
from tools.browser.actions import Press

BRIEF = "A flashcard trainer. Keyboard: Space shows the answer, 1–4 grade, U undoes."
GRADES = [mark(name, at=(100 + 130 * i, 400)) for i, name in enumerate(("Again", "Hard", "Good", "Easy"))]


@pytest.mark.parametrize(
    ("brief", "shown", "keys"),
    [
        (BRIEF, 4, [("4",)]),
        (BRIEF, 3, []),
        ("A quiz with 1–4 players.", 4, []),
        ("Chords as pads (also keys 1 to 4).", 4, [("4",)]),
        ("A form with steps 1–2, by keyboard.", 4, []),
    ],
)
def test_a_number_is_pressed_while_its_buttons_are_there(brief: str, shown: int, keys: list[tuple[str, ...]]) -> None:
    """As many as there are numbers; what is no key is not pressed."""
    found = acts(number_keys.propose(see(*GRADES[:shown], brief=brief)))
    assert [one.keys for one in found if isinstance(one, Press)] == keys


def test_a_dead_number_is_pressed_twice_and_told() -> None:
    """Then the first of them has its turn."""
    still = page(*GRADES, text="Card 1")
    (first,) = number_keys.propose(see(*GRADES, brief=BRIEF, text="Card 1"))
    one = did(first.decision, still, still)
    (again,) = number_keys.propose(see(*GRADES, brief=BRIEF, text="Card 1", steps=(one,), past=(still,)))
    two = did(again.decision, still, still, one)
    assert [(told.held, told.symptom) for told in two.outcomes[:1]] == [(False, "keyboard_ignored")]
    (next_,) = number_keys.propose(see(*GRADES, brief=BRIEF, text="Card 1", steps=(one, two), past=(still, still)))
    assert next_.decision.action == Press(keys=("1",))
