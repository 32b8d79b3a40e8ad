"""What a game is to begin with is what it begins with."""

from __future__ import annotations

import pytest

from agent.skills import games
from agent.skills.checks.starting import chosen_to_begin
from tests.unit.agent_skills.scenes import decided, did, mark, on, page, see, stepped
from tools.browser.actions import Select, Target

GO = mark("Start game", at=(40, 500))


def level(name: str = "Start level", value: str = "6") -> tuple[str, float] | None:
    """What a select of this name was set to."""
    return chosen_to_begin(page(mark(name, "select", value=value, options=("1", "6")), GO))


def test_the_control_is_known_by_its_name() -> None:
    """And holds a number."""
    assert level() == ("level", 6.0)
    assert level("起始等级") == ("等级", 6.0)
    assert level("Level") is None
    assert level(value="hard") is None


@pytest.mark.parametrize(("before", "after", "held"), [(1, 6, [True]), (1, 1, [False]), (6, 7, []), (1, None, [])])
def test_it_begins_with_what_was_chosen(before: int, after: int | None, held: list[bool]) -> None:
    """Nothing is said where it went on from there, or shows nothing of the kind."""
    texts = [f"Level\n{value}\nScore\n0" if value is not None else "Go" for value in (before, after)]
    pages = [page(GO, text=text, number=place, moving=0.01 * place) for place, text in enumerate(texts)]
    act = decided(on(GO), "begins_with", label="level", value=6.0)
    assert [one.held for one in stepped(act, pages[0], pages[1]).outcomes] == held


def test_another_value_is_chosen_before_a_game_begins() -> None:
    """Once; what is chosen as it is tells nothing."""
    box = mark("Start level", "select", value="1", options=("1", "2", "3"))
    found = games.propose(see(box, GO, brief="A falling-block game."))
    best = max(found, key=lambda one: one.priority).decision
    assert (best.action, best.skill) == (Select(target=Target.of(box), value="2"), "choose what to begin with")
    done = did(best, page(box, GO), page(box.model_copy(update={"value": "2"}), GO, number=1))
    again = games.propose(see(box, GO, brief="A falling-block game.", steps=(done,), past=(page(box, GO),)))
    assert not any(one.decision.skill == "choose what to begin with" for one in again)
